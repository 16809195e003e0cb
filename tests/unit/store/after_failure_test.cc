// What is asked of a store after a write failed, before another one succeeds.
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>

#include "neardup/store/embedded_store.h"
#include "tests/failing_file_system.h"
#include "tests/own_path.h"
#include "tests/unit/store/store_model.h"

namespace neardup::store {
namespace {

// None of them appends anything: they must not wait for the write that failed, which is over.
TEST(AfterFailure, WhatChangesNothingSucceedsOnceTheDiskDoes) {
  const ByNumber judge;
  const OwnedRecord first = document_of("first", 100), second = document_of("second", 500);
  const Record views[] = {first.view(), second.view()};
  uint64_t failures = 0;
  for (uint64_t n = 1; n < 4; ++n) {
    const std::string folder = own_path(std::to_string(n));
    std::filesystem::remove_all(folder);
    const StoreSettings settings{.num_fingerprints = 1};
    auto store = *EmbeddedStore::create(folder, settings);
    ASSERT_TRUE(store->check_and_insert({&views[0], 1}, judge));
    {
      FailingFileSystem full({.n = n, .error = ENOSPC});
      const ReplacedFileSystem replaced(full);
      failures += store->check_and_insert({&views[1], 1}, judge) ? 0 : 1;
    }
    const auto again = store->check_and_insert({&views[0], 1}, judge);
    ASSERT_TRUE(again) << n << again.error().message;
    EXPECT_TRUE(again->at(0).is_repeated);
    EXPECT_TRUE(store->commit_tag("none")) << n;
    EXPECT_TRUE(store->checkpoint()) << n;
    std::filesystem::remove_all(folder);
  }
  EXPECT_GT(failures, 0U);
}

}  // namespace
}  // namespace neardup::store
