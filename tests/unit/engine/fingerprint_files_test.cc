// Files of fingerprints read back in each form, and the pairs found in them against all pairs.
#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <bit>
#include <map>
#include <random>
#include <tuple>

#include "neardup/engine/fingerprints/pairs_in_memory.h"
#include "neardup/engine/fingerprints/pairs_of_signatures.h"
#include "neardup/engine/fingerprints/pairs_on_disk.h"
#include "neardup/engine/fingerprints/stream.h"
#include "neardup/engine/fingerprints/table.h"
#include "neardup/fingerprint/record_writer.h"
#include "tests/unit/engine/made_documents.h"

namespace neardup::engine {
namespace {

using fingerprint::FileForm;
using fingerprint::Fingerprint;

struct StoredDocument {
  std::string id;
  std::vector<Fingerprint> fingerprints;
  std::vector<uint16_t> signature;
};

class FingerprintFiles : public EngineFolder {
 protected:
  std::string store(const std::string& name, FileForm form, const std::vector<StoredDocument>& stored,
                    const std::string& recipe_id = "0123456789ab") const {
    fingerprint::FileHeader header;
    header.recipe_id = recipe_id;
    for (const StoredDocument& document : stored) {
      header.num_columns = std::max(header.num_columns, static_cast<uint32_t>(document.fingerprints.size()));
      header.num_values = std::max(header.num_values, static_cast<uint32_t>(document.signature.size()));
    }
    auto writer = fingerprint::open_record_writer(form, path_of(name), header, {});
    EXPECT_TRUE(writer) << writer.error().message;
    for (const StoredDocument& document : stored)
      EXPECT_TRUE((*writer)->add({.id = document.id,
                                  .fingerprints = document.fingerprints,
                                  .checksum = {},
                                  .num_tokens = 100,
                                  .signature = document.signature}));
    EXPECT_TRUE((*writer)->commit());
    return path_of(name);
  }
  static FingerprintTable table_of(const std::string& path) {
    auto table = FingerprintTable::load(path, {});
    EXPECT_TRUE(table) << table.error().message;
    return std::move(*table);
  }
};

struct FoundPair {
  std::string a, b;
  double figure = 0;
  auto operator<=>(const FoundPair&) const = default;
};

class ListedPairs : public PairReceiver {
 public:
  Status add(std::string_view a, std::string_view b, int distance) override {
    pairs.push_back({std::string(a), std::string(b), static_cast<double>(distance)});
    return {};
  }
  Status add(std::string_view a, std::string_view b, float similarity, float error) override {
    EXPECT_GE(error, 0);
    pairs.push_back({std::string(a), std::string(b), similarity});
    return {};
  }
  Status finish() override {
    ++finished;
    return {};
  }
  std::vector<FoundPair> pairs;
  int finished = 0;
};

// Close ones among strangers; some without features.
std::vector<StoredDocument> made_up_fingerprints(std::mt19937_64& random, size_t count, size_t columns) {
  std::vector<StoredDocument> stored;
  for (size_t i = 0; i < count; ++i) {
    StoredDocument document{fmt::format("d{:03}", i), {}, {}};
    for (size_t column = 0; column < columns && random() % 12 != 0; ++column) {
      Fingerprint value = random();
      if (i > 0 && random() % 3 == 0 && !stored[i - 1].fingerprints.empty()) {
        value = stored[i - 1].fingerprints[column];
        for (size_t flips = random() % 8; flips > 0; --flips) value ^= Fingerprint{1} << random() % 64;
      }
      document.fingerprints.push_back(value);
    }
    if (document.fingerprints.size() != columns) document.fingerprints.clear();
    stored.push_back(document);
  }
  return stored;
}

std::vector<FoundPair> all_pairs(const std::vector<StoredDocument>& left, const std::vector<StoredDocument>* right,
                                 int max_distance) {
  std::vector<FoundPair> pairs;
  for (size_t i = 0; i < left.size(); ++i) {
    const std::vector<StoredDocument>& others = right == nullptr ? left : *right;
    for (size_t j = right == nullptr ? i + 1 : 0; j < others.size(); ++j) {
      int least = 65;
      const size_t columns = std::min(left[i].fingerprints.size(), others[j].fingerprints.size());
      for (size_t column = 0; column < columns; ++column)
        least = std::min(least, std::popcount(left[i].fingerprints[column] ^ others[j].fingerprints[column]));
      if (least <= max_distance) pairs.push_back({left[i].id, others[j].id, static_cast<double>(least)});
    }
  }
  return pairs;
}

TEST_F(FingerprintFiles, TextAndBinaryFormsHoldTheSame) {
  std::mt19937_64 random(1);
  for (const size_t columns : {size_t{1}, size_t{3}}) {
    const auto stored = made_up_fingerprints(random, 50, columns);
    for (const FileForm form : {FileForm::kTsv, FileForm::kBin}) {
      const FingerprintTable table = table_of(store("f", form, stored));
      ASSERT_EQ(table.size(), stored.size());
      EXPECT_EQ(table.num_columns(), columns);
      EXPECT_EQ(table.num_values(), 0U);
      EXPECT_EQ(table.recipe_id(), "0123456789ab");
      EXPECT_GT(table.memory_bytes(), 50 * 8 * columns / 2);
      for (size_t column = 0; column < columns; ++column) {
        const FingerprintTable::Column values = table.column(column);
        size_t at = 0;
        for (uint32_t i = 0; i < stored.size(); ++i) {
          EXPECT_EQ(table.id(i), stored[i].id);
          if (stored[i].fingerprints.empty()) continue;
          ASSERT_LT(at, values.values.size());
          EXPECT_EQ(values.documents[at], i);
          EXPECT_EQ(values.values[at++], stored[i].fingerprints[column]);
        }
        EXPECT_EQ(at, values.values.size());
      }
    }
  }
}

TEST_F(FingerprintFiles, IdsOfAnyBytesComeBack) {
  std::vector<StoredDocument> stored;
  for (const char* id : {"", "tab\there", "line\nfeed", "back\\slash\r", "図書館", "-"})
    stored.push_back({id, {stored.size()}, {}});
  for (const FileForm form : {FileForm::kTsv, FileForm::kBin}) {
    const FingerprintTable table = table_of(store("f", form, stored));
    for (size_t i = 0; i < stored.size(); ++i) EXPECT_EQ(table.id(i), stored[i].id);
  }
}

TEST_F(FingerprintFiles, EachFaultHasItsCodeAndPlace) {
  const auto error_of = [&](const std::string& text) {
    auto table = FingerprintTable::load(write("f", text), {});
    EXPECT_FALSE(table) << text;
    return table ? Error{} : table.error();
  };
  const std::string good = "a\t0123456789abcdef\n";
  EXPECT_EQ(error_of("").code, Code::kCorruption);
  EXPECT_EQ(error_of(good + "b\txyz\n").code, Code::kCorruption);
  EXPECT_NE(error_of(good + "b\txyz\n").message.find("f:2: "), std::string::npos);
  EXPECT_EQ(error_of(good + "b\t0123456789abcdef,0123456789abcdef\n").code, Code::kMismatch);
  EXPECT_EQ(error_of("a\t0123456789abcdef\t-\trecipe:aaaaaaaaaaaa\nb\t0123456789abcdef\t-\trecipe:bbbbbbbbbbbb\n").code,
            Code::kMismatch);
  const auto missing = FingerprintTable::load(path_of("none"), {});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, Code::kNotFound);
}

/// What decompressing holds is memory, too.
TEST_F(FingerprintFiles, AWindowLargerThanMemoryIsRefused) {
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, 27);
  std::string packed(1000, '\0');
  const std::string line = "a\t0123456789abcdef\n";
  ZSTD_inBuffer in = {line.data(), line.size(), 0};
  ZSTD_outBuffer out = {packed.data(), packed.size(), 0};
  ZSTD_compressStream2(context, &out, &in, ZSTD_e_flush);
  ZSTD_compressStream2(context, &out, &in, ZSTD_e_end);
  ZSTD_freeCCtx(context);
  const std::string path = write("a.zst", packed.substr(0, out.pos));
  constexpr uint64_t kLittle = uint64_t{64} << 20, kEnough = uint64_t{512} << 20;
  EXPECT_TRUE(FingerprintTable::load(path, {}, kEnough));
  const auto table = FingerprintTable::load(path, {}, kLittle);
  const RecordReceiver nobody{[](const auto&) { return Status(); }, [](auto) { return Status(); }};
  EXPECT_TRUE(read_fingerprints(path, {}, nobody, kEnough));
  const Status read = read_fingerprints(path, {}, nobody, kLittle);
  ASSERT_FALSE(table || read);
  for (const std::string& message : {table.error().message, read.error().message})
    EXPECT_NE(message.find("needs a window of more than 16 MiB; raise --memory"), std::string::npos) << message;
}

TEST_F(FingerprintFiles, EveryCutOfABinaryFileIsRefused) {
  std::mt19937_64 random(2);
  const std::string bytes = *read_file(store("f", FileForm::kBin, made_up_fingerprints(random, 9, 1)));
  for (size_t size = 8; size < bytes.size(); size += 7) {
    const auto table = FingerprintTable::load(write("cut", bytes.substr(0, size)), {});
    ASSERT_FALSE(table) << size;
    EXPECT_EQ(table.error().code, Code::kCorruption) << size;
  }
}

TEST_F(FingerprintFiles, AStreamHandsOnWhatTheFileHolds) {
  std::mt19937_64 random(3);
  const auto stored = made_up_fingerprints(random, 40, 2);
  for (const FileForm form : {FileForm::kTsv, FileForm::kBin}) {
    std::vector<std::string> ids;
    std::string recipe;
    const Status read = read_fingerprints(store("f", form, stored), {},
                                          {[&](const fingerprint::FileHeader& header) -> Status {
                                             if (!header.recipe_id.empty()) recipe = header.recipe_id;
                                             return {};
                                           },
                                           [&](std::span<const fingerprint::Record> records) -> Status {
                                             for (const auto& record : records) {
                                               const auto& expected = stored[ids.size()].fingerprints;
                                               EXPECT_TRUE(std::ranges::equal(record.fingerprints, expected));
                                               ids.emplace_back(record.id);
                                             }
                                             return {};
                                           }});
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(ids.size(), stored.size());
    EXPECT_EQ(recipe, "0123456789ab");
  }
}

TEST_F(FingerprintFiles, AReceiverEndsTheReadingByItsError) {
  std::mt19937_64 random(4);
  for (const FileForm form : {FileForm::kTsv, FileForm::kBin}) {
    const std::string path = store("f", form, made_up_fingerprints(random, 5, 1));
    const auto go_on = [](const fingerprint::FileHeader&) { return Status(); };
    const auto stop = [](std::span<const fingerprint::Record>) -> Status { return fail(Code::kDiskFull, "stop"); };
    const Status read = read_fingerprints(path, {}, {go_on, stop});
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, Code::kDiskFull);
  }
}

TEST_F(FingerprintFiles, SignaturesAreNoFingerprints) {
  const std::vector<StoredDocument> stored = {{"a", {}, std::vector<uint16_t>(16, 7)}};
  const auto ignore = [](std::span<const fingerprint::Record>) { return Status(); };
  const auto begin = [](const fingerprint::FileHeader&) { return Status(); };
  for (const FileForm form : {FileForm::kTsv, FileForm::kBin}) {
    const Status read = read_fingerprints(store("s", form, stored), {}, {begin, ignore});
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, Code::kUnsupported);
    EXPECT_EQ(table_of(path_of("s")).num_values(), 16U);
  }
}

TEST_F(FingerprintFiles, PairsAreAllThatALinearScanFinds) {
  std::mt19937_64 random(5);
  for (const size_t columns : {size_t{1}, size_t{2}}) {
    const auto left = made_up_fingerprints(random, 120, columns), right = made_up_fingerprints(random, 80, columns);
    const FingerprintTable left_table = table_of(store("l", FileForm::kBin, left)),
                           right_table = table_of(store("r", FileForm::kTsv, right));
    for (const int distance : {0, 3, 8, 16}) {
      for (const int threads : {1, 4}) {
        ListedPairs within, between;
        ASSERT_TRUE(find_pairs({left_table, nullptr, distance, threads, uint64_t{1} << 30, {}}, within));
        EXPECT_EQ(within.pairs, all_pairs(left, nullptr, distance));
        EXPECT_EQ(within.finished, 1);
        ASSERT_TRUE(find_pairs({left_table, &right_table, distance, threads, uint64_t{1} << 30, {}}, between));
        EXPECT_EQ(between.pairs, all_pairs(left, &right, distance));
      }
    }
  }
}

TEST_F(FingerprintFiles, PairsOnDiskAreThoseInMemory) {
  std::mt19937_64 random(6);
  const auto left = made_up_fingerprints(random, 100, 2), right = made_up_fingerprints(random, 60, 2);
  const std::string l = store("l", FileForm::kBin, left), r = store("r", FileForm::kBin, right);
  for (const bool is_one : {true, false}) {
    DiskPairs job;
    job.files = is_one ? std::vector{l} : std::vector{l, r};
    job.max_distance = 6;
    job.num_threads = 2;
    job.memory_bytes = uint64_t{256} << 20;
    job.work = path_of("work");
    std::filesystem::create_directories(job.work);
    ListedPairs found;
    const Status done = find_pairs_on_disk(job, found);
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(found.pairs, all_pairs(left, is_one ? nullptr : &right, 6));
    EXPECT_TRUE(std::filesystem::is_empty(job.work)) << "what was made there is gone";
  }
}

TEST_F(FingerprintFiles, PairsThatDoNotFitAreAnErrorOfMemory) {
  std::vector<StoredDocument> stored;
  for (int i = 0; i < 600; ++i) stored.push_back({std::to_string(i), {7}, {}});
  const FingerprintTable table = table_of(store("f", FileForm::kBin, stored));
  ListedPairs found;
  const Status done = find_pairs({table, nullptr, 0, 1, uint64_t{1} << 20, {}}, found);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Code::kMemory);
  EXPECT_EQ(found.finished, 0) << "what did not end is not finished";
}

TEST_F(FingerprintFiles, ClustersTakeOneFingerprintEach) {
  std::mt19937_64 random(7);
  const FingerprintTable two = table_of(store("f", FileForm::kBin, made_up_fingerprints(random, 20, 2)));
  ListedPairs found;
  const Status done = find_clusters({two, nullptr, 3, 1, uint64_t{1} << 30, {}}, cluster::ClusterKind::kStar, found);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Code::kInvalidArgument);
}

// Stars in the order of the documents: each goes to the first kept one within the distance, else it stays.
TEST_F(FingerprintFiles, StarsAreThoseOfALoop) {
  std::mt19937_64 random(8);
  const auto stored = made_up_fingerprints(random, 150, 1);
  const FingerprintTable table = table_of(store("f", FileForm::kBin, stored));
  std::vector<FoundPair> expected;
  std::vector<const StoredDocument*> kept;
  for (const StoredDocument& document : stored) {
    if (document.fingerprints.empty()) continue;
    const auto at = std::ranges::find_if(kept, [&](const StoredDocument* other) {
      return std::popcount(other->fingerprints[0] ^ document.fingerprints[0]) <= 6;
    });
    if (at == kept.end()) {
      kept.push_back(&document);
      continue;
    }
    expected.push_back({document.id, (*at)->id,
                        static_cast<double>(std::popcount((*at)->fingerprints[0] ^ document.fingerprints[0]))});
  }
  ListedPairs found;
  ASSERT_TRUE(find_clusters({table, nullptr, 6, 2, uint64_t{1} << 30, {}}, cluster::ClusterKind::kStar, found));
  EXPECT_EQ(found.pairs.size(), expected.size());
  for (size_t i = 0; i < std::min(found.pairs.size(), expected.size()); ++i) EXPECT_EQ(found.pairs[i].a, expected[i].a);
}

TEST_F(FingerprintFiles, OnlyWhatOneRecipeMadeIsCompared) {
  std::mt19937_64 random(9);
  const auto one = made_up_fingerprints(random, 9, 1), two = made_up_fingerprints(random, 9, 2);
  const FingerprintTable table = table_of(store("a", FileForm::kBin, one));
  const FingerprintTable other = table_of(store("b", FileForm::kBin, one, "ffffffffffff"));
  const FingerprintTable wider = table_of(store("c", FileForm::kBin, two));
  const FingerprintTable unsaid = table_of(store("d", FileForm::kBin, one, ""));
  const FingerprintTable sketch = table_of(store("e", FileForm::kBin, {{"a", {}, std::vector<uint16_t>(16, 7)}}));
  const auto code_of = [](const FingerprintTable& left, const FingerprintTable& right) -> std::optional<Code> {
    const Status checked = check_comparable({"left", "right"}, left, right);
    if (checked) return std::nullopt;
    EXPECT_NE(checked.error().message.find("'left'"), std::string::npos) << checked.error().message;
    return checked.error().code;
  };
  EXPECT_EQ(code_of(table, table), std::nullopt);
  EXPECT_EQ(code_of(table, unsaid), std::nullopt) << "a file that does not say may be of any";
  EXPECT_EQ(code_of(table, other), Code::kMismatch);
  EXPECT_EQ(code_of(table, wider), Code::kMismatch);
  EXPECT_EQ(code_of(table, sketch), Code::kMismatch);
}

TEST_F(FingerprintFiles, SignaturesAreJudgedByRulesThatTheyHoldSomethingOf) {
  std::vector<StoredDocument> stored = {{"a", {}, std::vector<uint16_t>(128, 7)},
                                        {"b", {}, std::vector<uint16_t>(128, 7)}};
  stored.push_back({"c", {}, std::vector<uint16_t>(128, 9)});
  const FingerprintTable table = table_of(store("s", FileForm::kBin, stored, ""));
  EXPECT_EQ(rule_of_signatures({}, table)->kind, verify::Rule::Kind::kOrigin);
  EXPECT_TRUE(rule_of_signatures(*verify::rule_from_string("none"), table));
  for (const char* rule : {"content", "code"}) {
    const auto refused = rule_of_signatures(*verify::rule_from_string(rule), table);
    ASSERT_FALSE(refused) << rule;
    EXPECT_EQ(refused.error().code, Code::kInvalidArgument);
  }
  ListedPairs found;
  ASSERT_TRUE(find_signature_pairs({table, nullptr, *rule_of_signatures({}, table), 1, uint64_t{1} << 30, {}}, found));
  ASSERT_EQ(found.pairs.size(), 1U);
  EXPECT_EQ(found.pairs[0], (FoundPair{"a", "b", 1}));
}

}  // namespace
}  // namespace neardup::engine
