// A store on a real HBase does what every store must do.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "neardup/remote/remote_store.h"
#include "neardup/store/embedded_store.h"
#include "tests/hbase/server.h"
#include "tests/unit/store/conformance.h"

namespace neardup::remote {
namespace {

using store::Store;
using store::StoreFactory;

std::string store_table;  // of the test that runs

std::unique_ptr<Store> opened_store() {
  auto backend = open_hbase_backend(uri_of(store_table), {});
  EXPECT_TRUE(backend) << backend.error().message;
  return backend ? std::make_unique<RemoteStore>(std::move(*backend)) : nullptr;
}

// Some of the seeds each, with other regions: they run at once. All of them are tried over the servers in memory.
StoreFactory store_on_hbase(const std::string& name, uint64_t first_seed, uint64_t end_seed,
                            const std::string& options) {
  StoreFactory factory;
  factory.name = name;
  factory.has_passages = true;
  factory.first_seed = first_seed;
  factory.end_seed = end_seed;
  factory.make = [=]() -> std::unique_ptr<Store> {
    store::StoreSettings settings{.num_fingerprints = 1};
    settings.has_passages = true;
    settings.max_distance = store::kConformanceDistance;
    store_table = new_table();
    auto backend = create_hbase_backend(uri_of(store_table, options), settings, {}, {});
    EXPECT_TRUE(backend) << backend.error().message;
    return backend ? std::make_unique<RemoteStore>(std::move(*backend)) : nullptr;
  };
  factory.again = [](std::unique_ptr<Store> store) -> std::unique_ptr<Store> {
    store.reset();
    return opened_store();
  };
  factory.settle = [](Store& store) { EXPECT_TRUE(store.compact()); };
  factory.open_snapshot = [](const std::string& folder) -> std::unique_ptr<Store> {
    auto opened = store::EmbeddedStore::open(folder);
    EXPECT_TRUE(opened) << opened.error().message;
    return opened ? std::move(*opened) : nullptr;
  };
  factory.remove = [] { EXPECT_TRUE(drop_hbase_store(uri_of(store_table), {})); };
  return factory;
}

}  // namespace
}  // namespace neardup::remote

namespace neardup::store {
INSTANTIATE_TEST_SUITE_P(OnHBase, StoreConformance,
                         testing::Values(remote::store_on_hbase("one_region", 0, 3, "splits=1"),
                                         remote::store_on_hbase("two_regions", 3, 6, "splits=2")));
}  // namespace neardup::store
