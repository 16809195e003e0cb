#include "neardup/engine/write/similarity_doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <span>
#include <unordered_map>

#include "neardup/base/sizes.h"
#include "neardup/engine/match/shown_pair.h"
#include "neardup/engine/write/bar.h"
#include "neardup/engine/write/explain_command.h"
#include "neardup/engine/write/lists.h"
#include "neardup/report/numbers.h"
#include "neardup/token/numbers.h"
#include "neardup/verify/content_rule.h"
#include "neardup/verify/shingles.h"

namespace neardup::engine {
namespace {

using Tokens = std::vector<uint32_t>;

constexpr uint64_t kLeastNear = 20;        // fewer that are doubtful are no news
constexpr size_t kLeastMembers = 10;       // of a large cluster, those removed
constexpr size_t kMostMembers = 16;        // of it that are looked at
constexpr size_t kSample = 120;            // near-duplicates looked at for their numbers
constexpr uint32_t kMostTokens = 100'000;  // of a document that is looked at
constexpr uint64_t kLeastNumbers = 4;      // that differ, to say anything
constexpr double kLargeOwn = 0.15, kLargeFrame = 0.7, kNearlyAll = 0.8;

bool more_than_a_fifth(uint64_t part, uint64_t whole) { return 5 * part > whole; }

/// Documents that were removed as near-duplicates by the rule, in order.
class NearOnes {
 public:
  NearOnes(const Documents& documents, const Outcome& outcome, const DedupOptions& options)
      : documents_(documents), outcome_(outcome), options_(options) {
    for (uint32_t document = documents.num_references(); document < documents.size(); ++document)
      if (is_one(document)) all_.push_back(document);
  }

  [[nodiscard]] bool is_one(uint32_t document) const {
    const DocumentFate& fate = outcome_.fates[document];
    return fate.fate == Fate::kNear && !by_characters(documents_, document, fate.kept);
  }

  [[nodiscard]] std::string explain_command(uint32_t document) const {
    return engine::explain_command(documents_, outcome_, options_, document);
  }
  /// What to do where different texts were removed.
  [[nodiscard]] const char* cure() const {
    using Kind = verify::Rule::Kind;
    const Kind kind = options_.verify.kind;
    if (kind == Kind::kContent) return "if they are different texts, --verify jaccard:0.8 asks for more";
    if (kind == Kind::kJaccard) return "if they are different texts, a higher T in --verify jaccard:T asks for more";
    if (kind == Kind::kCode) return "if they are different, a higher T in --verify code:T asks for more";
    return "if they are different texts, --verify content weighs what many share, and numbers";
  }

  void check_bar(std::vector<std::string>& out) const {
    uint64_t count = 0;
    uint32_t lowest = 0;
    for (const uint32_t document : all_) {
      if (!is_just_above(documents_, outcome_, options_.verify, document)) continue;
      if (count++ == 0 || outcome_.fates[document].similarity < outcome_.fates[lowest].similarity) lowest = document;
    }
    if (count < kLeastNear || !more_than_a_fifth(count, all_.size())) return;
    out.push_back(fmt::format(
        "{} of {} near-duplicates ({}) are less than {:.2f} above the {:.2f} that --verify {} takes, where doubt is "
        "greatest. Read some of the lowest similarity in duplicates.jsonl, such as: {} ; {}",
        human_count(count), human_count(all_.size()), report::percent(count, all_.size()), kJustAbove,
        thresholds_of(options_.verify, false)[0].similarity, verify::to_string(options_.verify),
        explain_command(lowest), cure()));
  }

  // A sample drawn evenly.
  Status check_numbers(std::vector<std::string>& out) const {
    const size_t size = std::min(all_.size(), kSample);
    std::vector<uint32_t> found;
    uint64_t looked_at = 0;
    Tokens kept, removed;
    for (size_t i = 0; i < size; ++i) {
      const uint32_t document = all_[i * all_.size() / size];
      if (is_long(document) || is_long(outcome_.fates[document].kept)) continue;
      NEARDUP_TRY(documents_.read_tokens(outcome_.fates[document].kept, kept));
      NEARDUP_TRY(documents_.read_tokens(document, removed));
      ++looked_at;
      if (differ_by_numbers(kept, removed)) found.push_back(document);
    }
    if (found.size() < kLeastNear / 2 || !more_than_a_fifth(found.size(), looked_at)) return {};
    out.push_back(fmt::format(
        "Of {} near-duplicates drawn evenly, {} differ from their kept documents mostly in numbers: tables, reports or "
        "releases of one form may tell different things. Read some, such as: {} ; {}",
        looked_at, found.size(), explain_command(found[0]), cure()));
    return {};
  }

  [[nodiscard]] bool is_long(uint32_t document) const { return documents_.row(document).num_tokens > kMostTokens; }

 private:
  const Documents& documents_;
  const Outcome& outcome_;
  const DedupOptions& options_;
  std::vector<uint32_t> all_;
};

/// A large cluster in doubt.
struct Doubtful {
  uint32_t cluster = 0;
  uint32_t example = 0;  // a document of it that was removed
  Differences found;
};

// Some of those that were removed by the rule, drawn evenly.
std::vector<uint32_t> some_members(const NearOnes& near, std::span<const uint32_t> removed) {
  std::vector<uint32_t> members;
  for (const uint32_t document : removed)
    if (near.is_one(document) && !near.is_long(document)) members.push_back(document);
  if (members.size() < kLeastMembers) return {};
  const size_t size = std::min(members.size(), kMostMembers);
  for (size_t i = 0; i < size; ++i) members[i] = members[i * members.size() / size];
  members.resize(size);
  return members;
}

/// The large clusters of which there is doubt.
class LargeClusters {
 public:
  LargeClusters(const Documents& documents, const Clusters& clusters, const NearOnes& near)
      : documents_(documents), clusters_(clusters), near_(near) {}

  Status look_at(uint32_t cluster) {
    const std::vector<uint32_t> members = some_members(near_, clusters_.removed(cluster));
    if (members.empty() || near_.is_long(clusters_.kept(cluster))) return {};
    Tokens kept;
    std::vector<Tokens> removed(members.size());
    NEARDUP_TRY(documents_.read_tokens(clusters_.kept(cluster), kept));
    for (size_t i = 0; i < members.size(); ++i) NEARDUP_TRY(documents_.read_tokens(members[i], removed[i]));
    const Doubtful doubtful{cluster, members[members.size() / 2], differences(kept, removed)};
    const Differences& found = doubtful.found;
    if (2 * found.num_by_numbers > found.num_documents) {
      by_numbers_.push_back(doubtful);
    } else if (found.own >= kLargeOwn && found.frame >= kLargeFrame) {
      frames_.push_back(doubtful);
    }
    return {};
  }

  void check_frames(std::vector<std::string>& out) const {
    if (frames_.empty()) return;
    out.push_back(fmt::format(
        "One frame makes many pairs: the members of {} have nearly the same in common with the kept document, and each "
        "something of its own besides ({:.0f} % of the first). Read some, such as: {} ; {}",
        named(frames_), 100 * frames_[0].found.own, near_.explain_command(frames_[0].example), near_.cure()));
  }

  bool check_numbers(std::vector<std::string>& out) const {
    if (by_numbers_.empty()) return false;
    out.push_back(
        fmt::format("The members of {} differ from the kept document mostly in numbers. Read some, such as: {} ; {}",
                    named(by_numbers_), near_.explain_command(by_numbers_[0].example), near_.cure()));
    return true;
  }

 private:
  // "cluster 14 (70 documents, kept zh/0007), cluster 3 (...) and 2 more"
  [[nodiscard]] std::string named(const std::vector<Doubtful>& doubtful) const {
    constexpr size_t kNamed = 3;
    std::string out;
    for (size_t i = 0; i < std::min(kNamed, doubtful.size()); ++i)
      out += fmt::format("{}cluster {} ({} documents, kept {})", i == 0 ? "" : ", ", doubtful[i].cluster,
                         human_count(clusters_.removed(doubtful[i].cluster).size() + 1),
                         documents_.id(clusters_.kept(doubtful[i].cluster)));
    return doubtful.size() > kNamed ? fmt::format("{} and {} more", out, doubtful.size() - kNamed) : out;
  }

  const Documents& documents_;
  const Clusters& clusters_;
  const NearOnes& near_;
  std::vector<Doubtful> frames_, by_numbers_;
};

}  // namespace

bool differ_by_numbers(const Tokens& a, const Tokens& b) {
  std::unordered_map<uint32_t, int64_t> counts;
  for (const uint32_t token : a) ++counts[token];
  for (const uint32_t token : b) --counts[token];
  uint64_t numbers = 0, all = 0;
  for (const auto& [token, count] : counts) {
    const auto differing = static_cast<uint64_t>(std::abs(count));
    all += differing;
    if (token::is_marked_number(token)) numbers += differing;
  }
  return numbers >= kLeastNumbers && 2 * numbers > all;
}

Differences differences(const Tokens& kept, const std::vector<Tokens>& removed) {
  Differences found{.num_documents = removed.size()};
  const std::vector<uint32_t> kept_set = verify::make_shingle_set(kept, verify::kContentNgram).hashes;
  std::vector<std::vector<uint32_t>> sets;
  std::unordered_map<uint32_t, uint32_t> documents_with;
  for (const Tokens& tokens : removed) {
    found.num_by_numbers += differ_by_numbers(kept, tokens);
    sets.push_back(verify::make_shingle_set(tokens, verify::kContentNgram).hashes);
    for (const uint32_t hash : sets.back()) ++documents_with[hash];
  }
  const double nearly_all = kNearlyAll * static_cast<double>(removed.size());
  for (const std::vector<uint32_t>& set : sets) {
    double own = 0, common = 0, frame = 0;
    for (const uint32_t hash : set) {
      const bool in_kept = std::ranges::binary_search(kept_set, hash);
      own += !in_kept && documents_with[hash] == 1;
      common += in_kept;
      frame += in_kept && documents_with[hash] >= nearly_all;
    }
    found.own += set.empty() ? 0 : own / static_cast<double>(set.size());
    found.frame += common == 0 ? 0 : frame / common;
  }
  const auto size = static_cast<double>(std::max<size_t>(1, removed.size()));
  found.own /= size;
  found.frame /= size;
  return found;
}

Result<std::vector<std::string>> similarity_doubts(const Documents& documents, const Outcome& outcome,
                                                   const Clusters& clusters, const ShownDocuments& shown,
                                                   const DedupOptions& options) {
  std::vector<std::string> out;
  const NearOnes near(documents, outcome, options);
  near.check_bar(out);
  LargeClusters large(documents, clusters, near);
  for (const uint32_t cluster : shown.clusters) NEARDUP_TRY(large.look_at(cluster));
  large.check_frames(out);
  if (large.check_numbers(out)) return out;
  NEARDUP_TRY(near.check_numbers(out));
  return out;
}

}  // namespace neardup::engine
