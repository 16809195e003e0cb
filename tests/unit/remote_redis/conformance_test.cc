// What every Backend must do, on a real Redis server, in both layouts, and where it is reached in other ways.
#include <gtest/gtest.h>

#include "neardup/remote/redis/redis_backend.h"
#include "tests/unit/remote/backend_conformance.h"
#include "tests/unit/remote_redis/other_servers.h"

namespace neardup::remote {
namespace {

std::unique_ptr<Backend> taken(Result<std::unique_ptr<Backend>> backend) {
  EXPECT_TRUE(backend) << backend.error().message;
  return backend ? std::move(*backend) : nullptr;
}

BackendFactory redis(std::string name, uint32_t num_bits, uint32_t num_fingerprints, int max_distance,
                     RedisServer::UriOptions options, decltype(&plain_uri) server = plain_uri) {
  BackendFactory factory{.name = std::move(name),
                         .num_bits = num_bits,
                         .num_fingerprints = num_fingerprints,
                         .max_distance = max_distance};
  const auto uri = [=] { return server(options, "t"); };
  factory.make = [uri, settings = factory.settings()]() -> std::unique_ptr<Backend> {
    static_cast<void>(drop_redis_store(uri(), {}));
    return taken(create_redis_backend(uri(), settings, {}, {}));
  };
  factory.another = [uri] { return taken(open_redis_backend(uri(), {})); };
  factory.remove = [uri] { EXPECT_TRUE(drop_redis_store(uri(), {})); };
  return factory;
}

std::vector<BackendFactory> factories() {
  if (!RedisServer::is_installed()) {
    std::fputs("skipped: there is no /usr/bin/redis-server here (Debian package redis-server)\n", stderr);
    return {};
  }
  const RedisServer::UriOptions few = {{"expect", "1000"}};
  return {redis("compact", 64, 2, 3, few),
          redis("full", 64, 1, 3, {}),
          redis("tables10", 64, 1, 3, {{"tables", "10"}, {"expect", "1000"}}),
          redis("distance0", 64, 1, 0, few),
          redis("wide", 128, 2, 5, few),
          redis("far", 64, 1, 8, few),
          redis("sets", 64, 2, 3, {{"layout", "sets"}, {"expect", "1000"}}),
          redis("user", 64, 2, 3, few, user_uri),
          redis("user_sets", 64, 2, 3, {{"layout", "sets"}, {"expect", "1000"}}, user_uri),
          redis("cluster", 64, 2, 3, few, cluster_uri)};
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(BackendConformance);
INSTANTIATE_TEST_SUITE_P(Redis, BackendConformance, testing::ValuesIn(factories()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace neardup::remote
