// A copy of a store whose process is killed: what it leaves is not opened, at whatever moment that was.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "neardup/engine/online/copy_store.h"
#include "neardup/engine/online/store_place.h"
#include "neardup/engine/online/text_store.h"
#include "neardup/remote/open_remote.h"
#include "tests/own_path.h"
#include "tests/unit/remote_redis/redis_server.h"

namespace neardup::engine {
namespace {

class CopiedInto : public testing::Test {
 protected:
  void SetUp() override {
    if (!remote::RedisServer::is_installed()) GTEST_SKIP() << "there is no /usr/bin/redis-server here";
    std::filesystem::remove_all(folder_);
    server_ = std::make_unique<remote::RedisServer>();
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string on_server(const std::string& name) const {
    return "redis://127.0.0.1:" + std::to_string(server_->port()) + "/" + name;
  }
  [[nodiscard]] std::string in_folder(const std::string& name) const { return folder_ + "/" + name; }
  static void fill(const std::string& place, size_t count) {
    const auto store = TextStore::create(place, {});
    ASSERT_TRUE(store) << store.error().message;
    std::vector<std::string> texts;
    for (size_t i = 0; i < count; ++i) texts.push_back("text " + std::to_string(i * i * 7919));
    std::vector<ArrivingText> arriving;
    for (const std::string& text : texts) arriving.push_back({.id = text, .text = text});
    ASSERT_TRUE((*store)->check_and_insert(arriving));
  }
  static void write(const std::string& path) { ASSERT_EQ(std::fclose(std::fopen(path.c_str(), "w")), 0); }
  template <class R>
  static Error error_of(const R& result) {
    return result ? Error{Code::kIo, "none"} : result.error();
  }
  static void remove(const std::string& place) {
    if (is_on_server(place)) {
      ASSERT_TRUE(remote::drop_remote_store(place));
    } else {
      std::filesystem::remove_all(place);
    }
  }
  static void expect_not_whole(const std::string& place) {
    const auto opened = TextStore::open(place);
    ASSERT_FALSE(opened) << place << " holds " << (*opened)->store().statistics()->documents;
    EXPECT_EQ(opened.error().code, Code::kInvalidArgument);
    EXPECT_NE(opened.error().message.find("copy again"), std::string::npos) << opened.error().message;
  }

  const std::string folder_ = own_path("stores");
  std::unique_ptr<remote::RedisServer> server_;
};

TEST_F(CopiedInto, AStoreThatIsMadeForACopyIsNotWholeBeforeItBegins) {
  fill(in_folder("from"), 3);
  store::StoreOptions options;
  options.copied_into = true;
  for (const std::string& place : {on_server("to"), in_folder("to")}) {
    {
      const auto from = open_store_at(in_folder("from"));
      ASSERT_TRUE(create_store_at(place, (*from)->settings(), options));
    }
    expect_not_whole(place);
    const auto again = copy_store(in_folder("from"), place);
    ASSERT_FALSE(again);
    EXPECT_NE(again.error().message.find((is_on_server(place) ? "drop " : "rm -r ") + place), std::string::npos);
    remove(place);
  }
}

// The mark of a store on a server stays with it, and not with copies.
TEST_F(CopiedInto, ACopyIsWholeAndMayBeCopied) {
  fill(in_folder("a"), 3);
  const std::vector<std::string> places = {in_folder("a"), on_server("b"), on_server("c"),
                                           in_folder("d"), in_folder("e"), on_server("f")};
  for (size_t i = 1; i < places.size(); ++i) {
    const auto copied = copy_store(places[i - 1], places[i]);
    ASSERT_TRUE(copied) << copied.error().message;
    const auto store = TextStore::open(places[i]);
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_EQ((*store)->store().statistics()->documents, 3u);
    EXPECT_EQ((*store)->store().settings().files.size(), is_on_server(places[i]) ? 1u : 0u);
  }
}

// The folder has the mark, and no store yet.
TEST_F(CopiedInto, WhatWasKilledBeforeTheStoreWasThereIsMadeAgain) {
  fill(on_server("from"), 3);
  fill(in_folder("a"), 3);
  std::filesystem::create_directories(in_folder("to"));
  write(in_folder("to/UNFINISHED"));
  write(in_folder("to/UNFINISHED.tmp12-3"));
  for (const Error& error :
       {error_of(TextStore::create(in_folder("to"), {})), error_of(copy_store(in_folder("a"), in_folder("to")))}) {
    EXPECT_EQ(error.code, Code::kInvalidArgument);
    EXPECT_NE(error.message.find("a copy into it was not made to its end"), std::string::npos) << error.message;
    EXPECT_TRUE(error.message.ends_with("remove it: rm -r " + in_folder("to"))) << error.message;
  }
  const auto copied = copy_store(on_server("from"), in_folder("to"));
  ASSERT_TRUE(copied) << copied.error().message;
  EXPECT_TRUE(TextStore::open(in_folder("to")));
}

// What begins like the mark is a file of somebody, which nobody is told to remove.
TEST_F(CopiedInto, AFolderWithFilesOfOthersIsLeftAlone) {
  fill(on_server("from"), 3);
  std::filesystem::create_directories(in_folder("to"));
  write(in_folder("to/UNFINISHED"));
  for (const std::string name : {"UNFINISHED-thoughts.md", "UNFINISHED.tmp", "letter.txt"}) {
    write(in_folder("to/" + name));
    for (const Error& error :
         {error_of(TextStore::create(in_folder("to"), {})), error_of(copy_store(on_server("from"), in_folder("to")))}) {
      EXPECT_EQ(error.code, Code::kInvalidArgument) << name;
      EXPECT_TRUE(error.message.ends_with("is not empty; a store needs a folder of its own")) << error.message;
    }
    std::filesystem::remove(in_folder("to/" + name));
  }
  EXPECT_TRUE(copy_store(on_server("from"), in_folder("to")));
}

// Kills its process when it is told the n-th time of a copy.
class KilledAt : public Progress {
 public:
  explicit KilledAt(int nth) : left_(nth) {}
  void begin_stage(std::string_view, std::string_view, uint64_t, uint64_t) override { count(); }
  void advance(uint64_t, uint64_t) override { count(); }
  void end_stage() override { count(); }
  void warn(std::string_view) override {}

 private:
  void count() {
    if (--left_ == 0) ::kill(::getpid(), SIGKILL);
  }
  int left_;
};

TEST_F(CopiedInto, KilledAtEachPointThatItTellsOf) {
  fill(in_folder("from"), 2000);
  ASSERT_TRUE(copy_store(in_folder("from"), on_server("from")));
  for (const bool to_server : {true, false}) {
    const std::string from = to_server ? in_folder("from") : on_server("from");
    const std::string to = to_server ? on_server("to") : in_folder("to");
    int nth = 0;
    for (int status = SIGKILL; WIFSIGNALED(status); ++nth) {
      const pid_t child = fork();
      ASSERT_GE(child, 0);
      if (child == 0) {
        KilledAt progress(nth + 1);
        _exit(copy_store(from, to, {.progress = &progress}) ? 0 : 1);
      }
      ASSERT_EQ(waitpid(child, &status, 0), child);
      if (WIFSIGNALED(status)) {
        EXPECT_EQ(WTERMSIG(status), SIGKILL);
        expect_not_whole(to);
        remove(to);
      } else {
        EXPECT_EQ(WEXITSTATUS(status), 0);
      }
    }
    EXPECT_GE(nth, 9) << "both stages begin, tell of each thousand and of all, and end; then the copy is whole";
    EXPECT_TRUE(TextStore::open(to));
    remove(to);
  }
}

}  // namespace
}  // namespace neardup::engine
