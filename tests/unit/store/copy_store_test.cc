// Stores in folders that are copied into each other: numbers, fates, tags; and what is no copy.
#include "neardup/store/copy_store.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>

#include "neardup/store/check_store.h"
#include "neardup/store/embedded_store.h"
#include "neardup/store/repair_store.h"
#include "tests/own_path.h"
#include "tests/unit/store/store_look.h"
#include "tests/unit/store/store_model.h"

namespace neardup::store::copy_store_test {
namespace {

class CopyStoreTest : public testing::Test {
 protected:
  void SetUp() override { remove(); }
  void TearDown() override { remove(); }
  static void remove() {
    for (const char* name : {"from", "to"}) std::filesystem::remove_all(own_path(name));
  }
  static std::unique_ptr<EmbeddedStore> make(const std::string& name, int max_distance = 3) {
    StoreSettings settings{.num_fingerprints = 1};
    settings.max_distance = max_distance;
    auto made = EmbeddedStore::create(own_path(name), settings);
    EXPECT_TRUE(made) << made.error().message;
    return std::move(*made);
  }
  static std::unique_ptr<EmbeddedStore> open(const std::string& name) {
    auto opened = EmbeddedStore::open(own_path(name));
    EXPECT_TRUE(opened) << opened.error().message;
    return std::move(*opened);
  }
  static OwnedRecord in_tag(OwnedRecord document) {
    document.tag = "t";
    return document;
  }
  static void insert(Store& store, const OwnedRecord& document) {
    ASSERT_TRUE(store.check_and_insert(views_of({document}), ByNumber()));
  }
  // Documents of a tag before it was begun and since, one that is contested, one that is erased.
  static void fill(Store& store) {
    insert(store, document_of("a", 20)), insert(store, document_of("b", 20)),
        insert(store, in_tag(document_of("c", 300)));
    insert(store, document_of("gone", 400));
    ASSERT_TRUE(*store.begin_tag("t"));
    ASSERT_TRUE(*store.begin_tag("empty"));
    insert(store, in_tag(document_of("a", 500))), insert(store, document_of("d", 21)),
        insert(store, in_tag(document_of("e", 501)));
    const std::string_view ids[] = {"gone"};
    ASSERT_EQ(*store.erase(ids), 1u);
  }
};

TEST_F(CopyStoreTest, HoldsTheSameUnderTheSameNumbers) {
  const auto from = make("from");
  fill(*from);
  auto to = make("to");
  const Status copied = copy_documents(*from, *to);
  ASSERT_TRUE(copied) << copied.error().message;
  for (const bool is_opened_again : {false, true}) {
    if (is_opened_again) to.reset(), to = open("to");
    ASSERT_EQ(seen_in(*to), seen_in(*from));
    EXPECT_EQ(to->statistics()->documents, 6u);
    EXPECT_EQ(to->statistics()->open_tags, 2u);
    EXPECT_TRUE(*to->find_number(5, [](const Record& record) { EXPECT_EQ(record.id, "d"); }));
    EXPECT_FALSE(*to->find_number(3, [](const Record&) {}));
  }
  ASSERT_TRUE(*to->commit_tag("t"));
  ASSERT_TRUE(*from->commit_tag("t"));
  ASSERT_EQ(seen_in(*to), seen_in(*from));
  insert(*to, document_of("f", 501));
  EXPECT_EQ(to->duplicates_of("a", 0, 9)->size(), 2u);  // e, f
}

// As it is left by a process that is killed while it copies.
TEST_F(CopyStoreTest, WhatWasNotMadeToItsEndIsNotOpened) {
  const auto from = make("from");
  fill(*from);
  auto to = make("to");
  const std::atomic<bool> stops = true;
  EXPECT_EQ(copy_documents(*from, *to, {nullptr, &stops}).error().code, Code::kCancelled);
  to.reset();
  const std::string folder = own_path("to");
  const auto expect_refused = [](const auto& result) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Code::kInvalidArgument);
    EXPECT_NE(result.error().message.find("remove the folder and copy again"), std::string::npos);
  };
  expect_refused(EmbeddedStore::open(folder));
  expect_refused(check_store(folder));
  expect_refused(repair_store(folder));
  std::filesystem::remove_all(folder);
  to = make("to");
  ASSERT_TRUE(copy_documents(*from, *to));
  to.reset();
  EXPECT_TRUE(check_store(folder));
}

TEST_F(CopyStoreTest, OnlyIntoAnEmptyStoreOfTheSameKind) {
  const auto from = make("from");
  fill(*from);
  auto to = make("to", 2);
  EXPECT_EQ(copy_documents(*from, *to).error().code, Code::kInvalidArgument);
  to.reset();
  std::filesystem::remove_all(own_path("to"));
  to = make("to");
  insert(*to, document_of("x", 1));
  EXPECT_EQ(copy_documents(*from, *to).error().code, Code::kInvalidArgument);
  const OwnedRecord first = document_of("y", 40);
  const Status restored = to->restore(views_of({first}));  // its number is 0
  ASSERT_FALSE(restored);
  EXPECT_NE(restored.error().message.find("number 0 was given"), std::string::npos);
}

}  // namespace
}  // namespace neardup::store::copy_store_test
