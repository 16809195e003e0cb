#include "neardup/bench/serve.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <vector>

#include "neardup/base/disk/temporary_folder.h"
#include "neardup/base/open_files.h"
#include "neardup/bench/serve_load.h"
#include "neardup/bench/serve_process.h"
#include "neardup/bench/serve_requests.h"
#include "neardup/bench/store_subject.h"
#include "neardup/bench/sync_rate.h"
#include "neardup/engine/online/store_place.h"

namespace neardup::bench {
namespace {

constexpr uint64_t kTextConnections = 256, kBatchConnections = 16;
constexpr uint64_t kOtherConnections = 16;  // of a server: what is asked besides the load

/// A recipe of one fingerprint that learns nothing: what it would make of texts is not looked at.
Result<engine::TextStoreSettings> fingerprint_settings(int max_distance) {
  engine::TextStoreSettings settings;
  NEARDUP_ASSIGN(settings.matching.recipe, recipe::find_recipe("paper"));
  settings.matching.recipe.idf = "none";
  for (recipe::FingerprintSpec& spec : settings.matching.recipe.fingerprints) spec.weight = recipe::Weight::kLogTf;
  settings.matching.distance = max_distance;
  settings.matching.verify.kind = verify::Rule::Kind::kNone;
  settings.matching.verify_is_given = true;
  settings.records = engine::RecordsKept::kNone;
  return settings;
}

/// Makes the store in `folder`, or on a server of that URI, and closes it.
Status fill_folder(const ServeBench& options, const std::string& folder) {
  engine::TextStoreSettings settings;
  ArrivingContent content{.text_bytes = options.text_bytes};
  if (options.recipe) {
    settings.matching.recipe = *options.recipe;
  } else {
    NEARDUP_ASSIGN(settings, fingerprint_settings(options.max_distance));
    content.num_fingerprints = settings.matching.recipe.num_fingerprints();
  }
  const auto subject = text_subject(settings, content);
  store::StoreOptions store_options;
  store_options.context = options.context;
  NEARDUP_TRY(subject->create(folder, store_options));
  constexpr int kThreads = 4;
  NEARDUP_TRY(fill_store(
      *subject, {.seed = options.seed, .count = options.count, .num_threads = kThreads, .context = options.context},
      [](int /*thread*/, const auto& put) { return put(); }));
  NEARDUP_TRY(subject->store().checkpoint());
  subject->close();
  return {};
}

uint64_t connections_of(const ServeBench& options, bool has_texts) {
  if (options.connections != 0) return options.connections;
  return has_texts ? kTextConnections : kBatchConnections;
}

uint64_t most_connections(const ServeBench& options) { return connections_of(options, options.recipe.has_value()); }

/// Before anything is made. A server that is started has the limit of this process, and needs more beside connections.
Status allow_connections(const ServeBench& options) {
  constexpr uint64_t kBeside = 32, kBesideOfServer = 192, kServerHasOneMoreEach = 32;
  const uint64_t connections = most_connections(options);
  const uint64_t beside = options.server.empty() ? kBesideOfServer + connections / kServerHasOneMoreEach : kBeside;
  const uint64_t most = raise_open_files(connections + beside);
  if (most >= connections + beside) return {};
  return fail(Code::kInvalidArgument,
              fmt::format("{} connections need {} open files, and the system lets a process have {} (ulimit -n): raise "
                          "that limit, or take fewer --connections",
                          connections, connections + beside, most));
}

/// A server that is given may have the documents of an earlier run: what came again would be no insert.
uint64_t number_of_run(const ServeBench& options) {
  if (options.server.empty()) return 0;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

/// What is measured: a route, and what is sent there.
struct Work {
  std::string operation, route;
  bool has_texts = false;
};

class ServeRun {
 public:
  /// `disk`: a folder on the disk of the store; empty where that is not known.
  ServeRun(const ServeBench& options, LoopbackAddress server, std::string disk, const ServeMeasured& measured)
      : options_(options), server_(server), disk_(std::move(disk)), measured_(measured) {}

  Status run();

 private:
  Status measure(const Work& work);
  Result<ServeMeasurement> load(const Work& work, double rate, double share);
  Status add_store_facts(ServeMeasurement& m) const;
  [[nodiscard]] uint64_t num_documents(const Work& work) const;
  [[nodiscard]] std::string form_of(const Work& work) const;

  const ServeBench& options_;
  const uint64_t run_ = number_of_run(options_);
  const LoopbackAddress server_;
  const std::string disk_;
  const ServeMeasured& measured_;
  ServedRecipe recipe_;
  uint64_t next_ = 0;  // document
};

Status ServeRun::run() {
  NEARDUP_ASSIGN(recipe_, ask_recipe(server_));
  NEARDUP_ASSIGN(const ServedStore stored, ask_store(server_));
  next_ = options_.server.empty() ? std::max(options_.count, stored.documents) : 0;
  const bool has_texts = options_.recipe.has_value();
  NEARDUP_TRY(measure({"query", "/v1/query", has_texts}));
  NEARDUP_TRY(measure({"check_and_insert", "/v1/check-and-insert", has_texts}));
  return has_texts ? measure({"check_and_insert", "/v1/check-and-insert", false}) : Status();
}

Status ServeRun::measure(const Work& work) {
  if (options_.per_second > 0) {
    NEARDUP_ASSIGN(const auto asked, load(work, options_.per_second, 0));
    measured_(asked);
    return {};
  }
  NEARDUP_ASSIGN(const auto most, load(work, 0, 1));
  measured_(most);
  if (most.num_good == 0) return fail(Code::kIo, "the server answered no request of '" + work.route + "' with success");
  NEARDUP_ASSIGN(const auto below, load(work, most.good_per_second() * options_.load_share, options_.load_share));
  measured_(below);
  return {};
}

Result<ServeMeasurement> ServeRun::load(const Work& work, double rate, double share) {
  ServeMeasurement m;
  m.operation = work.operation;
  m.form = form_of(work);
  m.load_share = share;
  m.rate = rate;
  m.batch = work.has_texts ? 1 : options_.batch;
  RequestRow row{.route = work.route, .content = {.text_bytes = options_.text_bytes}, .seed = options_.seed + run_};
  if (!work.has_texts) row.content = recipe_.ready_values();
  row.content.id_base = run_;
  row.batch = m.batch;
  row.num_requests = (num_documents(work) + m.batch - 1) / m.batch;
  m.connections = std::min(connections_of(options_, work.has_texts), row.num_requests);
  m.num_documents = row.num_requests * m.batch;
  row.first = std::exchange(next_, next_ + m.num_documents);
  NEARDUP_ASSIGN(const auto requests, make_requests(row, server_, recipe_));
  LoadPlan plan{.per_second = rate / static_cast<double>(m.batch), .connections = m.connections};
  plan.context = options_.context;
  if (!disk_.empty()) {
    NEARDUP_ASSIGN(m.fdatasync_per_second, fdatasync_rate(disk_));
  }
  NEARDUP_ASSIGN(const LoadResult result, run_load(server_, requests, plan));
  m.num_good = result.num_good * m.batch;
  m.seconds = result.seconds;
  m.latency_us = result.latency_us;
  m.errors = result.errors;
  m.generator_cpu_seconds = result.cpu_seconds;
  NEARDUP_TRY(add_store_facts(m));
  return m;
}

Status ServeRun::add_store_facts(ServeMeasurement& m) const {
  NEARDUP_ASSIGN(const ServedStore stored, ask_store(server_));
  const auto documents = static_cast<double>(std::max<uint64_t>(stored.documents, 1));
  m.count = stored.documents;
  m.bytes_per_item = static_cast<double>(stored.memory_bytes) / documents;
  m.disk_bytes_per_item = static_cast<double>(stored.disk_bytes) / documents;
  return {};
}

uint64_t ServeRun::num_documents(const Work& work) const {
  constexpr uint64_t kLeast = 10'000, kMost = 1'000'000, kMostTexts = 100'000;
  if (options_.num_documents != 0) return options_.num_documents;
  const bool is_large = work.has_texts || recipe_.header.num_values > 0;
  return std::clamp(options_.count / 10, kLeast, is_large ? kMostTexts : kMost);
}

std::string ServeRun::form_of(const Work& work) const {
  if (work.has_texts) return "text";
  return recipe_.header.num_values > 0 ? "signatures" : "fingerprints";
}

}  // namespace

Status run_serve_bench(const ServeBench& options, const ServeMeasured& measured) {
  NEARDUP_TRY(allow_connections(options));
  if (!options.server.empty()) {
    NEARDUP_ASSIGN(const LoopbackAddress server, read_loopback_url(options.server));
    return ServeRun(options, server, "", measured).run();
  }
  NEARDUP_ASSIGN(const TemporaryFolder temporary,
                 TemporaryFolder::create(options.work_folder + "/neardup-bench-serve-"));
  const std::string folder = options.folder.empty() ? temporary.path() + "/store" : options.folder;
  NEARDUP_TRY(fill_folder(options, folder));
  ServerCommand command{options.program, folder, temporary.path() + "/server.log"};
  command.connections = std::max(command.connections, most_connections(options) + kOtherConnections);
  command.context = options.context;
  NEARDUP_ASSIGN(const ServerProcess process, ServerProcess::start(command));
  return ServeRun(options, process.address(), engine::is_on_server(folder) ? "" : folder, measured).run();
}

}  // namespace neardup::bench
