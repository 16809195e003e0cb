// Memory that is refused anywhere: what a call was told is what is there, at once and after a restart.
#include "tests/refused_memory.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "neardup/base/guard.h"
#include "neardup/store/embedded_store.h"
#include "neardup/store/id_table.h"
#include "neardup/store/index_directory.h"
#include "neardup/store/log_reader.h"
#include "neardup/store/log_writer.h"
#include "tests/failing_file_system.h"
#include "tests/own_path.h"
#include "tests/unit/store/store_look.h"
#include "tests/unit/store/store_model.h"

namespace neardup::store::refused_memory_test {
namespace {

namespace fs = std::filesystem;

class RefusedMemoryTest : public testing::Test {
 protected:
  RefusedMemoryTest() : folder_(own_path()) { fs::remove_all(folder_); }
  ~RefusedMemoryTest() override { fs::remove_all(folder_); }

  const std::string folder_;
  FailingFileSystem without_syncs_{{}};
  const ReplacedFileSystem replaced_{without_syncs_};
};

std::vector<std::string> records_of(const std::string& folder) {
  std::vector<std::string> records;
  const uint64_t log = 1;
  const auto end = read_logs(folder, {&log, 1}, 0, [&](const LoggedRecord& record) -> Status {
    records.emplace_back(record.bytes);
    return {};
  });
  EXPECT_TRUE(end) << end.error().message;
  return records;
}

// A is there before, C comes after B, of which a piece of memory is refused.
bool log_without_piece(const std::string& folder, int64_t n, const std::string& b) {
  fs::remove_all(folder);
  fs::create_directories(folder);
  std::vector<std::string> acknowledged;
  {
    const auto log = LogWriter::create(folder, 1, 0).value();
    const auto send = [&](const std::string& record) {
      return guarded([&]() -> Status {
        NEARDUP_ASSIGN(const LogWriter::Ticket ticket, log->append(record));
        return log->wait(ticket);
      });
    };
    const auto a = log->append("A").value();
    std::optional<RefusedMemory> refused(n);
    const bool is_sent = send(b).has_value();
    if (!refused->was_refused()) return false;
    refused.reset();
    if (log->wait(a)) acknowledged.push_back("A");
    if (is_sent) acknowledged.push_back(b);
    EXPECT_TRUE(log->resume());
    EXPECT_TRUE(send("C")) << n;
    acknowledged.push_back("C");
  }
  EXPECT_EQ(records_of(folder), acknowledged) << n;
  return true;
}

TEST_F(RefusedMemoryTest, ALogHasWhatItAcknowledged) {
  for (const size_t size : {1, 100, 1 << 20}) {
    const std::string b(size, 'b');
    EXPECT_GT(refuse_each(1, [&](int64_t n) { return log_without_piece(folder_, n, b); }), 2);
  }
}

// One change of a store, the same of the model.
class Step {
 public:
  explicit Step(std::mt19937_64& random) : what_(random() % 12), documents_(1 + random() % 4) {
    for (OwnedRecord& document : documents_) document = with_passages(some_document(random));
    tag_ = "t" + std::to_string(random() % 3);
    before_ = static_cast<int64_t>(random() % 8);
  }

  // Returns what it was told, as a text.
  Result<std::string> make(EmbeddedStore& store) const {
    const std::vector<Record> views = views_of(documents_);
    switch (what_) {
      case 0:
        return told(store.erase_tag(tag_));
      case 1:
        return told(store.expire(before_));
      case 2:
        return told(store.begin_tag(tag_));
      case 3:
        return told(store.commit_tag(tag_));
      case 4:
        return told(store.cancel_tag(tag_));
      case 5:
        return told(store.put(views));
      case 6: {
        const std::string_view id = documents_[0].id;
        return told(store.erase({&id, 1}));
      }
      case 7:
        return told(store.checkpoint());
      default:
        break;
    }
    NEARDUP_ASSIGN(const std::vector<Answer> answers, store.check_and_insert(views, ByNumber()));
    return told(answers);
  }
  std::string make(StoreModel& model) const {
    switch (what_) {
      case 0:
        return told(model.erase_tag(tag_)).value();
      case 1:
        return told(model.expire(before_)).value();
      case 2:
        return told(model.begin_tag(tag_)).value();
      case 3:
        return told(model.commit_tag(tag_)).value();
      case 4:
        return told(model.cancel_tag(tag_)).value();
      case 5:
        for (const OwnedRecord& document : documents_) model.put(document);
        return "";
      case 6:
        return told(model.erase(documents_[0].id)).value();
      case 7:
        return "";
      default:
        break;
    }
    std::vector<Answer> answers;
    for (const OwnedRecord& document : documents_) answers.push_back(model.check_and_insert(document));
    return told(answers);
  }
  // erase_tag() and expire() may end between two steps.
  [[nodiscard]] bool is_one_change() const { return what_ > 1; }

 private:
  static Result<std::string> told(const Status& status) {
    RefusedMemory::stop();
    return status ? Result<std::string>("") : tl::unexpected<Error>(status.error());
  }
  template <class T>
  static Result<std::string> told(const Result<T>& count) {
    RefusedMemory::stop();
    return count ? Result<std::string>(std::to_string(*count)) : tl::unexpected<Error>(count.error());
  }
  static Result<std::string> told(uint64_t count) { return std::to_string(count); }
  static Result<std::string> told(bool is_so) { return std::to_string(is_so); }
  static std::string told(const std::vector<Answer>& answers) {
    RefusedMemory::stop();
    std::string told;
    for (const Answer& answer : answers)
      told +=
          std::to_string(static_cast<int>(answer.fate.kind)) + " " + answer.kept_id + (answer.is_repeated ? "!" : ";");
    return told;
  }

  uint64_t what_;
  std::vector<OwnedRecord> documents_;
  std::string tag_;
  int64_t before_;
};

// Each step is made with one piece after the other refused until it is done; the store then is as the model.
TEST_F(RefusedMemoryTest, AStoreHasWhatItAcknowledged) {
  const StoreSettings settings{.num_fingerprints = 1, .has_passages = true, .max_distance = 3};
  StoreOptions options;
  options.map_keys = 64;
  std::mt19937_64 random(torture_seed().value_or(1));
  const int num_steps = torture_seed() ? 400 : 60;
  const uint64_t most_stride = torture_seed() ? 1 : 16;
  auto store = EmbeddedStore::create(folder_, settings, options);
  ASSERT_TRUE(store) << store.error().message;
  StoreModel model(settings.max_distance);
  int num_refused = 0;
  for (int i = 0; i < num_steps; ++i) {
    const Step step(random);
    const std::string before = seen_in(model);
    refuse_each(1 + static_cast<int64_t>(random() % most_stride), [&](int64_t n) {
      Result<std::string> made = "";
      bool was_refused = false;
      {
        const RefusedMemory refused(n);
        made = guarded([&] { return step.make(**store); });
        was_refused = refused.was_refused();
      }
      num_refused += was_refused ? 1 : 0;
      EXPECT_TRUE(made || was_refused) << made.error().message;
      if (made) {
        const std::string expected = step.make(model);
        if (step.is_one_change()) EXPECT_EQ(*made, expected) << "step " << i << ", piece " << n;
      } else {
        EXPECT_EQ(made.error().code, Code::kMemory);
        if (step.is_one_change()) EXPECT_EQ(seen_in(**store), before) << "step " << i << ", piece " << n;
      }
      return !made && !testing::Test::HasFailure();
    });
    ASSERT_EQ(seen_in(**store), seen_in(model)) << "step " << i;
    if (i % 10 != 9) continue;
    store = fail(Code::kCancelled, "");
    store = EmbeddedStore::open(folder_, options);
    ASSERT_TRUE(store) << store.error().message;
    ASSERT_EQ(seen_in(**store), seen_in(model)) << "after step " << i;
    ASSERT_EQ((*store)->statistics()->documents, model.ids().size());
  }
  EXPECT_GT(num_refused, 200);
}

}  // namespace
}  // namespace neardup::store::refused_memory_test
