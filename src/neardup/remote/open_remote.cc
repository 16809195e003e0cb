#include "neardup/remote/open_remote.h"

#include <utility>

#include "neardup/remote/crawl_changes.h"
#include "neardup/remote/hbase/hbase_backend.h"
#include "neardup/remote/redis/redis_backend.h"
#include "neardup/store/record_checks.h"

namespace neardup::remote {

Result<std::unique_ptr<Backend>> create_backend(const RemoteUri& uri, store::StoreSettings settings,
                                                const RemoteOptions& options, std::span<const store::GivenFile> files) {
  NEARDUP_TRY(check_new_settings(settings));
  return uri.kind == ServerKind::kRedis ? create_redis_backend(uri, std::move(settings), options, files)
                                        : create_hbase_backend(uri, std::move(settings), options, files);
}

Result<std::unique_ptr<Backend>> open_backend(const RemoteUri& uri, const RemoteOptions& options) {
  return uri.kind == ServerKind::kRedis ? open_redis_backend(uri, options) : open_hbase_backend(uri, options);
}

Result<std::unique_ptr<RemoteStore>> create_remote_store(const std::string& uri, store::StoreSettings settings,
                                                         const RemoteOptions& options,
                                                         std::span<const store::GivenFile> files) {
  NEARDUP_ASSIGN(const RemoteUri parsed, parse_remote_uri(uri));
  NEARDUP_ASSIGN(auto backend, create_backend(parsed, std::move(settings), options, files));
  return std::make_unique<RemoteStore>(std::move(backend), options.most_compared);
}

Result<std::unique_ptr<RemoteStore>> open_remote_store(const std::string& uri, const RemoteOptions& options) {
  NEARDUP_ASSIGN(const RemoteUri parsed, parse_remote_uri(uri));
  NEARDUP_ASSIGN(auto backend, open_backend(parsed, options));
  NEARDUP_TRY(check_whole(*backend, parsed.shown()));
  return std::make_unique<RemoteStore>(std::move(backend), options.most_compared);
}

Result<bool> is_remote_store(const std::string& uri, const RemoteOptions& options) {
  NEARDUP_ASSIGN(const RemoteUri parsed, parse_remote_uri(uri));
  return parsed.kind == ServerKind::kRedis ? is_redis_store(parsed, options) : is_hbase_store(parsed, options);
}

Status drop_remote_store(const std::string& uri, const RemoteOptions& options) {
  NEARDUP_ASSIGN(const RemoteUri parsed, parse_remote_uri(uri));
  return parsed.kind == ServerKind::kRedis ? drop_redis_store(parsed, options) : drop_hbase_store(parsed, options);
}

}  // namespace neardup::remote
