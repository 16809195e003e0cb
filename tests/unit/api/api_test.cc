// The public door: what it refuses, and what its answers say.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <list>
#include <string>
#include <thread>
#include <vector>

#include "neardup/feature/idf.h"
#include "neardup/neardup.h"
#include "neardup/recipe/recipe_tokens.h"
#include "neardup/recipe/spec.h"
#include "tests/own_path.h"

namespace neardup {
namespace {

const std::string kStorm =
    "The harbour was closed for three days because of the storm that came from the north on Monday night, and the "
    "ferries stayed on the island until the wind had turned to the west again.";
const std::string kStormEdited =
    "The harbour was closed for three days because of the storm that came from the north on Monday night, and all "
    "ferries stayed on the island until the wind turned west again.";
const std::string kBread =
    "Bread is baked at four in the morning in the village where my grandmother was born, and whoever wakes up early "
    "enough may carry the first loaf home while it is warm.";

template <class T>
void expect_unset(const Result<T>& result) {
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Code::kInvalidArgument);
  EXPECT_NE(result.error().message.find("default_recipe()"), std::string::npos) << result.error().message;
}

TEST(Api, NobodyTakesARecipeThatIsNotSet) {
  const Recipe unset;
  EXPECT_EQ(unset.id(), "");
  expect_unset(Fingerprinter::create(unset));
  expect_unset(Deduplicator::create({.recipe = unset}));
  expect_unset(compare("a", "b", {.recipe = unset}));
  expect_unset(dedup_texts({}, {.matching = {.recipe = unset}}));
  expect_unset(dedup_files({.inputs = {"x"}, .output = own_path(), .matching = {.recipe = unset}}));
  expect_unset(Index::create(own_path(), {.recipe = unset}));
}

TEST(Api, RecipesComeBackFromTheirJson) {
  for (const std::string& name : recipe_names()) {
    const Recipe recipe = *find_recipe(name);
    const auto read = recipe_from_json(recipe.json());
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->id(), recipe.id());
  }
  EXPECT_EQ(default_recipe().id(), find_recipe("default")->id());
}

TEST(Api, WhatLearnsFromAllTextsNeedsAFile) {
  const Matching learns = {.family = Family::kSimHash};
  EXPECT_EQ(Fingerprinter::create(learns).error().code, Code::kInvalidArgument);
  EXPECT_EQ(compare("a", "b", learns).error().code, Code::kInvalidArgument);
  const auto seen = Deduplicator::create(learns);
  ASSERT_FALSE(seen);
  EXPECT_NE(seen.error().message.find("grams"), std::string::npos) << seen.error().message;
  EXPECT_EQ(Deduplicator::create({.recipe = *find_recipe("code")}).error().code, Code::kUnsupported);
  EXPECT_EQ(Deduplicator::create({.verify = "nonsense"}).error().code, Code::kInvalidArgument);
  for (const int distance : {-1, 17, 64}) {
    const Matching matching{.recipe = *find_recipe("grams"), .distance = distance};
    EXPECT_EQ(Deduplicator::create(matching).error().code, Code::kInvalidArgument);
    EXPECT_EQ(compare(kStorm, kBread, matching).error().code, Code::kInvalidArgument);
  }
  EXPECT_EQ(Deduplicator::create({.commonness_file = own_path()}).error().code, Code::kNotFound);
}

const std::string kArticle =
    "Spring has come late to the coast this year, and the fishermen are still waiting for the herring. " + kStorm +
    " Tickets are sold at the kiosk beside the market hall; children below six travel free, dogs do not. The mayor, "
    "who opened the season in a raincoat, thanked the crew for their patience and promised that soup would be served.";

TEST(Api, HowMuchOfEachStandsInTheOther) {
  const Contained shares = *contained(kStorm, kArticle);
  EXPECT_EQ(shares.a_in_b, 1);
  EXPECT_GT(shares.b_in_a, 0.25);
  EXPECT_LT(shares.b_in_a, 0.5);
  EXPECT_EQ(contained(kArticle, kStorm)->b_in_a, 1);
  EXPECT_EQ(contained(kStorm, kBread)->a_in_b, 0);
  EXPECT_EQ(contained("", kStorm)->a_in_b, 0);
  const auto letters = contained(kStorm, kArticle, *find_recipe("lines"));
  ASSERT_FALSE(letters);
  EXPECT_EQ(letters.error().code, Code::kInvalidArgument);
  EXPECT_TRUE(letters.error().message.starts_with("contained ")) << letters.error().message;
  expect_unset(contained(kStorm, kArticle, Recipe()));
}

TEST(Api, CompareSaysWhatIsContainedWhereItIsAsked) {
  const Comparison asked = *compare(kArticle, kStorm, {}, 0.8);
  EXPECT_TRUE(asked.is_contained);
  EXPECT_FALSE(asked.are_duplicates);
  EXPECT_EQ(asked.held, 1);
  const Comparison unasked = *compare(kArticle, kStorm);
  EXPECT_FALSE(unasked.is_contained);
  EXPECT_FALSE(unasked.held);
  EXPECT_EQ(compare(kArticle, kStorm, {}, 0.3).error().code, Code::kInvalidArgument);
}

TEST(Api, TextsThatComeAreContainedInThoseBefore) {
  auto seen = *Deduplicator::create({}, 0.8);
  EXPECT_TRUE(seen.add("article", kArticle)->is_new());
  const Arrival quote = *seen.add("quote", kStorm);
  EXPECT_EQ(quote.kind, Arrival::Kind::kContained);
  EXPECT_EQ(quote.duplicate_of, "article");
  EXPECT_EQ(quote.similarity, 1);
  EXPECT_EQ(seen.figures().new_texts, 1U);
  EXPECT_EQ(Deduplicator::create({}, 2).error().code, Code::kInvalidArgument);
}

class Online : public ::testing::TestWithParam<const char*> {
 protected:
  Deduplicator seen_ = *Deduplicator::create({.recipe = *find_recipe(GetParam())});
};

TEST_P(Online, TellsNewFromCopiesAndNearOnes) {
  EXPECT_TRUE(seen_.add("storm", kStorm)->is_new());
  EXPECT_TRUE(seen_.add("bread", kBread)->is_new());
  const Arrival near = *seen_.add("edited", kStormEdited);
  EXPECT_EQ(near.kind, Arrival::Kind::kNear);
  EXPECT_EQ(near.duplicate_of, "storm");
  EXPECT_GT(near.similarity, 0.4);
  const Arrival copy = *seen_.add("again", "  " + kBread + "\n");
  EXPECT_EQ(copy.kind, Arrival::Kind::kExact);
  EXPECT_EQ(copy.duplicate_of, "bread");
}

TEST_P(Online, TheSameAgainGetsTheSameVerdict) {
  for (int time = 0; time < 3; ++time) {
    EXPECT_TRUE(seen_.add("storm", kStorm)->is_new());
    EXPECT_EQ(seen_.add("edited", kStormEdited)->kind, Arrival::Kind::kNear);
    EXPECT_EQ(seen_.add("copy", kStorm)->kind, Arrival::Kind::kExact);
    EXPECT_EQ(seen_.add("copy of edited", kStormEdited)->kind, Arrival::Kind::kNear) << "as near as the first of them";
  }
  EXPECT_EQ(seen_.figures().new_texts, 1U);
  EXPECT_EQ(seen_.figures().different_texts, 2U);
}

TEST_P(Online, OneIdWithTwoTextsIsTwoDocuments) {
  EXPECT_TRUE(seen_.add("x", kStorm)->is_new());
  EXPECT_TRUE(seen_.add("x", kBread)->is_new());
  EXPECT_EQ(seen_.add("y", kBread)->duplicate_of, "x");
  EXPECT_EQ(seen_.figures().new_texts, 2U);
}

TEST_P(Online, TextsWithoutAnIdAreNotTakenForTheSameOneSentAgain) {
  EXPECT_TRUE(seen_.add("", kStorm)->is_new());
  EXPECT_EQ(seen_.add("", kStorm)->kind, Arrival::Kind::kExact);
  EXPECT_TRUE(seen_.add("", kBread)->is_new());
}

TEST_P(Online, TextsWithoutWordsAreCopiesAtMost) {
  EXPECT_TRUE(seen_.add("none", "")->is_new());
  EXPECT_EQ(seen_.add("none either", "  \n")->kind, Arrival::Kind::kExact);
  EXPECT_TRUE(seen_.add("signs", "?!")->is_new());
}

TEST_P(Online, OfDuplicatesThatArriveAtOnceOneIsNew) {
  constexpr int kRounds = 200;
  std::atomic<uint64_t> num_new = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < kRounds; ++i) {
        const std::string text = kStorm + " Number " + std::to_string(i / 10 * 1'000'003) + (i % 2 == 0 ? "." : "!");
        num_new += seen_.add(std::to_string(thread) + "/" + std::to_string(i), text)->is_new() ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(num_new, seen_.figures().new_texts);
}

INSTANTIATE_TEST_SUITE_P(Families, Online, ::testing::Values("default", "grams"),
                         [](const auto& recipe) { return std::string(recipe.param); });

TEST(Api, ComparesAsDedupDoes) {
  const Comparison near = *compare(kStorm, kStormEdited);
  EXPECT_TRUE(near.are_duplicates && near.are_candidates && !near.are_equal);
  EXPECT_EQ(near.distance_of, 128);
  EXPECT_GE(near.similarity, near.asked);
  EXPECT_EQ(near.reasons.size(), 2U);
  const Comparison other = *compare(kStorm, kBread, {.recipe = *find_recipe("grams")});
  EXPECT_FALSE(other.are_duplicates);
  EXPECT_EQ(other.distance_of, 64);
  EXPECT_TRUE(compare(kStorm, " " + kStorm)->are_equal);
}

TEST(Api, GivesTheFateOfEachElementOfARange) {
  struct Row {
    int number;
    std::string body;
  };
  const std::list<Row> rows = {{1, kStorm}, {2, kBread}, {3, kStormEdited}, {4, kBread + " "}};
  const auto fates = dedup_range(rows, {}, &Row::body);
  ASSERT_TRUE(fates) << fates.error().message;
  ASSERT_EQ(fates->size(), 4U);
  EXPECT_TRUE((*fates)[0].is_kept() && (*fates)[1].is_kept());
  EXPECT_EQ((*fates)[2].kind, Fate::Kind::kNear);
  EXPECT_EQ((*fates)[2].kept, 0U);
  EXPECT_EQ((*fates)[3].kind, Fate::Kind::kExact);
  EXPECT_EQ((*fates)[3].kept, 1U);
  const std::vector<std::string_view> views = {kBread, kBread};
  EXPECT_EQ((*dedup_range(views))[1].kept, 0U);
  EXPECT_TRUE(dedup_texts({})->empty());
}

TEST(Api, ClustersAndTemplatesAreThoseOfTheCommandLine) {
  const std::string six = kStorm + " The count of boats that came in was 6.";
  const std::string nine = kStorm + " The count of boats that came in was 9.";
  const std::vector<std::string_view> texts = {six, nine};
  const auto kind_with = [&](const DedupTexts& options) { return (*dedup_texts(texts, options))[1].kind; };
  EXPECT_EQ(kind_with({.matching = {.verify = "origin"}}), Fate::Kind::kNear);
  EXPECT_EQ(kind_with({.matching = {.verify = "origin", .templates = true}}), Fate::Kind::kKept);
  EXPECT_EQ(kind_with({.matching = {.verify = "origin"}, .cluster = "components"}), Fate::Kind::kNear);
  for (const DedupTexts& refused : {DedupTexts{.matching = {.templates = true}}, DedupTexts{.cluster = "ring"}}) {
    const auto result = dedup_texts(texts, refused);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Code::kInvalidArgument);
    EXPECT_EQ(result.error().message.find("--"), std::string::npos) << result.error().message;
  }
}

TEST(Api, BandsAndSizesSayWhichTextsAreCompared) {
  const std::vector<std::string_view> texts = {kStorm, kStormEdited};
  const auto kind_with = [&](const DedupTexts& options) { return (*dedup_texts(texts, options))[1].kind; };
  EXPECT_EQ(kind_with({.size_within = .5}), Fate::Kind::kNear);
  EXPECT_EQ(kind_with({.size_within = 0}), Fate::Kind::kKept);
  EXPECT_FALSE(dedup_texts(texts, {.size_within = 1.5}));
  EXPECT_EQ(kind_with({.matching = {.bands = 32}}), Fate::Kind::kNear);
  for (const Matching& refused :
       {Matching{.bands = 0}, Matching{.bands = 1 << 20}, Matching{.family = Family::kSimHash, .bands = 8}}) {
    const auto result = dedup_texts(texts, {.matching = refused});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Code::kInvalidArgument);
    EXPECT_TRUE(result.error().message.starts_with("bands")) << result.error().message;
  }
}

TEST(Api, AnIndexIsThereAgain) {
  const std::string folder = own_path();
  std::filesystem::remove_all(folder);
  {
    Index index = *Index::create(folder, {.max_distance = 12});
    EXPECT_FALSE(*index.add("storm", kStorm));
    EXPECT_TRUE(*index.add("storm", kBread)) << "there was one with this id";
    EXPECT_FALSE(*index.add("storm2", kStorm));
    ASSERT_TRUE(index.flush());
    EXPECT_FALSE(*index.add("lost", kStorm));
  }
  Index index = *Index::open(folder);
  EXPECT_EQ(index.size(), 2U);
  const auto near = *index.query(kStormEdited);
  ASSERT_EQ(near.size(), 1U);
  EXPECT_EQ(near[0].id, "storm2");
  EXPECT_TRUE(*index.erase("storm2"));
  EXPECT_FALSE(*index.erase("storm2"));
  EXPECT_TRUE(index.query(kStorm)->empty());
  EXPECT_TRUE(index.query("")->empty());
  std::filesystem::remove_all(folder);
  EXPECT_EQ(Index::open(folder).error().code, Code::kNotFound);
}

/// Texts with other fingerprints than `text` and each other's neighbours, all within 12 bits of `text`.
std::vector<std::string> variants_of(const std::string& text) {
  auto fingerprinter = *Fingerprinter::create(Matching{.recipe = default_index_recipe(), .family = Family::kSimHash});
  const auto print_of = [&](const std::string& of) { return fingerprinter.fingerprint(of).fingerprints; };
  const std::vector<uint64_t> base = print_of(text);
  std::vector<std::string> variants = {text};
  std::vector<uint64_t> last = base;
  for (int i = 0; variants.size() < 8 && i < 1000; ++i) {
    const std::string variant = text + " And so on, " + std::to_string(i) + " times.";
    const std::vector<uint64_t> print = print_of(variant);
    if (print == last || distance(print[0], base[0]) == 0 || distance(print[0], base[0]) > 12) continue;
    variants.push_back(variant);
    last = print;
  }
  return variants;
}

TEST(Api, AQueryBesideAnAdditionOfTheSameIdFindsTheOldOrTheNew) {
  const std::string folder = own_path();
  std::filesystem::remove_all(folder);
  Index index = *Index::create(folder, {.max_distance = 12});
  ASSERT_TRUE(index.add("bread", kBread));
  const std::vector<std::string> variants = variants_of(kBread);
  ASSERT_GT(variants.size(), 2U);
  std::atomic<bool> done = false;
  std::atomic<int> missed = 0, twice = 0, nameless = 0, asked = 0;
  const auto ask = [&] {
    while (!done) {
      const auto found = *index.query(kBread);
      ++asked;
      missed += found.empty();
      twice += found.size() > 1;
      for (const Neighbour& each : found) nameless += each.id != "bread";
    }
  };
  std::thread one(ask), two(ask);
  for (int i = 0; i < 300 || (asked < 2000 && i < 20000); ++i) {
    ASSERT_TRUE(index.add("bread", variants[static_cast<size_t>(i) % variants.size()]));
    if (i % 16 == 0) {
      ASSERT_TRUE(index.flush());
    }
  }
  done = true;
  one.join();
  two.join();
  EXPECT_EQ(missed, 0) << asked;
  EXPECT_EQ(twice, 0) << asked;
  EXPECT_EQ(nameless, 0) << asked;
}

TEST(Api, AnIndexWhoseRecipeWeighsWordsGoesOnWithItsDictionary) {
  const std::string folder = own_path(), idf = folder + ".idf";
  std::filesystem::remove_all(folder);
  feature::IdfBuilder builder;
  const recipe::Recipe inner = *recipe::find_recipe("default");
  std::vector<uint64_t> tokens(100);
  for (uint64_t i = 0; i < tokens.size(); ++i) tokens[i] = i * 0x9e3779b97f4a7c15;
  builder.add(tokens);
  ASSERT_TRUE(builder.save(idf, {.tokens = recipe::tokens_json(inner)}));
  EXPECT_EQ(Index::create(folder, {.recipe = *find_recipe("default")}).error().code, Code::kInvalidArgument);
  {
    auto index = Index::create(folder, {.recipe = *find_recipe("default"), .idf_file = idf});
    ASSERT_TRUE(index) << index.error().message;
    ASSERT_TRUE(index->add("storm", kStorm));
    ASSERT_TRUE(index->flush());
  }
  const auto without = Index::open(folder);
  ASSERT_FALSE(without);
  EXPECT_EQ(without.error().code, Code::kInvalidArgument);
  EXPECT_NE(without.error().message.find("idf_file"), std::string::npos) << without.error().message;
  auto index = Index::open(folder, idf);
  ASSERT_TRUE(index) << index.error().message;
  EXPECT_EQ(index->query(kStorm)->size(), 1U);
}

TEST(Api, WhatWasMovedFromSaysSo) {
  const std::string folder = own_path();
  std::filesystem::remove_all(folder);
  Index from = *Index::create(folder);
  Index index = std::move(from);
  EXPECT_EQ(from.add("a", kStorm).error().code, Code::kInvalidArgument);  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(from.query(kStorm).error().code, Code::kInvalidArgument);
  EXPECT_EQ(from.erase("a").error().code, Code::kInvalidArgument);
  EXPECT_EQ(from.flush().error().code, Code::kInvalidArgument);
  EXPECT_EQ(from.size(), 0U);
  EXPECT_TRUE(index.add("a", kStorm));
  from = std::move(index);
  EXPECT_EQ(from.size(), 1U);

  Deduplicator first = *Deduplicator::create();
  const Deduplicator second = std::move(first);
  EXPECT_EQ(first.add("a", kStorm).error().code, Code::kInvalidArgument);  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(first.figures().new_texts, 0U);

  Fingerprinter one = *Fingerprinter::create(find_recipe("grams").value());
  const Fingerprinter other = std::move(one);
  EXPECT_DEATH(static_cast<void>(one.fingerprint(kStorm)), "moved from");  // NOLINT(bugprone-use-after-move)
}

TEST(Api, LongTextsAreComparedInMemoryAsOneByOne) {
  std::string text;
  for (uint64_t i = 0; text.size() < (size_t{65} << 20); ++i) text += "word" + std::to_string(i * 7919 % 1000003) + " ";
  const std::vector<std::string_view> texts = {text, text};
  const auto fates = dedup_texts(texts);
  ASSERT_TRUE(fates) << fates.error().message;
  EXPECT_EQ((*fates)[0].kind, Fate::Kind::kKept);
  EXPECT_EQ((*fates)[1].kind, Fate::Kind::kExact);
}

/// The messages of the library that end at the API.
std::vector<std::string> some_messages() {
  const Recipe weighs = *find_recipe("default"), code = *find_recipe("code");
  const std::vector<std::string_view> texts = {kStorm, kBread};
  return {
      compare(kStorm, kBread, {.family = Family::kMinHash, .distance = 3}).error().message,
      compare(kStorm, kBread, {.verify = "code"}).error().message,
      compare(kStorm, kBread, {.recipe = code, .verify = "content"}).error().message,
      compare(kStorm, kBread, {.verify = "jaccard:0.8", .commonness_file = "none"}).error().message,
      Deduplicator::create({.verify = "code"}).error().message,
      Deduplicator::create({.recipe = code}).error().message,
      Fingerprinter::create(Matching{.family = Family::kMinHash, .idf_file = "x"}).error().message,
      dedup_texts(texts, {.matching = {.family = Family::kMinHash, .distance = 3}}).error().message,
      dedup_files({.inputs = {"x"}}).error().message,
      dedup_files({.inputs = {"x"}, .output = own_path(), .memory_bytes = 1}).error().message,
  };
}

TEST(Api, MessagesNameFieldsAndNoFlags) {
  for (const std::string& message : some_messages()) {
    EXPECT_FALSE(message.empty());
    EXPECT_EQ(message.find("--"), std::string::npos) << message;
    EXPECT_EQ(message.find(" -o"), std::string::npos) << message;
  }
}

#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wmissing-field-initializers"
TEST(Api, OptionsMayBeGivenInPart) {  // without a warning
  const DedupFiles files{.inputs = {"x"}, .output = "y", .text_key = "body"};
  const DedupTexts texts{.keep = "longest"};
  const IndexOptions index{.max_distance = 4};
  const Matching matching{.verify = "origin"};
  EXPECT_TRUE(files.matching.recipe.is_set() && texts.matching.recipe.is_set() && index.recipe.is_set());
  EXPECT_TRUE(matching.recipe.is_set());
}
#pragma GCC diagnostic pop

TEST(Api, FingerprintsAreThoseOfTheProgram) {
  auto grams = *Fingerprinter::create(*find_recipe("grams"));
  const TextPrint text_fingerprint = grams.fingerprint(kStorm);
  EXPECT_EQ(text_fingerprint.fingerprints.size(), 2U);
  EXPECT_EQ(text_fingerprint.checksum.size(), 32U);
  EXPECT_LT(distance(text_fingerprint.fingerprints[0], grams.fingerprint(kStormEdited).fingerprints[0]), 24);
  auto minhash = *Fingerprinter::create();
  const TextPrint signed_text = minhash.fingerprint(kStorm);
  EXPECT_EQ(signed_text.signature.size(), 128U);
  EXPECT_EQ(similarity(signed_text.signature, signed_text.signature), 1);
  EXPECT_FALSE(minhash.fingerprint("").has_features);
}

TEST(Api, LinesInMemory) {
  const std::vector<std::string_view> lines = {"b", "a\n", "B", "b", ""};
  const auto unique = unique_lines(lines);
  ASSERT_TRUE(unique) << unique.error().message;
  EXPECT_EQ(unique->kept, (std::vector<size_t>{0, 1, 2, 4}));
  EXPECT_EQ(unique->times, (std::vector<uint64_t>{2, 1, 1, 1}));
  const std::vector<std::string_view> minus = {"a\n"};
  const auto sorted = unique_lines(lines, {.rules = {.ignore_case = true, .order = "sorted"}, .minus = minus});
  ASSERT_TRUE(sorted) << sorted.error().message;
  EXPECT_EQ(sorted->kept, (std::vector<size_t>{4, 0}));
  EXPECT_EQ(sorted->counts.read, 5U);
  EXPECT_EQ(sorted->counts.removed, 3U);
  EXPECT_EQ(unique_lines(lines, {.rules = {.only = "some"}}).error().code, Code::kInvalidArgument);
  EXPECT_EQ(unique_lines(lines, {.rules = {.regex = "("}}).error().code, Code::kInvalidArgument);
  const std::atomic<bool> stop = true;
  EXPECT_EQ(unique_lines(lines, {}, {nullptr, &stop}).error().code, Code::kCancelled);
}

TEST(Api, LinesOfFiles) {
  const std::string folder = own_path();
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/a") << "b\na\nb\n";
  const LineFiles files{.inputs = {folder + "/a"}, .output = folder + "/out"};
  const auto counts = unique_lines(files);
  ASSERT_TRUE(counts) << counts.error().message;
  EXPECT_EQ(counts->kept, 2U);
  EXPECT_EQ(counts->removed, 1U);
  const auto again = unique_lines(files);
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().message.find("overwrite replaces it"), std::string::npos) << again.error().message;
  EXPECT_EQ(again.error().message.find("--"), std::string::npos);
  EXPECT_EQ(unique_lines(LineFiles{.inputs = {folder + "/a"}}).error().code, Code::kInvalidArgument);
  EXPECT_EQ(unique_lines(LineFiles{.inputs = {folder + "/a"}, .output = folder + "/a", .overwrite = true}).error().code,
            Code::kInvalidArgument);
}

// A store that is there is opened as it is, or not at all.
TEST(ApiTest, AStoreThatIsAnotherThanIsAskedIsNotOpened) {
  const std::string folder = own_path("store");
  std::filesystem::remove_all(folder);
  StoreOptions made;
  made.matching.verify = "origin";
  made.records = Records::kSignature;
  ASSERT_TRUE(Store::create(folder, made));
  const auto refusal = [&](const AskedOfStore& asked) -> std::string {
    const auto opened = Store::open(folder, asked);
    EXPECT_TRUE(opened || opened.error().code == Code::kMismatch) << opened.error().message;
    return opened ? "" : opened.error().message;
  };
  AskedOfStore asked;
  EXPECT_EQ(refusal(asked), "");
  asked.matching.recipe = default_recipe();
  asked.matching.verify = "origin";
  asked.records = Records::kSignature;
  asked.keep_texts = false;
  EXPECT_EQ(refusal(asked), "");
  asked.keep_texts = true;
  EXPECT_NE(refusal(asked).find("without keep_texts: leave keep_texts out"), std::string::npos) << refusal(asked);
  asked.records = Records::kNone;
  EXPECT_NE(refusal(asked).find("with records signature, and records names none"), std::string::npos) << refusal(asked);
  asked.matching.verify = "jaccard:0.8";
  EXPECT_NE(refusal(asked).find("the rule origin, and verify names jaccard:0.8"), std::string::npos) << refusal(asked);
  asked.matching.recipe = *find_recipe("web");
  EXPECT_NE(refusal(asked).find("the recipe default ("), std::string::npos) << refusal(asked);
  EXPECT_NE(refusal(asked).find("the recipe names web ("), std::string::npos) << refusal(asked);
  asked.matching.family = Family::kSimHash;
  EXPECT_NE(refusal(asked).find("the family minhash"), std::string::npos) << refusal(asked);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace neardup
