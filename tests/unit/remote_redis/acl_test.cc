// The line by which operators make a user of Redis for a store: it allows what a store does, and nothing else.
// conformance_test.cc and store_test.cc pass all they try as such a user.
#include <gtest/gtest.h>

#include "neardup/remote/redis/redis_backend.h"
#include "tests/unit/remote_redis/other_servers.h"

namespace neardup::remote {
namespace {

constexpr std::string_view kUser = "crawler";

class RedisAcl : public testing::Test {
 protected:
  void SetUp() override {
    if (!RedisServer::is_installed()) GTEST_SKIP() << "there is no /usr/bin/redis-server here (Debian: redis-server)";
  }

  [[nodiscard]] RemoteUri as_user(const std::string& name = "t") const {
    RemoteUri uri = server_.uri({}, name);
    uri.user = kUser;
    uri.password = "acl";
    return uri;
  }
  // Makes a store, puts a document in, says what there is, removes all.
  static Status use(const RemoteUri& uri) {
    store::StoreSettings settings{.num_fingerprints = 0};
    settings.recipe_json = "{}";
    NEARDUP_ASSIGN(const auto backend, create_redis_backend(uri, settings, {}, {}));
    const uint64_t key = 1;
    NEARDUP_ASSIGN(const Found found, backend->look_up({{&key, 1}, {}, 1, true}));
    const StoredDocument document{found.first_reserved, "record", {&key, 1}, {}};
    Change change;
    change.keys = {&key, 1}, change.added = {&document, 1};
    NEARDUP_TRY(backend->commit(*found.seen, {&change, 1}));
    NEARDUP_TRY(backend->compact());
    NEARDUP_ASSIGN(const BackendFigures figures, backend->figures());
    for (const auto& [name, value] : figures.facts)
      if (name == "memory") {
        EXPECT_EQ(value.find("unknown"), std::string::npos) << value;
      }
    return drop_redis_store(uri, {});
  }

  RedisServer server_;
};

TEST_F(RedisAcl, TheDocumentsAndTheProgramSayTheSame) {
  const std::string line = documented_acl("operations.md");
  EXPECT_EQ(line, "ACL SETUSER crawler on >PASSWORD ~{PREFIX}* " + std::string(redis::kAllowed));
  EXPECT_EQ(documented_acl("formats/redis.md"), line);
}

TEST_F(RedisAcl, NothingOfTheLineIsTooMuch) {
  const std::string line = documented_acl("operations.md");
  make_user(server_, "crawler", "t", line);
  const Status all = use(as_user());
  EXPECT_TRUE(all) << all.error().message;
  for (const std::string part : {"+@read", "+@write", "+evalsha", "+script|load"}) {
    std::string less = line;
    ASSERT_NE(less.find(part), std::string::npos) << part;
    less.replace(less.find(part), part.size(), "");
    ASSERT_EQ(server_.say({"ACL", "DELUSER", kUser}), "1");
    ASSERT_EQ(server_.say({"FLUSHALL"}), "OK");
    ASSERT_EQ(server_.say({"SCRIPT", "FLUSH"}), "OK");
    make_user(server_, "crawler", "t", less);
    const Status some = use(as_user());
    ASSERT_FALSE(some) << part;
    EXPECT_EQ(some.error().code, Code::kIo);
    const std::string cure = "ACL SETUSER crawler ~{t}* " + std::string(redis::kAllowed);
    EXPECT_NE(some.error().message.find(cure), std::string::npos) << some.error().message;
  }
}

TEST_F(RedisAcl, TheUserMayDoNothingElse) {
  make_user(server_, "crawler", "t", documented_acl("operations.md"));
  ASSERT_EQ(server_.say({"SET", "{other}m", "x"}), "OK");
  const auto refused = is_redis_store(as_user("other"), {});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("ACL SETUSER crawler ~{other}*"), std::string::npos)
      << refused.error().message;
  bool is_transient = false;
  const auto connection = redis::Connection::open(as_user(), {}, is_transient);
  ASSERT_TRUE(connection) << connection.error().message;
  redis::Request request;
  request.command({"GET", "{other}m"}).command({"FLUSHALL"}).command({"CONFIG", "GET", "requirepass"});
  request.command({"KEYS", "*"}).command({"EVAL", "return 1", "0"}).command({"SCRIPT", "FLUSH"});
  request.command({"ACL", "WHOAMI"}).command({"SHUTDOWN"});
  const auto replies = (*connection)->exchange(request);
  ASSERT_TRUE(replies) << replies.error().message;
  for (size_t i = 0; i < replies->size(); ++i)
    EXPECT_TRUE(replies->text((*replies)[i]).starts_with("NOPERM")) << i << replies->text((*replies)[i]);
}

TEST_F(RedisAcl, WithoutTheSettingsOfTheServerSomeIsToldOfPersistence) {
  make_user(server_, "crawler", "t", documented_acl("operations.md"));
  store::StoreSettings settings{.num_fingerprints = 0};
  settings.recipe_json = "{}";
  const auto backend = create_redis_backend(as_user(), settings, {}, {});
  ASSERT_TRUE(backend) << backend.error().message;
  const auto persistence = [&] {
    const auto figures = (*backend)->figures();
    EXPECT_TRUE(figures);
    for (const auto& [name, value] : figures->facts)
      if (name == "persistence") return value;
    return std::string();
  };
  EXPECT_TRUE(persistence().starts_with("no append-only file; whatever else is unknown")) << persistence();
  ASSERT_EQ(server_.say({"CONFIG", "SET", "appendonly", "yes"}), "OK");
  EXPECT_TRUE(persistence().starts_with("append-only file; whatever else is unknown")) << persistence();
}

}  // namespace
}  // namespace neardup::remote
