// What every Backend must do, of the one on a real HBase.
#include <gtest/gtest.h>

#include "tests/hbase/server.h"
#include "tests/unit/remote/backend_conformance.h"

namespace neardup::remote {
namespace {

BackendFactory on_hbase(std::string name, uint32_t num_bits, uint32_t num_fingerprints, int max_distance,
                        const std::string& options) {
  static std::string table;
  BackendFactory factory{.name = std::move(name),
                         .num_bits = num_bits,
                         .num_fingerprints = num_fingerprints,
                         .max_distance = max_distance,
                         .tells_bytes = false};
  factory.make = [settings = factory.settings(), options]() -> std::unique_ptr<Backend> {
    table = new_table();
    auto made = create_hbase_backend(uri_of(table, options), settings, {}, {});
    EXPECT_TRUE(made) << made.error().message;
    return made ? std::move(*made) : nullptr;
  };
  factory.another = [options]() -> std::unique_ptr<Backend> {
    auto opened = open_hbase_backend(uri_of(table, options), {});
    EXPECT_TRUE(opened) << opened.error().message;
    return opened ? std::move(*opened) : nullptr;
  };
  factory.remove = [] { EXPECT_TRUE(drop_hbase_store(uri_of(table), {})); };
  return factory;
}

INSTANTIATE_TEST_SUITE_P(HBase, BackendConformance,
                         testing::Values(on_hbase("ten_rows", 64, 2, 3, "tables=10"),
                                         on_hbase("four_rows_by_prefix", 64, 1, 3, "tables=4&splits=1&scans=prefix"),
                                         on_hbase("wide", 128, 2, 5, "splits=2&compression=gz")));

}  // namespace
}  // namespace neardup::remote
