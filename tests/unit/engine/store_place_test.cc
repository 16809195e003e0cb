// Which places are folders, which are on servers, and which are neither.
#include "neardup/engine/online/store_place.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "neardup/engine/online/open_text_store.h"
#include "tests/own_path.h"

namespace neardup::engine {
namespace {

namespace fs = std::filesystem;

class StorePlaceTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = own_path("neardup-place");
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string folder_;
};

TEST_F(StorePlaceTest, FoldersByWhatTheyHold) {
  EXPECT_EQ(*kind_of_place(folder_), PlaceKind::kNothing);
  EXPECT_EQ(*kind_of_place(folder_ + "/none"), PlaceKind::kNothing);
  EXPECT_FALSE(*is_store_at(folder_));
  ASSERT_TRUE(TextStore::create(folder_ + "/store", {}));
  EXPECT_EQ(*kind_of_place(folder_ + "/store"), PlaceKind::kFolder);
  EXPECT_TRUE(*is_store_at(folder_ + "/store"));
  EXPECT_EQ(kind_name(folder_ + "/store"), "folder");
}

TEST_F(StorePlaceTest, UrisOfServersAreNoFolders) {
  for (const char* uri : {"redis://host/p", "redis://user:secret@host:7000/p", "rediss://[::1]/p", "hbase://host/t"}) {
    EXPECT_TRUE(is_on_server(uri)) << uri;
    EXPECT_EQ(*kind_of_place(uri), PlaceKind::kServer) << uri;
  }
  EXPECT_EQ(kind_name("rediss://host/p"), "redis");
  EXPECT_EQ(kind_name("hbase://host/t"), "hbase");
  for (const char* wrong : {"redis://", "redis://host", "hbase://host:0/t", "redis://host/a/b"})
    EXPECT_EQ(kind_of_place(wrong).error().code, Code::kInvalidArgument) << wrong;
}

// A folder that happens to be there under such a name must not be written to.
TEST_F(StorePlaceTest, OtherSchemesAreRefusedAndNamesWithoutOneAreFolders) {
  for (const char* other : {"mysql://host/db", "http://host", "REDIS://host/p", "s3://bucket/x", "redis+x://h/p"}) {
    EXPECT_EQ(kind_of_place(other).error().code, Code::kUnsupported) << other;
    EXPECT_EQ(TextStore::create(other, {}).error().code, Code::kUnsupported) << other;
    EXPECT_EQ(open_text_store(other).error().code, Code::kUnsupported) << other;
    EXPECT_FALSE(fs::exists(other)) << other;
  }
  for (const char* folder : {"redis", "redisx:x", "./redis://host", "a b://c", "://", "7z://x", ""})
    EXPECT_TRUE(check_scheme(folder)) << folder;
  EXPECT_FALSE(check_scheme("-"));
}

TEST_F(StorePlaceTest, ALostSlashIsNoFolder) {
  for (const char* typed : {"redis:/127.0.0.1/x", "redis:x", "rediss:", "hbase:/host/t", "redis:/u:geheim@host/p"}) {
    const Status checked = check_scheme(typed);
    ASSERT_FALSE(checked) << typed;
    EXPECT_NE(checked.error().message.find("did you mean"), std::string::npos) << checked.error().message;
    EXPECT_EQ(checked.error().message.find("geheim"), std::string::npos) << checked.error().message;
    EXPECT_EQ(kind_of_place(typed).error().code, Code::kUnsupported) << typed;
    EXPECT_FALSE(TextStore::create(typed, {})) << typed;
    EXPECT_FALSE(fs::exists(typed)) << typed;
    EXPECT_TRUE(check_scheme(std::string("./") + typed)) << typed;
  }
}

TEST_F(StorePlaceTest, PasswordsAreNotShown) {
  EXPECT_EQ(shown_place("redis://user:geheim@host:7000/p").find("geheim"), std::string::npos);
  EXPECT_NE(shown_place("redis://user:geheim@host:7000/p").find("host:7000/p"), std::string::npos);
  for (const char* wrong : {"redis://user:geheim@host", "redis://:geheim@:1/p", "redis://:geheim"}) {
    EXPECT_EQ(shown_place(wrong).find("geheim"), std::string::npos) << wrong;
    EXPECT_EQ(kind_of_place(wrong).error().message.find("geheim"), std::string::npos) << wrong;
  }
  EXPECT_EQ(shown_place("redis"), "redis");
}

TEST_F(StorePlaceTest, AServerThatIsNotThereIsToldAtOnce) {
  const std::string uri = "redis://:geheim@127.0.0.1:1/p";  // a port that nobody listens to
  const auto expect_told = [](const Error& error) {
    EXPECT_EQ(error.code, Code::kIo);
    EXPECT_NE(error.message.find("127.0.0.1:1"), std::string::npos) << error.message;
    EXPECT_EQ(error.message.find("geheim"), std::string::npos) << error.message;
  };
  expect_told(TextStore::open(uri).error());
  expect_told(TextStore::create(uri, {}).error());
  expect_told(open_or_make_store(uri, {}).error());
  expect_told(is_store_at(uri).error());
}

TEST_F(StorePlaceTest, WhatOnlyAFolderCanIsRefused) {
  const auto opened = open_store_at("redis://127.0.0.1:1/p", {.sync_every_ms = 5});
  EXPECT_EQ(opened.error().code, Code::kInvalidArgument);
  EXPECT_NE(opened.error().message.find("--sync"), std::string::npos) << opened.error().message;
}

}  // namespace
}  // namespace neardup::engine
