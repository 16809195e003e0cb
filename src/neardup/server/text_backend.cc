#include "neardup/server/text_backend.h"

#include <fmt/format.h>

#include <random>

#include "neardup/base/hash.h"
#include "neardup/engine/online/store_place.h"
#include "neardup/recipe/spec.h"

namespace neardup::server {
namespace {

constexpr size_t kLookedAt = 5000;  // documents of one page of clusters

/// Stands for documents without an id that are only asked about: nobody can have stored one under it.
std::string unguessable_id() {
  std::random_device random;
  std::string id = "?";
  for (int i = 0; i < 4; ++i) id += fmt::format("{:08x}", random());
  return id;
}

BackendFacts facts_of(const engine::TextStore& store, const recipe::Recipe& recipe, const std::string& place) {
  return {.recipe_id = store.recipe_id(),
          .recipe_json = recipe::to_json(recipe),
          .family = recipe.family == recipe::Family::kMinHash ? "minhash" : "simhash",
          .records = std::string(name_of(store.settings().records)),
          .contained = store.settings().matching.contained,
          .keeps_texts = store.settings().keep_texts,
          .values = {recipe.num_fingerprints(), recipe.num_signature_values()},
          .store_kind = std::string(engine::kind_name(place))};
}

class TextBackend : public Backend {
 public:
  TextBackend(std::unique_ptr<engine::TextStore> store, const std::string& place)
      : texts_(std::move(store)), facts_(facts_of(*texts_, texts_->recipe(), place)) {
    texts_->limit_page_memory(kPageMemoryBytes);
  }

  const BackendFacts& facts() const override { return facts_; }
  Status reach() const override;

  Result<std::vector<engine::TextVerdict>> check_and_insert(std::span<const engine::ArrivingText> arriving) override {
    return texts_->check_and_insert(arriving);
  }
  Result<std::vector<engine::TextVerdict>> check(std::span<const engine::ArrivingText> arriving) const override;
  Status put(std::span<const engine::ArrivingText> arriving) override { return texts_->put(arriving); }
  Result<store::StoredNeighbours> query(const engine::ArrivingText& document, size_t limit) const override {
    return texts_->query(document, limit);
  }

  Result<bool> find(std::string_view id, const store::Store::Visitor& visit) const override {
    return stored().find(id, visit);
  }
  Result<std::string> id_of(uint64_t number) const override;
  Result<uint64_t> erase(std::span<const std::string_view> ids) override { return stored().erase(ids); }
  Result<uint64_t> erase_tag(std::string_view tag) override { return stored().erase_tag(tag); }
  Result<store::Statistics> statistics() const override { return stored().statistics(); }
  engine::Comparisons comparisons() const override { return texts_->comparisons(); }

  Result<std::vector<store::TagCount>> tags() const override { return stored().tags(); }
  Result<bool> begin_tag(std::string_view tag) override { return stored().begin_tag(tag); }
  Result<bool> commit_tag(std::string_view tag) override { return stored().commit_tag(tag); }
  Result<bool> cancel_tag(std::string_view tag) override { return stored().cancel_tag(tag); }
  Result<uint64_t> expire(int64_t before) override { return stored().expire(before); }
  Status snapshot(const std::string& folder) override { return stored().snapshot(folder); }

  Result<ClusterPage> clusters(const ClusterQuery& query) const override;
  Result<Explanation> explain(const ExplainedSide& a, const ExplainedSide& b) const override;
  Result<std::optional<engine::StoredText>> text_of(const store::Record& record) const override;

 private:
  [[nodiscard]] store::Store& stored() const { return texts_->store(); }
  Result<bool> add_cluster(const std::string& kept, const ClusterQuery& query, ClusterPage& page) const;
  [[nodiscard]] Result<ExplainedSide> with_text(const ExplainedSide& side) const;

  const std::unique_ptr<engine::TextStore> texts_;
  const BackendFacts facts_;
  const std::string nobody_ = unguessable_id();
};

Result<std::vector<engine::TextVerdict>> TextBackend::check(std::span<const engine::ArrivingText> arriving) const {
  std::vector<engine::ArrivingText> named(arriving.begin(), arriving.end());
  for (engine::ArrivingText& text : named) {
    if (text.id.empty()) text.id = nobody_;
  }
  return static_cast<const engine::TextStore&>(*texts_).check(named);
}

// Nobody is there of that id: one short question.
Status TextBackend::reach() const {
  NEARDUP_TRY(stored().find(nobody_, [](const store::Record&) {}));
  return {};
}

Result<std::string> TextBackend::id_of(uint64_t number) const {
  std::string id;
  NEARDUP_TRY(stored().find_number(number, [&](const store::Record& record) { id = record.id; }));
  return id;
}

/// Returns whether it has any.
Result<bool> TextBackend::add_cluster(const std::string& kept, const ClusterQuery& query, ClusterPage& page) const {
  NEARDUP_ASSIGN(auto members, stored().duplicates_of(kept, 0, query.most_members + 1));
  if (members.empty()) return false;
  KeptCluster cluster;
  cluster.kept = kept;
  cluster.truncated = members.size() > query.most_members;
  if (cluster.truncated) members.pop_back();
  cluster.duplicates = std::move(members);
  page.clusters.push_back(std::move(cluster));
  return true;
}

Result<ClusterPage> TextBackend::clusters(const ClusterQuery& query) const {
  ClusterPage page;
  if (query.kept) {
    NEARDUP_TRY(add_cluster(*query.kept, query, page));
    return page;
  }
  std::vector<std::pair<uint64_t, std::string>> kept;
  NEARDUP_ASSIGN(page.next, stored().for_each(query.first, kLookedAt, [&](const store::Record& record) {
    if (record.fate.kind == store::Kind::kNew) kept.emplace_back(record.number, record.id);
  }));
  for (const auto& [number, id] : kept) {
    if (page.clusters.size() == query.most_clusters) {
      page.next = number;
      break;
    }
    NEARDUP_TRY(add_cluster(id, query, page));
  }
  return page;
}

Result<std::optional<engine::StoredText>> TextBackend::text_of(const store::Record& record) const {
  if (!facts_.keeps_texts || record.fate.kind != store::Kind::kNew) return std::optional<engine::StoredText>();
  NEARDUP_ASSIGN(engine::StoredText text, engine::TextStore::text_of(record));
  return std::optional<engine::StoredText>(std::move(text));
}

/// Returns the side with the text that is stored of it.
Result<ExplainedSide> TextBackend::with_text(const ExplainedSide& side) const {
  if (!side.id) return side;
  Result<std::optional<engine::StoredText>> text;
  NEARDUP_ASSIGN(const bool found,
                 stored().find(*side.id, [&](const store::Record& record) { text = text_of(record); }));
  if (!found) return fail(Code::kNotFound, fmt::format("no document \"{}\"", *side.id));
  if (!text) return tl::unexpected<Error>(text.error());
  if (!*text || (*text)->text.empty())
    return fail(
        Code::kUnsupported,
        fmt::format("the text of \"{}\" was not kept: texts of kept documents are, in a store made with --keep-texts",
                    *side.id));
  return ExplainedSide{.id = side.id, .text = std::move((*text)->text), .is_html = (*text)->is_html};
}

Result<Explanation> TextBackend::explain(const ExplainedSide& a, const ExplainedSide& b) const {
  NEARDUP_ASSIGN(const ExplainedSide first, with_text(a));
  NEARDUP_ASSIGN(const ExplainedSide second, with_text(b));
  return explain_two(texts_->matcher(), texts_->settings(), first, second);
}

}  // namespace

std::unique_ptr<Backend> make_backend(std::unique_ptr<engine::TextStore> store, const std::string& place) {
  return std::make_unique<TextBackend>(std::move(store), place);
}

}  // namespace neardup::server
