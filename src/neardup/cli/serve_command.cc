#include <fmt/format.h>

#include <CLI/App.hpp>
#include <chrono>
#include <memory>
#include <thread>

#include "neardup/base/disk/file.h"
#include "neardup/base/disk/folders.h"
#include "neardup/cli/commands.h"
#include "neardup/cli/family_flag.h"
#include "neardup/cli/flags.h"
#include "neardup/cli/given_arguments.h"
#include "neardup/cli/text_store_flags.h"
#include "neardup/engine/online/open_text_store.h"
#include "neardup/engine/online/store_place.h"
#include "neardup/engine/stored/run_store.h"
#include "neardup/server/server.h"
#include "neardup/server/text_backend.h"
#include "neardup/store/store_files.h"

namespace neardup::cli {
namespace {

struct ServeArguments {
  std::vector<std::string> folder;
  server::ServerOptions server;
  engine::TextStoreSettings store;
  CLI::App* app = nullptr;
  uint32_t sync_every_ms = 0;  // 0: before each answer
  uint64_t most_compared = 0;  // 0: all
};

Status read_address(const std::string& typed, server::ServerOptions& options) {
  const size_t colon = typed.rfind(':');
  const auto port = colon == std::string::npos ? Result<int64_t>(fail(Code::kInvalidArgument, ""))
                                               : parse_whole(typed.substr(colon + 1), 0, UINT16_MAX);
  if (!port || colon == 0)
    return fail(Code::kInvalidArgument,
                fmt::format("expected ADDRESS:PORT such as 127.0.0.1:7464, found \"{}\"", typed));
  std::string address = typed.substr(0, colon);
  if (address.starts_with('[') && address.ends_with(']')) address = address.substr(1, address.size() - 2);
  options.address = address == "localhost" ? "127.0.0.1" : address;
  options.port = static_cast<uint16_t>(*port);
  return {};
}

/// A store is opened, an empty folder becomes one. What else lies there is told before anybody connects.
Status check_folder(const std::string& folder) {
  NEARDUP_ASSIGN(const engine::PlaceKind kind, engine::kind_of_place(folder));
  if (kind != engine::PlaceKind::kNothing) return {};
  NEARDUP_ASSIGN(const bool is_there, file_exists(folder));
  if (!is_there)
    return fail(Code::kNotFound, fmt::format("there is no '{0}'; make it with: neardup index create {0}", folder));
  if (store::check_empty(folder)) return {};  // also what is left of a start that did not come to its end
  return fail(
      Code::kInvalidArgument,
      fmt::format("'{}' holds other files and no store; make one in another folder: neardup index create NEW", folder));
}

/// What was typed of a store must be what the store has.
Status check_typed(const ServeArguments& arguments, const engine::TextStore& texts) {
  std::optional<engine::RecordsKept> records;
  std::optional<bool> keep_texts;
  if (is_given(*arguments.app, "--records")) records = arguments.store.records;
  if (is_given(*arguments.app, "--keep-texts")) keep_texts = arguments.store.keep_texts;
  NEARDUP_TRY(engine::check_same_kept(records, keep_texts, arguments.folder.front(), texts));
  return engine::check_same_settings(arguments.store.matching, arguments.folder.front(), texts);
}

Result<std::unique_ptr<server::Backend>> open_backend(const ServeArguments& arguments, const Io& io) {
  store::StoreOptions options;
  options.context = {nullptr, io.cancel};
  options.sync_every_ms = arguments.sync_every_ms;
  options.most_compared = arguments.most_compared;
  NEARDUP_ASSIGN(auto store, engine::open_or_make_store(arguments.folder.front(), arguments.store, options));
  NEARDUP_TRY(check_typed(arguments, *store));
  return server::make_backend(std::move(store), arguments.folder.front());
}

// Before anybody connects.
Status check_sync(const ServeArguments& arguments) {
  if (arguments.sync_every_ms == 0 || !engine::is_on_server(arguments.folder.front())) return {};
  return fail(Code::kInvalidArgument,
              "--sync every:MS is of a store in a folder; a server syncs its disk as it is set to (Redis: appendfsync, "
              "HBase: the durability of the table), which neardup index info shows");
}

void wait_for_stop(const Io& io) {
  constexpr std::chrono::milliseconds kPause{50};
  while (!io.cancel->load()) std::this_thread::sleep_for(kPause);
}

/// All that a program reads of standard output comes at once: it may close it behind the first line, and what is
/// written then would end the server. The log and /readyz tell it when the store is open.
void say_opening(const server::Server& server, const std::string& folder, server::Log& log, Io& io) {
  log.info("opening", {{"folder", folder}});
  io.print(
      fmt::format("listening on {}\nopening {}: {}/readyz says when it answers\n", server.url(), folder, server.url()));
  io.flush();
}

Status run(ServeArguments& arguments, Io& io) {
  if (arguments.folder.empty())
    return fail(Code::kInvalidArgument, "DIR is missing: the folder of the store, or its URI on a server");
  NEARDUP_ASSIGN(arguments.folder.front(), given_place(arguments.folder.front()));
  NEARDUP_TRY(check_sync(arguments));
  NEARDUP_TRY(check_folder(arguments.folder.front()));
  server::Log log([&io](std::string_view line) { io.say_raw(line); });
  NEARDUP_ASSIGN(const auto server, server::Server::start(arguments.server, log));
  say_opening(*server, engine::shown_place(arguments.folder.front()), log, io);
  auto backend = open_backend(arguments, io);
  if (!backend) {
    server->stop();
    if (backend.error().code == Code::kCancelled) return {};
    return tl::unexpected<Error>(std::move(backend).error());
  }
  server->serve(std::move(*backend));
  if (io.line_by_line) io.print("ready\n");
  wait_for_stop(io);
  server->stop();
  return {};
}

/// Reads "always" or "every:MS".
Status read_sync(const std::string& typed, uint32_t& every_ms) {
  constexpr std::string_view kEvery = "every:";
  constexpr int64_t kMost = 60'000;
  if (typed == "always") return every_ms = 0, Status();
  if (!typed.starts_with(kEvery))
    return fail(Code::kInvalidArgument, fmt::format("expected always or every:MS, found \"{}\"", typed));
  NEARDUP_ASSIGN(const int64_t milliseconds, parse_whole(typed.substr(kEvery.size()), 1, kMost));
  every_ms = static_cast<uint32_t>(milliseconds);
  return {};
}

void define_seconds(Flags& flags, const FlagText& text, std::chrono::seconds& target) {
  constexpr int64_t kMost = 86400;
  flags.value(text, std::to_string(target.count()), [&target](const std::string& typed) -> Status {
    NEARDUP_ASSIGN(const int64_t seconds, parse_whole(typed, 1, kMost));
    target = std::chrono::seconds(seconds);
    return {};
  });
}

void define_limits(Flags& flags, server::Limits& limits) {
  flags.group("Limits");
  flags.size({"--max-body", "SIZE", "Body of a request that is not sent in lines"}, limits.body_bytes);
  flags.size({"--max-document", "SIZE", "A document: a line, or one of a batch"}, limits.document_bytes);
  flags.count({"--max-batch", "N", "Documents in a batch that is not sent in lines"}, limits.batch_documents);
  flags.size({"--max-answer", "SIZE", "Answer to lines; what comes behind is not looked at"}, limits.answer_bytes);
  constexpr int64_t kLeastHeader = 4096, kMostHeader = int64_t{1} << 20, kMostConnections = 100000;
  flags.whole({"--max-header", "N", "Bytes of path and headers"}, limits.header_bytes, kLeastHeader, kMostHeader,
              std::to_string(limits.header_bytes));
  flags.whole({"--max-connections", "N", "Connections at one time"}, limits.connections, 1, kMostConnections,
              std::to_string(limits.connections));
  flags.count({"--max-waiting", "N", "Requests that wait to be worked on; beyond it 429"}, limits.waiting);
  flags.size({"--max-waiting-bytes", "SIZE", "Bodies and answers that are held; beyond it 429"}, limits.waiting_bytes);
  define_seconds(
      flags, {"--idle-timeout", "S", "Seconds that a connection may take until the headers of a request are complete"},
      limits.idle);
  define_seconds(
      flags, {"--request-timeout", "S", "Seconds from there to the end of the answer, and one more for each 64 KiB"},
      limits.request);
  define_seconds(flags, {"--stop-timeout", "S", "Seconds for what was accepted, once it is to stop"}, limits.stop);
}

void define(Flags& flags, ServeArguments& arguments) {
  server::ServerOptions& options = arguments.server;
  flags.group("Input");
  flags.arguments({"DIR", "", "The folder of the store, or its URI on a server"}, arguments.folder, 1);
  flags.group("Service");
  flags.value({"--listen", "ADDRESS:PORT", "Where to listen; port 0 is one that is free"}, "127.0.0.1:7464",
              [&options](const std::string& typed) { return read_address(typed, options); });
  flags.text(
      {"--full-key-file", "FILE", "Keys that may do everything, one a line; needed to listen on a public address"},
      options.full_key_path);
  flags.text({"--read-key-file", "FILE", "Keys that may only read"}, options.read_key_path);
  flags.text({"--tls-certificate", "FILE", "Certificate in PEM: HTTPS"}, options.tls_certificate_path);
  flags.text({"--tls-key", "FILE", "The key of --tls-certificate, in PEM"}, options.tls_key_path);
  flags.value({"--sync", "always|every:MS",
               "always: what was answered is on the disk; every:MS: it is at most so many milliseconds later, and a "
               "power cut may take what came in them"},
              "always", [&arguments](const std::string& typed) { return read_sync(typed, arguments.sync_every_ms); });
  constexpr int64_t kLargestBound = 1'000'000'000;
  flags.whole(
      {"--max-compared", "N",
       "Stored documents that one that comes is compared with; where there are more, its verdict says that it is "
       "truncated. 0 is all, as dedup does"},
      arguments.most_compared, 0, kLargestBound, "0");
  flags.output({"--snapshots", "DIR", "Where POST /v1/snapshot may put copies"}, options.snapshot_folder);
  flags.on({"--log-requests", "", "Log every request, not only those that failed"}, options.log_requests);
  flags.group("A store that is made");
  define_text_store_flags(flags, arguments.store);
  define_distance_flag(flags, arguments.store.matching.distance);
  define_limits(flags, options.limits);
  flags.group("Running");
  constexpr int64_t kMostThreads = 256;
  flags.whole(
      {"--threads", "N", "Threads that check and insert; 0 is one for each core and two that wait for the disk"},
      options.work_threads, 0, kMostThreads, "0");
  flags.whole({"--io-threads", "N",
               "Threads that read and write connections, but one for each 125 of --max-connections at least"},
              options.io_threads, 2, kMostThreads, "2");
  flags.environment("NEARDUP_SERVE_");
  flags.config();
}

}  // namespace

void add_serve_command(CommandLine& line) {
  auto arguments = std::make_shared<ServeArguments>();
  arguments->server.port = 7464;
  Command& command = line.add(
      {"serve",
       "Tell over HTTP whether documents were seen before",
       "Serves a store of texts over HTTP: each document that comes is told at once whether it repeats one that came "
       "before, and stays.",
       "DIR [FLAGS]",
       {{"neardup index create news && neardup serve news", "A new store, on 127.0.0.1:7464."},
        {"neardup serve news --listen 127.0.0.1:0 --keep-texts", "On any free port, which it prints; texts are kept."},
        {"neardup serve news --listen 0.0.0.0:7464 --full-key-file keys.txt", "For others, who need a key."},
        {"neardup serve redis://127.0.0.1:6379/news", "A store that a Redis server keeps."}},
       {"DIR is a store of texts, or an empty index, in whose place a store is made; or the URI of a store on a server "
        "(redis://, hbase://; docs/operations.md), which is made where there is none: then any number of "
        "services may serve the same one.",
        "What is acknowledged is on disk (but for --sync every:MS). SIGTERM and Ctrl-C: what was accepted is answered, "
        "then it ends with exit "
        "status 0.",
        "Each flag may also come from the environment (NEARDUP_SERVE_MAX_BODY for --max-body) or from --config FILE. "
        "What "
        "is typed counts first, then the environment.",
        "Routes, errors and limits: docs/http.md, and /openapi.json of the running server."},
       {"--listen", "--full-key-file", "--recipe", "--keep-texts", "--config"}});
  arguments->app = command.app;
  Flags flags(command);
  define(flags, *arguments);
  command.run = [arguments](Io& io) { return run(*arguments, io); };
}

}  // namespace neardup::cli
