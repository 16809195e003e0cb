// A store on a server answers as the store in a folder does, on random streams of documents and of all else that
// changes it; and each is copied into the other one.
#include "neardup/remote/remote_store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <ostream>
#include <random>

#include "neardup/store/copy_store.h"
#include "neardup/store/embedded_store.h"
#include "tests/failing_file_system.h"
#include "tests/own_path.h"
#include "tests/unit/remote/memory_backend.h"
#include "tests/unit/store/store_look.h"
#include "tests/unit/store/store_model.h"

namespace neardup::remote {
namespace {

using store::Answer;
using store::ByNumber;
using store::OwnedRecord;
using store::seen_in;
using store::Store;
using store::views_of;

store::StoreSettings settings_of(uint32_t num_bits) {
  store::StoreSettings settings{.num_fingerprints = 1, .num_bits = num_bits};
  settings.has_passages = num_bits == 64;
  return settings;
}

struct Kind {
  uint32_t num_bits = 64;
  uint64_t key_mask = UINT64_MAX;  // what the server keeps of a key
};
void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.num_bits << ":" << std::hex << kind.key_mask; }

class RemoteStoreAgreesTest : public testing::TestWithParam<Kind> {
 protected:
  void SetUp() override { remove(); }
  void TearDown() override { remove(); }
  static void remove() {
    for (const char* name : {"one", "copy", "snapshot"}) std::filesystem::remove_all(own_path(name));
  }
  static std::unique_ptr<store::EmbeddedStore> in_folder(const std::string& name) {
    auto made = store::EmbeddedStore::create(own_path(name), settings_of(GetParam().num_bits));
    EXPECT_TRUE(made) << made.error().message;
    return std::move(*made);
  }
  static std::unique_ptr<RemoteStore> on_server() {
    auto server = std::make_shared<MemoryServer>(settings_of(GetParam().num_bits));
    server->key_mask = GetParam().key_mask;
    return std::make_unique<RemoteStore>(std::make_unique<MemoryBackend>(std::move(server)));
  }
  OwnedRecord some() {
    OwnedRecord document = store::some_document(random_);
    if (random_() % 3 == 0) document.id += std::to_string(random_() % 4);
    if (random_() % 2 == 0) document = store::in_a_crowd(std::move(document), random_);
    return GetParam().num_bits == 128 ? store::widened(std::move(document)) : store::with_passages(std::move(document));
  }
  void change_otherwise(Store& a, Store& b, const std::string& where);

  std::mt19937_64 random_{1};
};

void expect_same(const std::vector<Answer>& a, const std::vector<Answer>& b, const std::string& where) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(a[i].fate.kind, b[i].fate.kind) << where << ":" << i;
    ASSERT_EQ(a[i].kept_id, b[i].kept_id) << where << ":" << i;
    ASSERT_EQ(a[i].is_repeated, b[i].is_repeated) << where << ":" << i;
    ASSERT_EQ(a[i].fate.similarity, b[i].fate.similarity) << where << ":" << i;
    ASSERT_EQ(a[i].fate.distance, b[i].fate.distance) << where << ":" << i;
  }
}

template <class T>
void expect_same(const Result<T>& a, const Result<T>& b, const std::string& where) {
  ASSERT_TRUE(a && b) << where;
  ASSERT_EQ(*a, *b) << where;
}

void RemoteStoreAgreesTest::change_otherwise(Store& a, Store& b, const std::string& where) {
  const std::string tag = "t" + std::to_string(random_() % 3);
  const OwnedRecord document = some();
  const uint64_t what = random_() % 9;
  if (what == 0) {
    const std::string_view ids[] = {document.id, "nobody", document.id};
    std::vector<size_t> missing_a, missing_b;
    expect_same(a.erase(ids, &missing_a), b.erase(ids, &missing_b), where);
    ASSERT_EQ(missing_a, missing_b) << where;
  } else if (what == 1) {
    expect_same(a.erase_tag(tag), b.erase_tag(tag), where);
  } else if (what == 2) {
    const auto before = static_cast<int64_t>(random_() % 4);
    expect_same(a.expire(before), b.expire(before), where);
  } else if (what == 3) {
    ASSERT_TRUE(a.put(views_of({document})) && b.put(views_of({document})));
  } else if (what < 6) {
    expect_same(a.begin_tag(tag), b.begin_tag(tag), where);
  } else if (what < 8) {
    expect_same(a.commit_tag(tag), b.commit_tag(tag), where);
  } else {
    expect_same(a.cancel_tag(tag), b.cancel_tag(tag), where);
  }
}

TEST_P(RemoteStoreAgreesTest, OnStreamsOfAll) {
  FailingFileSystem unsynced({});
  const ReplacedFileSystem replaced(unsynced);
  const ByNumber judge;
  for (uint64_t seed = 0; seed < 4; ++seed) {
    random_.seed(seed);
    std::filesystem::remove_all(own_path("one"));
    const auto a = on_server();
    const auto b = in_folder("one");
    for (int step = 0; step < 100; ++step) {
      const std::string where = std::to_string(seed) + ":" + std::to_string(step);
      std::vector<OwnedRecord> batch;
      for (uint64_t count = random_() % 40; count > 0; --count) batch.push_back(some());
      const auto checked_a = a->check(views_of(batch), judge), checked_b = b->check(views_of(batch), judge);
      ASSERT_TRUE(checked_a && checked_b) << where;
      ASSERT_NO_FATAL_FAILURE(expect_same(*checked_a, *checked_b, where));
      const auto by_a = a->check_and_insert(views_of(batch), judge), by_b = b->check_and_insert(views_of(batch), judge);
      ASSERT_TRUE(by_a && by_b) << where;
      ASSERT_NO_FATAL_FAILURE(expect_same(*by_a, *by_b, where));
      ASSERT_NO_FATAL_FAILURE(change_otherwise(*a, *b, where));
      if (step % 10 == 0) {
        ASSERT_EQ(seen_in(*a), seen_in(*b)) << where;
      }
    }
    ASSERT_EQ(a->statistics()->documents, b->statistics()->documents);
    ASSERT_EQ(a->statistics()->duplicates, b->statistics()->duplicates);
    ASSERT_EQ(a->statistics()->open_tags, b->statistics()->open_tags);
  }
}

// A copy goes on as the original does.
TEST_P(RemoteStoreAgreesTest, AfterBeingCopiedIntoEachOther) {
  FailingFileSystem unsynced({});
  const ReplacedFileSystem replaced(unsynced);
  const ByNumber judge;
  const auto a = on_server();
  auto b = in_folder("one");
  const auto insert = [&](Store& store, const std::vector<OwnedRecord>& batch) {
    auto answers = store.check_and_insert(views_of(batch), judge);
    EXPECT_TRUE(answers) << answers.error().message;
    return std::move(*answers);
  };
  const auto go_on = [&](Store& one, Store& other) {
    for (int step = 0; step < 40; ++step) {
      std::vector<OwnedRecord> batch;
      for (int i = 0; i < 8; ++i) batch.push_back(some());
      ASSERT_NO_FATAL_FAILURE(expect_same(insert(one, batch), insert(other, batch), std::to_string(step)));
      ASSERT_NO_FATAL_FAILURE(change_otherwise(one, other, std::to_string(step)));
    }
    ASSERT_EQ(seen_in(one), seen_in(other));
  };
  ASSERT_NO_FATAL_FAILURE(go_on(*a, *b));
  static_cast<void>(a->begin_tag("t1")), static_cast<void>(b->begin_tag("t1"));
  const auto on_another = on_server();
  const auto in_another = in_folder("copy");
  const Status to_server = copy_documents(*b, *on_another), to_folder = copy_documents(*a, *in_another);
  ASSERT_TRUE(to_server) << to_server.error().message;
  ASSERT_TRUE(to_folder) << to_folder.error().message;
  ASSERT_EQ(seen_in(*on_another), seen_in(*b));
  ASSERT_EQ(seen_in(*in_another), seen_in(*a));
  EXPECT_EQ(copy_documents(*b, *on_another).error().code, Code::kInvalidArgument);
  ASSERT_NO_FATAL_FAILURE(go_on(*on_another, *in_another));
  const Status made = on_another->snapshot(own_path("snapshot"));
  ASSERT_TRUE(made) << made.error().message;
  const auto opened = store::EmbeddedStore::open(own_path("snapshot"));
  ASSERT_TRUE(opened) << opened.error().message;
  ASSERT_EQ(seen_in(**opened), seen_in(*on_another));
}

INSTANTIATE_TEST_SUITE_P(Widths, RemoteStoreAgreesTest,
                         testing::Values(Kind{64}, Kind{128}, Kind{64, 0xff}, Kind{64, 0}, Kind{128, 0xff}));

}  // namespace
}  // namespace neardup::remote
