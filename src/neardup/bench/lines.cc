#include "neardup/bench/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "neardup/base/disk/file.h"
#include "neardup/base/hash.h"
#include "neardup/base/memory.h"
#include "neardup/base/threads.h"
#include "neardup/base/work_place.h"
#include "neardup/lines/unique_lines.h"

namespace neardup::bench {
namespace {

constexpr uint64_t kMadeUpLines = 10'000'000;
constexpr size_t kStockBytes = size_t{1} << 20, kShortestTail = 39, kTails = 34, kWriteBytes = size_t{1} << 22;

/// Letters that lines are cut from.
std::string make_stock() {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789 ";
  std::string stock(kStockBytes, ' ');
  for (size_t i = 0; i < stock.size(); ++i) stock[i] = kLetters[mix64(i) % kLetters.size()];
  return stock;
}

/// The line of a number: eight digits that no other one has, and a piece of the stock.
void append_line(const std::string& stock, uint64_t number, std::string& out) {
  const uint64_t chance = mix64(number ^ 0x6c696e65);
  fmt::format_to(std::back_inserter(out), "{:08x} ", number);
  out.append(stock, chance % (kStockBytes - kShortestTail - kTails), kShortestTail + (chance >> 40) % kTails);
  out += '\n';
}

Status write_lines(const std::string& path, uint64_t count, const Context& context) {
  NEARDUP_ASSIGN(AtomicFile file, AtomicFile::create(path));
  const std::string stock = make_stock();
  std::string block;
  for (uint64_t i = 0, num_different = 0; i < count; ++i) {
    const uint64_t chance = mix64(i);
    const bool repeats = num_different > 0 && chance % 10 < 3;
    append_line(stock, repeats ? chance / 10 % num_different : num_different++, block);
    if (block.size() < kWriteBytes && i + 1 < count) continue;
    NEARDUP_TRY(context.check_cancel());
    NEARDUP_TRY(file.write(block));
    block.clear();
  }
  return file.commit();
}

Result<uint64_t> bytes_of_files(const std::vector<std::string>& paths) {
  uint64_t bytes = 0;
  for (const std::string& path : paths) {
    NEARDUP_ASSIGN(const FileInfo info, file_info(path));
    bytes += info.size_bytes;
  }
  return bytes;
}

Result<Measurement> measure_family(std::string family, const lines::LinesOptions& options) {
  const Stopwatch watch;
  NEARDUP_ASSIGN(const lines::LinesTotals totals,
                 lines::unique_lines(options, [](std::string_view) { return Status(); }));
  Measurement m{.bench = "lines", .family = std::move(family), .count = totals.read};
  m.seconds = watch.seconds();
  m.num_threads = resolve_num_threads(options.num_threads);
  m.bytes_per_item = static_cast<double>(totals.read_bytes) / static_cast<double>(std::max<uint64_t>(totals.read, 1));
  m.mb_per_second = static_cast<double>(totals.read_bytes) / 1e6 / std::max(m.seconds, 1e-9);
  m.peak_bytes = peak_memory_bytes();
  return m;
}

}  // namespace

Result<std::vector<Measurement>> measure_lines(const LinesBench& bench) {
  lines::LinesOptions options{.inputs = bench.inputs, .num_threads = bench.num_threads, .context = bench.context};
  std::optional<TemporaryFolder> made;
  if (options.inputs.empty()) {
    NEARDUP_ASSIGN(made, make_work_place());
    options.inputs = {made->path() + "/lines.txt"};
    NEARDUP_TRY(write_lines(options.inputs[0], bench.count == 0 ? kMadeUpLines : bench.count, bench.context));
  }
  NEARDUP_ASSIGN(const uint64_t num_bytes, bytes_of_files(options.inputs));
  const uint64_t quarter = num_bytes / 4;
  std::vector<Measurement> measured;
  const auto measure = [&](const char* family) -> Status {
    NEARDUP_ASSIGN(Measurement m, measure_family(family, options));
    measured.push_back(std::move(m));
    return {};
  };
  // What takes least memory comes first, as the peak is that of the program so far.
  if (quarter >= lines::kSmallestMemory) {
    options.memory_bytes = quarter;
    NEARDUP_TRY(measure("disk"));
  }
  options.memory_bytes = std::max(lines::LinesOptions().memory_bytes, 4 * num_bytes);
  options.fast = true;
  NEARDUP_TRY(measure("fast"));
  options.fast = false;
  NEARDUP_TRY(measure("bytes"));
  return measured;
}

}  // namespace neardup::bench
