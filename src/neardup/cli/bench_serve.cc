#include "neardup/cli/bench_serve.h"

#include <fmt/format.h>

#include <utility>

#include "neardup/base/json.h"
#include "neardup/base/sizes.h"
#include "neardup/cli/bench_output.h"
#include "neardup/cli/given_arguments.h"

namespace neardup::cli {
namespace {

constexpr uint64_t kTextsInServedStore = 100'000;

uint64_t num_errors(const bench::ServeMeasurement& m) {
  uint64_t count = 0;
  for (const auto& [name, times] : m.errors) count += times;
  return count;
}

std::string error_kinds(const bench::ServeMeasurement& m) {
  std::string out = "{";
  for (const auto& [name, times] : m.errors) {
    if (out.size() > 1) out += ',';
    append_json_string(out, name);
    out += fmt::format(":{}", times);
  }
  return out + "}";
}

std::string serve_json(const bench::ServeMeasurement& m) {
  return fmt::format(
      "{{\"bench\":\"serve\",\"operation\":\"{}\",\"form\":\"{}\",\"count\":{},\"loop\":\"{}\",\"load_share\":{},"
      "\"rate\":{:.0f},\"connections\":{},\"batch\":{},\"documents\":{},\"seconds\":{:.6f},\"per_second\":{:.0f},"
      "\"p50_us\":{:.1f},\"p99_us\":{:.1f},\"worst_us\":{:.1f},\"errors\":{},\"error_kinds\":{},"
      "\"bytes_per_item\":{},\"disk_bytes_per_item\":{},\"generator_cpu_seconds\":{:.3f},\"fdatasync_per_"
      "second\":{:.0f}}}\n",
      m.operation, m.form, m.count, m.rate > 0 ? "open" : "closed",
      m.load_share > 0 ? fmt::format("{:g}", m.load_share) : "null", m.rate, m.connections, m.batch, m.num_documents,
      m.seconds, m.good_per_second(), m.latency_us.p50, m.latency_us.p99, m.latency_us.worst, num_errors(m),
      error_kinds(m), bytes_json(m.bytes_per_item), bytes_json(m.disk_bytes_per_item), m.generator_cpu_seconds,
      m.fdatasync_per_second);
}

std::string load_text(const bench::ServeMeasurement& m) {
  if (m.rate <= 0) return "as fast as it goes";
  const std::string rate = human_count(static_cast<uint64_t>(m.rate)) + "/s planned";
  return m.load_share > 0 ? fmt::format("{:.0f} % of that: {}", m.load_share * 100, rate) : rate;
}

std::string serve_text(const bench::ServeMeasurement& m) {
  std::string out = fmt::format("serve {} {}, {}: {}/s, {} connection{} with {} each, store of {}", m.operation, m.form,
                                load_text(m), human_count(static_cast<uint64_t>(m.good_per_second())), m.connections,
                                m.connections == 1 ? "" : "s", m.batch, human_count(m.count));
  out += fmt::format("; a request: half within {}, 99 % within {}, all within {}", latency_text(m.latency_us.p50),
                     latency_text(m.latency_us.p99), latency_text(m.latency_us.worst));
  out += bytes_text(m.bytes_per_item, m.disk_bytes_per_item);
  if (m.fdatasync_per_second > 0) out += fmt::format("; {:.0f} fdatasync/s", m.fdatasync_per_second);
  for (const auto& [name, times] : m.errors) out += fmt::format("; {} x {}", times, name);
  return out + "\n";
}

}  // namespace

void define_bench_serve_flags(Flags& flags, bench::ServeBench& options) {
  flags.count({"--connections", "N", "Connections, each with one request under way [256 for texts, 16 for batches]"},
              options.connections);
  flags.value({"--rate", "R", "Documents a second, planned, whatever the service can do"},
              "70 % of what it can do, which is measured first", [&options](const std::string& typed) -> Status {
                NEARDUP_ASSIGN(const uint64_t rate, parse_count(typed));
                options.per_second = static_cast<double>(rate);
                return {};
              });
}

Status bench_serve(bench::ServeBench options, bool json, Io& io) {
  const bench::ServeBench defaults;
  if (options.count == 0) options.count = options.recipe ? kTextsInServedStore : defaults.count;
  if (options.batch == 0) options.batch = defaults.batch;
  if (options.folder.starts_with("http://")) options.server = std::exchange(options.folder, "");
  NEARDUP_ASSIGN(options.folder, given_place(options.folder));
  return bench::run_serve_bench(options, [&](const bench::ServeMeasurement& m) {
    io.print(json ? serve_json(m) : serve_text(m));
    io.flush();
  });
}

}  // namespace neardup::cli
