// A store on a cluster of Redis: on whatever node its slot is, moves, or is taken over, from the address of any node.
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "neardup/remote/redis/redis_backend.h"
#include "neardup/remote/remote_store.h"
#include "tests/unit/remote_redis/other_servers.h"
#include "tests/unit/store/store_model.h"

namespace neardup::remote {
namespace {

using std::chrono::milliseconds;

constexpr int kHalf = 8192;  // slots of the first node

store::StoreSettings cluster_settings() {
  store::StoreSettings settings{.num_fingerprints = 1};
  settings.recipe_json = "{}";
  settings.max_distance = 3;
  return settings;
}

class RedisCluster : public testing::Test {
 protected:
  void SetUp() override {
    if (!RedisServer::is_installed()) GTEST_SKIP() << "there is no /usr/bin/redis-server here (Debian: redis-server)";
    first_ = std::make_unique<RedisServer>(first_options_);
    second_ = std::make_unique<RedisServer>(second_options_);
    ASSERT_EQ(first_->say({"CLUSTER", "ADDSLOTSRANGE", "0", std::to_string(kHalf - 1)}), "OK");
    ASSERT_EQ(second_->say({"CLUSTER", "ADDSLOTSRANGE", std::to_string(kHalf), "16383"}), "OK");
    meet(*second_);
    wait_for_cluster(*first_);
    wait_for_cluster(*second_);
  }
  void meet(const RedisServer& node) const {
    ASSERT_EQ(node.say({"CLUSTER", "MEET", "127.0.0.1", std::to_string(first_->port()), first_options_[3]}), "OK");
  }

  int slot_of(const std::string& name) const {
    return std::stoi(first_->say({"CLUSTER", "KEYSLOT", "{" + name + "}"}));
  }
  // A prefix whose slot is on the first node, or on the second.
  std::string name_on(bool first) const {
    for (int i = 0;; ++i)
      if (const std::string name = "p" + std::to_string(i); (slot_of(name) < kHalf) == first) return name;
  }
  static std::unique_ptr<RemoteStore> store_over(Result<std::unique_ptr<Backend>> backend) {
    EXPECT_TRUE(backend) << backend.error().message;
    return backend ? std::make_unique<RemoteStore>(std::move(*backend)) : nullptr;
  }
  // Inserts document i; returns whether it is new.
  static Result<bool> add(store::Store& store, int i) {
    const store::OwnedRecord document = store::document_of("id" + std::to_string(i), 10 * i);
    const store::Record view = document.view();
    NEARDUP_ASSIGN(const auto answers, store.check_and_insert({&view, 1}, store::ByNumber()));
    return answers[0].fate.kind == store::Kind::kNew && !answers[0].is_repeated;
  }
  static void expect_new(store::Store& store, int i) {
    const auto is_new = add(store, i);
    ASSERT_TRUE(is_new) << is_new.error().message;
    EXPECT_TRUE(*is_new) << i;
  }
  static void expect_documents(store::Store& store, uint64_t count) {
    const auto statistics = store.statistics();
    ASSERT_TRUE(statistics) << statistics.error().message;
    EXPECT_EQ(statistics->documents, count);
  }
  // Waits until a node has heard of another one by others.
  static void wait_until_known(const RedisServer& to, const RedisServer& node, const std::string& role) {
    const std::string id = id_of(node);
    const auto is_known = [&] {
      std::istringstream lines(to.say({"CLUSTER", "NODES"}));
      for (std::string line; std::getline(lines, line);)
        if (line.starts_with(id)) return line.find(role) != std::string::npos;
      return false;
    };
    ASSERT_TRUE(comes_true(is_known)) << to.say({"CLUSTER", "NODES"});
  }
  static std::string id_of(const RedisServer& node) { return node.say({"CLUSTER", "MYID"}); }

  RedisServer::Words first_options_ = cluster_options(), second_options_ = cluster_options();
  std::unique_ptr<RedisServer> first_, second_;
};

TEST_F(RedisCluster, AnyNodeLeadsToTheOneThatHasTheStore) {
  for (const bool is_on_first : {true, false}) {
    const std::string name = name_on(is_on_first);
    RedisServer& far = is_on_first ? *second_ : *first_;
    const auto store = store_over(create_redis_backend(far.uri({}, name), cluster_settings(), {}, {}));
    ASSERT_NE(store, nullptr);
    for (int i = 0; i < 30; ++i) expect_new(*store, i);
    for (const RedisServer* node : {first_.get(), second_.get()}) {
      const auto again = store_over(open_redis_backend(node->uri({}, name), {}));
      ASSERT_NE(again, nullptr);
      expect_documents(*again, 30);
      EXPECT_FALSE(*add(*again, 7));
    }
    EXPECT_EQ(far.say({"DBSIZE"}), "0");  // drop looks for keys where they are
    EXPECT_TRUE(drop_redis_store(far.uri({}, name), {}));
    EXPECT_EQ((is_on_first ? *first_ : *second_).say({"DBSIZE"}), "0");
  }
}

TEST_F(RedisCluster, ASlotThatMovesIsFollowed) {
  const std::string name = name_on(true), slot = std::to_string(slot_of(name));
  const auto store = store_over(create_redis_backend(first_->uri({}, name), cluster_settings(), {}, {}));
  ASSERT_NE(store, nullptr);
  for (int i = 0; i < 30; ++i) expect_new(*store, i);
  RemoteOptions soon;  // gives up; only who waits longer follows a slot on a busy machine
  soon.connect_timeout = milliseconds(300);
  const auto hasty = store_over(open_redis_backend(first_->uri({}, name), soon));
  ASSERT_NE(hasty, nullptr);
  ASSERT_EQ(second_->say({"CLUSTER", "SETSLOT", slot, "IMPORTING", id_of(*first_)}), "OK");
  ASSERT_EQ(first_->say({"CLUSTER", "SETSLOT", slot, "MIGRATING", id_of(*second_)}), "OK");
  const auto meanwhile = add(*hasty, 1000);  // whose lists are on neither node
  ASSERT_FALSE(meanwhile);
  EXPECT_EQ(meanwhile.error().code, Code::kIo);
  EXPECT_NE(meanwhile.error().message.find("moves to another node of the cluster: try again"), std::string::npos)
      << meanwhile.error().message;
  redis::Request list;
  list.command({"CLUSTER", "GETKEYSINSLOT", slot, "100000"});
  const auto keys = first_->exchange(list);
  ASSERT_TRUE(keys) << keys.error().message;
  ASSERT_GT((*keys)[0].size, 30u);
  redis::Request move;
  for (size_t i = 0; i < (*keys)[0].size; ++i)
    move.command(
        {"MIGRATE", "127.0.0.1", std::to_string(second_->port()), keys->text(keys->element(0, i)), "0", "5000"});
  const auto moved = first_->exchange(move);
  ASSERT_TRUE(moved) << moved.error().message;
  for (size_t i = 0; i < moved->size(); ++i) ASSERT_EQ(moved->text((*moved)[i]), "OK");
  for (const RedisServer* node : {second_.get(), first_.get()})
    ASSERT_EQ(node->say({"CLUSTER", "SETSLOT", slot, "NODE", id_of(*second_)}), "OK");
  expect_new(*store, 1000);
  for (int i = 0; i < 30; ++i) EXPECT_FALSE(*add(*store, i));
  expect_documents(*store, 31);
  EXPECT_EQ(first_->say({"DBSIZE"}), "0");
}

TEST_F(RedisCluster, AFailoverIsFollowed) {
  RedisServer replica(cluster_options());
  meet(replica);
  const std::string first = id_of(*first_), name = name_on(true);
  const auto replicates = [&] { return replica.say({"CLUSTER", "REPLICATE", first}); };
  std::string answer;  // it has to hear of that node first
  ASSERT_TRUE(comes_true([&] { return (answer = replicates()) == "OK"; })) << answer;
  wait_until_known(*second_, replica, " slave ");
  wait_until_known(replica, *second_, " master ");
  wait_for_cluster(replica);
  const auto store = store_over(create_redis_backend(second_->uri({}, name), cluster_settings(), {}, {}));
  ASSERT_NE(store, nullptr);
  for (int i = 0; i < 30; ++i) expect_new(*store, i);
  const std::string probe = "{" + name + "}probe";
  redis::Request wait;  // for what the connection that waits has written, and all before it
  wait.command({"SET", probe, "1"});
  wait.command({"DEL", probe});
  wait.command({"WAIT", "1", "30000"});
  const auto waited = first_->exchange(wait);
  ASSERT_TRUE(waited) << waited.error().message;
  ASSERT_EQ((*waited)[2].integer, 1);
  first_->stop();
  ASSERT_EQ(replica.say({"CLUSTER", "FAILOVER", "TAKEOVER"}), "OK");
  wait_until_known(*second_, replica, " master ");
  for (int i = 0; i < 30; ++i) {
    const auto is_new = add(*store, i);
    ASSERT_TRUE(is_new) << is_new.error().message;
    EXPECT_FALSE(*is_new);
  }
  expect_new(*store, 1000);
  expect_documents(*store, 31);
}

TEST_F(RedisCluster, ANodeThatIsGoneIsNamed) {
  const std::string name = name_on(true), gone = ":" + std::to_string(first_->port()) + "/";
  RemoteOptions options;
  options.connect_timeout = milliseconds(200);
  first_->stop();
  const auto is_there = is_redis_store(second_->uri({}, name), options);
  ASSERT_FALSE(is_there);
  EXPECT_EQ(is_there.error().code, Code::kIo);
  EXPECT_NE(is_there.error().message.find(gone), std::string::npos) << is_there.error().message;
}

}  // namespace
}  // namespace neardup::remote
