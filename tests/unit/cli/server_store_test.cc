// Stores on servers, as the command line names them: what is told where the server is not there.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "neardup/cli/given_arguments.h"
#include "neardup/engine/online/store_place.h"
#include "tests/quickest.h"
#include "tests/unit/cli/run.h"

namespace neardup::cli {
namespace {

constexpr const char* kClosed = "redis://reader:geheim@127.0.0.1:1/news";  // a port that nobody listens to

// One line says what could not be reached, at once; what was typed in secret is not in it.
void expect_unreachable(const std::vector<std::string>& arguments) {
  constexpr std::chrono::seconds kMost(3);
  Ran ran;
  EXPECT_LT(quickest_call(kMost, [&] { ran = run(arguments); }), kMost) << arguments[0];
  EXPECT_EQ(ran.exit, kExitFailed) << ran.err;
  const size_t message = ran.err.find("neardup: ");
  ASSERT_NE(message, std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("127.0.0.1:1", message), std::string::npos) << ran.err;
  EXPECT_EQ(std::count(ran.err.begin() + static_cast<std::ptrdiff_t>(message), ran.err.end(), '\n'), 1) << ran.err;
  EXPECT_EQ((ran.out + ran.err).find("geheim"), std::string::npos) << ran.out << ran.err;
}

TEST(ServerStore, EveryCommandTellsThatTheServerIsNotThere) {
  const Folder folder;
  const std::string input = folder.write("in.jsonl", "{\"id\":\"a\",\"text\":\"one two three\"}\n");
  ASSERT_EQ(run({"index", "create", folder / "store", input}).exit, 0);
  for (const char* action : {"create", "add", "query"}) expect_unreachable({"index", action, kClosed, input});
  expect_unreachable({"index", "delete", kClosed, "a"});
  for (const char* action : {"create", "info", "check", "compact", "export", "drop"})
    expect_unreachable({"index", action, kClosed});
  expect_unreachable({"index", "copy", kClosed, folder / "copy"});
  expect_unreachable({"index", "copy", folder / "store", kClosed});
  expect_unreachable({"serve", kClosed, "--listen", "127.0.0.1:0"});
  expect_unreachable({"dedup", input, "-o", folder / "out", "--into", kClosed, "--progress", "off"});
  expect_unreachable({"dedup", input, "-o", folder / "out", "--reference", kClosed, "--progress", "off"});
  expect_unreachable({"bench", "store", "--count", "100", "--uri", kClosed});
  EXPECT_FALSE(std::filesystem::exists(folder / "copy"));
}

// As `neardup bench store` makes one.
TEST(ServerStore, AStoreOfFingerprintsIsShownWithoutWhatTextsHave) {
  const Folder folder;
  store::StoreSettings settings{.num_fingerprints = 2};
  ASSERT_TRUE(engine::create_store_at(folder / "store", settings));
  const Ran text = run({"index", "info", folder / "store"}), json = run({"index", "info", folder / "store", "--json"});
  EXPECT_EQ(text.exit, 0) << text.err;
  EXPECT_NE(text.out.find("2 of 64 bits, compared within 3"), std::string::npos) << text.out;
  EXPECT_EQ(text.out.find("recipe"), std::string::npos) << text.out;
  EXPECT_NE(json.out.find("\"fingerprints\":2,\"bits\":64,\"distance\":3,\"disk_bytes\":"), std::string::npos)
      << json.out;
}

TEST(ServerStore, AStoreIsNoFolderOfResultsAndALostSlashNoFolder) {
  const Folder folder;
  const std::string input = folder.write("in.jsonl", "{\"id\":\"a\",\"text\":\"one two three\"}\n");
  const auto expect_refused = [](const std::vector<std::string>& arguments, const char* words) {
    const Ran ran = run(arguments);
    EXPECT_EQ(ran.exit, exit_code(Code::kUnsupported)) << ran.err;
    EXPECT_NE(ran.err.find(words), std::string::npos) << ran.err;
    EXPECT_EQ((ran.out + ran.err).find("geheim"), std::string::npos) << ran.out << ran.err;
    EXPECT_FALSE(std::filesystem::exists("redis:"));
  };
  expect_refused({"index", "create", "redis:/127.0.0.1/x"}, "did you mean redis://");
  expect_refused({"dedup", input, "-o", folder / "out", "--into", "redis:/127.0.0.1/x", "--progress", "off"},
                 "did you mean redis://");
  const Ran lost = run({"dedup", input, "-o", "redis:/127.0.0.1/x", "--progress", "off"});
  EXPECT_EQ(lost.exit, kExitUsage) << lost.err;
  EXPECT_NE(lost.err.find("./redis:/127"), std::string::npos) << lost.err;
  EXPECT_EQ(run({"dedup", input, "-o", "redis:/u:geheim@h/x", "--progress", "off"}).err.find("geheim"),
            std::string::npos);
  const Ran ran = run({"dedup", input, "-o", kClosed, "--progress", "off"});
  EXPECT_EQ(ran.exit, kExitUsage) << ran.err;
  EXPECT_NE(ran.err.find("--into redis://"), std::string::npos) << ran.err;
  EXPECT_EQ(ran.err.find("geheim"), std::string::npos) << ran.err;
  EXPECT_FALSE(std::filesystem::exists("redis:"));
}

TEST(ServerStore, AStoreIsNoInput) {
  const Folder folder;
  const std::string input = folder.write("in.jsonl", "{\"id\":\"a\",\"text\":\"one two three\"}\n");
  const auto expect_refused = [](const std::vector<std::string>& arguments, const char* words) {
    const Ran ran = run(arguments);
    EXPECT_NE(ran.exit, 0);
    EXPECT_NE(ran.err.find(words), std::string::npos) << ran.err;
    EXPECT_EQ((ran.out + ran.err).find("geheim"), std::string::npos) << ran.out << ran.err;
  };
  expect_refused({"dedup", kClosed, "-o", folder / "out", "--progress", "off"}, "--reference");
  expect_refused({"index", "create", folder / "store", kClosed}, "redis://...@127.0.0.1");
  expect_refused({"text", kClosed}, "is a store on a server");
  expect_refused({"fingerprint", kClosed}, "is a store on a server");
  for (const char* command : {"pairs", "similar", "lines"}) expect_refused({command, kClosed}, "redis://...@127.0.0.1");
}

TEST(ServerStore, WhatIsOfFoldersAloneIsRefused) {
  const auto expect_refused = [](const std::vector<std::string>& arguments, const char* words) {
    const Ran ran = run(arguments);
    EXPECT_NE(ran.exit, 0);
    EXPECT_NE(ran.err.find(words), std::string::npos) << ran.err;
  };
  expect_refused({"index", "create", kClosed, "--plan", "permuted:4,1"}, "--plan and --codec are of an index");
  expect_refused({"index", "check", kClosed, "--repair"}, "--repair is for folders");
  expect_refused({"serve", kClosed, "--sync", "every:5"}, "--sync every:MS is of a store in a folder");
  expect_refused({"index", "info", "mysql://host/x"}, "is no place of a store");
  expect_refused({"index", "info", "redis://host"}, "no name of a store");
  const Folder folder;
  expect_refused({"index", "drop", folder / "none"}, "only those are exported, copied and dropped");
  ASSERT_EQ(run({"index", "create", folder / "store", "--recipe", "default"}).exit, 0);
  expect_refused({"index", "drop", folder / "store"}, "is a folder");
}

TEST(ServerStore, WhatWasTypedIsRepeatedWithoutPasswords) {
  EXPECT_EQ(without_password("redis://u:geheim@host:1/p"), "redis://u@host:1/p");
  EXPECT_EQ(without_password("--into=rediss://:geheim@host:1/p"), "--into=rediss://host:1/p");
  EXPECT_EQ(without_password("redis://u:geheim@host"), "redis://...");
  for (const char* same : {"redis://host/p", "hbase://host/t", "a@b", "redis:/x", ""})
    EXPECT_EQ(without_password(same), same);
  const Folder folder;
  const std::string input = folder.write("in.jsonl", "{\"id\":\"a\",\"text\":\"one two three\"}\n");
  const Ran ran = run({"dedup", input, "--into", kClosed, "-o"});
  EXPECT_EQ(ran.exit, kExitUsage);
  EXPECT_EQ(ran.err.find("geheim"), std::string::npos) << ran.err;
}

TEST(ServerStore, ThePasswordComesFromTheEnvironmentWhereTheUriHasNone) {
  ASSERT_EQ(setenv("NEARDUP_REDIS_PASSWORD", "p/w@:%", 1), 0);
  EXPECT_EQ(*given_place("redis://host:1/p"), "redis://:p%2Fw%40%3A%25@host:1/p");
  EXPECT_EQ(*given_place("rediss://user@host/p?a=b"), "rediss://user:p%2Fw%40%3A%25@host/p?a=b");
  EXPECT_EQ(*given_place("redis://user:@[::1]:1/p"), "redis://user:p%2Fw%40%3A%25@[::1]:1/p");
  EXPECT_EQ(*given_place("redis://u:own@host/p"), "redis://u:own@host/p");
  EXPECT_EQ(*given_place("hbase://host/t"), "hbase://host/t");
  EXPECT_EQ(*given_place("folder"), "folder");
  EXPECT_EQ(*given_place(""), "");
  ASSERT_EQ(setenv("NEARDUP_REDIS_PASSWORD", "", 1), 0);
  EXPECT_EQ(*given_place("redis://host:1/p"), "redis://host:1/p");
  ASSERT_EQ(unsetenv("NEARDUP_REDIS_PASSWORD"), 0);
  EXPECT_EQ(*given_place("redis://host:1/p"), "redis://host:1/p");
}

}  // namespace
}  // namespace neardup::cli
