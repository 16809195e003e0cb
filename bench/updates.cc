// Insertions per second into an index that changes, while another thread asks it; and how fast it is asked.
//
// usage: bench_updates [COUNT [DISTANCE [MEM_CAPACITY]]]
// Prints one JSON object a line: insertions alone, insertions beside a reader, erasures, queries of the settled index
// and of the compact one. Times are of the wall; "cpu" is that of the whole process, readers left out.
#include <fmt/format.h>
#include <sys/resource.h>
#include <time.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <random>
#include <thread>

#include "neardup/planner/compare_plans.h"
#include "neardup/store/updatable_index.h"

namespace {

using namespace neardup;
using namespace neardup::hamming;
using fingerprint::Fingerprint;

constexpr size_t kAtOnce = 1000;

double wall() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
double cpu(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::vector<Fingerprint> made_up(uint64_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Fingerprint> values(count);
  for (Fingerprint& value : values) value = random();
  return values;
}

void need(const Status& status) {
  if (status) return;
  fmt::print(stderr, "{}\n", status.error().message);
  std::exit(2);
}

struct Reader {
  uint64_t queries = 0;
  uint64_t matches = 0;
  double cpu_seconds = 0;
};

// Half the queries are near something inserted.
void read_until(const std::atomic<bool>& done, const store::UpdatableIndex<Fingerprint>& index,
                std::span<const Fingerprint> stored, int max_distance, Reader& reader) {
  std::mt19937_64 random(7);
  std::vector<Match<Fingerprint>> found;
  while (!done.load(std::memory_order_relaxed)) {
    const Fingerprint query = random() % 2 == 0 ? random() : stored[random() % stored.size()] ^ (1ULL << random() % 64);
    found.clear();
    index.query(query, max_distance, found);
    ++reader.queries;
    reader.matches += found.size();
  }
  reader.cpu_seconds = cpu(CLOCK_THREAD_CPUTIME_ID);
}

void insert_all(store::UpdatableIndex<Fingerprint>& index, std::span<const Fingerprint> values) {
  std::vector<uint64_t> documents(kAtOnce);
  for (size_t begin = 0; begin < values.size(); begin += kAtOnce) {
    const auto some = values.subspan(begin, std::min(kAtOnce, values.size() - begin));
    for (size_t i = 0; i < some.size(); ++i) documents[i] = begin + i;
    need(index.insert(some, {documents.data(), some.size()}));
  }
}

void measure_insertions(store::UpdatableIndex<Fingerprint>& index, std::span<const Fingerprint> values,
                        int max_distance, bool with_reader) {
  std::atomic<bool> done{false};
  Reader reader;
  const double cpu_before = cpu(CLOCK_PROCESS_CPUTIME_ID), before = wall();
  std::thread thread;
  if (with_reader) thread = std::thread([&] { read_until(done, index, values, max_distance, reader); });
  insert_all(index, values);
  const double inserted = wall() - before;
  need(index.settle());
  const double settled = wall() - before;
  done = true;
  if (thread.joinable()) thread.join();
  const double busy = cpu(CLOCK_PROCESS_CPUTIME_ID) - cpu_before - reader.cpu_seconds;
  const auto count = static_cast<double>(values.size());
  fmt::print(
      "{{\"bench\":\"updates\",\"what\":\"{}\",\"count\":{},\"seconds\":{:.3f},\"per_second\":{:.0f},"
      "\"settled_per_second\":{:.0f},\"per_cpu_second\":{:.0f},\"queries\":{},\"microseconds_per_query\":{:.2f},"
      "\"segments\":{},\"bytes_per_item\":{:.2f}}}\n",
      with_reader ? "insert beside a reader" : "insert", values.size(), inserted, count / inserted, count / settled,
      count / busy, reader.queries,
      reader.queries == 0 ? 0.0 : 1e6 * reader.cpu_seconds / static_cast<double>(reader.queries),
      index.view().figures().segments, static_cast<double>(index.view().figures().sealed_bytes) / count);
  std::fflush(stdout);
}

void measure_queries(const store::UpdatableIndex<Fingerprint>& index, std::span<const Fingerprint> values,
                     int max_distance, const char* what) {
  std::mt19937_64 random(9);
  std::vector<Fingerprint> queries(200000);
  for (Fingerprint& query : queries)
    query = random() % 2 == 0 ? random() : values[random() % values.size()] ^ (1ULL << random() % 64);
  std::vector<Match<Fingerprint>> found;
  double before = cpu(CLOCK_THREAD_CPUTIME_ID);
  for (const Fingerprint query : queries) index.query(query, max_distance, found);
  const double single = cpu(CLOCK_THREAD_CPUTIME_ID) - before;
  size_t in_batches = 0;
  before = cpu(CLOCK_THREAD_CPUTIME_ID);
  index.view().query_batch(queries, max_distance, [&](size_t, auto matches) { in_batches += matches.size(); });
  const double batch = cpu(CLOCK_THREAD_CPUTIME_ID) - before;
  if (in_batches != found.size()) need(fail(Code::kCorruption, "one at a time and in batches do not agree"));
  const auto count = static_cast<double>(queries.size());
  fmt::print(
      "{{\"bench\":\"updates\",\"what\":\"query {}\",\"segments\":{},\"single_microseconds\":{:.3f},"
      "\"batch_microseconds\":{:.3f},\"matches\":{}}}\n",
      what, index.view().figures().segments, 1e6 * single / count, 1e6 * batch / count, in_batches);
  std::fflush(stdout);
}

void measure_erasures(store::UpdatableIndex<Fingerprint>& index, uint64_t count) {
  const double before = wall();
  for (uint64_t document = 0; document < count; document += 10) need(index.erase(document));
  const double seconds = wall() - before;
  fmt::print("{{\"bench\":\"updates\",\"what\":\"erase\",\"count\":{},\"seconds\":{:.3f},\"per_second\":{:.0f}}}\n",
             (count + 9) / 10, seconds, static_cast<double>((count + 9) / 10) / seconds);
}

}  // namespace

int main(int argc, char** argv) {
  const auto count = argc > 1 ? static_cast<uint64_t>(std::strtod(argv[1], nullptr)) : uint64_t{5'000'000};
  store::UpdateOptions options;
  options.max_distance = argc > 2 ? std::atoi(argv[2]) : 3;
  if (argc > 3) options.mem_capacity = static_cast<uint32_t>(std::strtod(argv[3], nullptr));
  options.plan_for = [distance = options.max_distance](uint64_t documents) {
    return planner::default_plan(std::max<uint64_t>(documents, 1024), 64, distance);
  };
  const std::vector<Fingerprint> values = made_up(count, 1);
  {
    store::UpdatableIndex<Fingerprint> alone(options);
    measure_insertions(alone, values, options.max_distance, false);
  }
  store::UpdatableIndex<Fingerprint> index(options);
  measure_insertions(index, values, options.max_distance, true);
  measure_queries(index, values, options.max_distance, "as merged");
  measure_erasures(index, count);
  need(index.settle());
  measure_queries(index, values, options.max_distance, "with a tenth erased");
  need(index.compact());
  measure_queries(index, values, options.max_distance, "compact");
  return 0;
}
