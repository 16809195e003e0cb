#include "neardup/engine/online/text_store.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <utility>

#include "neardup/base/bytes.h"
#include "neardup/base/hash.h"
#include "neardup/base/memory_budget.h"
#include "neardup/engine/online/matcher.h"
#include "neardup/engine/online/store_place.h"
#include "neardup/engine/online/text_judge.h"
#include "neardup/engine/online/text_maker.h"
#include "neardup/engine/online/text_record.h"
#include "neardup/engine/online/text_store_settings.h"
#include "neardup/engine/write/shown_text.h"
#include "neardup/recipe/fingerprinter.h"
#include "neardup/text/extract.h"

namespace neardup::engine {
namespace {

constexpr uint64_t kSmallTreeBytes = uint64_t{4} << 20;  // of a page of 64 KiB

int64_t seconds_now() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// Equal values are no proof of equal texts: only the same document with the same values is the same again.
Hash128 checksum_of_values(const ArrivingText& arriving) {
  std::string bytes;
  bytes.reserve(arriving.fingerprints.size_bytes() + arriving.signature.size_bytes() + arriving.id.size());
  bytes += bytes_of(arriving.fingerprints);
  bytes += bytes_of(arriving.signature);
  bytes += arriving.id;
  return hash128(bytes);
}

TextVerdict verdict_of(store::Answer answer) {
  return {.kind = answer.fate.kind,
          .duplicate_of = std::move(answer.kept_id),
          .similarity = answer.fate.similarity,
          .distance = answer.fate.distance,
          .is_estimate = answer.fate.is_estimate,
          .is_repeated = answer.is_repeated,
          .is_truncated = answer.fate.is_truncated};
}

std::vector<TextVerdict> verdicts_of(std::vector<store::Answer> answers) {
  std::vector<TextVerdict> verdicts;
  verdicts.reserve(answers.size());
  for (store::Answer& answer : answers) verdicts.push_back(verdict_of(std::move(answer)));
  return verdicts;
}

std::vector<store::Record> views_of(std::span<const MadeRecord> records) {
  std::vector<store::Record> views;
  views.reserve(records.size());
  for (const MadeRecord& record : records) views.push_back(record.view());
  return views;
}

// Who is contained is told by tokens.
Status check_kept_for_contained(const TextStoreSettings& settings) {
  NEARDUP_TRY(check_contained(settings.matching));
  if (!settings.matching.contained || settings.records == RecordsKept::kTokens) return {};
  return fail(Code::kInvalidArgument,
              fmt::format("--contained compares tokens, and --records {} keeps none: leave one of them out",
                          name_of(settings.records)));
}

bool has_values(const ArrivingText& arriving) { return !arriving.fingerprints.empty() || !arriving.signature.empty(); }

// The same, where every document is a page.
Matcher matcher_of_pages(const Matcher& matcher) {
  Matcher of_pages = matcher;
  of_pages.recipe = recipe_of_pages(matcher.recipe);
  return of_pages;
}

}  // namespace

class TextStore::Impl {
 public:
  Impl(TextStoreSettings settings, Matcher matcher, std::unique_ptr<store::Store> store)
      : settings_(std::move(settings)),
        matcher_(std::move(matcher)),
        recipe_id_(recipe::recipe_id(matcher_.recipe)),
        store_(std::move(store)) {}

  [[nodiscard]] store::Store& store() const { return *store_; }
  [[nodiscard]] const Matcher& matcher() const { return matcher_; }
  [[nodiscard]] const TextStoreSettings& settings() const { return settings_; }
  [[nodiscard]] const std::string& recipe_id() const { return recipe_id_; }
  [[nodiscard]] const TextJudge& judge() const { return judge_; }

  [[nodiscard]] TextMaker& maker_of(const ArrivingText& arriving) {
    return arriving.is_html && matcher_.recipe.extraction != "html" ? page_maker_ : maker_;
  }
  [[nodiscard]] Status check(const ArrivingText& arriving) const;
  void limit_page_memory(uint64_t bytes) { page_memory_ = std::make_unique<MemoryBudget>(bytes); }
  [[nodiscard]] Result<MemoryBudget::Permit> memory_of_page(const ArrivingText& arriving) const;

 private:
  const TextStoreSettings settings_;
  const Matcher matcher_;
  const Matcher page_matcher_ = matcher_of_pages(matcher_);
  const std::string recipe_id_;
  const TextJudge judge_{matcher_.decision, settings_.matching.contained, matcher_.learns};
  TextMaker maker_{matcher_};
  TextMaker page_maker_{page_matcher_};
  std::unique_ptr<MemoryBudget> page_memory_;  // null: as much as a page takes
  std::unique_ptr<store::Store> store_;
};

Status TextStore::Impl::check(const ArrivingText& arriving) const {
  if (arriving.id.empty()) return fail(Code::kInvalidArgument, "a document has no id; each needs one");
  const size_t num_fingerprints = matcher_.recipe.num_fingerprints();
  const size_t num_values = matcher_.recipe.num_signature_values();
  if (!has_values(arriving)) return {};
  if (!arriving.text.empty())
    return fail(Code::kInvalidArgument,
                fmt::format("document '{}' has a text and values made of one; give one of the two", arriving.id));
  if (arriving.fingerprints.size() == num_fingerprints && arriving.signature.size() == num_values) return {};
  return fail(Code::kInvalidArgument,
              fmt::format("document '{}' has {} fingerprints and {} signature values; the recipe {} of the store makes "
                          "{} and {}",
                          arriving.id, arriving.fingerprints.size(), arriving.signature.size(), recipe_id_,
                          num_fingerprints, num_values));
}

// Small pages are many, and take little of it: they wait for nobody.
Result<MemoryBudget::Permit> TextStore::Impl::memory_of_page(const ArrivingText& arriving) const {
  if (page_memory_ == nullptr) return MemoryBudget::Permit();
  const recipe::Recipe& recipe = arriving.is_html ? page_matcher_.recipe : matcher_.recipe;
  const uint64_t tree_bytes = recipe::page_tree_bytes(recipe, arriving.text);
  if (tree_bytes <= kSmallTreeBytes) return MemoryBudget::Permit();
  if (tree_bytes <= page_memory_->capacity_bytes()) return page_memory_->acquire(tree_bytes);
  return fail(
      Code::kInvalidArgument,
      fmt::format("document '{}' is a page of {} bytes, more than the {} of which a page is read here; send its "
                  "text",
                  arriving.id, arriving.text.size(), text::longest_page_bytes(page_memory_->capacity_bytes())));
}

store::Record MadeRecord::view() const {
  store::Record record = head_;
  record.fingerprints = fingerprints_;
  record.keys = keys_;
  record.passages = passages_;
  record.body = body_;
  return record;
}

TextStore::TextStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TextStore::~TextStore() = default;

Result<std::unique_ptr<TextStore>> TextStore::create(const std::string& place, const TextStoreSettings& settings,
                                                     const store::StoreOptions& options) {
  NEARDUP_TRY(check_kept_for_contained(settings));
  NEARDUP_ASSIGN(Matcher matcher, make_matcher(settings.matching));
  NEARDUP_ASSIGN(const std::vector<store::GivenFile> files, files_of(settings, matcher));
  NEARDUP_ASSIGN(auto store, create_store_at(place, store_settings(settings, matcher), options, files));
  return std::unique_ptr<TextStore>(
      new TextStore(std::make_unique<Impl>(settings, std::move(matcher), std::move(store))));
}

Result<std::unique_ptr<TextStore>> TextStore::open(const std::string& place, const store::StoreOptions& options) {
  NEARDUP_ASSIGN(auto store, open_store_at(place, options));
  NEARDUP_ASSIGN(TextStoreSettings settings, text_store_settings(*store));
  NEARDUP_ASSIGN(Matcher matcher, make_matcher(settings.matching));
  return std::unique_ptr<TextStore>(
      new TextStore(std::make_unique<Impl>(std::move(settings), std::move(matcher), std::move(store))));
}

void TextStore::limit_page_memory(uint64_t bytes) { impl_->limit_page_memory(bytes); }
store::Store& TextStore::store() { return impl_->store(); }
const store::Store& TextStore::store() const { return impl_->store(); }
const Matcher& TextStore::matcher() const { return impl_->matcher(); }
const recipe::Recipe& TextStore::recipe() const { return impl_->matcher().recipe; }
const std::string& TextStore::recipe_id() const { return impl_->recipe_id(); }
const TextStoreSettings& TextStore::settings() const { return impl_->settings(); }

Result<MadeRecord> TextStore::make(const ArrivingText& arriving) const {
  NEARDUP_TRY(impl_->check(arriving));
  MadeRecord made;
  made.head_.id = arriving.id;
  made.head_.time = arriving.time != 0 ? arriving.time : seconds_now();
  made.head_.within = arriving.within;
  made.head_.tag = arriving.tag;
  if (has_values(arriving)) {
    keep({.checksum = checksum_of_values(arriving),
          .fingerprints = arriving.fingerprints,
          .signature = arriving.signature},
         RecordsKept::kSignature, {}, made);
    return made;
  }
  NEARDUP_ASSIGN(const MemoryBudget::Permit permit, impl_->memory_of_page(arriving));
  NEARDUP_ASSIGN(TextMaker::Loan loan, impl_->maker_of(arriving).lend());
  const MadeText& text = loan.make(arriving.text);
  made.head_.size_bytes = text.text_fingerprint.size_bytes;
  keep(text.side(), settings().records, {.bytes = arriving.text, .is_page = arriving.is_html}, made);
  return made;
}

MadeRecord TextStore::make(const PairSide& side, const store::Record& head, const KeptText& text) const {
  MadeRecord made;
  made.head_ = head;
  keep(side, settings().records, text, made);
  return made;
}

void TextStore::keep(const PairSide& side, RecordsKept records, const KeptText& text, MadeRecord& made) const {
  made.head_.checksum = side.checksum;
  append_body(made.body_, side, records, settings().keep_texts ? text : KeptText{});
  append_keys(made.keys_, impl_->matcher().decision, side);
  if (records == RecordsKept::kTokens) made.head_.most_sharing = impl_->matcher().most_sharing(side);
  if (settings().matching.contained && side.has_features && records == RecordsKept::kTokens)
    take_passages(made.passages_, side);
  if (side.has_features) made.fingerprints_.assign(side.fingerprints.begin(), side.fingerprints.end());
}

Result<std::vector<MadeRecord>> TextStore::make_all(std::span<const ArrivingText> arriving) const {
  std::vector<MadeRecord> records;
  records.reserve(arriving.size());
  for (const ArrivingText& one : arriving) {
    NEARDUP_ASSIGN(MadeRecord made, make(one));
    records.push_back(std::move(made));
  }
  return records;
}

Result<std::vector<TextVerdict>> TextStore::check_and_insert(std::span<const MadeRecord> records) {
  NEARDUP_ASSIGN(auto answers, impl_->store().check_and_insert(views_of(records), impl_->judge()));
  return verdicts_of(std::move(answers));
}

Result<std::vector<TextVerdict>> TextStore::check_and_insert(std::span<const ArrivingText> arriving) {
  NEARDUP_ASSIGN(const std::vector<MadeRecord> records, make_all(arriving));
  return check_and_insert(records);
}

Result<std::vector<TextVerdict>> TextStore::check(std::span<const ArrivingText> arriving) const {
  NEARDUP_ASSIGN(const std::vector<MadeRecord> records, make_all(arriving));
  NEARDUP_ASSIGN(auto answers, impl_->store().check(views_of(records), impl_->judge()));
  return verdicts_of(std::move(answers));
}

Status TextStore::put(std::span<const ArrivingText> arriving) {
  NEARDUP_ASSIGN(const std::vector<MadeRecord> records, make_all(arriving));
  return impl_->store().put(views_of(records));
}

Result<store::StoredNeighbours> TextStore::query(const ArrivingText& document, size_t limit) const {
  ArrivingText named = document;
  if (named.id.empty()) named.id = "?";  // nothing is stored
  NEARDUP_ASSIGN(const MadeRecord record, make(named));
  return query(record, limit);
}

Result<store::StoredNeighbours> TextStore::query(const MadeRecord& record, size_t limit) const {
  return impl_->store().query(record.view(), impl_->judge(), limit);
}

Comparisons TextStore::comparisons() const { return impl_->judge().comparisons(); }

Result<StoredText> TextStore::text_of(const store::Record& record) {
  TextRecord text;
  NEARDUP_TRY(text.read(record));
  return StoredText{std::string(text.text().bytes), text.text().is_page};
}

}  // namespace neardup::engine
