#include "neardup/remote/open_remote.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>
#include <vector>

#include "neardup/remote/copy_mark.h"
#include "neardup/remote/crawl_changes.h"
#include "neardup/remote/hbase/hbase_backend.h"
#include "neardup/remote/redis/redis_backend.h"
#include "neardup/store/record_checks.h"

namespace neardup::remote {

namespace {

// A URI without the options that are of all servers, and what these say.
struct Target {
  RemoteUri uri;
  RemoteOptions options;
};

Result<Target> target_of(const std::string& uri, const RemoteOptions& options) {
  constexpr int kMostSeconds = 86400;
  NEARDUP_ASSIGN(RemoteUri parsed, parse_remote_uri(uri));
  Target target{std::move(parsed), options};
  const auto given = target.uri.options.find("timeout");
  if (given == target.uri.options.end()) return target;
  const std::string text = given->second;
  int seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size() || seconds < 1 || seconds > kMostSeconds)
    return fail(Code::kInvalidArgument, fmt::format("{}: expected timeout=1 to {} (seconds), found '{}'",
                                                    target.uri.shown(), kMostSeconds, text));
  target.options.connect_timeout = target.options.call_timeout = std::chrono::seconds(seconds);
  target.uri.options.erase(given);
  return target;
}

}  // namespace

Result<std::unique_ptr<Backend>> create_backend(const RemoteUri& uri, store::StoreSettings settings,
                                                const RemoteOptions& options, std::span<const store::GivenFile> files) {
  NEARDUP_TRY(check_new_settings(settings));
  NEARDUP_ASSIGN(auto backend, uri.kind == ServerKind::kRedis
                                   ? create_redis_backend(uri, std::move(settings), options, files)
                                   : create_hbase_backend(uri, std::move(settings), options, files));
  backend->set_connect_limit(options.connect_timeout);
  return backend;
}

Result<std::unique_ptr<Backend>> open_backend(const RemoteUri& uri, const RemoteOptions& options) {
  NEARDUP_ASSIGN(auto backend,
                 uri.kind == ServerKind::kRedis ? open_redis_backend(uri, options) : open_hbase_backend(uri, options));
  backend->set_connect_limit(options.connect_timeout);
  return backend;
}

Result<std::unique_ptr<RemoteStore>> create_remote_store(const std::string& uri, store::StoreSettings settings,
                                                         const RemoteOptions& options,
                                                         std::span<const store::GivenFile> files) {
  NEARDUP_ASSIGN(const Target target, target_of(uri, options));
  std::vector<store::GivenFile> given(files.begin(), files.end());
  if (options.copied_into) given.push_back(copy_mark());
  NEARDUP_ASSIGN(auto backend, create_backend(target.uri, std::move(settings), target.options, given));
  return std::make_unique<RemoteStore>(std::move(backend), options.most_compared);
}

Result<std::unique_ptr<RemoteStore>> open_remote_store(const std::string& uri, const RemoteOptions& options) {
  NEARDUP_ASSIGN(const Target target, target_of(uri, options));
  NEARDUP_ASSIGN(auto backend, open_backend(target.uri, target.options));
  NEARDUP_TRY(check_whole(*backend, target.uri.shown()));
  return std::make_unique<RemoteStore>(std::move(backend), options.most_compared);
}

Result<bool> is_remote_store(const std::string& uri, const RemoteOptions& options) {
  NEARDUP_ASSIGN(const Target target, target_of(uri, options));
  return target.uri.kind == ServerKind::kRedis ? is_redis_store(target.uri, target.options)
                                               : is_hbase_store(target.uri, target.options);
}

Status drop_remote_store(const std::string& uri, const RemoteOptions& options) {
  NEARDUP_ASSIGN(const Target target, target_of(uri, options));
  return target.uri.kind == ServerKind::kRedis ? drop_redis_store(target.uri, target.options)
                                               : drop_hbase_store(target.uri, target.options);
}

}  // namespace neardup::remote
