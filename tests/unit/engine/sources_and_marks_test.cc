// Which inputs a run takes and which it refuses; files that grow by marks; the fates of rows; how removed documents
// differ. Each against what its header says, or a plain model.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include "neardup/cluster/candidate.h"
#include "neardup/engine/checked_file.h"
#include "neardup/engine/read/sources.h"
#include "neardup/engine/run/row_fates.h"
#include "neardup/engine/write/similarity_doubts.h"
#include "neardup/token/numbers.h"
#include "tests/unit/engine/made_documents.h"

namespace neardup::engine {
namespace {

class FoundSources : public EngineFolder {
 protected:
  FoundSources() {
    write("a.jsonl", "{\"text\":\"one\"}\n");
    write("b.jsonl", "{\"text\":\"two\"}\n");
    write("c.txt", "three\n");
    options_.output = path_of("out");
  }
  [[nodiscard]] Result<Sources> find(const std::vector<std::string>& inputs,
                                     const std::vector<std::string>& references = {}) {
    options_.inputs.clear(), options_.references.clear();
    for (const std::string& input : inputs) options_.inputs.push_back(path_of(input));
    for (const std::string& reference : references) options_.references.push_back(path_of(reference));
    return find_sources(options_, WorkFolder(options_.output), {});
  }
  void expect_refused(const Result<Sources>& sources, Code code, const std::string& part) {
    ASSERT_FALSE(sources);
    EXPECT_EQ(sources.error().code, code) << sources.error().message;
    EXPECT_NE(sources.error().message.find(part), std::string::npos) << sources.error().message;
  }
  DedupOptions options_;
};

TEST_F(FoundSources, ReferencesComeBeforeInputs) {
  const auto sources = find({"b.jsonl", "c.txt"}, {"a.jsonl"});
  ASSERT_TRUE(sources) << sources.error().message;
  std::vector<std::string> names;
  for (const corpus::Input& input : sources->all()) names.push_back(input.name);
  EXPECT_EQ(names, (std::vector<std::string>{"a.jsonl", "b.jsonl", "c.txt"}));
  EXPECT_EQ(sources->references.size(), 1U);
  EXPECT_FALSE(reads_standard_input(options_));
}

TEST_F(FoundSources, WhatIsNotThereIsNamed) {
  expect_refused(find({"none.jsonl"}), Code::kNotFound, "none.jsonl");
  expect_refused(find({"a.jsonl"}, {"none.jsonl"}), Code::kNotFound, "none.jsonl");
}

TEST_F(FoundSources, AFileIsNotBothReferenceAndInput) {
  expect_refused(find({"a.jsonl"}, {"a.jsonl"}), Code::kInvalidArgument, "a.jsonl");
  std::filesystem::create_symlink(path_of("a.jsonl"), path_of("link.jsonl"));
  expect_refused(find({"a.jsonl"}, {"link.jsonl"}), Code::kInvalidArgument, "a.jsonl");
}

TEST_F(FoundSources, ResultsAreNoInputs) {
  std::filesystem::create_directories(path_of("out/kept"));
  write("out/kept/x.jsonl", "{\"text\":\"x\"}\n");
  EXPECT_FALSE(find({"out/kept/x.jsonl"})) << "it would be replaced";
  EXPECT_EQ(find({"out/kept/x.jsonl"}).error().code, Code::kInvalidArgument);
  options_.output = folder_;
  EXPECT_EQ(find({""}).error().code, Code::kInvalidArgument) << "a folder that would hold the results";
  options_.output = path_of("elsewhere");
  EXPECT_TRUE(find({"out/kept/x.jsonl"})) << "results of another run may be read";
}

TEST_F(FoundSources, TextFilesTakeNoNotes) {
  options_.mode = Mode::kAnnotate;
  EXPECT_TRUE(find({"a.jsonl"}));
  expect_refused(find({"a.jsonl", "c.txt"}), Code::kUnsupported, "c.txt");
}

TEST_F(FoundSources, StandardInputIsReadOnce) {
  options_.inputs = {"-", "-"};
  EXPECT_TRUE(reads_standard_input(options_));
  const auto twice = find_sources(options_, WorkFolder(options_.output), {});
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().code, Code::kInvalidArgument);
}

class MarkedFile : public EngineFolder {};

TEST_F(MarkedFile, GoesOnBehindAnyMarkAsIfTheRestWereNeverThere) {
  std::mt19937_64 random(1);
  std::vector<std::pair<FileMark, std::string>> marks = {{FileMark{}, ""}};
  for (int round = 0; round < 30; ++round) {
    const auto [from, before] = marks[random() % marks.size()];
    auto file = CheckedFile::open(path_of("f"), from);
    if (!file) {  // the file was cut back before this mark, and grew otherwise
      EXPECT_EQ(file.error().code, Code::kCorruption);
      continue;
    }
    std::string content = before;
    for (size_t i = 1 + random() % 4; i > 0; --i) {
      const std::string more(random() % 3000, static_cast<char>('a' + random() % 26));
      ASSERT_TRUE(file->append(more));
      content += more;
    }
    const auto mark = file->mark();
    ASSERT_TRUE(mark);
    EXPECT_EQ(mark->size_bytes, content.size());
    EXPECT_EQ(*read_file(path_of("f")), content);
    EXPECT_TRUE(check_file(path_of("f"), *mark));
    marks.emplace_back(*mark, content);
  }
}

TEST_F(MarkedFile, AMarkBeyondTheEndOrOfNoFileIsAnError) {
  EXPECT_EQ(check_file(path_of("none"), {.size_bytes = 1, .checksum = 0}).error().code, Code::kNotFound);
  write("f", "12345");
  EXPECT_FALSE(check_file(path_of("f"), {.size_bytes = 6, .checksum = 0}));
  EXPECT_FALSE(check_file(path_of("f"), {.size_bytes = 5, .checksum = 1}));
}

class FatesOfRows : public MadeDocuments {};

TEST_F(FatesOfRows, AreThoseOfTheDocumentsAndTheOthersWereRejected) {
  std::vector<MadeDocument> made = {{.flags = kHasFeatures | kIsReference}};
  for (int i = 0; i < 6; ++i) made.push_back({});
  const Documents documents = documents_of(made);
  Outcome outcome;
  outcome.fates = {{.kept = 0, .fate = Fate::kReference}, {.kept = 1}};
  outcome.fates.push_back({.kept = 1, .fate = Fate::kExact});
  outcome.fates.push_back({.kept = 1, .similarity = 0.5F, .distance = 9, .fate = Fate::kNear});
  outcome.fates.push_back({.kept = 0, .similarity = 0.6F, .distance = cluster::kUnknownDistance, .fate = Fate::kNear});
  outcome.fates.push_back({.kept = 5});
  outcome.fates.push_back({.kept = 6});
  const RowFates fates = fates_of_rows(documents, outcome, 8);
  ASSERT_EQ(fates.rows.size(), 8U);
  EXPECT_EQ(fates.num_kept, 3U);
  EXPECT_EQ(fates.num_exact, 1U);
  EXPECT_EQ(fates.num_near, 2U);
  EXPECT_EQ(fates.num_rejected, 2U);
  EXPECT_EQ(fates.rows[1].kind, RowFate::Kind::kExact);
  EXPECT_EQ(fates.rows[1].duplicate_of, 0U);
  EXPECT_EQ(fates.rows[2].distance, 9U);
  EXPECT_EQ(fates.rows[2].similarity, 0.5F);
  EXPECT_FALSE(fates.rows[2].of_reference);
  EXPECT_FALSE(fates.rows[3].distance) << "it is not known";
  EXPECT_TRUE(fates.rows[3].of_reference);
  EXPECT_EQ(fates.rows[0].cluster, fates.rows[2].cluster);
  EXPECT_EQ(fates.rows[4].cluster, kNoCluster) << "no other repeats it";
  EXPECT_EQ(fates.rows[7].kind, RowFate::Kind::kRejected);
  EXPECT_EQ(fates.rows[7].duplicate_of, 7U) << "itself";
}

// Tokens of words and of numbers, as token::marked_hash() marks them.
std::vector<uint32_t> marked_tokens(std::mt19937_64& random, size_t count, uint32_t different) {
  std::vector<uint32_t> tokens;
  while (tokens.size() < count) {
    const auto token = static_cast<uint32_t>((random() % different) * 0x9e3779b9);
    tokens.push_back(token);
  }
  return tokens;
}

TEST(DifferOnlyByNumbers, IsWhatCountingTokensSays) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 500; ++round) {
    const auto a = marked_tokens(random, random() % 20, 12), b = marked_tokens(random, random() % 20, 12);
    std::map<uint32_t, int> counts;
    for (const uint32_t token : a) ++counts[token];
    for (const uint32_t token : b) --counts[token];
    size_t numbers = 0, all = 0;
    for (const auto& [token, count] : counts) {
      all += static_cast<size_t>(std::abs(count));
      numbers += token::is_marked_number(token) ? static_cast<size_t>(std::abs(count)) : 0;
    }
    EXPECT_EQ(differ_by_numbers(a, b), 2 * numbers > all && numbers >= 4) << numbers << " of " << all;
    EXPECT_EQ(differ_by_numbers(a, b), differ_by_numbers(b, a));
  }
}

}  // namespace
}  // namespace neardup::engine
