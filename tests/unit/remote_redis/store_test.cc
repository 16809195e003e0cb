// A store on a real Redis server does what every store must do, in both layouts, and where it is reached in other ways.
#include <gtest/gtest.h>

#include "neardup/remote/redis/redis_backend.h"
#include "neardup/remote/remote_store.h"
#include "neardup/store/embedded_store.h"
#include "tests/unit/remote_redis/other_servers.h"
#include "tests/unit/store/conformance.h"

namespace neardup::remote {
namespace {

std::unique_ptr<store::Store> over(Result<std::unique_ptr<Backend>> backend) {
  EXPECT_TRUE(backend) << backend.error().message;
  return backend ? std::make_unique<RemoteStore>(std::move(*backend)) : nullptr;
}

store::StoreFactory on_redis(const std::string& name, uint32_t num_bits, bool has_passages,
                             RedisServer::UriOptions options, decltype(&plain_uri) server = plain_uri) {
  options.emplace("expect", "1000");
  const auto uri = [=] { return server(options, "s"); };
  store::StoreFactory factory;
  factory.name = name;
  factory.num_bits = num_bits;
  factory.has_passages = has_passages;
  factory.make = [=] {
    store::StoreSettings settings{.num_fingerprints = 1, .num_bits = num_bits};
    settings.has_passages = has_passages;
    settings.max_distance = store::kConformanceDistance;
    static_cast<void>(drop_redis_store(uri(), {}));
    return over(create_redis_backend(uri(), settings, {}, {}));
  };
  factory.again = [uri](std::unique_ptr<store::Store> store) {
    store.reset();
    return over(open_redis_backend(uri(), {}));
  };
  factory.settle = [](store::Store& store) { EXPECT_TRUE(store.compact()); };
  factory.open_snapshot = [](const std::string& folder) -> std::unique_ptr<store::Store> {
    auto opened = store::EmbeddedStore::open(folder);
    EXPECT_TRUE(opened) << opened.error().message;
    return opened ? std::move(*opened) : nullptr;
  };
  factory.remove = [uri] { static_cast<void>(drop_redis_store(uri(), {})); };
  return factory;
}

std::vector<store::StoreFactory> stores() {
  if (!RedisServer::is_installed()) return {};
  std::vector<store::StoreFactory> all = {
      on_redis("compact", 64, false, {}), on_redis("wide", 128, false, {}), on_redis("passages", 64, true, {}),
      on_redis("sets", 64, true, {{"layout", "sets"}}), on_redis("user", 64, true, {}, user_uri)};
  // Half of the seeds each, by turns: all of them are tried over the servers in memory.
  for (size_t i = 0; i < all.size(); ++i) {
    all[i].first_seed = i % 2 == 0 ? 0 : 6;
    all[i].end_seed = all[i].first_seed + 6;
  }
  return all;
}

}  // namespace
}  // namespace neardup::remote

namespace neardup::store {
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(StoreConformance);
INSTANTIATE_TEST_SUITE_P(OnRedis, StoreConformance, testing::ValuesIn(remote::stores()),
                         [](const auto& one) { return one.param.name; });
}  // namespace neardup::store
