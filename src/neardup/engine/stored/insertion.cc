#include "neardup/engine/stored/insertion.h"

#include <algorithm>
#include <ctime>
#include <deque>
#include <string>

#include "neardup/engine/match/given_commonness.h"
#include "neardup/engine/online/store_place.h"
#include "neardup/engine/stored/document_side.h"
#include "neardup/engine/stored/stored_references.h"

namespace neardup::engine {
namespace {

constexpr size_t kInsertedAtOnce = 1000;
constexpr size_t kInsertedTokens = size_t{1} << 20;

enum class Known { kNo, kSame, kOther };

// Whether the store has the document, or another text under its id.
Result<Known> look_up(const RunStore& store, const Documents& documents, uint32_t document) {
  if (store.texts == nullptr) return Known::kNo;
  Known known = Known::kNo;
  NEARDUP_TRY(store.texts->store().find(stored_id(documents, document), [&](const store::Record& record) {
    if (record.fate.kind != store::Kind::kNew) return;
    const bool is_same = record.checksum == documents.row(document).checksum && record.within.empty();
    known = is_same ? Known::kSame : Known::kOther;
  }));
  return known;
}

// Documents on their way to a store.
class Insertion {
 public:
  Insertion(RunStore& store, const Documents& documents) : texts_(*store.texts), documents_(documents) {}

  Status add(uint32_t document) {
    NEARDUP_TRY(side_.read(documents_, document, texts_.recipe()));
    store::Record head;
    head.id = ids_.emplace_back(stored_id(documents_, document));
    head.size_bytes = documents_.row(document).size_bytes;
    head.time = time_;
    records_.push_back(made_.emplace_back(texts_.make(side_.side(), head)).view());
    num_tokens_ += side_.side().tokens.size();
    return records_.size() < kInsertedAtOnce && num_tokens_ < kInsertedTokens ? Status() : flush();
  }

  Status flush() {
    if (!records_.empty()) NEARDUP_TRY(texts_.store().put(records_));
    records_.clear();
    made_.clear();
    ids_.clear();
    num_tokens_ = 0;
    return {};
  }

 private:
  TextStore& texts_;
  const Documents& documents_;
  const int64_t time_ = std::time(nullptr);
  DocumentSide side_;
  std::deque<MadeRecord> made_;
  std::deque<std::string> ids_;
  std::vector<store::Record> records_;
  size_t num_tokens_ = 0;
};

// The counts are those by which the run weighed n-grams: it has left them beside its results.
TextStoreSettings settings_of_run(const DedupOptions& options) {
  TextStoreSettings settings{.matching = options};
  settings.matching.verify.common = nullptr;
  settings.matching.verify_is_given = true;
  const bool weighs = options.verify.kind == verify::Rule::Kind::kContent;
  if (weighs && options.commonness_file != kNoCommonness)
    settings.matching.commonness_file = options.output + "/commonness.bin";
  return settings;
}

}  // namespace

std::vector<uint32_t> kept_inputs(const Documents& documents, const Outcome& outcome) {
  std::vector<uint32_t> kept;
  for (uint32_t document = documents.num_references(); document < documents.size(); ++document)
    if (outcome.fates[document].fate == Fate::kKept) kept.push_back(document);
  std::ranges::stable_sort(kept, {}, [&](uint32_t document) { return documents.row(document).keep_key; });
  return kept;
}

Result<report::StoreUse> count_use(const RunStore& store, const Documents& documents,
                                   const std::vector<uint32_t>& kept) {
  report::StoreUse use{
      .name = shown_place(store.folder), .takes_kept = store.takes_kept, .num_repeated = documents.num_stored()};
  if (store.texts != nullptr) {
    NEARDUP_ASSIGN(const store::Statistics statistics, store.texts->store().statistics());
    use.num_documents = statistics.documents - statistics.duplicates;
    use.lacks_texts = store.takes_kept && store.texts->settings().keep_texts;
  }
  if (!store.takes_kept) return use;
  for (const uint32_t document : kept) {
    NEARDUP_ASSIGN(const Known known, look_up(store, documents, document));
    ++(known == Known::kSame ? use.num_known : use.num_added);
    if (known == Known::kOther) ++use.num_replaced;
  }
  return use;
}

Status insert_kept(RunStore& store, const Documents& documents, const std::vector<uint32_t>& kept,
                   const DedupOptions& options, const Context& context) {
  if (store.texts == nullptr) NEARDUP_TRY(make_run_store(store, settings_of_run(options), options, context));
  if (context.progress != nullptr) context.progress->begin_stage("add", "documents", 0, kept.size());
  Insertion insertion(store, documents);
  for (size_t i = 0; i < kept.size(); ++i) {
    NEARDUP_TRY(context.check_cancel());
    NEARDUP_ASSIGN(const Known known, look_up(store, documents, kept[i]));
    if (known != Known::kSame) NEARDUP_TRY(insertion.add(kept[i]));
    if (context.progress != nullptr) context.progress->advance(0, i + 1);
  }
  NEARDUP_TRY(insertion.flush());
  if (context.progress != nullptr) context.progress->end_stage();
  return store.texts->store().checkpoint();
}

}  // namespace neardup::engine
