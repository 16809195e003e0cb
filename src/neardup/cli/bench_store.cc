#include "neardup/cli/bench_store.h"

#include <fmt/format.h>

#include <algorithm>

#include "neardup/base/memory.h"
#include "neardup/base/sizes.h"
#include "neardup/cli/bench_output.h"
#include "neardup/cli/given_arguments.h"

namespace neardup::cli {
namespace {

constexpr uint64_t kTextsInStore = 100'000;

double store_rate(const bench::StoreMeasurement& m) {
  return static_cast<double>(m.num_documents) / std::max(m.seconds, 1e-9);
}

std::string store_json(const bench::StoreMeasurement& m, const bench::StoreBench& options) {
  std::string family = options.recipe ? "\"family\":\"texts\"" : fmt::format("\"distance\":{}", options.max_distance);
  if (options.num_bits != 64) family += fmt::format(",\"bits\":{}", options.num_bits);
  return fmt::format(
      "{{\"bench\":\"store\",\"operation\":\"{}\",\"count\":{},\"threads\":{},\"batch\":{},{},"
      "\"documents\":{},\"seconds\":{:.6f},\"per_second\":{:.0f},\"p50_us\":{:.1f},\"p99_us\":{:.1f},"
      "\"worst_us\":{:.1f},\"bytes_per_item\":{},\"disk_bytes_per_item\":{},\"log_bytes\":{},"
      "\"fdatasync_per_second\":{:.0f},\"peak_bytes\":{}}}\n",
      m.operation, m.count, m.num_threads, m.batch, family, m.num_documents, m.seconds, store_rate(m), m.p50_us,
      m.p99_us, m.worst_us, bytes_json(m.bytes_per_item), bytes_json(m.disk_bytes_per_item), m.log_bytes,
      m.fdatasync_per_second, peak_memory_bytes());
}

std::string store_text(const bench::StoreMeasurement& m) {
  std::string out = fmt::format("store {}: {} documents in {}, {}/s, {} caller{} with {} each, store of {}",
                                m.operation, human_count(m.num_documents), human_seconds(m.seconds),
                                human_count(static_cast<uint64_t>(store_rate(m))), m.num_threads,
                                m.num_threads == 1 ? "" : "s", m.batch, human_count(m.count));
  out += fmt::format("; a call: half within {}, 99 % within {}, all within {}", latency_text(m.p50_us),
                     latency_text(m.p99_us), latency_text(m.worst_us));
  out += bytes_text(m.bytes_per_item, m.disk_bytes_per_item);
  if (m.fdatasync_per_second > 0) out += fmt::format("; {:.0f} fdatasync/s", m.fdatasync_per_second);
  return out + "\n";
}

}  // namespace

void define_bench_store_flags(Flags& flags, bench::StoreBench& options) {
  flags.count({"--documents", "N", "Documents of each kind of work that is measured [a tenth of --count]"},
              options.num_documents);
  flags.whole({"--callers", "N", "store: callers at once"}, options.num_threads, 1, 4096, "4");
  flags.count({"--batch-size", "N", "Documents of a call"}, options.batch);
  flags.choice<uint32_t>({"--bits", "", "Bits of a fingerprint in a store"}, options.num_bits,
                         {{"64", 64}, {"128", 128}});
  flags.output(
      {"--uri", "PLACE",
       "Where to make the store, a folder or redis://HOST:PORT/PREFIX and the like; it stays [one in this "
       "folder, which "
       "does not]. serve: also http://127.0.0.1:PORT of a server that runs, whose store gets made-up documents"},
      options.folder);
}

Status bench_store(bench::StoreBench options, bool json, Io& io) {
  const bench::StoreBench defaults;
  NEARDUP_ASSIGN(options.folder, given_place(options.folder));
  if (options.recipe && options.num_bits != 64)
    return fail(Code::kInvalidArgument, "recipes make fingerprints of 64 bits; leave out --bits 128 or --recipe");
  if (options.count == 0) options.count = options.recipe ? kTextsInStore : defaults.count;
  if (options.batch == 0) options.batch = defaults.batch;
  return bench::run_store_bench(options, [&](const bench::StoreMeasurement& m) {
    io.print(json ? store_json(m, options) : store_text(m));
    io.flush();
  });
}

}  // namespace neardup::cli
