// An index in a folder: what was flushed is there again, what was not is gone, and nothing damaged is taken for whole.
#include "neardup/store/index_directory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <thread>

#include "neardup/base/disk/file.h"
#include "tests/own_path.h"

namespace neardup::store::index_directory_test {
namespace {

using fingerprint::Fingerprint;
using Index = IndexDirectory<Fingerprint>;
namespace fs = std::filesystem;

class IndexDirectoryTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = own_path();
    fs::remove_all(folder_);
    options_.mem_capacity = 200;
  }
  void TearDown() override { fs::remove_all(folder_); }

  Index make(uint32_t columns = 1) {
    auto index = Index::create(folder_, {}, options_);
    EXPECT_TRUE(index) << index.error().message;
    EXPECT_TRUE(index->join_recipe("r1", "{}", columns));
    EXPECT_TRUE(index->flush());
    return std::move(*index);
  }
  // "id:distance" of each neighbour, a blank between.
  static std::string found(const Index& index, std::vector<Fingerprint> query, int distance = 3) {
    std::string out;
    index.query(query, distance, [&](size_t, std::span<const Neighbour> neighbours) {
      for (const Neighbour& n : neighbours)
        out += (out.empty() ? "" : " ") + index.id(n.document) + ":" + std::to_string(n.distance);
    });
    return out;
  }
  static void put(Index& index, std::string_view id, std::vector<Fingerprint> fingerprints) {
    ASSERT_TRUE(index.put(id, fingerprints));
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }

  std::string folder_;
  DirectoryOptions options_;
};

TEST_F(IndexDirectoryTest, KeepsWhatWasFlushed) {
  {
    Index index = make();
    put(index, "a", {0});
    put(index, "b", {7});
    put(index, "none", {});
    ASSERT_TRUE(index.flush());
    put(index, "lost", {0});
    EXPECT_EQ(found(index, {0}), "a:0 lost:0 b:3");
  }
  auto index = Index::open_to_read(folder_);
  ASSERT_TRUE(index) << index.error().message;
  EXPECT_EQ(found(*index, {0}), "a:0 b:3");
  EXPECT_EQ(found(*index, {0}, 2), "a:0");
  EXPECT_EQ(index->settings().recipe_id, "r1");
  EXPECT_EQ(index->figures().documents, 3u);
  EXPECT_TRUE(index->check());
}

TEST_F(IndexDirectoryTest, AnIdNamesOneDocument) {
  Index index = make();
  put(index, "a", {0});
  EXPECT_EQ(index.put("a", std::vector<Fingerprint>{0xff00}).value(), true);
  EXPECT_EQ(found(index, {0}), "");
  EXPECT_EQ(found(index, {0xff00}), "a:0");
  ASSERT_TRUE(index.flush());
  EXPECT_EQ(index.put("a", std::vector<Fingerprint>{1}).value(), true);
  EXPECT_EQ(index.erase("b").value(), false);
  ASSERT_TRUE(index.flush());
  EXPECT_EQ(found(*Index::open_to_read(folder_), {0}), "a:1");
  EXPECT_EQ(index.erase("a").value(), true);
  EXPECT_EQ(index.erase("a").value(), false);
  EXPECT_EQ(found(index, {0}), "");
  put(index, "a", {0});
  ASSERT_TRUE(index.compact());
  EXPECT_EQ(found(*Index::open_to_read(folder_), {0}), "a:0");
  EXPECT_EQ(index.figures().documents, 1u);
  EXPECT_EQ(index.figures().index.sealed_entries, 1u);
}

// Small tables, so that additions often begin one: there the old state and the new one lie furthest apart.
TEST_F(IndexDirectoryTest, AQueryBesideAnAdditionOfAStoredIdFindsTheOldOrTheNew) {
  options_.mem_capacity = 16;
  Index index = make(2);
  put(index, "a", {1, 8});
  std::atomic<bool> done = false;
  std::atomic<uint64_t> wrong = 0, asked = 0;
  const auto ask = [&] {
    const std::vector<Fingerprint> query = {0, 0};
    for (; !done; ++asked) {
      const auto found = index.neighbours(query, 3);
      wrong += found != std::vector<NamedNeighbour>{{"a", 1}};
    }
  };
  std::thread one(ask), two(ask);
  for (uint64_t i = 0; i < 1000 || asked < 1000; ++i) {
    put(index, "a", {Fingerprint{1} << i % 60, 15});  // the other column is further away
    EXPECT_TRUE(i % 32 != 0 || index.flush());
  }
  done = true;
  one.join();
  two.join();
  EXPECT_EQ(wrong, 0U) << "of " << asked;
}

TEST_F(IndexDirectoryTest, TheSameAgainChangesNothing) {
  Index index = make(2);
  for (uint64_t i = 0; i < 100; ++i) put(index, std::to_string(i), {i << 10, i << 20});
  ASSERT_TRUE(index.flush());
  const Manifest before = index.manifest();
  for (uint64_t i = 0; i < 100; ++i) put(index, std::to_string(i), {i << 10, i << 20});
  ASSERT_TRUE(index.flush());
  EXPECT_EQ(index.manifest(), before);
  put(index, "7", {7 << 10, 8 << 20});
  ASSERT_TRUE(index.flush());
  EXPECT_EQ(index.manifest().next_document, before.next_document + 1);
  EXPECT_EQ(index.manifest().num_documents, 100u);
}

// A template text, or an empty one, stands in a corpus many times: what is known is found among all equal ones at once.
TEST_F(IndexDirectoryTest, ManyOfOneFingerprintAreAddedAgainInNoTime) {
  constexpr uint64_t kMany = 20000;
  options_.mem_capacity = 1 << 15;
  Index index = make();
  for (int times = 0; times < 3; ++times) {
    const std::clock_t start = std::clock();
    for (uint64_t i = 0; i < kMany; ++i) put(index, std::to_string(i), {42});
    EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 4);
    EXPECT_EQ(index.figures().next_document, kMany);
    if (times != 1) continue;
    ASSERT_TRUE(index.flush());  // in memory before, in a segment after
  }
}

TEST_F(IndexDirectoryTest, NothingAgainIsTheSameAsBefore) {
  {
    Index index = make(2);
    put(index, "none", {});
    put(index, "some", {1, 2});
    ASSERT_TRUE(index.flush());
  }
  auto index = Index::open_to_write(folder_, options_);
  ASSERT_TRUE(index);
  const Manifest before = index->manifest();
  put(*index, "none", {});
  ASSERT_TRUE(index->flush());
  EXPECT_EQ(index->manifest(), before);
  put(*index, "some", {});
  put(*index, "late", {});
  put(*index, "late", {});
  put(*index, "none", {5, 6});
  EXPECT_EQ(index->figures().next_document, 5u);
  put(*index, "some", {});
  put(*index, "none", {5, 6});
  EXPECT_EQ(index->figures().next_document, 5u);
  put(*index, "none", {});
  EXPECT_EQ(index->figures().next_document, 6u);
  ASSERT_TRUE(index->flush());
  EXPECT_EQ(found(*index, {1, 2}) + found(*index, {5, 6}), "");
  EXPECT_EQ(index->figures().documents, 3u);
  EXPECT_TRUE(index->check());
}

TEST_F(IndexDirectoryTest, ComparesColumnWithColumn) {
  Index index = make(2);
  put(index, "a", {0, 0xffff});
  put(index, "b", {0xffff, 3});
  ASSERT_TRUE(index.flush());
  EXPECT_EQ(found(index, {1, 0}), "a:1 b:2");
  EXPECT_EQ(found(index, {0xffff, 0xffff}), "a:0 b:0");
  EXPECT_EQ(index.put("c", std::vector<Fingerprint>{1}).error().code, Code::kInvalidArgument);
  ASSERT_TRUE(index.erase("a"));
  ASSERT_TRUE(index.flush());
  EXPECT_EQ(found(*Index::open_to_read(folder_), {1, 0}), "b:2");
}

TEST_F(IndexDirectoryTest, RecipesDoNotMix) {
  Index index = make();
  EXPECT_TRUE(index.join_recipe("", "", 1));
  EXPECT_EQ(index.join_recipe("r2", "{}", 1).error().code, Code::kMismatch);
  EXPECT_EQ(index.join_recipe("r1", "{}", 2).error().code, Code::kMismatch);
}

TEST_F(IndexDirectoryTest, ARecipeIsNotTakenOverByDocumentsOfAnUnknownOne) {
  auto index = Index::create(folder_, {});
  ASSERT_TRUE(index && index->join_recipe("", "", 1));
  ASSERT_TRUE(index->put("a", std::vector<Fingerprint>{7}));
  EXPECT_EQ(index->join_recipe("r1", "{}", 1).error().code, Code::kMismatch);
  ASSERT_TRUE(index->erase("a"));
  EXPECT_TRUE(index->join_recipe("r1", "{}", 1)) << "empty";
}

TEST_F(IndexDirectoryTest, OneWriterAtATimeAnyReaders) {
  Index index = make();
  const auto second = Index::open_to_write(folder_);
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("locked"), std::string::npos);
  EXPECT_TRUE(Index::open_to_read(folder_));
}

TEST_F(IndexDirectoryTest, TellsWhatIsNoIndex) {
  fs::create_directories(folder_);
  EXPECT_EQ(Index::open_to_read(folder_).error().code, Code::kNotFound);
  EXPECT_EQ(Index::open_to_write(folder_).error().code, Code::kNotFound);
  ASSERT_TRUE(write_file_atomically(folder_ + "/letter.txt", "dear"));
  EXPECT_EQ(Index::create(folder_, {}).error().code, Code::kInvalidArgument);
  fs::remove(folder_ + "/letter.txt");
  make();
  EXPECT_EQ(Index::create(folder_, {}).error().code, Code::kInvalidArgument);
  IndexSettings settings;
  settings.plan = "permuted:2,1";
  EXPECT_EQ(Index::create(folder_ + "2", settings).error().code, Code::kInvalidArgument);
  EXPECT_EQ(IndexDirectory<fingerprint::Fingerprint128>::open_to_read(folder_).error().code, Code::kMismatch);
}

TEST_F(IndexDirectoryTest, IsThereFromTheFirstFlushOnOrLeavesNothing) {
  {
    auto index = Index::create(folder_, {}, options_);
    ASSERT_TRUE(index && index->join_recipe("", "", 1));
    for (uint64_t i = 0; i < 1000; ++i) put(*index, std::to_string(i), {i});
    EXPECT_EQ(Index::open_to_read(folder_).error().code, Code::kNotFound);
    EXPECT_NE(Index::create(folder_, {}).error().message.find("locked"), std::string::npos);
  }
  EXPECT_FALSE(fs::exists(folder_));
  fs::create_directories(folder_);
  ASSERT_TRUE(Index::create(folder_, {}));
  EXPECT_EQ(names(), std::vector<std::string>());
  {
    Index index = make();
    EXPECT_TRUE(Index::open_to_read(folder_));
    put(index, "a", {0});
  }
  EXPECT_EQ(names(), (std::vector<std::string>{"LOCK", "MANIFEST"}));
}

// Of a process that was killed while it made an index: the next one makes it.
TEST_F(IndexDirectoryTest, LeftoversAreNoHindranceToANewIndex) {
  fs::create_directories(folder_);
  for (const char* stray : {"LOCK", "MANIFEST.tmp31-7", "segment-000001.ndx", "segment-000001.del", "ids-1000002.bin",
                            "ids-000003.bin.tmp31-6", "UNFINISHED"})
    ASSERT_TRUE(write_file_atomically(folder_ + "/" + stray, "half"));
  make();
  EXPECT_EQ(names(), (std::vector<std::string>{"LOCK", "MANIFEST"}));
}

TEST_F(IndexDirectoryTest, AnIndexThatHasLostItsManifestIsDamagedAndIsNotMadeAnew) {
  {
    Index index = make();
    ASSERT_TRUE(index.put("a", std::vector<Fingerprint>{7}));
    ASSERT_TRUE(index.flush());
  }
  fs::remove(folder_ + "/MANIFEST");
  const auto before = names();
  for (const Error& error : {Index::create(folder_, {}).error(), Index::open_to_read(folder_).error(),
                             Index::open_to_write(folder_).error()}) {
    EXPECT_EQ(error.code, Code::kCorruption);
    EXPECT_NE(error.message.find("MANIFEST is missing; restore it"), std::string::npos) << error.message;
  }
  EXPECT_EQ(names(), before);
}

TEST_F(IndexDirectoryTest, AFolderOfOthersIsNotTouched) {
  for (const char* name : {"letter.txt", "segment-1.ndx", "segment-000001.ndx.bak", "ids-000001.ndx", "MANIFEST.tmp",
                           "segment-000001.ndx.tmp1-", "MANIFEST.txt", "ids-.bin", "segment-notes.del"}) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    ASSERT_TRUE(write_file_atomically(folder_ + "/" + name, "dear"));
    EXPECT_EQ(Index::create(folder_, {}).error().code, Code::kInvalidArgument) << name;
    EXPECT_EQ(names(), std::vector<std::string>{name});
  }
}

TEST_F(IndexDirectoryTest, LeftoversOfKilledProcessesAreSwept) {
  {
    Index index = make();
    put(index, "a", {0});
    ASSERT_TRUE(index.flush());
  }
  const auto before = names();
  for (const char* stray :
       {"segment-000099.ndx", "segment-000099.del", "ids-000098.bin", "MANIFEST.tmp12-3", "segment-000100.ndx.tmp12-4"})
    ASSERT_TRUE(write_file_atomically(folder_ + "/" + stray, "half"));
  ASSERT_TRUE(write_file_atomically(folder_ + "/notes.txt", "mine"));
  EXPECT_EQ(found(*Index::open_to_read(folder_), {0}), "a:0");
  EXPECT_EQ(found(*Index::open_to_write(folder_), {0}), "a:0");
  fs::remove(folder_ + "/notes.txt");
  EXPECT_EQ(names(), before);
}

// A manifest that cannot be written leaves what is there; the next flush makes good, and leaves nothing behind.
TEST_F(IndexDirectoryTest, AManifestThatFailsIsWrittenLater) {
  const std::string manifest = folder_ + "/MANIFEST";
  {
    Index index = make();
    put(index, "a", {0});
    ASSERT_TRUE(index.flush());
    fs::rename(manifest, manifest + ".kept");
    fs::create_directories(manifest);
    put(index, "b", {1});
    EXPECT_FALSE(index.flush());
    put(index, "c", {3});
    EXPECT_FALSE(index.flush());
    fs::remove(manifest);
    fs::rename(manifest + ".kept", manifest);
    EXPECT_EQ(found(*Index::open_to_read(folder_), {0}), "a:0");
    put(index, "d", {7});
    ASSERT_TRUE(index.flush());
    EXPECT_EQ(found(*Index::open_to_read(folder_), {0}), "a:0 b:1 c:2 d:3");
    size_t ids = 0;
    for (const std::string& name : names()) ids += name.starts_with("ids-") ? 1 : 0;
    EXPECT_EQ(ids, index.manifest().ids.size());
  }
  const auto index = Index::open_to_write(folder_);
  ASSERT_TRUE(index);
  EXPECT_TRUE(index->check());
  EXPECT_EQ(found(*index, {0}), "a:0 b:1 c:2 d:3");
}

// What cannot be stored ends this object's work; the folder keeps the last flush and is changed by the next one.
TEST_F(IndexDirectoryTest, AfterAFailedCommitTheLastFlushIsOpened) {
  {
    Index index = make();
    put(index, "a", {0});
    ASSERT_TRUE(index.flush());
    for (int i = 1; i < 20; ++i) fs::create_directories(segment_path(folder_, index.manifest().next_file + i - 1));
    put(index, "b", {1});
    EXPECT_FALSE(index.flush());
    EXPECT_FALSE(index.put("c", std::vector<Fingerprint>{2}));
    EXPECT_FALSE(index.flush());
    EXPECT_EQ(found(*Index::open_to_read(folder_), {0}), "a:0");
  }
  auto index = Index::open_to_write(folder_, options_);
  ASSERT_TRUE(index) << index.error().message;
  EXPECT_TRUE(index->check());
  EXPECT_EQ(found(*index, {0}), "a:0");
  put(*index, "b", {1});
  ASSERT_TRUE(index->compact());
  EXPECT_EQ(found(*Index::open_to_read(folder_), {0}), "a:0 b:1");
}

TEST_F(IndexDirectoryTest, AReaderKeepsItsStateWhileFilesAreReplaced) {
  Index index = make();
  for (int i = 0; i < 50; ++i) put(index, std::to_string(i), {0});
  ASSERT_TRUE(index.flush());
  const auto reader = Index::open_to_read(folder_);
  const std::string before = found(*reader, {0});
  for (int i = 0; i < 50; i += 2) ASSERT_TRUE(index.erase(std::to_string(i)));
  ASSERT_TRUE(index.compact());
  EXPECT_EQ(found(*reader, {0}), before);
  EXPECT_EQ(found(*Index::open_to_read(folder_), {0}), found(index, {0}));
  EXPECT_LT(found(index, {0}).size(), before.size());
}

TEST_F(IndexDirectoryTest, AgreesWithAMapThroughReopenings) {
  std::mt19937_64 random(11);
  std::map<std::string, Fingerprint> now, durable;
  std::optional<Index> index = make();
  for (int step = 0; step < 300; ++step) {
    const auto dice = random() % 100;
    if (dice < 80) {
      const std::string id = "doc" + std::to_string(random() % 2000);
      const Fingerprint value = (random() % 64) << 30 | (uint64_t{1} << random() % 30);
      for (int i = 0; i < 10; ++i) {
        put(*index, id + std::to_string(i), {value ^ static_cast<unsigned>(i)});
        now[id + std::to_string(i)] = value ^ static_cast<unsigned>(i);
      }
      const std::string gone = "doc" + std::to_string(random() % 2000) + "3";
      EXPECT_EQ(index->erase(gone).value(), now.erase(gone) > 0);
    } else if (dice < 96) {
      ASSERT_TRUE(dice < 88 ? index->flush() : dice < 92 ? index->settle() : index->compact());
      durable = now;
    } else {
      index.reset();
      auto opened = Index::open_to_write(folder_, options_);
      ASSERT_TRUE(opened) << opened.error().message;
      ASSERT_TRUE(opened->check());
      index = std::move(*opened);
      now = durable;
    }
    const Fingerprint query = (random() % 64) << 30 | 1;
    std::map<int, std::vector<std::string>> expected, seen;
    for (const auto& [id, value] : now)
      if (const int d = fingerprint::distance(value, query); d <= 3) expected[d].push_back(id);
    index->query({&query, 1}, 3, [&](size_t, std::span<const Neighbour> neighbours) {
      for (const Neighbour& n : neighbours) seen[n.distance].push_back(index->id(n.document));
    });
    for (auto& [d, ids] : seen) std::sort(ids.begin(), ids.end());
    ASSERT_EQ(seen, expected) << "step " << step;
    ASSERT_EQ(index->figures().documents, now.size());
  }
  ASSERT_TRUE(index->compact());
  EXPECT_EQ(index->figures().index.sealed_entries, now.size());
  EXPECT_LE(names().size(), 12u);
}

TEST_F(IndexDirectoryTest, EveryChangedByteOfEveryFileIsTold) {
  {
    Index index = make();
    for (int i = 0; i < 40; ++i) put(index, "id" + std::to_string(i), {static_cast<uint64_t>(i) << 20});
    ASSERT_TRUE(index.flush());
    ASSERT_TRUE(index.erase("id3"));
    put(index, "more", {5});
    ASSERT_TRUE(index.flush());
  }
  ASSERT_TRUE(Index::open_to_read(folder_));
  size_t num_files = 0;
  for (const std::string& name : names()) {
    if (name == "LOCK") continue;
    ++num_files;
    const std::string path = folder_ + "/" + name;
    const std::string bytes = *read_file(path);
    const auto expect_refused = [&](const std::string& changed, const std::string& what) {
      std::ofstream(path, std::ios::binary) << changed;
      const auto opened = Index::open_to_read(folder_);
      ASSERT_FALSE(opened) << name << " " << what;
      EXPECT_NE(opened.error().message.find(name), std::string::npos) << opened.error().message;
    };
    const size_t step = std::max<size_t>(1, bytes.size() / 150);
    for (size_t at = 0; at < bytes.size(); at += at < 72 ? 1 : step) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ 4);
      expect_refused(changed, "byte " + std::to_string(at));
    }
    for (size_t size = 0; size < bytes.size(); size += 1 + step * 8) expect_refused(bytes.substr(0, size), "cut short");
    fs::remove(path);
    const auto missing = Index::open_to_read(folder_);
    ASSERT_FALSE(missing);
    EXPECT_NE(missing.error().message.find(name), std::string::npos) << missing.error().message;
    ASSERT_TRUE(write_file_atomically(path, bytes));
  }
  EXPECT_EQ(num_files, 6u);
  EXPECT_TRUE(Index::open_to_read(folder_));
}

// Each file is whole, but of another state of the index.
TEST_F(IndexDirectoryTest, AnExchangedFileIsTold) {
  Index index = make();
  put(index, "a", {0});
  ASSERT_TRUE(index.flush());
  std::string segment;
  for (const std::string& name : names())
    if (name.ends_with(".ndx")) segment = folder_ + "/" + name;
  const std::string other = folder_ + "2";
  fs::remove_all(other);
  {
    auto second = Index::create(other, {}, options_);
    ASSERT_TRUE(second && second->join_recipe("", "", 1));
    put(*second, "b", {1});
    ASSERT_TRUE(second->flush());
  }
  for (const auto& entry : fs::directory_iterator(other))
    if (entry.path().extension() == ".ndx") fs::copy_file(entry.path(), segment, fs::copy_options::overwrite_existing);
  fs::remove_all(other);
  const auto opened = Index::open_to_read(folder_);
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message.find("exchanged"), std::string::npos) << opened.error().message;
}

}  // namespace
}  // namespace neardup::store::index_directory_test
