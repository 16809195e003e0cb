#include "neardup/bench/store_subject.h"

#include "neardup/base/hash.h"
#include "neardup/bench/store_documents.h"
#include "neardup/bench/texts.h"
#include "neardup/engine/online/text_store.h"

namespace neardup::bench {
namespace {

using store::EmbeddedStore;

class FingerprintBatch : public DocumentBatch {
 public:
  FingerprintBatch(EmbeddedStore& store, const store::Judge& judge, uint64_t seed, uint64_t first, uint64_t count)
      : store_(store), judge_(judge), documents_(seed, first, count, store.settings().num_bits) {}
  [[nodiscard]] Status put() override { return store_.put(documents_.records()); }
  [[nodiscard]] Status check() override {
    NEARDUP_TRY(store_.check(documents_.records(), judge_));
    return {};
  }
  [[nodiscard]] Status check_and_insert() override {
    NEARDUP_TRY(store_.check_and_insert(documents_.records(), judge_));
    return {};
  }
  [[nodiscard]] std::vector<std::string_view> ids() const override { return documents_.ids(); }

 private:
  EmbeddedStore& store_;
  const store::Judge& judge_;
  StoreDocuments documents_;
};

class FingerprintSubject : public StoreSubject {
 public:
  FingerprintSubject(int max_distance, uint32_t num_bits) : judge_(max_distance, num_bits) {
    settings_.num_fingerprints = 1;
    settings_.num_bits = num_bits;
    settings_.max_distance = max_distance;
  }
  [[nodiscard]] Status create(const std::string& folder, const store::StoreOptions& options) override {
    NEARDUP_ASSIGN(store_, EmbeddedStore::create(folder, settings_, options));
    return {};
  }
  [[nodiscard]] Status open(const std::string& folder) override {
    NEARDUP_ASSIGN(store_, EmbeddedStore::open(folder));
    return {};
  }
  void close() override { store_.reset(); }
  [[nodiscard]] EmbeddedStore& store() override { return *store_; }
  [[nodiscard]] std::unique_ptr<DocumentBatch> make(uint64_t seed, uint64_t first, uint64_t count) override {
    return std::make_unique<FingerprintBatch>(*store_, judge_, seed, first, count);
  }

 private:
  const ByDistance judge_;
  store::StoreSettings settings_;
  std::unique_ptr<EmbeddedStore> store_;
};

class TextBatch : public DocumentBatch {
 public:
  TextBatch(engine::TextStore& store, const StoreDocuments& named, uint64_t seed, uint64_t first, uint64_t text_bytes)
      : store_(store) {
    for (const std::string_view id : named.ids()) {
      ids_.emplace_back(id);
      texts_.push_back(text_of(seed, first + texts_.size(), text_bytes));
    }
    for (size_t i = 0; i < ids_.size(); ++i) {
      engine::ArrivingText arriving;
      arriving.id = ids_[i];
      arriving.text = texts_[i];
      arriving_.push_back(arriving);
    }
  }
  [[nodiscard]] Status put() override { return store_.put(arriving_); }
  [[nodiscard]] Status check() override {
    NEARDUP_TRY(store_.check(arriving_));
    return {};
  }
  [[nodiscard]] Status check_and_insert() override {
    NEARDUP_TRY(store_.check_and_insert(arriving_));
    return {};
  }
  [[nodiscard]] std::vector<std::string_view> ids() const override { return {ids_.begin(), ids_.end()}; }

 private:
  static std::string text_of(uint64_t seed, uint64_t number, uint64_t text_bytes) {
    const bool is_copy = number % 20 == 19;
    const uint64_t original = is_copy ? mix64(seed ^ number) % number : number;
    std::string text = make_text(mix64(seed) + original, text_bytes);
    if (is_copy) text += " " + make_text(mix64(seed) + number, text_bytes / 50 + 1);
    return text;
  }

  engine::TextStore& store_;
  std::vector<std::string> ids_, texts_;
  std::vector<engine::ArrivingText> arriving_;
};

class TextSubject : public StoreSubject {
 public:
  TextSubject(const recipe::Recipe& recipe, uint64_t text_bytes) : text_bytes_(text_bytes) {
    settings_.matching.recipe = recipe;
  }
  [[nodiscard]] Status create(const std::string& folder, const store::StoreOptions& options) override {
    NEARDUP_ASSIGN(store_, engine::TextStore::create(folder, settings_, options));
    return {};
  }
  [[nodiscard]] Status open(const std::string& folder) override {
    NEARDUP_ASSIGN(store_, engine::TextStore::open(folder));
    return {};
  }
  void close() override { store_.reset(); }
  [[nodiscard]] EmbeddedStore& store() override { return store_->store(); }
  [[nodiscard]] std::unique_ptr<DocumentBatch> make(uint64_t seed, uint64_t first, uint64_t count) override {
    return std::make_unique<TextBatch>(*store_, StoreDocuments(seed, first, count), seed, first, text_bytes_);
  }

 private:
  const uint64_t text_bytes_;
  engine::TextStoreSettings settings_;
  std::unique_ptr<engine::TextStore> store_;
};

}  // namespace

std::unique_ptr<StoreSubject> fingerprint_subject(int max_distance, uint32_t num_bits) {
  return std::make_unique<FingerprintSubject>(max_distance, num_bits);
}

std::unique_ptr<StoreSubject> text_subject(const recipe::Recipe& recipe, uint64_t text_bytes) {
  return std::make_unique<TextSubject>(recipe, text_bytes);
}

}  // namespace neardup::bench
