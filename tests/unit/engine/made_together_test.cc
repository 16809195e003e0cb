// Stores on a server that several make at the same moment: one makes it, the others open it.
#include <gtest/gtest.h>

#include <barrier>
#include <thread>

#include "neardup/engine/online/open_text_store.h"
#include "neardup/engine/online/store_place.h"
#include "neardup/engine/stored/run_store.h"
#include "tests/unit/remote_redis/redis_server.h"

namespace neardup::engine {
namespace {

class MadeTogether : public testing::Test {
 protected:
  void SetUp() override {
    if (!remote::RedisServer::is_installed()) GTEST_SKIP() << "there is no /usr/bin/redis-server here";
    server_ = std::make_unique<remote::RedisServer>();
  }
  [[nodiscard]] std::string place(const std::string& name) const {
    return "redis://127.0.0.1:" + std::to_string(server_->port()) + "/" + name;
  }
  std::unique_ptr<remote::RedisServer> server_;
};

TEST_F(MadeTogether, AllHaveTheSameStoreOpen) {
  constexpr int kTogether = 3, kRounds = 5;
  std::barrier together(kTogether);
  for (int round = 0; round < kRounds; ++round) {
    const std::string name = place("p" + std::to_string(round));
    std::vector<std::unique_ptr<TextStore>> stores(kTogether);
    std::vector<std::thread> threads;
    for (int i = 0; i < kTogether; ++i)
      threads.emplace_back([&, i] {
        together.arrive_and_wait();
        auto store = open_or_make_store(name, {});
        ASSERT_TRUE(store) << store.error().message;
        stores[i] = std::move(*store);
      });
    for (std::thread& thread : threads) thread.join();
    const ArrivingText text{.id = "a", .text = "one text that all of them get"};
    for (int i = 0; i < kTogether; ++i) {
      ASSERT_NE(stores[i], nullptr);
      const auto told = stores[i]->check_and_insert({&text, 1});
      ASSERT_TRUE(told) << told.error().message;
      EXPECT_EQ(told->front().is_repeated, i > 0);
    }
  }
}

TEST_F(MadeTogether, WhoMakesANewOneIsNotGivenAnother) {
  ASSERT_TRUE(TextStore::create(place("p"), {}));
  const auto again = TextStore::create(place("p"), {});
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, Code::kInvalidArgument);
  EXPECT_EQ(again.error().message.find("drop"), std::string::npos) << again.error().message;
  EXPECT_TRUE(was_made_meanwhile(again.error(), place("p")));
  EXPECT_FALSE(was_made_meanwhile(again.error(), place("q")));
  EXPECT_FALSE(was_made_meanwhile({Code::kIo, "no answer"}, place("p")));
}

// A run found no store when it began; when it ends another one has made it.
TEST_F(MadeTogether, ARunPutsWhatItKeptIntoTheOthersStoreWhereThatIsAlike) {
  const auto begun = [&](const std::string& name, DedupOptions& options) {
    options.into = place(name);
    auto store = open_run_store(options, {});
    EXPECT_TRUE(store) << store.error().message;
    EXPECT_EQ((*store)->texts, nullptr);
    return std::move(**store);
  };
  for (const bool is_alike : {true, false}) {
    DedupOptions options;
    RunStore store = begun(is_alike ? "alike" : "other", options);
    DedupOptions others;
    if (!is_alike) others.recipe.short_tokens = options.recipe.short_tokens + 3;
    ASSERT_TRUE(TextStore::create(store.folder, {.matching = others}));
    const Status made = make_run_store(store, {.matching = options}, options, {});
    EXPECT_EQ(made.has_value(), is_alike) << (made ? "" : made.error().message);
    if (made) {
      EXPECT_NE(store.texts, nullptr);
    }
    if (!made) {
      EXPECT_EQ(made.error().code, Code::kMismatch) << made.error().message;
    }
  }
}

}  // namespace
}  // namespace neardup::engine
