#include "neardup/server/server.h"

#include <fmt/format.h>

#include "neardup/base/disk/file.h"
#include "neardup/base/open_files.h"
#include "neardup/base/tried.h"
#include "neardup/server/descriptors.h"
#include "neardup/server/route.h"
#include "neardup/server/secret_file.h"
#include "neardup/server/service.h"
#include "neardup/server/transport.h"

namespace neardup::server {
namespace {

std::vector<std::string> route_labels() {
  std::vector<std::string> labels;
  for (const Route& route : routes())
    labels.push_back(fmt::format("{} {}", method_name(route.method), shown_path(route)));
  labels.emplace_back("none");
  return labels;
}

Result<std::string> read_if_any(const std::string& path) {
  if (path.empty()) return std::string();
  return read_file(path, uint64_t{1} << 20);
}

Status check_options(const ServerOptions& options, const Keys& keys) {
  if (options.tls_certificate_path.empty() != options.tls_key_path.empty())
    return fail(Code::kInvalidArgument, "--tls-certificate and --tls-key go together");
  if (keys.any() && !keys.has_full())
    return fail(Code::kInvalidArgument, "--read-key-file needs --full-key-file beside it, or nobody could write");
  if (keys.any() || is_loopback(options.address)) return {};
  return fail(
      Code::kInvalidArgument,
      fmt::format("--listen {}: whoever reaches this address could read and erase all; give --full-key-file FILE "
                  "((umask 077; openssl rand -hex 32 > FILE)), or listen on 127.0.0.1",
                  options.address));
}

/// Lowers the connections where the system allows fewer: idle ones must not take the files of the store. What they need
/// of threads takes descriptors, too.
Status fit_connections(ServerOptions& options, Log& log) {
  const uint64_t asked = options.limits.connections;
  const uint64_t most = raise_open_files(descriptors_for(asked, io_threads_for(asked, options.io_threads)));
  NEARDUP_ASSIGN(const uint64_t about, connections_within(most, asked, options.io_threads));
  options.io_threads = io_threads_for(about, options.io_threads);
  NEARDUP_ASSIGN(options.limits.connections, connections_within(most, asked, options.io_threads));
  if (options.limits.connections < asked)
    log.line("warning", "fewer_connections",
             std::vector<LogField>{{"asked", static_cast<double>(asked)},
                                   {"connections", static_cast<double>(options.limits.connections)},
                                   {"descriptors", static_cast<double>(most)}});
  return {};
}

}  // namespace

struct Server::Impl {
  Impl(const ServerOptions& options, Keys keys, Log& log)
      : state{.options = options, .keys = std::move(keys), .log = log, .metrics = Metrics(route_labels())} {}

  ServiceState state;
  Service service{state};
  std::unique_ptr<Transport> transport;
  std::string url;
};

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Server::~Server() {
  if (impl_->transport != nullptr) stop();
}

Result<std::unique_ptr<Server>> Server::start(const ServerOptions& options, Log& log) {
  NEARDUP_ASSIGN(Keys keys, Keys::read(options.full_key_path, options.read_key_path));
  NEARDUP_TRY(check_options(options, keys));
  NEARDUP_ASSIGN(std::string certificate, read_if_any(options.tls_certificate_path));
  std::string key;
  if (!options.tls_key_path.empty()) {
    NEARDUP_ASSIGN(key, read_secret_file(options.tls_key_path));
  }
  ServerOptions fitted = options;
  NEARDUP_TRY(fit_connections(fitted, log));
  NEARDUP_ASSIGN(const int listening, listen_on(options.address, options.port));
  auto impl = std::make_unique<Impl>(fitted, std::move(keys), log);
  const bool is_v6 = options.address.find(':') != std::string::npos;
  impl->url = fmt::format("{}://{}{}{}:{}", certificate.empty() ? "http" : "https", is_v6 ? "[" : "", options.address,
                          is_v6 ? "]" : "", port_of(listening));
  NEARDUP_ASSIGN(impl->transport,
                 Transport::start(listening, impl->state, impl->service, std::move(certificate), std::move(key)));
  log.info("listening", {{"url", impl->url}});
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

std::string Server::url() const { return impl_->url; }

void Server::serve(std::unique_ptr<Backend> backend) {
  impl_->state.log.info("ready", {{"recipe", backend->facts().recipe_id}, {"store", backend->facts().store_kind}});
  if (backend->facts().store_kind != "folder")
    impl_->state.store_watch = std::make_unique<StoreWatch>(*backend, impl_->state.log);
  impl_->state.backend = std::move(backend);
  impl_->state.phase = Phase::kReady;
}

// Also of the destructor: nothing of it may throw.
void Server::stop() {
  Transport& transport = *impl_->transport;
  Log& log = impl_->state.log;
  log.info("stopping");
  Phase ready = Phase::kReady;
  impl_->state.phase.compare_exchange_strong(ready, Phase::kStopping);
  transport.stop_listening();
  const bool answered = transport.wait_until_answered(impl_->state.options.limits.stop);
  impl_->service.stop();
  transport.stop();
  impl_->transport.reset();
  impl_->state.store_watch.reset();
  impl_->state.backend.reset();
  static_cast<void>(tried([&] { log.info("stopped", {{"all_answered", answered ? "yes" : "no"}}); }));
}

}  // namespace neardup::server
