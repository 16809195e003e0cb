#include "neardup/bench/similar.h"

#include <algorithm>

#include "neardup/base/memory.h"
#include "neardup/base/threads.h"
#include "neardup/bench/texts.h"
#include "neardup/sif/selector.h"
#include "neardup/sif/sif.h"

namespace neardup::bench {
namespace {

constexpr double kMega = 1e6;

Measurement finished(Measurement m, uint64_t bytes) {
  m.bytes_per_item = static_cast<double>(bytes) / static_cast<double>(std::max<uint64_t>(m.count, 1));
  m.mb_per_second = static_cast<double>(bytes) / kMega / std::max(m.seconds, 1e-9);
  m.peak_bytes = peak_memory_bytes();
  return m;
}

Measurement measure_selection() {
  const std::string text = make_text(1, size_t{64} << 20);
  sif::Selector selector{sif::Selection{}};
  std::vector<sif::Fingerprint> fingerprints;
  Measurement m{.bench = "similar select", .count = text.size(), .counted = "bytes"};
  for (int turn = 0; turn < 3; ++turn) {  // the first one grows the work arrays
    const Stopwatch watch;
    selector.select(text, fingerprints);
    m.seconds = turn == 0 ? watch.seconds() : std::min(m.seconds, watch.seconds());
  }
  return finished(m, text.size());
}

}  // namespace

Result<std::vector<Measurement>> measure_similar(const std::vector<std::string>& inputs, int num_threads,
                                                 const Context& context) {
  std::vector<Measurement> measured = {measure_selection()};
  if (inputs.empty()) return measured;
  sif::SimilarOptions options;
  options.inputs = inputs;
  options.num_threads = num_threads;
  options.memory_bytes = uint64_t{1} << 40;
  options.context = context;
  const Stopwatch watch;
  NEARDUP_ASSIGN(const sif::SimilarFiles found, sif::find_similar(options));
  Measurement m{.bench = "similar", .count = found.num_read, .counted = "files"};
  m.num_threads = resolve_num_threads(num_threads);
  m.seconds = watch.seconds();
  m.pairs = static_cast<int64_t>(found.pairs.size());
  measured.push_back(finished(m, found.read_bytes));
  return measured;
}

}  // namespace neardup::bench
