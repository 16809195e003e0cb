#include "neardup/api/store.h"

#include "neardup/api/field_words.h"
#include "neardup/api/options_of.h"
#include "neardup/engine/online/store_place.h"
#include "neardup/engine/online/text_store.h"
#include "neardup/engine/stored/run_store.h"

namespace neardup {
namespace {

engine::RecordsKept records_of(Records records) {
  switch (records) {
    case Records::kSignature:
      return engine::RecordsKept::kSignature;
    case Records::kNone:
      return engine::RecordsKept::kNone;
    case Records::kTokens:
      break;
  }
  return engine::RecordsKept::kTokens;
}

engine::ArrivingText arriving_of(const NewDocument& document) {
  engine::ArrivingText arriving;
  arriving.id = document.id;
  arriving.text = document.text;
  arriving.is_html = document.is_html;
  arriving.within = document.within;
  arriving.tag = document.tag;
  arriving.time = document.time;
  return arriving;
}

std::vector<engine::ArrivingText> arriving_of(std::span<const NewDocument> documents) {
  std::vector<engine::ArrivingText> arriving;
  for (const NewDocument& document : documents) arriving.push_back(arriving_of(document));
  return arriving;
}

Arrival::Kind kind_of(store::Kind kind) {
  switch (kind) {
    case store::Kind::kExact:
      return Arrival::Kind::kExact;
    case store::Kind::kNear:
      return Arrival::Kind::kNear;
    case store::Kind::kContained:
      return Arrival::Kind::kContained;
    case store::Kind::kNew:
      break;
  }
  return Arrival::Kind::kNew;
}

Result<std::vector<Arrival>> arrivals_of(Result<std::vector<engine::TextVerdict>> verdicts) {
  if (!verdicts) return tl::unexpected<Error>(verdicts.error());
  std::vector<Arrival> arrivals;
  for (engine::TextVerdict& verdict : *verdicts)
    arrivals.push_back({.kind = kind_of(verdict.kind),
                        .duplicate_of = std::move(verdict.duplicate_of),
                        .similarity = verdict.similarity,
                        .distance = static_cast<int>(verdict.distance),
                        .is_repeated = verdict.is_repeated,
                        .is_estimate = verdict.is_estimate});
  return arrivals;
}

StoredNear near_of(store::StoredNeighbour& neighbour) {
  return {.id = std::move(neighbour.id),
          .similarity = neighbour.likeness.similarity,
          .distance = static_cast<int>(neighbour.likeness.distance),
          .is_exact = neighbour.is_exact,
          .is_estimate = neighbour.likeness.is_estimate,
          .is_container = neighbour.is_container};
}

}  // namespace

struct Store::Impl {
  std::unique_ptr<engine::TextStore> texts;
};

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Status Store::check_there() const {
  if (impl_ != nullptr) return {};
  return fail(Code::kInvalidArgument, "this Store was moved from; use the other one");
}

Result<Store> Store::create(const std::string& place, const StoreOptions& options) {
  NEARDUP_ASSIGN(engine::DedupOptions matching, options_of(options.matching));
  if (options.contained != 0) matching.contained = options.contained;
  engine::TextStoreSettings settings;
  settings.matching = std::move(matching);
  settings.records = records_of(options.records);
  settings.keep_texts = options.keep_texts;
  NEARDUP_ASSIGN(auto texts, in_field_words(engine::TextStore::create(place, settings)));
  return Store(std::make_unique<Impl>(Impl{std::move(texts)}));
}

Result<Store> Store::open(const std::string& place) {
  NEARDUP_ASSIGN(auto texts, engine::TextStore::open(place));
  return Store(std::make_unique<Impl>(Impl{std::move(texts)}));
}

Result<Store> Store::open(const std::string& place, const AskedOfStore& asked) {
  Matching matching = asked.matching;
  const bool recipe_is_asked = matching.recipe.is_set() || matching.bands;
  if (!matching.recipe.is_set()) matching.recipe = default_recipe();
  NEARDUP_ASSIGN(engine::DedupOptions options, options_of(matching));
  options.recipe_is_given = recipe_is_asked;
  options.contained = asked.contained;
  NEARDUP_ASSIGN(auto texts, engine::TextStore::open(place));
  NEARDUP_TRY(in_field_words(engine::check_same_settings(options, place, *texts)));
  std::optional<engine::RecordsKept> records;
  if (asked.records) records = records_of(*asked.records);
  NEARDUP_TRY(in_field_words(engine::check_same_kept(records, asked.keep_texts, place, *texts)));
  return Store(std::make_unique<Impl>(Impl{std::move(texts)}));
}

Result<bool> Store::is_there(const std::string& place) { return engine::is_store_at(place); }

Result<std::vector<Arrival>> Store::check_and_insert(std::span<const NewDocument> documents) {
  NEARDUP_TRY(check_there());
  return arrivals_of(impl_->texts->check_and_insert(arriving_of(documents)));
}

Result<Arrival> Store::check_and_insert(std::string_view id, std::string_view text) {
  const NewDocument document{.id = id, .text = text};
  NEARDUP_ASSIGN(std::vector<Arrival> arrivals, check_and_insert({&document, 1}));
  return std::move(arrivals.front());
}

Result<std::vector<Arrival>> Store::check(std::span<const NewDocument> documents) const {
  NEARDUP_TRY(check_there());
  return arrivals_of(impl_->texts->check(arriving_of(documents)));
}

Status Store::insert(std::span<const NewDocument> documents) {
  NEARDUP_TRY(check_there());
  return impl_->texts->put(arriving_of(documents));
}

Result<StoredNears> Store::query(const NewDocument& document, size_t limit) const {
  NEARDUP_TRY(check_there());
  NEARDUP_ASSIGN(auto neighbours, impl_->texts->query(arriving_of(document), limit));
  StoredNears nears{.truncated = neighbours.truncated};
  for (store::StoredNeighbour& neighbour : neighbours.found) nears.found.push_back(near_of(neighbour));
  return nears;
}

Result<uint64_t> Store::erase(std::span<const std::string_view> ids) {
  NEARDUP_TRY(check_there());
  return impl_->texts->store().erase(ids);
}

Result<uint64_t> Store::erase_tag(std::string_view tag) {
  NEARDUP_TRY(check_there());
  return impl_->texts->store().erase_tag(tag);
}

Result<uint64_t> Store::expire(int64_t before) {
  NEARDUP_TRY(check_there());
  return impl_->texts->store().expire(before);
}

Result<bool> Store::begin_tag(std::string_view tag) {
  NEARDUP_TRY(check_there());
  return impl_->texts->store().begin_tag(tag);
}

Result<bool> Store::commit_tag(std::string_view tag) {
  NEARDUP_TRY(check_there());
  return impl_->texts->store().commit_tag(tag);
}

Result<bool> Store::cancel_tag(std::string_view tag) {
  NEARDUP_TRY(check_there());
  return impl_->texts->store().cancel_tag(tag);
}

Result<uint64_t> Store::size() const {
  NEARDUP_TRY(check_there());
  NEARDUP_ASSIGN(const store::Statistics statistics, impl_->texts->store().statistics());
  return statistics.documents;
}

}  // namespace neardup
