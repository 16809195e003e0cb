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

StoreFactory store_on_hbase(const std::string& name, uint32_t num_bits, bool has_passages, const std::string& options) {
  StoreFactory factory;
  factory.name = name;
  factory.num_bits = num_bits;
  factory.has_passages = has_passages;
  factory.make = [=]() -> std::unique_ptr<Store> {
    store::StoreSettings settings{.num_fingerprints = 1, .num_bits = num_bits};
    settings.has_passages = has_passages;
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
                         testing::Values(remote::store_on_hbase("passages", 64, true, "splits=1")));
}  // namespace neardup::store
