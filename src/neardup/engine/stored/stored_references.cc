#include "neardup/engine/stored/stored_references.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "neardup/base/hash.h"
#include "neardup/base/threads.h"
#include "neardup/engine/match/contained/contained.h"
#include "neardup/engine/match/ranking.h"
#include "neardup/engine/online/place_id.h"
#include "neardup/engine/online/text_judge.h"
#include "neardup/engine/online/text_record.h"
#include "neardup/engine/read/part.h"
#include "neardup/engine/stored/document_side.h"

namespace neardup::engine {
namespace {

constexpr size_t kDocumentsAtOnce = 64;  // documents that a thread takes at a time
constexpr size_t kBatchDocuments = 1024;
constexpr size_t kBatchTokens = size_t{1} << 20;

// Compares as dedup does: by all that it looks at, and sizes that fit.
class ReferenceJudge final : public store::Judge {
 public:
  explicit ReferenceJudge(const Decision& decision) : decision_(decision), judge_(decision) {}
  [[nodiscard]] Result<std::optional<store::Likeness>> compare(const store::Record& arriving,
                                                               const store::Record& stored) const override {
    return comparison_of(arriving)(stored);
  }
  [[nodiscard]] Comparison comparison_of(const store::Record& arriving) const override {
    return [this, &arriving, compare = judge_.comparison_of(arriving)](
               const store::Record& stored) -> Result<std::optional<store::Likeness>> {
      if (!decision_.sizes_fit(arriving.size_bytes, stored.size_bytes)) return std::optional<store::Likeness>();
      NEARDUP_ASSIGN(const auto likeness, compare(stored));
      return likeness && likeness->is_estimate ? std::optional<store::Likeness>() : likeness;
    };
  }

 private:
  const Decision& decision_;
  const TextJudge judge_;
};

// Each once, ascending.
void sort_unique(std::vector<uint64_t>& numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

// Asks a store for all documents of a run.
class ReferenceSearch {
 public:
  ReferenceSearch(const RunStore& store, const Documents& documents, const DedupOptions& options,
                  const Decision& decision, const Context& context)
      : texts_(*store.texts),
        store_(store.texts->store()),
        documents_(documents),
        recipe_(options.recipe),
        judge_(decision),
        contained_(options.contained),
        num_threads_(resolve_num_threads(options.num_threads)),
        context_(context),
        groups_(group_exact(documents)),
        found_(static_cast<size_t>(num_threads_)) {}

  // Finds the stored documents whose ids inputs have: with the same text the input itself, with another one a version
  // of before, which is as good as gone. Call it before find_repeated(), or never.
  Status find_inputs();
  // Finds what is repeated, by one document of each text; of others, where it is asked who is contained, who may hold
  // them.
  Status find_repeated();
  // Returns the numbers of the inputs themselves, and of what is repeated, ascending.
  std::vector<uint64_t> take_found() { return take(&Found::numbers); }

 private:
  struct Found {
    std::vector<uint64_t> numbers, versions;
    size_t most_numbers = size_t{1} << 20;  // before repetitions are left out

    void add_numbers(const std::vector<uint64_t>& more) {
      numbers.insert(numbers.end(), more.begin(), more.end());
      if (numbers.size() <= most_numbers) return;
      sort_unique(numbers);
      most_numbers = std::max(most_numbers, 2 * numbers.size());
    }
  };
  template <class Use>
  Status for_each_chunk(size_t count, const Use& use);
  Status ask(uint32_t group, DocumentSide& side, Found& found);
  void tell(size_t num_asked);
  Status find_itself(uint32_t document, Found& found) const;
  std::vector<uint64_t> take(std::vector<uint64_t> Found::*which);

  const TextStore& texts_;
  const store::Store& store_;
  const Documents& documents_;
  const recipe::Recipe& recipe_;
  const ReferenceJudge judge_;
  const std::optional<double> contained_;
  const int num_threads_;
  const Context& context_;
  const ExactGroups groups_;
  std::vector<Found> found_;        // by thread
  std::vector<uint64_t> versions_;  // ascending
  std::mutex mutex_;                // of progress
  uint64_t num_asked_ = 0;
};

template <class Use>
Status ReferenceSearch::for_each_chunk(size_t count, const Use& use) {
  return parallel_for(num_threads_, (count + kDocumentsAtOnce - 1) / kDocumentsAtOnce,
                      [&](size_t chunk, int thread) -> Status {
                        NEARDUP_TRY(context_.check_cancel());
                        return use(chunk * kDocumentsAtOnce, std::min(count, (chunk + 1) * kDocumentsAtOnce),
                                   found_[static_cast<size_t>(thread)]);
                      });
}

Status ReferenceSearch::find_repeated() {
  std::vector<char> is_asked(groups_.size());
  for (uint32_t document = documents_.num_references(); document < documents_.size(); ++document)
    is_asked[groups_.group_of[document]] = 1;
  if (context_.progress != nullptr) context_.progress->begin_stage("store", "texts", 0, groups_.size());
  NEARDUP_TRY(for_each_chunk(groups_.size(), [&](size_t begin, size_t end, Found& found) -> Status {
    DocumentSide side;
    for (size_t group = begin; group < end; ++group)
      if (is_asked[group] != 0) NEARDUP_TRY(ask(static_cast<uint32_t>(group), side, found));
    tell(end - begin);
    return {};
  }));
  if (context_.progress != nullptr) context_.progress->end_stage();
  return {};
}

void ReferenceSearch::tell(size_t num_asked) {
  const std::scoped_lock lock(mutex_);
  num_asked_ += num_asked;
  if (context_.progress != nullptr) context_.progress->advance(0, num_asked_);
}

Status ReferenceSearch::ask(uint32_t group, DocumentSide& side, Found& found) {
  const uint32_t document = groups_.best[group];
  NEARDUP_TRY(side.read(documents_, document, recipe_));
  store::Record head;
  head.checksum = side.side().checksum;
  head.size_bytes = documents_.row(document).size_bytes;
  const MadeRecord made = texts_.make(side.side(), head);
  NEARDUP_ASSIGN(const auto repeated, store_.find_repeated(made.view(), judge_, versions_));
  if (repeated) {
    found.numbers.push_back(*repeated);
    return {};
  }
  if (!contained_) return {};
  // Whoever may contain it, and so many that a passage is common in the run that is common in the store.
  NEARDUP_ASSIGN(const std::vector<uint64_t> holders, store_.find_holders(made.view(), kMostHolders + 1, versions_));
  found.add_numbers(holders);
  return {};
}

Status ReferenceSearch::find_inputs() {
  const size_t first = documents_.num_references();
  NEARDUP_TRY(for_each_chunk(documents_.size() - first, [&](size_t begin, size_t end, Found& found) -> Status {
    for (size_t i = begin; i < end; ++i) NEARDUP_TRY(find_itself(static_cast<uint32_t>(first + i), found));
    return {};
  }));
  versions_ = take(&Found::versions);
  for (Found& found : found_)
    std::erase_if(found.numbers, [this](uint64_t number) { return std::ranges::binary_search(versions_, number); });
  return {};
}

Status ReferenceSearch::find_itself(uint32_t document, Found& found) const {
  NEARDUP_TRY(store_.find(stored_id(documents_, document), [&](const store::Record& record) {
    if (record.fate.kind != store::Kind::kNew || !record.within.empty()) return;
    const bool is_same = record.checksum == documents_.row(document).checksum;
    (is_same ? found.numbers : found.versions).push_back(record.number);
  }));
  return {};
}

// Each once, ascending.
std::vector<uint64_t> ReferenceSearch::take(std::vector<uint64_t> Found::*which) {
  std::vector<uint64_t> all;
  for (Found& found : found_) {
    all.insert(all.end(), (found.*which).begin(), (found.*which).end());
    found.*which = std::vector<uint64_t>();
  }
  sort_unique(all);
  return all;
}

Result<std::vector<uint64_t>> find_references(const RunStore& store, const Documents& documents,
                                              const DedupOptions& options, const Context& context) {
  const Matcher& matcher = store.texts->matcher();
  const PairBounds bounds{matcher.decision.bounds().max_distance, options.size_within, options.contained};
  NEARDUP_ASSIGN(const Decision decision, Decision::create(matcher.recipe, matcher.decision.rule(), bounds));
  ReferenceSearch search(store, documents, options, decision, context);
  if (store.takes_kept) NEARDUP_TRY(search.find_inputs());
  NEARDUP_TRY(search.find_repeated());
  return search.take_found();
}

// Writes records as rows of a part.
class StoredPart {
 public:
  StoredPart(PartWriter writer, const recipe::Recipe& recipe, uint32_t input)
      : writer_(std::move(writer)), recipe_(recipe), input_(input) {}

  Status add(const store::Record& record);
  Status finish() {
    NEARDUP_TRY(flush());
    return writer_.checkpoint(true);
  }

 private:
  Status flush();

  PartWriter writer_;
  const recipe::Recipe& recipe_;
  const uint32_t input_;
  TextRecord text_;
  PartBatch batch_;
};

Status StoredPart::flush() {
  if (batch_.rows.empty()) return {};
  batch_.batch.num_lines = batch_.rows.size();
  batch_.batch.input = input_;
  batch_.batch.flags = kIsReference | kIsStored;
  NEARDUP_TRY(writer_.append(batch_));
  batch_.clear();
  return {};
}

template <class T>
void append_all(std::vector<T>& to, std::span<const T> values, size_t num_values) {
  to.insert(to.end(), values.begin(), values.end());
  to.resize(to.size() + num_values - values.size());  // of texts without features there may be none
}

Status StoredPart::add(const store::Record& record) {
  NEARDUP_TRY(text_.read(record));
  const PairSide& side = text_.side();
  Row row;
  row.checksum = record.checksum;
  row.size_bytes = record.size_bytes;
  row.line = static_cast<uint32_t>(batch_.rows.size());
  row.input = input_;
  row.flags = kIsReference | kIsStored | kHasId | (side.has_features ? kHasFeatures : 0);
  batch_.add(row, record.id, side.tokens, side.short_text);
  append_all(batch_.fingerprints, side.fingerprints, recipe_.num_fingerprints());
  append_all(batch_.signatures, side.signature, recipe_.num_signature_values());
  return batch_.rows.size() < kBatchDocuments && batch_.tokens.size() < kBatchTokens ? Status() : flush();
}

Status write_part(const store::Store& store, const std::vector<uint64_t>& numbers, StoredPart part,
                  const Context& context) {
  for (const uint64_t number : numbers) {
    NEARDUP_TRY(context.check_cancel());
    Status added;
    NEARDUP_ASSIGN(const bool is_there,
                   store.find_number(number, [&](const store::Record& record) { added = part.add(record); }));
    if (!is_there)
      return fail(Code::kNotFound, fmt::format("document {} of the store was erased while it was compared", number));
    NEARDUP_TRY(added);
  }
  return part.finish();
}

// Where an id and a text stand among the documents of a store.
uint64_t place_of(const std::string& id, const Hash128& checksum) { return hash64(id, checksum.low); }

}  // namespace

std::string stored_id(const Documents& documents, uint32_t document) {
  const Row& row = documents.row(document);
  const std::string id = documents.id(document);
  const bool has_own = (row.flags & kHasId) != 0 && !id.empty();
  return has_own ? id : place_id(id, row.checksum);
}

Status read_stored_references(const RunStore& store, const Documents& documents, uint32_t input,
                              const DedupOptions& options, const WorkFolder& folder, const Context& context) {
  const uint64_t run = folder.run().reading;
  const auto before = load_checkpoint(folder.stored(), run);
  if (before && before->complete) return check_part(folder.stored(), *before);
  if (!before && before.error().code != Code::kNotFound) return tl::unexpected<Error>(before.error());
  NEARDUP_ASSIGN(const std::vector<uint64_t> numbers, find_references(store, documents, options, context));
  NEARDUP_ASSIGN(PartWriter writer, PartWriter::open(folder.stored(), {}, {}, run));
  return write_part(store.texts->store(), numbers, StoredPart(std::move(writer), options.recipe, input), context);
}

void keep_stored_inputs(const Documents& documents, Outcome& outcome) {
  std::vector<std::pair<uint64_t, uint32_t>> stored;  // place and document, by place
  for (uint32_t document = 0; document < documents.num_stored(); ++document)
    stored.emplace_back(place_of(documents.id(document), documents.row(document).checksum), document);
  std::ranges::sort(stored);
  std::vector<uint32_t> stands_for(documents.num_stored());  // document of the store -> input in its place, or 0
  for (uint32_t document = documents.num_references(); document < documents.size(); ++document) {
    if (outcome.fates[document].fate != Fate::kExact) continue;  // its text is stored
    const std::string id = stored_id(documents, document);
    const uint64_t place = place_of(id, documents.row(document).checksum);
    const auto found = std::ranges::lower_bound(stored, place, {}, &std::pair<uint64_t, uint32_t>::first);
    if (found == stored.end() || found->first != place) continue;
    if (documents.id(found->second) != id || stands_for[found->second] != 0) continue;
    stands_for[found->second] = document;
    outcome.fates[document] = {.kept = document};
  }
  for (DocumentFate& fate : outcome.fates)
    if (fate.fate != Fate::kReference && fate.kept < documents.num_stored() && stands_for[fate.kept] != 0)
      fate.kept = stands_for[fate.kept];
}

}  // namespace neardup::engine
