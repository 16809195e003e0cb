// Tables of stores that are made, opened and dropped while the server refuses, is silent or answers otherwise: over a
// gateway in this process.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/remote/hbase/hbase_backend.h"
#include "tests/unit/remote/fake_hbase.h"

namespace neardup::remote {
namespace {

class HBaseTable : public testing::Test {
 protected:
  HBaseTable() { settings_.num_fingerprints = 1; }
  [[nodiscard]] auto create(std::span<const store::GivenFile> files = {}) const {
    return create_hbase_backend(gateway_.uri(), settings_, {}, files);
  }
  [[nodiscard]] Status drop() const { return drop_hbase_store(gateway_.uri(), {}); }
  /// The server refuses calls of this name.
  void refuse(std::string_view call, const std::string& words, bool can_retry = false) {
    gateway_.hbase->set_meets([=, refused = std::string(call)](std::string_view begun) {
      if (begun == refused) FakeHBase::refuse(words, can_retry);
    });
  }
  void expect_words(const Error& error, Code code, std::string_view words) const {
    EXPECT_EQ(error.code, code);
    EXPECT_NE(error.message.find(words), std::string::npos) << error.message;
  }

  template <class R>
  static Error error_of(const R& result) {
    return result ? Error{Code::kIo, "none"} : result.error();
  }

  FakeGateway gateway_;
  store::StoreSettings settings_;
};

// HBase's own rule. The gateway only says that something went wrong inside.
TEST_F(HBaseTable, ANameThatHBaseHasNotIsRefusedBeforeItIsAsked) {
  for (const std::string name : {"-news", ".news"}) {
    RemoteUri uri = gateway_.uri();
    uri.name = name;
    for (const Error& error :
         {error_of(create_hbase_backend(uri, settings_, {}, {})), error_of(open_hbase_backend(uri, {})),
          error_of(is_hbase_store(uri, {})), error_of(drop_hbase_store(uri, {}))}) {
      expect_words(error, Code::kInvalidArgument, "begins with a letter, a digit or '_', found '" + name + "'");
      expect_words(error, Code::kInvalidArgument, "hbase://127.0.0.1:");
    }
  }
  RemoteUri uri = gateway_.uri();
  uri.name = "_news.a-b";
  EXPECT_FALSE(*is_hbase_store(uri, {}));
}

// The settings are what makes it a store: nothing that may fail comes after them.
TEST_F(HBaseTable, ACreateThatFailedMadeNoStore) {
  refuse("getClusterId", "no cluster");
  EXPECT_FALSE(create());
  EXPECT_FALSE(*is_hbase_store(gateway_.uri(), {}));
  refuse("none", "");
  const auto made = create();
  EXPECT_TRUE(made) << made.error().message;
}

TEST_F(HBaseTable, WhyTheServerRemovesNoTableIsTold) {
  ASSERT_TRUE(create());
  refuse("deleteTable", "AccessDeniedException: no such right");
  const Status dropped = drop();
  ASSERT_FALSE(dropped);
  expect_words(dropped.error(), Code::kIo, "no such right");
  refuse("none", "");
  EXPECT_TRUE(drop()) << "the table is disabled by now";
  EXPECT_EQ(drop().error().code, Code::kNotFound);
}

TEST_F(HBaseTable, ADropWhoseAnswerIsLostLeavesTheStoreThatWasMadeMeanwhile) {
  ASSERT_TRUE(create());
  std::atomic<bool> is_first = true;
  gateway_.hbase->set_meets([&](std::string_view call) {
    if (call != "deleteTable" || !is_first.exchange(false)) return;
    EXPECT_TRUE(drop()) << "the try before";
    EXPECT_TRUE(create()) << "somebody else";
    FakeHBase::refuse("TableNotDisabledException: it is enabled");
  });
  const Status dropped = drop();
  EXPECT_TRUE(dropped) << dropped.error().message;
  EXPECT_TRUE(*is_hbase_store(gateway_.uri(), {}));
}

// One limit for one call: where a question is not answered the next one is not asked.
TEST_F(HBaseTable, OfAServerThatIsNotReadyOneQuestionIsEnough) {
  ASSERT_TRUE(create());
  for (const std::string call : {"getTableDescriptor", "isTableDisabled"}) {
    gateway_.hbase->forget_calls();
    refuse(call, "not ready", true);
    RemoteOptions options;
    options.call_timeout = std::chrono::milliseconds(2000);  // enough for a question and its answer, on any machine
    const auto opened = open_hbase_backend(gateway_.uri(), options);
    ASSERT_FALSE(opened);
    expect_words(opened.error(), Code::kIo, "not ready");
    EXPECT_EQ(gateway_.hbase->num_calls("tableExists"), 1u);
    EXPECT_EQ(gateway_.hbase->num_calls("isTableDisabled") > 0, call == "isTableDisabled");
  }
}

TEST_F(HBaseTable, FilesThatComeInPartsOfNothingEndSomewhere) {
  const std::vector<store::GivenFile> files = {{"list", "of some bytes"}};
  ASSERT_TRUE(create(files));
  int asked = 0;
  gateway_.hbase->twist_gets = [&](FakeHBase::Results& rows) {
    for (auto& row : rows)
      if (row.columnValues.size() < 2 && ++asked < 100) row.columnValues = {FakeHBase::cell("file", "")};
  };
  const auto damaged = open_hbase_backend(gateway_.uri(), {});
  ASSERT_FALSE(damaged);
  expect_words(damaged.error(), Code::kCorruption, "the file 'list' is not the one that the store was made with");
  EXPECT_EQ(asked, 1);
}

TEST_F(HBaseTable, AFileThatIsNotAnsweredIsNoDamage) {
  const std::vector<store::GivenFile> files = {{"list", "of some bytes"}};
  ASSERT_TRUE(create(files));
  gateway_.hbase->twist_gets = [&](FakeHBase::Results& rows) {
    if (rows.size() == 1 && rows[0].columnValues.size() == 1) rows.clear();
  };
  const auto refused = open_hbase_backend(gateway_.uri(), {});
  ASSERT_FALSE(refused);
  expect_words(refused.error(), Code::kIo, "answered fewer questions");
}

}  // namespace
}  // namespace neardup::remote
