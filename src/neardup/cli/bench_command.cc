#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "neardup/base/json.h"
#include "neardup/base/memory.h"
#include "neardup/base/threads.h"
#include "neardup/cli/bench_query.h"
#include "neardup/cli/bench_texts.h"
#include "neardup/cli/commands.h"
#include "neardup/cli/explain.h"
#include "neardup/cli/fingerprint_pass.h"
#include "neardup/cli/input_flags.h"
#include "neardup/cli/input_set.h"
#include "neardup/engine/idf_pass.h"
#include "neardup/join/bench.h"
#include "neardup/simhash/fingerprinter.h"

namespace neardup::cli {
namespace {

constexpr size_t kTextBytes = 4000;
constexpr size_t kTextsAtOnce = 64;  // handed to a thread

struct BenchArguments {
  std::vector<std::string> what;  // fingerprint or join
  std::vector<std::string> inputs;
  uint64_t count = 0;
  int max_distance = 3;
  int num_threads = 0;
  uint64_t memory_bytes = 0;
  InputArguments input;
  corpus::DiscoverOptions discover;
  corpus::ReadOptions read;
  simhash::Recipe recipe;
  std::string idf_file;
  PrintFamily family = PrintFamily::kRecipe;
  join::Spread spread = join::Spread::kUniform;
  std::optional<join::ClusterKind> clusters;
  uint64_t num_queries = 0;
  std::string stored_file;
  engine::QueryBenchOptions query;
  bool json = false;
};

/// One measurement. Members below 0 are not shown.
struct Measurement {
  std::string bench;
  uint64_t count = 0;
  int num_threads = 1;
  double seconds = 0;
  double bytes_per_item = 0;
  uint64_t peak_bytes = 0;
  double mb_per_second = -1;
  int max_distance = -1;
  int64_t pairs = -1;
};

class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

std::string json_line(const Measurement& m) {
  std::string out =
      fmt::format("{{\"bench\":\"{}\",\"count\":{},\"threads\":{},\"seconds\":{:.6f},\"per_second\":", m.bench, m.count,
                  m.num_threads, m.seconds);
  append_json_number(out, m.seconds > 0 ? std::round(static_cast<double>(m.count) / m.seconds) : 0);
  out += fmt::format(",\"bytes_per_item\":{:.1f},\"peak_bytes\":{}", m.bytes_per_item, m.peak_bytes);
  if (m.mb_per_second >= 0) out += fmt::format(",\"mb_per_second\":{:.1f}", m.mb_per_second);
  if (m.max_distance >= 0) out += fmt::format(",\"distance\":{}", m.max_distance);
  if (m.pairs >= 0) out += fmt::format(",\"pairs\":{}", m.pairs);
  return out + "}\n";
}

std::string text_line(const Measurement& m) {
  std::string out =
      fmt::format("{}: {} in {} on {} thread{}, {}/s", m.bench, human_count(m.count), human_seconds(m.seconds),
                  m.num_threads, m.num_threads == 1 ? "" : "s",
                  human_count(static_cast<uint64_t>(static_cast<double>(m.count) / std::max(m.seconds, 1e-9))));
  if (m.mb_per_second >= 0) out += fmt::format(", {:.1f} MB/s", m.mb_per_second);
  if (m.max_distance >= 0) out += fmt::format(", distance {}", m.max_distance);
  if (m.pairs >= 0) out += fmt::format(", {} pairs", human_count(static_cast<uint64_t>(m.pairs)));
  return out + fmt::format(", peak memory {}\n", human_bytes(static_cast<double>(m.peak_bytes)));
}

/// Reading, parsing and fingerprinting files. An IDF that is learnt from them first is part of the time.
Result<Measurement> bench_files(const BenchArguments& arguments, const Context& context) {
  NEARDUP_ASSIGN(const InputSet inputs, InputSet::open(arguments.inputs, arguments.discover, context));
  const Stopwatch stopwatch;
  FingerprintPass pass{.inputs = inputs.inputs(),
                       .read = arguments.read,
                       .recipe = arguments.recipe,
                       .num_threads = arguments.num_threads,
                       .context = context};
  NEARDUP_ASSIGN(pass.idf, engine::provide_idf(pass.recipe, arguments.idf_file, pass.inputs, pass.read,
                                               pass.num_threads, context));
  NEARDUP_ASSIGN(const PassTotals totals, run_fingerprint_pass(pass));
  Measurement m{.bench = "fingerprint", .count = totals.documents, .seconds = stopwatch.seconds()};
  m.bytes_per_item =
      static_cast<double>(totals.text_bytes) / static_cast<double>(std::max<uint64_t>(totals.documents, 1));
  m.mb_per_second = static_cast<double>(totals.text_bytes) / 1e6 / m.seconds;
  return m;
}

Result<std::vector<simhash::Fingerprinter>> make_fingerprinters(const BenchArguments& arguments,
                                                                const std::vector<NamedText>& texts, int num_threads) {
  simhash::Recipe recipe = arguments.recipe;
  std::shared_ptr<const feature::Idf> idf;
  if (recipe.needs_idf()) {
    NEARDUP_ASSIGN(idf, idf_of_texts(texts, recipe));
  }
  std::vector<simhash::Fingerprinter> fingerprinters;
  for (int t = 0; t < num_threads; ++t) {
    NEARDUP_ASSIGN(auto fingerprinter, simhash::Fingerprinter::create(recipe, idf));
    simhash::Print print;
    fingerprinter.fingerprint(texts.front().text, print);  // tables that are made on first use are not measured
    fingerprinters.push_back(std::move(fingerprinter));
  }
  return fingerprinters;
}

Result<Measurement> bench_made_up(const BenchArguments& arguments, const Context& context) {
  const uint64_t count = arguments.count == 0 ? 100'000 : arguments.count;
  const int num_threads = resolve_num_threads(arguments.num_threads);
  std::vector<NamedText> texts;
  for (uint64_t i = 0; i < std::min<uint64_t>(count, 4096); ++i) texts.push_back({"", make_text(i, kTextBytes)});
  NEARDUP_ASSIGN(auto fingerprinters, make_fingerprinters(arguments, texts, num_threads));
  std::vector<simhash::Print> prints(static_cast<size_t>(num_threads));
  const Stopwatch stopwatch;
  NEARDUP_TRY(
      parallel_for(num_threads, (count + kTextsAtOnce - 1) / kTextsAtOnce, [&](size_t chunk, int thread) -> Status {
        NEARDUP_TRY(context.check_cancel());
        const auto t = static_cast<size_t>(thread);
        for (uint64_t i = chunk * kTextsAtOnce; i < std::min<uint64_t>(count, (chunk + 1) * kTextsAtOnce); ++i) {
          fingerprinters[t].fingerprint(texts[i % texts.size()].text, prints[t]);
        }
        return {};
      }));
  Measurement m{.bench = "fingerprint", .count = count, .seconds = stopwatch.seconds()};
  m.bytes_per_item = kTextBytes;
  m.mb_per_second = static_cast<double>(count * kTextBytes) / 1e6 / m.seconds;
  return m;
}

Result<Measurement> bench_join(const BenchArguments& arguments, const Context& context) {
  join::BenchOptions options;
  options.count = arguments.count == 0 ? options.count : arguments.count;
  options.max_distance = arguments.max_distance;
  options.num_threads = arguments.num_threads;
  options.memory_bytes = arguments.memory_bytes;
  options.spread = arguments.spread;
  options.clusters = arguments.clusters;
  options.context = context;
  const bool streamed = !arguments.stored_file.empty();
  if (streamed != (arguments.num_queries > 0)) {
    return fail(Code::kInvalidArgument,
                "--queries N and --file FILE belong together: N fingerprints in memory are joined "
                "with --count in a file");
  }
  NEARDUP_ASSIGN(const join::BenchResult result,
                 streamed ? join::run_stream_bench(options, arguments.num_queries, arguments.stored_file)
                          : join::run_bench(options));
  Measurement m{.bench = "join", .count = options.count, .seconds = result.seconds};
  m.bytes_per_item = static_cast<double>(result.peak_bytes) / static_cast<double>(std::max<uint64_t>(options.count, 1));
  m.max_distance = options.max_distance;
  m.pairs = static_cast<int64_t>(result.pairs);
  return m;
}

Result<Measurement> measure(const BenchArguments& arguments, const Context& context) {
  const std::string what = arguments.what.empty() ? "" : arguments.what.front();
  const bool has_inputs = !arguments.inputs.empty();
  if (what == "join" && has_inputs) return fail(Code::kInvalidArgument, "bench join takes no INPUT, only --count");
  if (what == "join") return bench_join(arguments, context);
  if (what == "fingerprint") return has_inputs ? bench_files(arguments, context) : bench_made_up(arguments, context);
  return fail(Code::kInvalidArgument, "BENCH: " + expected_one_of({"fingerprint", "join", "query"}, what));
}

Status run_query(const BenchArguments& arguments, Io& io) {
  if (!arguments.inputs.empty()) return fail(Code::kInvalidArgument, "bench query takes no INPUT, only --data FOLDER");
  engine::QueryBenchOptions options = arguments.query;
  options.count = arguments.count;
  options.num_queries = arguments.num_queries;
  options.max_distance = arguments.max_distance;
  options.num_threads = arguments.num_threads;
  options.memory_bytes = arguments.memory_bytes;
  options.spread = arguments.spread;
  options.context = {nullptr, io.cancel};
  NEARDUP_ASSIGN(const std::string line, bench_query(options, arguments.json));
  io.print(line);
  return {};
}

Status run(BenchArguments& arguments, Io& io) {
  if (!arguments.what.empty() && arguments.what.front() == "query") return run_query(arguments, io);
  NEARDUP_TRY(apply_input_flags(arguments.input, arguments.discover));
  NEARDUP_TRY(apply_print_family(arguments.family, arguments.recipe));
  NEARDUP_ASSIGN(Measurement m, measure(arguments, {nullptr, io.cancel}));
  m.num_threads = resolve_num_threads(arguments.num_threads);
  m.peak_bytes = peak_memory_bytes();
  io.print(arguments.json ? json_line(m) : text_line(m));
  return {};
}

void define(Flags& flags, BenchArguments& arguments) {
  flags.group("What to measure");
  flags.arguments({"BENCH", "fingerprint|join|query", "fingerprint, join or query"}, arguments.what, 1);
  flags.arguments({"INPUT", "", "For fingerprint: files instead of made-up texts"}, arguments.inputs);
  flags.count(
      {"--count", "N", "Made-up documents or fingerprints; 1e8 and 100M work [100,000 texts, 10M fingerprints]"},
      arguments.count);
  flags.whole({"--threads", "N", "Threads; 0 is one for each core"}, arguments.num_threads, 0, 4096, "0");
  flags.on({"--json", "", "One JSON object for programs"}, arguments.json);
  flags.group("fingerprint");
  define_input_flags(flags, arguments.input, arguments.read, arguments.discover);
  define_recipe_flags(flags, arguments.recipe, arguments.idf_file);
  define_print_family_flag(flags, arguments.family);
  flags.group("join and query");
  flags.whole({"--distance", "K", "Bits in which a pair may differ, 0 to 16"}, arguments.max_distance, 0,
              fingerprint::kMaxDistance, "3");
  flags.choice<join::Spread>({"--spread", "", "How the fingerprints are spread"}, arguments.spread,
                             {{"uniform", join::Spread::kUniform},
                              {"clustered", join::Spread::kClustered},
                              {"biased", join::Spread::kBiased},
                              {"dense", join::Spread::kDense}});
  flags.choice<std::optional<join::ClusterKind>>(
      {"--clusters", "", "Clusters instead of pairs"}, arguments.clusters,
      {{"none", std::nullopt}, {"star", join::ClusterKind::kStar}, {"components", join::ClusterKind::kComponents}});
  flags.count(
      {"--queries", "N", "query: so many [10,000]; join: so many in memory with --count in --file, streamed [0]"},
      arguments.num_queries);
  flags.text({"--file", "FILE", "Raw 64-bit numbers, --count of them; made where there is no such file"},
             arguments.stored_file);
  flags.value({"--memory", "SIZE", "Limit of the join's working memory"}, "no limit",
              [&arguments](const std::string& typed) -> Status {
                NEARDUP_ASSIGN(arguments.memory_bytes, parse_size(typed));
                return {};
              });
  flags.group("query");
  define_bench_query_flags(flags, arguments.query);
}

}  // namespace

void add_bench_command(CommandLine& line) {
  auto arguments = std::make_shared<BenchArguments>();
  Command& command = line.add(
      {"bench",
       "Measure the speed of this machine",
       "Measures how fast this machine makes fingerprints, joins them, or finds those near one.",
       "fingerprint|join|query [INPUT...] [FLAGS]",
       {{"neardup bench fingerprint corpus.jsonl --threads 1", "Reading, parsing and fingerprinting a file."},
        {"neardup bench join --count 1e8 --distance 3 --json", "All pairs of 100 million made-up fingerprints."},
        {"neardup bench query --count 1e7 --threads 1 --batch", "Queries of an index of ten million, in one call."},
        {"neardup bench join --count 1e9 --queries 1e6 --file stored.bin", "A million against a billion on disk."}},
       {"--json prints bench, count, threads, seconds, per_second, bytes_per_item and peak_bytes; fingerprint adds "
        "mb_per_second (of text); join distance and pairs (with --clusters those that stay); query queries, distance, "
        "batch, plan, mean_us, cpu_us, p50_us, p99_us, build_seconds, build_cpu_seconds, matches and digest. "
        "bytes_per_item is text for fingerprint, peak memory for join, the index for query. A count of 0 is the "
        "default."}});
  Flags flags(command);
  define(flags, *arguments);
  command.run = [arguments](Io& io) { return run(*arguments, io); };
}

}  // namespace neardup::cli
