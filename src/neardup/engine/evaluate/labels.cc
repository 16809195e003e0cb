#include "neardup/engine/evaluate/labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>

#include "neardup/base/hash.h"
#include "neardup/corpus/corpus.h"
#include "neardup/evaluate/label_line.h"

namespace neardup::engine {
namespace {

// From an id, or a line of the only input, to its document.
class Finder {
 public:
  explicit Finder(const Documents& documents) : documents_(documents) {}

  Result<uint32_t> by_id(const std::string& id) {
    if (ids_.empty()) index_ids();
    const uint64_t hash = hash64(id);
    std::optional<uint32_t> found;
    for (auto at = std::lower_bound(ids_.begin(), ids_.end(), IdHash{hash, 0}); at != ids_.end() && at->hash == hash;
         ++at) {
      if (documents_.id(at->document) != id) continue;
      if (found)
        return refuse(
            fmt::format("two documents have the id \"{}\"; name pairs by line numbers, or make ids "
                        "unique",
                        id));
      found = at->document;
    }
    if (found) return *found;
    return refuse(fmt::format("no document has the id \"{}\"; ids here look like \"{}\" (--id-key names their field)",
                              id, documents_.id(0)));
  }

  Result<uint32_t> by_line(uint64_t line) const {
    if (documents_.num_inputs() != 1)
      return refuse(
          fmt::format("line numbers need one input, here are {}; name documents by their ids: "
                      "{{\"a\":...,\"b\":...}}",
                      documents_.num_inputs()));
    const auto& batches = documents_.batches();
    const auto after = std::upper_bound(batches.begin(), batches.end(), line,
                                        [](uint64_t wanted, const BatchPlace& at) { return wanted < at.first_line; });
    if (after != batches.begin()) {
      const BatchPlace& batch = *std::prev(after);
      const auto line_of = [&](uint64_t number) {
        return batch.first_line + documents_.row(static_cast<uint32_t>(batch.first_document + number)).line;
      };
      uint64_t low = 0, high = batch.num_documents;  // lines ascend
      while (low < high) {
        const uint64_t middle = (low + high) / 2;
        if (line_of(middle) < line) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      if (low < batch.num_documents && line_of(low) == line) return static_cast<uint32_t>(batch.first_document + low);
    }
    return refuse(
        fmt::format("line {} (from 0) of the input holds no document; it has {} documents", line, documents_.size()));
  }

 private:
  struct IdHash {
    uint64_t hash = 0;
    uint32_t document = 0;
    bool operator<(const IdHash& other) const {
      return hash != other.hash ? hash < other.hash : document < other.document;
    }
  };
  static tl::unexpected<Error> refuse(std::string problem) { return fail(Code::kInvalidArgument, std::move(problem)); }

  void index_ids() {
    ids_.reserve(documents_.size());
    for (uint32_t i = 0; i < documents_.size(); ++i) ids_.push_back({hash64(documents_.id(i)), i});
    std::sort(ids_.begin(), ids_.end());
  }

  const Documents& documents_;
  std::vector<IdHash> ids_;
};

class LabelReader {
 public:
  LabelReader(const Documents& documents, const LabelOptions& options, uint64_t most_pairs)
      : finder_(documents), options_(options), most_pairs_(most_pairs) {}

  Status add(std::string_view text, uint64_t number) {
    NEARDUP_ASSIGN(const auto parsed, evaluate::parse_label_line(text, options_.stratum_key));
    if (!parsed) return {};
    NEARDUP_TRY(check_kind(*parsed));
    NEARDUP_ASSIGN(const uint32_t a, parsed->by_id ? finder_.by_id(parsed->a_id) : finder_.by_line(parsed->a_line));
    NEARDUP_ASSIGN(const uint32_t b, parsed->by_id ? finder_.by_id(parsed->b_id) : finder_.by_line(parsed->b_line));
    if (a == b) return fail(Code::kInvalidArgument, "the line pairs a document with itself; take it out");
    if (parsed->similarity.value_or(1) < options_.least_similarity) return {};
    if (result_.pairs.size() >= most_pairs_)
      return fail(Code::kMemory, fmt::format("more than {} labelled pairs do not fit into --memory; raise it, or give "
                                             "fewer of them",
                                             most_pairs_));
    const bool same = parsed->grade ? *parsed->grade >= options_.duplicate_from : parsed->duplicate.value_or(true);
    evaluate::LabelledPair pair{.a = a, .b = b, .same = same, .line = number};
    pair.grade = static_cast<uint8_t>(parsed->grade.value_or(same ? 1 : 0));
    pair.weight = parsed->weight.value_or(1);
    if (result_.is_judged) {
      NEARDUP_ASSIGN(pair.stratum, number_of(parsed->stratum));
    }
    result_.pairs.push_back(pair);
    return {};
  }
  LabelledPairs take() { return std::move(result_); }

 private:
  // What one line has of these, all must have.
  Status check_kind(const evaluate::LabelLine& line) {
    const bool is_judged = line.grade || line.duplicate;
    LabelledPairs kind;
    kind.is_judged = is_judged;
    kind.is_graded = line.grade.has_value();
    kind.is_weighted = is_judged && line.weight.has_value();
    if (!any_) result_ = kind;
    any_ = true;
    if (result_.is_judged != kind.is_judged)
      return fail(Code::kInvalidArgument,
                  "some lines have \"duplicate\" or \"label\" and some have not; judge every line (only judged pairs "
                  "count then) or none (pairs not listed are not duplicates)");
    if (result_.is_graded != kind.is_graded)
      return fail(Code::kInvalidArgument, "some lines have \"duplicate\" and some \"label\"; give all the same");
    if (result_.is_weighted != kind.is_weighted)
      return fail(Code::kInvalidArgument,
                  "some lines have \"weight\" and some have not; give it on every line (1 where a pair stands for "
                  "itself) or on none");
    return {};
  }

  Result<uint16_t> number_of(const std::string& stratum) {
    const auto found = std::ranges::find(result_.strata, stratum);
    const auto number = static_cast<uint16_t>(found - result_.strata.begin());
    if (found != result_.strata.end()) return number;
    if (result_.strata.size() >= kMostStrata)
      return fail(Code::kInvalidArgument,
                  fmt::format("more than {} strata, the last \"{}\"; strata are the few parts that a sample was drawn "
                              "from, and --stratum-key the member \"{}\" that names them",
                              kMostStrata, stratum, options_.stratum_key));
    result_.strata.push_back(stratum);
    return number;
  }

  Finder finder_;
  const LabelOptions& options_;
  uint64_t most_pairs_;
  bool any_ = false;
  LabelledPairs result_;
};

Status add_batch(const corpus::Batch& batch, const std::string& path, uint64_t lines_before, LabelReader& reader) {
  const auto at = [&](uint64_t line, const std::string& message) {
    return fail(Code::kInvalidArgument, fmt::format("{}:{}: {}", path, lines_before + line + 1, message));
  };
  if (!batch.rejections.empty()) return at(batch.rejections[0].line, batch.rejections[0].message);
  for (const corpus::Document& line : batch.documents) {
    const Status added = reader.add(line.text, lines_before + line.line + 1);
    if (!added)
      return fail(added.error().code,
                  fmt::format("{}:{}: {}", path, lines_before + line.line + 1, added.error().message));
  }
  return {};
}

}  // namespace

Result<std::vector<uint32_t>> labels_by_field(const Documents& documents, const std::string& key) {
  std::vector<bool> known;  // group values that were seen
  std::vector<uint32_t> labels(documents.size(), evaluate::kNoLabel);
  uint64_t num_labels = 0;
  bool any_two = false;
  for (uint32_t i = 0; i < documents.size(); ++i) {
    const std::string_view value = documents.group(i);
    if (value.empty() || value == "null" || value == "\"\"") continue;
    const uint32_t label = documents.row(i).group;
    if (label >= known.size()) known.resize(label + size_t{1});
    labels[i] = label;
    any_two = any_two || known[label];
    num_labels += !known[label];
    known[label] = true;
  }
  if (any_two) return labels;
  return fail(Code::kInvalidArgument,
              fmt::format("{} of {} documents have the field \"{}\", and no two the same value; name the field of the "
                          "labels with --cluster-key, or give labelled pairs with --labels",
                          num_labels, documents.size(), key));
}

Result<LabelledPairs> read_labelled_pairs(const std::string& path, const LabelOptions& options, uint64_t most_pairs,
                                          const Documents& documents, const Context& context) {
  const corpus::DiscoverOptions discover{.format = corpus::Format::kLines, .include = {}, .exclude = {}};
  NEARDUP_ASSIGN(const auto inputs, corpus::discover(std::span(&path, 1), discover));
  if (inputs.size() != 1)
    return fail(Code::kInvalidArgument, fmt::format("{}: expected one file of labelled pairs, not a folder", path));
  LabelReader labels(documents, options, most_pairs);
  const auto take = [&](const corpus::Batch& batch, uint64_t lines_before) -> Result<bool> {
    NEARDUP_TRY(add_batch(batch, path, lines_before, labels));
    return true;
  };
  NEARDUP_TRY(corpus::for_each_batch(inputs, {}, context, take));
  LabelledPairs pairs = labels.take();
  if (pairs.pairs.empty())
    return fail(
        Code::kInvalidArgument,
        fmt::format("{}: no pair is labelled{}", path,
                    options.least_similarity > 0 ? "; none has the similarity that --least-similarity asks for" : ""));
  return pairs;
}

}  // namespace neardup::engine
