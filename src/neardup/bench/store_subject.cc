#include "neardup/bench/store_subject.h"

#include <algorithm>

#include "neardup/base/threads.h"
#include "neardup/bench/store_documents.h"
#include "neardup/engine/online/store_place.h"
#include "neardup/engine/online/text_store.h"

namespace neardup::bench {
namespace {

class FingerprintBatch : public DocumentBatch {
 public:
  FingerprintBatch(store::Store& store, const store::Judge& judge, uint64_t seed, uint64_t first, uint64_t count)
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
  store::Store& store_;
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
  [[nodiscard]] Status create(const std::string& place, const store::StoreOptions& options) override {
    NEARDUP_ASSIGN(store_, engine::create_store_at(place, settings_, options));
    return {};
  }
  [[nodiscard]] Status open(const std::string& place) override {
    NEARDUP_ASSIGN(store_, engine::open_store_at(place));
    return {};
  }
  void close() override { store_.reset(); }
  [[nodiscard]] store::Store& store() override { return *store_; }
  [[nodiscard]] std::unique_ptr<DocumentBatch> make(uint64_t seed, uint64_t first, uint64_t count) override {
    return std::make_unique<FingerprintBatch>(*store_, judge_, seed, first, count);
  }

 private:
  const ByDistance judge_;
  store::StoreSettings settings_;
  std::unique_ptr<store::Store> store_;
};

class TextBatch : public DocumentBatch {
 public:
  TextBatch(engine::TextStore& store, const ArrivingContent& content, uint64_t seed, uint64_t first, uint64_t count)
      : store_(store), documents_(content, seed, first, count) {}
  [[nodiscard]] Status put() override { return store_.put(documents_.all()); }
  [[nodiscard]] Status check() override {
    NEARDUP_TRY(store_.check(documents_.all()));
    return {};
  }
  [[nodiscard]] Status check_and_insert() override {
    NEARDUP_TRY(store_.check_and_insert(documents_.all()));
    return {};
  }
  [[nodiscard]] std::vector<std::string_view> ids() const override { return documents_.ids(); }

 private:
  engine::TextStore& store_;
  const ArrivingDocuments documents_;
};

class TextSubject : public StoreSubject {
 public:
  TextSubject(const engine::TextStoreSettings& settings, const ArrivingContent& content)
      : settings_(settings), content_(content) {}
  [[nodiscard]] Status create(const std::string& place, const store::StoreOptions& options) override {
    NEARDUP_ASSIGN(store_, engine::TextStore::create(place, settings_, options));
    return {};
  }
  [[nodiscard]] Status open(const std::string& place) override {
    NEARDUP_ASSIGN(store_, engine::TextStore::open(place));
    return {};
  }
  void close() override { store_.reset(); }
  [[nodiscard]] store::Store& store() override { return store_->store(); }
  [[nodiscard]] std::unique_ptr<DocumentBatch> make(uint64_t seed, uint64_t first, uint64_t count) override {
    return std::make_unique<TextBatch>(*store_, content_, seed, first, count);
  }

 private:
  const engine::TextStoreSettings settings_;
  const ArrivingContent content_;
  std::unique_ptr<engine::TextStore> store_;
};

}  // namespace

std::unique_ptr<StoreSubject> fingerprint_subject(int max_distance, uint32_t num_bits) {
  return std::make_unique<FingerprintSubject>(max_distance, num_bits);
}

std::unique_ptr<StoreSubject> text_subject(const engine::TextStoreSettings& settings, const ArrivingContent& content) {
  return std::make_unique<TextSubject>(settings, content);
}

Status fill_store(StoreSubject& subject, const StoreFill& fill, const TimeCall& time_call) {
  const uint64_t num_batches = (fill.count + fill.batch - 1) / fill.batch;
  return parallel_for(fill.num_threads, num_batches, [&](size_t i, int thread) -> Status {
    NEARDUP_TRY(fill.context.check_cancel());
    const uint64_t first = i * fill.batch;
    const auto batch = subject.make(fill.seed, first, std::min(fill.batch, fill.count - first));
    return time_call(thread, [&] { return batch->put(); });
  });
}

}  // namespace neardup::bench
