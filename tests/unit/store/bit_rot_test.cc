// What a store reads later is what was written, or an error: bits that change in its files, beneath it or while it is
// closed, files that are cut and files that take each other's places.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <random>

#include "neardup/base/disk/file.h"
#include "neardup/store/embedded_store.h"
#include "neardup/store/log_writer.h"
#include "neardup/store/store_files.h"
#include "tests/damage.h"
#include "tests/failing_file_system.h"
#include "tests/own_path.h"
#include "tests/unit/store/store_model.h"

namespace neardup::store::bit_rot_test {
namespace {

namespace fs = std::filesystem;

constexpr size_t kFew = 12;

// What a store says, one answer after the other: a value, or that it refuses.
class Answers {
 public:
  explicit Answers(const Store& store) : store_(store) {
    for (int i = 0; i < 40; ++i) ask_of("d" + std::to_string(i));
    for (int number = 0; number < 80; number += 3) ask_about(with_passages(document_of("new", number)));
    all_.push_back(all_documents());
    const auto tags = store.tags();
    std::string text = tags ? "" : refusal(tags.error());
    if (tags)
      for (const TagCount& tag : *tags) text += tag.tag + std::to_string(tag.documents) + (tag.is_open ? "o " : " ");
    all_.push_back(text);
  }
  // Returns the first that is neither the one of `right` nor an error; nothing where there is none.
  [[nodiscard]] std::string first_wrong(const Answers& right) const {
    for (size_t i = 0; i < all_.size(); ++i)
      if (all_[i] != right.all_[i] && all_[i] != kRefused) return all_[i] + " instead of " + right.all_[i];
    return {};
  }
  [[nodiscard]] bool any_refused() const { return std::ranges::count(all_, kRefused) > 0; }

 private:
  static constexpr std::string_view kRefused = "refused";
  static std::string refusal(const Error& error) {
    EXPECT_TRUE(error.code == Code::kCorruption || error.code == Code::kNotFound) << error.message;
    return std::string(kRefused);
  }
  static std::string text_of(const Record& record) {
    return std::string(record.id) + "," + std::string(record.body) + "," + std::string(record.tag) + "," +
           std::string(record.within) + "," + std::to_string(record.time) + "," + std::to_string(record.number) + "," +
           text_of(record.fate) + std::to_string(record.checksum.low) + std::to_string(record.size_bytes);
  }
  static std::string text_of(const Fate& fate) {
    return std::to_string(static_cast<int>(fate.kind)) + ":" + std::to_string(fate.kept) + ":" +
           std::to_string(fate.similarity) + ":" + std::to_string(fate.distance) + " ";
  }
  void ask_of(const std::string& id) {
    std::string text = "none";
    const auto found = store_.find(id, [&](const Record& record) { text = text_of(record); });
    all_.push_back(found ? text : refusal(found.error()));
    const auto members = store_.duplicates_of(id, 0, 100);
    text = members ? "" : refusal(members.error());
    if (members)
      for (const Member& member : *members) text += member.id + text_of(member.fate);
    all_.push_back(text);
  }
  void ask_about(const OwnedRecord& document) {
    const Record view = document.view();
    const auto answers = store_.check({&view, 1}, judge_);
    all_.push_back(answers ? answers->front().kept_id + " " + text_of(answers->front().fate)
                           : refusal(answers.error()));
    const auto near = store_.query(view, judge_, 50);
    std::string text = near ? "" : refusal(near.error());
    if (near)
      for (const auto& neighbour : near->found)
        text += neighbour.id + std::to_string(neighbour.likeness.similarity) + " ";
    all_.push_back(text);
  }
  std::string all_documents() {
    std::string text;
    for (std::optional<uint64_t> next = 0; next;) {
      const auto shown = store_.for_each(*next, 7, [&](const Record& record) { text += text_of(record) + "\n"; });
      if (!shown) return refusal(shown.error());
      next = *shown;
    }
    return text;
  }

  const Store& store_;
  ByNumber judge_;
  std::vector<std::string> all_;
};

class BitRotTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = own_path();
    whole_ = own_path("whole");
    for (const std::string& folder : {folder_, whole_}) fs::remove_all(folder);
    options_.map_keys = 64;
    make(whole_, 1);
    fs::copy(whole_, folder_, fs::copy_options::recursive);
  }
  void TearDown() override {
    for (const std::string& folder : {folder_, whole_}) fs::remove_all(folder);
  }

  // Closed logs, one of them written again, files of all other kinds, and an open log with records.
  void make(const std::string& folder, uint64_t seed) const {
    StoreSettings settings{.num_fingerprints = 1, .max_distance = 3};
    settings.has_passages = true;
    const std::vector<GivenFile> given{{"counts.bin", "counts of an owner"}};
    auto store = EmbeddedStore::create(folder, settings, options_, given);
    ASSERT_TRUE(store) << store.error().message;
    std::mt19937_64 random(seed);
    const ByNumber judge;
    const auto add = [&](int count) {
      for (int i = 0; i < count; ++i) {
        OwnedRecord document = with_passages(some_document(random));
        const Record view = document.view();
        ASSERT_TRUE((*store)->check_and_insert({&view, 1}, judge));
      }
    };
    add(60);
    ASSERT_TRUE((*store)->begin_tag("t1"));
    add(60);
    ASSERT_TRUE((*store)->compact());
    add(60);
    ASSERT_TRUE((*store)->checkpoint());
    add(30);
    ASSERT_TRUE((*store)->erase(std::vector<std::string_view>{"d1", "d2"}));
  }
  std::unique_ptr<EmbeddedStore> open() const {
    auto store = EmbeddedStore::open(folder_, options_);
    if (store) return std::move(*store);
    EXPECT_TRUE(store.error().code == Code::kCorruption || store.error().code == Code::kNotFound ||
                store.error().code == Code::kIo)
        << store.error().message;
    return nullptr;
  }
  void restore() const {
    fs::remove_all(folder_);
    fs::copy(whole_, folder_, fs::copy_options::recursive);
  }
  static std::vector<std::string> names_in(const std::string& folder) {
    const auto names = list_folder(folder);
    EXPECT_TRUE(names);
    return *names;
  }
  // Bytes of a file that are something: none of the zeros behind a log.
  static std::vector<uint64_t> places_in(const std::string& path, uint64_t seed) {
    const auto bytes = read_file(path);
    EXPECT_TRUE(bytes);
    const size_t last = bytes->find_last_not_of('\0');
    return rot_places(last == std::string::npos ? 0 : last + 1, kFew, seed);
  }
  // Damages a folder that nobody has open, opens it and looks.
  bool is_refused_or_right(const Answers& right, const std::function<void()>& damage, const std::string& what) {
    restore();
    damage();
    const auto store = open();
    if (store == nullptr) return true;
    const std::string wrong = Answers(*store).first_wrong(right);
    EXPECT_EQ(wrong, "") << what;
    return wrong.empty();
  }
  [[nodiscard]] std::string path(const std::string& name) const { return folder_ + "/" + name; }

  FailingFileSystem unsynced_{{}};
  const ReplacedFileSystem replaced_{unsynced_};
  std::string folder_, whole_;
  StoreOptions options_;
};

TEST_F(BitRotTest, RecordsThatChangeBeneathAnOpenStore) {
  const auto store = open();
  ASSERT_NE(store, nullptr);
  ASSERT_TRUE(store->checkpoint());  // none comes in the background while files are damaged
  const Answers right(*store);
  ASSERT_FALSE(right.any_refused());
  const auto manifest = read_store_manifest(folder_);
  ASSERT_TRUE(manifest);
  size_t refused = 0;
  for (const RecordFiles& files : manifest->records) {
    for (const std::string& path : {records_path(folder_, files), facts_path(folder_, files)}) {
      int bit = 0;
      for (const uint64_t place : places_in(path, files.log)) {
        flip_bit(path, place, bit);
        const Answers answers(*store);
        ASSERT_EQ(answers.first_wrong(right), "") << path << " byte " << place << " bit " << bit;
        refused += answers.any_refused() ? 1 : 0;
        flip_bit(path, place, bit);
        bit = (bit + 3) % 8;
      }
    }
  }
  EXPECT_GT(refused, 0u);
  EXPECT_EQ(Answers(*store).first_wrong(right), "");
}

TEST_F(BitRotTest, BitsOfAllFilesOfAClosedStore) {
  const Answers right(*open());
  for (const std::string& name : names_in(whole_)) {
    int bit = 0;
    for (const uint64_t place : places_in(whole_ + "/" + name, 7)) {
      const auto damage = [&] { flip_bit(path(name), place, bit); };
      ASSERT_TRUE(
          is_refused_or_right(right, damage, name + " byte " + std::to_string(place) + " bit " + std::to_string(bit)));
      bit = (bit + 3) % 8;
    }
  }
}

// A log that was not closed is the one that a crash may have cut: what is missing at its end was promised to nobody.
TEST_F(BitRotTest, FilesThatAreCut) {
  const Answers right(*open());
  const auto newest = list_logs(whole_, 0);
  ASSERT_TRUE(newest);
  std::mt19937_64 random(3);
  for (const std::string& name : names_in(whole_)) {
    if (path(name) == log_path(folder_, newest->back()) || fs::file_size(whole_ + "/" + name) == 0) continue;
    for (int i = 0; i < 12; ++i) {
      const uint64_t size = i == 0 ? 0 : random() % fs::file_size(whole_ + "/" + name);
      const auto damage = [&] { fs::resize_file(path(name), size); };
      ASSERT_TRUE(is_refused_or_right(right, damage, name + " cut to " + std::to_string(size)));
    }
  }
}

// Of the same store and of another one, which was made alike.
TEST_F(BitRotTest, FilesInThePlacesOfOthers) {
  const Answers right(*open());
  const auto newest = list_logs(whole_, 0);
  ASSERT_TRUE(newest);
  const std::string other = own_path("other");
  fs::remove_all(other);
  make(other, 2);
  for (const std::string& name : names_in(whole_)) {
    for (const std::string& from : {whole_, other}) {
      for (const std::string& instead : names_in(from)) {
        const bool is_itself = from == whole_ && instead == name;
        const bool is_alike = fs::path(name).extension() == fs::path(instead).extension();
        // MANIFEST names the others, but for the log that went on: it is as whole as these.
        const bool is_named = name != "MANIFEST" && path(name) != log_path(folder_, newest->back());
        if (is_itself || !is_alike || !is_named) continue;
        const auto damage = [&] {
          fs::copy_file(from + "/" + instead, path(name), fs::copy_options::overwrite_existing);
        };
        ASSERT_TRUE(is_refused_or_right(right, damage, name + " is " + from + "/" + instead));
      }
    }
  }
  fs::remove_all(other);
}

}  // namespace
}  // namespace neardup::store::bit_rot_test
