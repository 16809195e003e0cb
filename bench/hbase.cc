// bench_hbase: what a store on HBase takes, without the decisions: documents stored by batches, documents looked up one
// by one and by batches, by one caller or several. Documents are as those of `neardup bench store`: one fingerprint,
// two keys, a record of so many bytes. usage: bench_hbase URI COUNT [CALLERS] [fill|query|both] [SECONDS]; the table
// must not be there, but for `query`; it stays.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "neardup/base/hash.h"
#include "neardup/bench/measurement.h"
#include "neardup/remote/hbase/hbase_backend.h"

namespace neardup {
namespace {

using bench::Stopwatch;
constexpr uint64_t kBatch = 10'000;
constexpr size_t kRecordBytes = 120;
constexpr double kFillSeconds = 110;

struct Document {
  uint64_t keys[2];
  uint64_t fingerprint[1];
};

Document document_of(uint64_t i) { return {{mix64(i), mix64(~i)}, {mix64(i + (uint64_t{1} << 40))}}; }

void die_unless(const Status& status) {
  if (status) return;
  fmt::print(stderr, "{}\n", status.error().message);
  std::exit(1);
}

void put(remote::Backend& backend, uint64_t first, uint64_t count) {
  std::vector<Document> documents;
  std::vector<uint64_t> ids;
  for (uint64_t i = first; i < first + count; ++i) ids.push_back(documents.emplace_back(document_of(i)).keys[0]);
  const auto found = backend.look_up({ids, {}, count, true});
  if (!found) return die_unless(fail(found.error().code, found.error().message));
  const std::string record(kRecordBytes, 'r');
  std::vector<remote::StoredDocument> stored;
  std::vector<remote::Change> changes(count);
  for (uint64_t i = 0; i < count; ++i)
    stored.push_back({found->first_reserved + i, record, documents[i].keys, documents[i].fingerprint});
  for (uint64_t i = 0; i < count; ++i) {
    changes[i].keys = {documents[i].keys, 1};
    changes[i].added = {&stored[i], 1};
    changes[i].documents = 1;
  }
  const auto happened = backend.commit(*found->seen, changes);
  if (!happened) die_unless(fail(happened.error().code, happened.error().message));
}

void fill(remote::Backend& backend, uint64_t count) {
  const Stopwatch watch;
  uint64_t done = 0;
  for (; done < count && watch.seconds() < kFillSeconds; done += kBatch) put(backend, done, kBatch);
  fmt::print("fill    {:>9} documents  {:>8.0f} documents/s\n", done, static_cast<double>(done) / watch.seconds());
}

// Every second document is there, with a bit flipped.
void look_up(remote::Backend& backend, uint64_t count, uint64_t seed, uint64_t batch) {
  std::vector<uint64_t> keys, fingerprints;
  for (uint64_t i = 0; i < batch; ++i) {
    const uint64_t chance = mix64(seed * batch + i);
    const Document document = document_of(i % 2 == 0 ? chance % count : chance | uint64_t{1} << 60);
    keys.insert(keys.end(), document.keys, document.keys + 2);
    fingerprints.push_back(document.fingerprint[0] ^ uint64_t{1} << chance % 64);
  }
  const auto found = backend.look_up({keys, fingerprints, 0, false});
  if (!found) return die_unless(fail(found.error().code, found.error().message));
  for (uint64_t i = 0; i < batch; ++i)
    if (found->by_fingerprint[i].empty() != (i % 2 == 1)) die_unless(fail(Code::kCorruption, "a query missed"));
}

void query(remote::Backend& backend, uint64_t count, uint64_t batch, int callers, double seconds) {
  std::vector<std::vector<double>> times(static_cast<size_t>(callers));
  std::vector<std::thread> threads;
  const Stopwatch watch;
  for (int caller = 0; caller < callers; ++caller)
    threads.emplace_back([&, caller] {
      auto& own = times[static_cast<size_t>(caller)];
      while (watch.seconds() < seconds) {
        const Stopwatch one;
        look_up(backend, count, mix64(own.size() + 1000 * static_cast<uint64_t>(caller)), batch);
        own.push_back(one.seconds() * 1e3);
      }
    });
  for (std::thread& thread : threads) thread.join();
  std::vector<double> all;
  for (const auto& some : times) all.insert(all.end(), some.begin(), some.end());
  const double rate = static_cast<double>(all.size() * batch) / watch.seconds();
  const auto q = bench::quantiles_of(all);
  fmt::print("query   {} callers, {:>4} a batch  {:>8.0f} queries/s  p50 {:.2f} ms  p99 {:.2f} ms  worst {:.1f} ms\n",
             callers, batch, rate, q.p50, q.p99, q.worst);
}

int run(int count, char** arguments) {
  const auto uri = remote::parse_remote_uri(arguments[1]);
  if (!uri || count < 3)
    return fmt::print(stderr, "usage: bench_hbase URI COUNT [CALLERS] [fill|query|both] [SECONDS]\n"), 2;
  const uint64_t documents = std::strtoull(arguments[2], nullptr, 10);
  const int callers = count > 3 ? std::atoi(arguments[3]) : 4;
  const std::string what = count > 4 ? arguments[4] : "";
  store::StoreSettings settings;
  settings.num_fingerprints = 1;
  auto backend =
      what == "query" ? remote::open_hbase_backend(*uri, {}) : remote::create_hbase_backend(*uri, settings, {}, {});
  if (!backend) return fmt::print(stderr, "{}\n", backend.error().message), 1;
  if (what != "query") fill(**backend, documents);
  if (what == "fill") return 0;
  const auto figures = (*backend)->figures();
  if (!figures) return fmt::print(stderr, "{}\n", figures.error().message), 1;
  const double seconds = count > 5 ? std::atof(arguments[5]) : 5;
  for (const int some : {1, callers})
    for (const uint64_t batch : {1, 25, 100, 1000}) query(**backend, figures->documents, batch, some, seconds);
  return 0;
}

}  // namespace
}  // namespace neardup

int main(int count, char** arguments) { return count < 2 ? 2 : neardup::run(count, arguments); }
