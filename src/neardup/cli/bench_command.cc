#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "neardup/base/memory.h"
#include "neardup/base/sizes.h"
#include "neardup/base/threads.h"
#include "neardup/bench/fingerprint.h"
#include "neardup/bench/join.h"
#include "neardup/bench/lines.h"
#include "neardup/bench/similar.h"
#include "neardup/cli/bench_output.h"
#include "neardup/cli/bench_query.h"
#include "neardup/cli/bench_serve.h"
#include "neardup/cli/bench_store.h"
#include "neardup/cli/commands.h"
#include "neardup/cli/family_flag.h"
#include "neardup/cli/given_arguments.h"
#include "neardup/cli/input_flags.h"
#include "neardup/cli/recipe_flag.h"
#include "neardup/lines/options.h"

namespace neardup::cli {
namespace {

struct BenchArguments {
  CLI::App* app = nullptr;
  std::vector<std::string> what;  // fingerprint or join
  bench::FingerprintBench fingerprint;
  uint64_t count = 0;
  int max_distance = 3;
  int num_threads = 0;
  uint64_t memory_bytes = 0;
  InputArguments input;
  fingerprint::Spread spread = fingerprint::Spread::kUniform;
  std::optional<cluster::ClusterKind> clusters;
  uint64_t num_queries = 0;
  std::string stored_file;
  bench::QueryBench query;
  bench::StoreBench store;
  bench::ServeBench serve;
  bool names_recipe = false;
  bool json = false;
};

Result<bench::Measurement> bench_join(const BenchArguments& arguments, const Context& context) {
  bench::JoinBench options;
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
  NEARDUP_ASSIGN(const bench::JoinBenchResult result,
                 streamed ? bench::run_stream_bench(options, arguments.num_queries, arguments.stored_file)
                          : bench::run_join_bench(options));
  bench::Measurement m{.bench = "join", .count = options.count, .seconds = result.seconds};
  m.bytes_per_item = static_cast<double>(result.peak_bytes) / static_cast<double>(std::max<uint64_t>(options.count, 1));
  m.max_distance = options.max_distance;
  m.pairs = static_cast<int64_t>(result.pairs);
  m.num_threads = resolve_num_threads(arguments.num_threads);
  m.peak_bytes = peak_memory_bytes();
  return m;
}

Result<std::vector<bench::Measurement>> run_fingerprint(BenchArguments& arguments, const Context& context) {
  NEARDUP_TRY(apply_input_flags(arguments.input, arguments.fingerprint.discover));
  arguments.fingerprint.count = arguments.count;
  arguments.fingerprint.num_threads = arguments.num_threads;
  return bench::measure_fingerprinting(arguments.fingerprint, context);
}

Result<std::vector<bench::Measurement>> run_join(const BenchArguments& arguments, const Context& context) {
  NEARDUP_ASSIGN(bench::Measurement m, bench_join(arguments, context));
  return std::vector<bench::Measurement>{std::move(m)};
}

Status run_query(const BenchArguments& arguments, Io& io) {
  bench::QueryBench options = arguments.query;
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

Status run_store(const BenchArguments& arguments, Io& io) {
  bench::StoreBench options = arguments.store;
  options.count = arguments.count;
  options.max_distance = arguments.max_distance;
  options.context = {nullptr, io.cancel};
  if (arguments.names_recipe) options.recipe = arguments.fingerprint.recipe;
  return bench_store(options, arguments.json, io);
}

/// Flags of other measurements, which this one would not heed.
Status check_serve_flags(const BenchArguments& arguments) {
  if (arguments.store.num_bits != 64)
    return fail(Code::kInvalidArgument, "bench serve: fingerprints over HTTP have 64 bits; leave out --bits 128");
  if (arguments.store.folder.starts_with("http://") && is_given(*arguments.app, "--distance"))
    return fail(Code::kInvalidArgument,
                "bench serve: a server that runs has its own distance; leave out --distance, or --uri " +
                    arguments.store.folder);
  return {};
}

/// Store and serve have flags in common.
Status run_serve(const BenchArguments& arguments, Io& io) {
  NEARDUP_TRY(check_serve_flags(arguments));
  bench::ServeBench options = arguments.serve;
  options.count = arguments.count;
  options.num_documents = arguments.store.num_documents;
  options.batch = arguments.store.batch;
  options.folder = arguments.store.folder;
  options.max_distance = arguments.max_distance;
  options.context = {nullptr, io.cancel};
  if (arguments.names_recipe) options.recipe = arguments.fingerprint.recipe;
  return bench_serve(options, arguments.json, io);
}

void say_if_not_on_disk(const std::vector<bench::Measurement>& measured, Io& io) {
  if (std::ranges::any_of(measured, [](const bench::Measurement& m) { return m.family == "disk"; })) return;
  io.say(
      fmt::format("neardup bench lines: disk is not measured: a quarter of the input is its memory, {} at least, so it "
                  "takes {} of lines; raise --count, or name larger files\n",
                  size_text(lines::kSmallestMemory), size_text(4 * lines::kSmallestMemory)));
}

Result<std::vector<bench::Measurement>> run_lines(const BenchArguments& arguments, const Context& context) {
  return bench::measure_lines({arguments.fingerprint.inputs, arguments.count, arguments.num_threads, context});
}

Status check(const std::string& what, const BenchArguments& arguments) {
  const bool has_inputs = !arguments.fingerprint.inputs.empty();
  if (what == "join" && has_inputs) return fail(Code::kInvalidArgument, "bench join takes no INPUT, only --count");
  if (what == "query" && has_inputs)
    return fail(Code::kInvalidArgument, "bench query takes no INPUT, only --data FOLDER");
  if (what == "store" && has_inputs) return fail(Code::kInvalidArgument, "bench store takes no INPUT, only --count");
  if (what == "serve" && has_inputs) return fail(Code::kInvalidArgument, "bench serve takes no INPUT, only --count");
  const std::vector<std::string> all = {"fingerprint", "join", "query", "store", "serve", "similar", "lines"};
  if (std::find(all.begin(), all.end(), what) != all.end()) return {};
  return fail(Code::kInvalidArgument, "BENCH: " + expected_one_of(all, what));
}

Status run(BenchArguments& arguments, Io& io) {
  const std::string what = arguments.what.empty() ? "" : arguments.what.front();
  NEARDUP_TRY(check(what, arguments));
  if (what == "query") return run_query(arguments, io);
  if (what == "store") return run_store(arguments, io);
  if (what == "serve") return run_serve(arguments, io);
  const Context context{nullptr, io.cancel};
  NEARDUP_ASSIGN(const auto measurements, what == "similar" ? bench::measure_similar(arguments.fingerprint.inputs,
                                                                                     arguments.num_threads, context)
                                          : what == "join"  ? run_join(arguments, context)
                                          : what == "lines" ? run_lines(arguments, context)
                                                            : run_fingerprint(arguments, context));
  for (const bench::Measurement& m : measurements) io.print(arguments.json ? json_line(m) : text_line(m));
  if (what == "lines") say_if_not_on_disk(measurements, io);
  return {};
}

void define(Flags& flags, BenchArguments& arguments) {
  flags.group("What to measure");
  flags.arguments({"BENCH", "fingerprint|join|query|store|serve|similar|lines",
                   "fingerprint, join, query, store, serve, similar or lines"},
                  arguments.what, 1);
  flags.arguments({"INPUT", "",
                   "For fingerprint: files instead of made-up texts; for similar: files that are compared; for lines: "
                   "files instead of made-up lines"},
                  arguments.fingerprint.inputs);
  flags.count(
      {"--count", "N",
       "Made-up documents, fingerprints or lines; 1e8 and 100M work [100,000 texts, 10M fingerprints; in a store 1M "
       "fingerprints, 100,000 texts; 10M lines]"},
      arguments.count);
  flags.whole({"--threads", "N", "Threads; 0 is one for each core"}, arguments.num_threads, 0, 4096, "0");
  flags.on({"--json", "", "One JSON object a line for programs"}, arguments.json);
  flags.group("fingerprint");
  define_input_flags(flags, arguments.input, arguments.fingerprint.read, arguments.fingerprint.discover);
  define_recipe_flags(flags, arguments.fingerprint.recipe, arguments.fingerprint.idf_file, nullptr,
                      &arguments.names_recipe);
  define_family_flag(flags, arguments.fingerprint.family, "What is made; auto: a line for each that the recipe has");
  flags.group("join, query, store and serve");
  flags.whole({"--distance", "K", "Bits in which a pair may differ, 0 to 16"}, arguments.max_distance, 0,
              fingerprint::kMaxDistance, "3");
  flags.choice<fingerprint::Spread>({"--spread", "", "How the fingerprints are spread"}, arguments.spread,
                                    {{"uniform", fingerprint::Spread::kUniform},
                                     {"clustered", fingerprint::Spread::kClustered},
                                     {"biased", fingerprint::Spread::kBiased},
                                     {"dense", fingerprint::Spread::kDense}});
  flags.choice<std::optional<cluster::ClusterKind>>({"--clusters", "", "Clusters instead of pairs"}, arguments.clusters,
                                                    {{"none", std::nullopt},
                                                     {"star", cluster::ClusterKind::kStar},
                                                     {"components", cluster::ClusterKind::kComponents}});
  flags.count(
      {"--queries", "N", "query: so many [10,000]; join: so many in memory with --count in --file, streamed [0]"},
      arguments.num_queries);
  flags.output({"--file", "FILE", "Raw 64-bit numbers, --count of them; made where there is no such file"},
               arguments.stored_file);
  flags.value({"--memory", "SIZE", "Limit of the join's working memory"}, "no limit",
              [&arguments](const std::string& typed) -> Status {
                NEARDUP_ASSIGN(arguments.memory_bytes, parse_size(typed));
                return {};
              });
  flags.group("query");
  define_bench_query_flags(flags, arguments.query);
  flags.group("store and serve");
  define_bench_store_flags(flags, arguments.store);
  flags.group("serve");
  define_bench_serve_flags(flags, arguments.serve);
}

}  // namespace

void add_bench_command(CommandLine& line) {
  auto arguments = std::make_shared<BenchArguments>();
  Command& command = line.add(
      {"bench",
       "Measure the speed of this machine",
       "Measures how fast this machine makes fingerprints, joins them, finds those near one, stores or serves them, "
       "compares files, or removes duplicate lines.",
       "BENCH [INPUT...] [FLAGS]",
       {{"neardup bench fingerprint corpus.jsonl --threads 1", "Reading, parsing and fingerprinting a file."},
        {"neardup bench join --count 1e8 --distance 3 --json", "All pairs of 100 million made-up fingerprints."},
        {"neardup bench query --count 1e7 --threads 1 --batch", "Queries of an index of ten million, in one call."},
        {"neardup bench store --count 1e7 --json", "What a store of ten million does in a second, durably."},
        {"neardup bench store --recipe default", "The same with texts, verified, in a store of 100,000."},
        {"neardup bench serve --recipe default --count 1e6 --json",
         "What neardup serve takes over HTTP, and how long answers take at 70 % of it."},
        {"neardup bench similar src", "The choice of fingerprints alone, then all files of a tree."},
        {"neardup bench lines --count 2e7", "Lines a second: on disk, by hashes, by their bytes in memory."},
        {"neardup bench join --count 1e9 --queries 1e6 --file stored.bin", "A million against a billion on disk."}},
       {"--json prints bench, count, threads, seconds, per_second, bytes_per_item and peak_bytes; fingerprint adds "
        "family (an object a line where the recipe has both) and mb_per_second (of text); join distance and pairs "
        "(with --clusters those that stay); query queries, distance, "
        "batch, plan, mean_us, cpu_us, p50_us, p99_us, build_seconds, build_cpu_seconds, matches and digest; "
        "store an object for each operation (insert, query, check_and_insert, merge, reopen) with batch, distance, "
        "documents, p50_us, p99_us and worst_us of a call, disk_bytes_per_item, log_bytes and fdatasync_per_second. "
        "lines "
        "an object for each way (disk: with a quarter of the input as memory; fast; bytes) with mb_per_second. "
        "bytes_per_item is text for fingerprint and lines, peak memory for join, the index for query, store and serve; "
        "it and disk_bytes_per_item of store and serve are null where a server does not tell them. "
        "A count "
        "of "
        "0 is the default.",
        "serve fills a store, starts neardup serve on it in a process of its own, and prints an object for each load: "
        "operation (query, check_and_insert), form (text: single ones; fingerprints, signatures: ready ones, in files "
        "of --batch-size), loop, load_share, rate (documents planned a second), connections, batch, documents, "
        "p50_us, p99_us and worst_us of a request, errors and error_kinds (requests without a 200), bytes_per_item, "
        "disk_bytes_per_item, generator_cpu_seconds, fdatasync_per_second. A closed loop finds what the service takes "
        "at most; in the open "
        "loop each request has its time, from which its latency counts, also while the server stands still. The "
        "generator shares the machine with the server."},
       {"--count", "--threads", "--json", "--distance", "--recipe", "--family", "--queries", "--batch"}});
  arguments->app = command.app;
  Flags flags(command);
  define(flags, *arguments);
  command.run = [arguments](Io& io) { return run(*arguments, io); };
}

}  // namespace neardup::cli
