#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "neardup/base/disk/file.h"
#include "neardup/cli/commands.h"
#include "neardup/cli/flags.h"
#include "neardup/cli/plan_report.h"
#include "neardup/cli/recipe_flag.h"
#include "neardup/cli/same_file.h"
#include "neardup/cli/shuffle_report.h"
#include "neardup/engine/fingerprints/stream.h"
#include "neardup/engine/fingerprints/table.h"
#include "neardup/hamming/plan_text.h"
#include "neardup/planner/calibrate.h"

namespace neardup::cli {
namespace {

constexpr uint64_t kCalibrationBytes = uint64_t{1} << 30;
constexpr uint64_t kMaxCalibrationFile = 1 << 20;

struct PlanArguments {
  uint64_t num_documents = 0;
  int max_distance = 3;
  int num_bits = 64;
  uint64_t memory_bytes = 0;
  planner::Medium medium = planner::Medium::kRam;
  std::string sample;
  std::vector<std::string> plans;
  bool calibrate = false;
  std::string calibration;
  uint64_t text_bytes = 0;  // 0: Spark is not asked for
  int num_candidates = 0;
  recipe::Recipe recipe;
  bool json = false;
};

Status write_calibration(const std::string& path, const std::string& text) {
  NEARDUP_ASSIGN(AtomicFile file, AtomicFile::create(path));
  NEARDUP_TRY(file.write(text));
  return file.commit();
}

Result<planner::Machine> machine_of(const PlanArguments& arguments, const Context& context) {
  if (arguments.calibrate) {
    NEARDUP_TRY(check_output(arguments.calibration, {}));
    NEARDUP_ASSIGN(const planner::Machine machine, planner::calibrate(kCalibrationBytes, context));
    if (!arguments.calibration.empty()) {
      NEARDUP_TRY(write_calibration(arguments.calibration, format_machine(machine)));
    }
    return machine;
  }
  if (arguments.calibration.empty()) return planner::Machine();
  NEARDUP_ASSIGN(const std::string text, read_file(arguments.calibration, kMaxCalibrationFile));
  return planner::parse_machine(text);
}

Status read_sample(const PlanArguments& arguments, const Context& context, planner::PlanRequest& request) {
  if (arguments.num_bits != 64) {
    return fail(Code::kInvalidArgument, "--sample holds fingerprints of 64 bits; leave out --bits 128 or --sample");
  }
  NEARDUP_ASSIGN(const engine::FingerprintTable file, engine::FingerprintTable::load(arguments.sample, context));
  if (file.num_values() > 0) return engine::no_fingerprints(arguments.sample);
  if (file.num_columns() == 0) return {};
  const engine::FingerprintTable::Column column = file.column(0);
  request.skew = planner::Skew(std::span<const fingerprint::Fingerprint>(column.values));
  if (request.num_fingerprints == 0) request.num_fingerprints = column.values.size();
  return {};
}

Result<planner::PlanRequest> request_of(const PlanArguments& arguments, const Context& context) {
  planner::PlanRequest request;
  request.num_fingerprints = arguments.num_documents;
  request.num_bits = arguments.num_bits;
  request.max_distance = arguments.max_distance;
  request.memory_bytes = arguments.memory_bytes;
  request.medium = arguments.medium;
  for (const std::string& text : arguments.plans) {
    NEARDUP_ASSIGN(hamming::Plan plan, hamming::parse_plan(text, arguments.num_bits, arguments.max_distance));
    request.also.push_back(std::move(plan));
  }
  if (!arguments.sample.empty()) NEARDUP_TRY(read_sample(arguments, context, request));
  return request;
}

Result<Shuffle> shuffle_of(const PlanArguments& arguments, uint64_t num_documents) {
  if (arguments.text_bytes == 0) return Shuffle();
  NEARDUP_ASSIGN(const planner::ShuffleRequest request,
                 shuffle_request({.num_documents = num_documents,
                                  .text_bytes = arguments.text_bytes,
                                  .num_candidates = static_cast<double>(arguments.num_candidates)},
                                 arguments.recipe, arguments.max_distance));
  return Shuffle(request);
}

Status run(const PlanArguments& arguments, Io& io) {
  const Context context{nullptr, io.cancel};
  const bool has_question = arguments.num_documents != 0 || !arguments.sample.empty();
  if (!has_question && !arguments.calibrate) {
    return fail(Code::kInvalidArgument, "--documents is missing: how many fingerprints the plan is for");
  }
  std::optional<planner::PlanRequest> request;
  if (has_question) {
    NEARDUP_ASSIGN(request, request_of(arguments, context));
  }
  NEARDUP_ASSIGN(const planner::Machine machine, machine_of(arguments, context));
  if (!request) {
    if (arguments.calibration.empty()) io.print(format_machine(machine));
    return {};
  }
  request->machine = machine;
  NEARDUP_ASSIGN(const planner::PlanTable table, planner::compare_plans(*request));
  NEARDUP_ASSIGN(const Shuffle shuffle, shuffle_of(arguments, request->num_fingerprints));
  io.print(arguments.json ? plan_json(*request, table, shuffle) : plan_text(*request, table, shuffle));
  return {};
}

void add_plan_flags(Command& command, PlanArguments& arguments) {
  Flags flags(command);
  flags.group("What is stored and asked");
  flags.count({"--documents", "N", "Fingerprints to be stored, such as 8e9; default: those of --sample"},
              arguments.num_documents);
  flags.whole({"--distance", "K", "Bits in which a match may differ: 0 to 16, with --bits 128 0 to 32"},
              arguments.max_distance, 0, 32, "3");
  flags.choice({"--bits", "", "Bits of a fingerprint"}, arguments.num_bits, {{"64", 64}, {"128", 128}});
  flags.text({"--sample", "FILE", "Fingerprints whose skew is measured; without it they are taken to be spread evenly"},
             arguments.sample);
  flags.group("Where");
  flags.size({"--memory", "SIZE", "Memory of one machine for the index, such as 64G; 0: no limit"},
             arguments.memory_bytes);
  flags.choice(
      {"--medium", "", "Where the index lies when it is searched"}, arguments.medium,
      {{"ram", planner::Medium::kRam}, {"ssd", planner::Medium::kSsd}, {"network", planner::Medium::kNetwork}});
  flags.on({"--calibrate", "", "Measure this machine first: a few seconds, up to 1 GiB"}, arguments.calibrate);
  flags.output({"--calibration", "FILE", "File with the constants of a machine: read, or with --calibrate written"},
               arguments.calibration);
  flags.group("A deduplication on Spark");
  flags.size({"--text-bytes", "SIZE", "Mean size of a text: also tells what neardup.spark.dedup() of them shuffles"},
             arguments.text_bytes);
  flags.whole({"--candidates", "N", "Pairs that are compared there for each document"}, arguments.num_candidates, 0,
              1'000'000, "1");
  define_recipe_flag(flags, arguments.recipe);
  flags.group("Output");
  flags.list({"--plan", "PLAN", "Compare this plan too: permuted:4,1, two_level:4,4, flips:26/1,26/1 or scan"},
             arguments.plans);
  flags.on({"--json", "", "Print one JSON object"}, arguments.json);
  flags.config();
}

}  // namespace

void add_plan_command(CommandLine& line) {
  auto arguments = std::make_shared<PlanArguments>();
  Command& command = line.add(
      {"plan",
       "Compare the ways to store fingerprints, with space and time",
       "Predicts for each plan of tables what it takes to find all fingerprints within a distance, and chooses one.",
       "--documents N [FLAGS]",
       {{"neardup plan --documents 1e8", "The plans for 100 million fingerprints within 3 bits."},
        {"neardup plan --documents 8e9 --memory 64G", "Eight billion: how many machines, and what each holds."},
        {"neardup plan --documents 1e8 --text-bytes 3K", "What deduplicating them on Spark shuffles, too."},
        {"neardup plan --calibrate --calibration here.txt", "Measure this machine for later calls."}},
       {"Columns: tables that are kept; probes, the buckets that a query reads; fingerprints met per probe; bytes for "
        "each fingerprint, all included; time of a query among many (batch) and alone, and of the build, on one thread "
        "of one machine; machines of --memory, fingerprints shared evenly.",
        "Every plan finds everything within the distance. Without --calibrate or --calibration the times are those of "
        "a "
        "machine that the model was fitted on; predictions are within a factor of 2 of what is measured there.",
        "What Spark shuffles is told for texts of words with spaces between; of corpora with many copies --candidates "
        "is what counts."},
       {"--documents", "--distance", "--memory", "--medium", "--json"}});
  add_plan_flags(command, *arguments);
  command.run = [arguments](Io& io) { return run(*arguments, io); };
}

}  // namespace neardup::cli
