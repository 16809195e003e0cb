#include "neardup/bench/store.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "neardup/base/disk/file.h"
#include "neardup/base/disk/temporary_folder.h"
#include "neardup/base/threads.h"
#include "neardup/bench/measurement.h"
#include "neardup/bench/store_subject.h"
#include "neardup/bench/sync_rate.h"
#include "neardup/engine/online/store_place.h"

namespace neardup::bench {
namespace {

constexpr uint64_t kFillBatch = 10'000, kTextFillBatch = 1000;  // of a server the latter, too
constexpr uint64_t kEraseBatch = 1000;

Result<uint64_t> disk_bytes(const std::string& folder) {
  uint64_t bytes = 0;
  NEARDUP_ASSIGN(const auto names, list_folder(folder));
  for (const std::string& name : names)
    if (const auto info = file_info(folder + "/" + name)) bytes += info->size_bytes;
  return bytes;
}

/// How long each call took.
class CallTimes {
 public:
  explicit CallTimes(int num_threads) : of_thread_(static_cast<size_t>(num_threads)) {}
  template <class Call>
  Status time(int thread, const Call& call) {
    const Stopwatch watch;
    NEARDUP_TRY(call());
    of_thread_[static_cast<size_t>(thread)].push_back(watch.seconds() * 1e6);
    return {};
  }
  void summarize(StoreMeasurement& m) const {
    std::vector<double> all;
    for (const auto& some : of_thread_) all.insert(all.end(), some.begin(), some.end());
    const Quantiles quantiles = quantiles_of(std::move(all));
    m.p50_us = quantiles.p50;
    m.p99_us = quantiles.p99;
    m.worst_us = quantiles.worst;
  }

 private:
  std::vector<std::vector<double>> of_thread_;
};

class Run {
 public:
  Run(const StoreBench& options, std::string folder, StoreMeasured measured)
      : options_(options),
        folder_(std::move(folder)),
        is_on_server_(engine::is_on_server(folder_)),
        measured_(std::move(measured)) {
    engine::TextStoreSettings settings;
    if (options.recipe) settings.matching.recipe = *options.recipe;
    subject_ = options.recipe ? text_subject(settings, {.text_bytes = options.text_bytes})
                              : fingerprint_subject(options.max_distance, options.num_bits);
  }

  Status run() {
    NEARDUP_TRY(fill());
    NEARDUP_TRY(measure("query", &DocumentBatch::check));
    NEARDUP_TRY(measure("check_and_insert", &DocumentBatch::check_and_insert));
    NEARDUP_TRY(erase_meanwhile());
    return reopen();
  }

 private:
  using Work = Status (DocumentBatch::*)();

  Status fill();
  Status measure(const std::string& operation, Work work);
  std::vector<std::unique_ptr<DocumentBatch>> make_batches();
  Status erase_meanwhile();
  Status erase_some();
  Status call_until(const std::atomic<bool>& ends, CallTimes& times, int caller, std::atomic<uint64_t>& done);
  Status reopen();
  Status finish(StoreMeasurement m, const CallTimes& times);
  Result<double> sync_rate() const { return is_on_server_ ? Result<double>(0) : fdatasync_rate(folder_); }
  [[nodiscard]] uint64_t num_documents() const {
    if (options_.num_documents != 0) return options_.num_documents;
    return std::clamp<uint64_t>(options_.count / 10, 10'000, 1'000'000);
  }
  [[nodiscard]] StoreMeasurement begin(std::string operation) const {
    StoreMeasurement m;
    m.operation = std::move(operation);
    m.num_threads = options_.num_threads;
    m.batch = options_.batch;
    return m;
  }

  const StoreBench& options_;
  const std::string folder_;
  const bool is_on_server_;
  const StoreMeasured measured_;
  std::unique_ptr<StoreSubject> subject_;
  std::atomic<uint64_t> next_{0};  // document
};

// Adds what the store and its folder tell.
Status Run::finish(StoreMeasurement m, const CallTimes& times) {
  times.summarize(m);
  NEARDUP_ASSIGN(const store::Statistics statistics, subject_->store().statistics());
  NEARDUP_ASSIGN(const uint64_t on_disk, is_on_server_ ? Result<uint64_t>(statistics.disk_bytes) : disk_bytes(folder_));
  const auto documents = static_cast<double>(std::max<uint64_t>(statistics.documents, 1));
  m.count = statistics.documents;
  m.log_bytes = statistics.log_bytes;
  m.bytes_per_item = static_cast<double>(statistics.memory_bytes) / documents;
  m.disk_bytes_per_item = static_cast<double>(on_disk) / documents;
  measured_(m);
  return {};
}

Status Run::fill() {
  store::StoreOptions store_options;
  store_options.context = options_.context;
  NEARDUP_TRY(subject_->create(folder_, store_options));
  StoreMeasurement m = begin("insert");
  const bool is_by_all = options_.recipe || is_on_server_;
  m.batch = is_by_all ? kTextFillBatch : kFillBatch;
  m.num_threads = is_by_all ? options_.num_threads : 1;
  CallTimes times(m.num_threads);
  const Stopwatch watch;
  NEARDUP_TRY(fill_store(*subject_, {options_.seed, options_.count, m.batch, m.num_threads, options_.context},
                         [&](int thread, const auto& put) { return times.time(thread, put); }));
  next_ = options_.count;
  m.num_documents = options_.count;
  m.seconds = watch.seconds();
  NEARDUP_TRY(subject_->store().checkpoint());
  return finish(m, times);
}

std::vector<std::unique_ptr<DocumentBatch>> Run::make_batches() {
  std::vector<std::unique_ptr<DocumentBatch>> batches;
  for (uint64_t made = 0; made < num_documents(); made += options_.batch)
    batches.push_back(subject_->make(options_.seed, next_.fetch_add(options_.batch), options_.batch));
  return batches;
}

// Documents are made before the clock begins to run.
Status Run::measure(const std::string& operation, Work work) {
  StoreMeasurement m = begin(operation);
  const auto batches = make_batches();
  NEARDUP_ASSIGN(m.fdatasync_per_second, sync_rate());
  CallTimes times(options_.num_threads);
  const Stopwatch watch;
  NEARDUP_TRY(parallel_for(options_.num_threads, batches.size(), [&](size_t i, int thread) -> Status {
    NEARDUP_TRY(options_.context.check_cancel());
    return times.time(thread, [&] { return ((*batches[i]).*work)(); });
  }));
  m.seconds = watch.seconds();
  m.num_documents = batches.size() * options_.batch;
  return finish(m, times);
}

Status Run::erase_some() {
  const uint64_t count = std::min<uint64_t>(options_.count / 10, 1'000'000);
  for (uint64_t first = 0; first < count; first += kEraseBatch) {
    NEARDUP_TRY(options_.context.check_cancel());
    const auto some = subject_->make(options_.seed, first, std::min(kEraseBatch, count - first));
    NEARDUP_TRY(subject_->store().erase(some->ids()));
    if (first % (count / 4 + 1) < kEraseBatch) NEARDUP_TRY(subject_->store().checkpoint());
  }
  return {};
}

// Once at least: a small store may be done before the first caller has begun, and nothing would be measured.
Status Run::call_until(const std::atomic<bool>& ends, CallTimes& times, int caller, std::atomic<uint64_t>& done) {
  do {
    const auto some = subject_->make(options_.seed, next_.fetch_add(options_.batch), options_.batch);
    NEARDUP_TRY(times.time(caller, [&] { return some->check_and_insert(); }));
    done += options_.batch;
  } while (!ends);
  return {};
}

// One thread erases and makes checkpoints, the callers go on until it is done.
Status Run::erase_meanwhile() {
  StoreMeasurement m = begin("merge");
  NEARDUP_ASSIGN(m.fdatasync_per_second, sync_rate());
  CallTimes times(options_.num_threads);
  std::vector<Status> ended(static_cast<size_t>(options_.num_threads));
  std::vector<std::thread> callers;
  std::atomic<bool> ends = false;
  std::atomic<uint64_t> done = 0;
  const Stopwatch watch;
  for (int caller = 0; caller < options_.num_threads; ++caller)
    callers.emplace_back([&, caller] { ended[static_cast<size_t>(caller)] = call_until(ends, times, caller, done); });
  const Status erased = erase_some();
  ends = true;
  for (std::thread& caller : callers) caller.join();
  NEARDUP_TRY(erased);
  for (const Status& status : ended) NEARDUP_TRY(status);
  m.seconds = watch.seconds();
  m.num_documents = done;
  return finish(m, times);
}

Status Run::reopen() {
  StoreMeasurement m = begin("reopen");
  m.num_threads = 1;
  m.batch = 1;
  subject_->close();
  CallTimes times(1);
  const Stopwatch watch;
  NEARDUP_TRY(times.time(0, [&] { return subject_->open(folder_); }));
  m.seconds = watch.seconds();
  NEARDUP_ASSIGN(const store::Statistics statistics, subject_->store().statistics());
  m.num_documents = statistics.documents;
  return finish(m, times);
}

}  // namespace

Status run_store_bench(const StoreBench& options, const StoreMeasured& measured) {
  std::optional<TemporaryFolder> temporary;
  if (options.folder.empty()) {
    NEARDUP_ASSIGN(TemporaryFolder made, TemporaryFolder::create(options.work_folder + "/neardup-bench-store-"));
    temporary.emplace(std::move(made));
  }
  return Run(options, temporary ? temporary->path() + "/store" : options.folder, measured).run();
}

}  // namespace neardup::bench
