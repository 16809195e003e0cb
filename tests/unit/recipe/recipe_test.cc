#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "neardup/base/disk/file.h"
#include "neardup/recipe/spec.h"
#include "neardup/text/han_fold.h"

namespace neardup::recipe {
namespace {

Recipe full_recipe() {
  return {.name = "mine",
          .extraction = "html",
          .mask = {"dates", "urls"},
          .normalization = "none",
          .fold_han = true,
          .tokenizer = "uax29",
          .cjk = "characters",
          .stop_words = "english",
          .stemmer = "english",
          .fingerprints = {{.ngram = 1, .weight = Weight::kLogTfIdf, .top_n = 20, .seed = ~uint64_t{0}},
                           {.ngram = 4, .weight = Weight::kTf}},
          .minhash = {.ngram = 5, .num_values = 256, .bands = 20, .rows = 12, .seed = 77},
          .idf = "file",
          .idf_id = "0123456789abcdef",
          .phrases = "file",
          .phrases_id = "fedcba9876543210",
          .hash_seed = 12345678901234567890ULL,
          .min_tokens = 5,
          .short_tokens = 12,
          .checksum = "md5"};
}

/// Expects an error that names `key` and holds `cure`.
void expect_error(const std::string& json, const std::string& key, const std::string& cure) {
  const Result<Recipe> recipe = recipe_from_json(json);
  ASSERT_FALSE(recipe) << json;
  EXPECT_EQ(recipe.error().code, Code::kInvalidArgument);
  EXPECT_NE(recipe.error().message.find("\"" + key + "\""), std::string::npos) << recipe.error().message;
  EXPECT_NE(recipe.error().message.find(cure), std::string::npos) << recipe.error().message;
}

TEST(Recipe, EitherFamilyIsAutoUntilOneIsTaken) {
  Result<Recipe> recipe = recipe_from_json(R"({"family":"auto","fingerprints":[{"ngram":2}]})");
  ASSERT_TRUE(recipe) << recipe.error().message;
  EXPECT_TRUE(recipe->either_family);
  EXPECT_EQ(recipe->num_fingerprints(), 1U) << "SimHash until a family is taken";
  EXPECT_EQ(*recipe_from_json(to_json(*recipe)), *recipe);
  const std::string id = recipe_id(*recipe);
  ASSERT_TRUE(take_family(*recipe, Family::kSimHash));
  EXPECT_FALSE(recipe->either_family);
  EXPECT_NE(recipe_id(*recipe), id);
  EXPECT_EQ(recipe_id(*recipe), recipe_id(*recipe_from_json(R"({"family":"simhash","fingerprints":[{"ngram":2}]})")));
  Recipe none = *recipe_from_json(R"({"family":"minhash"})");
  const Status status = take_family(none, Family::kSimHash);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("has no SimHash fingerprints"), std::string::npos);
  expect_error(R"({"family":"auto"})", "fingerprints", "an array of 1 to");
}

TEST(Recipe, JsonGivesItBack) {
  const Recipe recipe = full_recipe();
  const Result<Recipe> back = recipe_from_json(to_json(recipe));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(*back, recipe);
  EXPECT_EQ(to_json(*back), to_json(recipe));
}

TEST(Recipe, CanonicalFormIsPinned) {
  const Recipe recipe{.name = "default",
                      .fingerprints = {{.ngram = 2}, {.ngram = 1, .weight = Weight::kLogTf, .top_n = 9, .seed = 5}}};
  EXPECT_EQ(to_json(recipe),
            R"({"name":"default","version":1,"extraction":"none","mask":[],)"
            R"("normalization":"nfkc_casefold","fold_han":false,"han_table":"","tokenizer":"words",)"
            R"("dictionary_id":"",)"
            R"("cjk":"bigrams","stop_words":"none","stemmer":"none","language_detector":"","phrases":"none",)"
            R"("phrases_id":"","family":"simhash","fingerprints":[)"
            R"({"ngram":2,"weight":"binary","top_n":0,"seed":0},{"ngram":1,"weight":"log_tf","top_n":9,"seed":5}],)"
            R"("minhash":{"ngram":3,"values":128,"bands":64,"rows":4,"seed":0},)"
            R"("idf":"none","idf_id":"","hash_seed":0,"min_tokens":1,"short_tokens":0,"bits":64,"checksum":"xxh3"})");
}

TEST(Recipe, AutomaticLanguagesNameTheirDetector) {
  Recipe recipe{.stop_words = "auto", .fingerprints = {{.ngram = 1}}};
  const std::string json = to_json(recipe);
  const std::string key = "\"language_detector\":\"cld2 ";
  ASSERT_NE(json.find(key), std::string::npos) << json;
  ASSERT_TRUE(recipe_from_json(json));
  std::string other = json;
  other.replace(json.find(key) + key.size(), 1, "X");
  const auto refused = recipe_from_json(other);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kMismatch);
  recipe.stop_words = "english";
  EXPECT_EQ(to_json(recipe).find(key), std::string::npos);
}

TEST(Recipe, FoldingNamesItsTable) {
  Recipe recipe{.fold_han = true, .fingerprints = {{.ngram = 1}}};
  const std::string json = to_json(recipe);
  const std::string key = "\"han_table\":\"" + std::string(text::han_table_id()) + "\"";
  ASSERT_NE(json.find(key), std::string::npos) << json;
  ASSERT_TRUE(recipe_from_json(json));
  std::string other = json;
  other.replace(json.find(key) + key.size() - 2, 1, "X");
  const auto refused = recipe_from_json(other);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kMismatch);
  recipe.fold_han = false;
  EXPECT_NE(to_json(recipe).find("\"han_table\":\"\""), std::string::npos);
  std::string changed = to_json(find_recipe("default").value());  // as Recipe("default", fold_han=False) of Python does
  const std::string folds = "\"fold_han\":true";
  changed.replace(changed.find(folds), folds.size(), "\"fold_han\":false");
  EXPECT_FALSE(recipe_from_json(changed).value().fold_han) << "the table says nothing then";
}

TEST(Recipe, MissingKeysTakeTheDefault) {
  const Result<Recipe> recipe = recipe_from_json(R"({"fingerprints":[{"ngram":2}]})");
  ASSERT_TRUE(recipe) << recipe.error().message;
  Recipe expected{.name = "custom", .fingerprints = {{.ngram = 2}}};
  EXPECT_EQ(*recipe, expected);
}

TEST(Recipe, MinHashNeedsNoFingerprintsAndNoIdf) {
  const Result<Recipe> recipe = recipe_from_json(R"({"family":"minhash"})");
  ASSERT_TRUE(recipe) << recipe.error().message;
  EXPECT_EQ(recipe->num_fingerprints(), 0U);
  EXPECT_EQ(recipe->num_signature_values(), 128U);
  Recipe both = full_recipe();
  EXPECT_TRUE(both.needs_idf());
  EXPECT_EQ(both.num_fingerprints(), 2U);
  EXPECT_EQ(both.num_signature_values(), 0U);
  both.family = Family::kMinHash;
  EXPECT_FALSE(both.needs_idf());
  EXPECT_EQ(both.num_signature_values(), 256U);
}

TEST(Recipe, TakingAFamilyLeavesNothingOfTheOther) {
  const auto id_of = [](const char* name, Family family) {
    Recipe recipe = *find_recipe(name);
    EXPECT_TRUE(take_family(recipe, family)) << name;
    EXPECT_TRUE(validate(recipe)) << name;
    return recipe_id(recipe);
  };
  EXPECT_EQ(id_of("default", Family::kMinHash), id_of("minhash", Family::kMinHash));
  EXPECT_EQ(id_of("default", Family::kMinHash), recipe_id(*find_recipe("minhash")));
  EXPECT_EQ(id_of("default", Family::kSimHash), id_of("chinese", Family::kSimHash));
  EXPECT_NE(id_of("default", Family::kMinHash), id_of("chinese", Family::kMinHash)) << "256 values";
  EXPECT_NE(id_of("default", Family::kMinHash), id_of("default", Family::kSimHash));
}

TEST(Recipe, IdStandsForAllFieldsThatChangeWhatIsMade) {
  const Recipe recipe = full_recipe();
  EXPECT_EQ(recipe_id(recipe).size(), 12U);
  std::set<std::string> ids = {recipe_id(recipe)};
  const auto changed = [&](auto change) {
    Recipe other = recipe;
    change(other);
    return recipe_id(other);
  };
  EXPECT_EQ(changed([](Recipe& r) { r.name = "yours"; }), recipe_id(recipe));
  EXPECT_EQ(changed([](Recipe& r) { r.minhash.bands = 16; }), recipe_id(recipe));
  EXPECT_EQ(changed([](Recipe& r) { r.minhash.rows = 8; }), recipe_id(recipe));
  EXPECT_EQ(changed([](Recipe& r) { r.short_tokens = 20; }), recipe_id(recipe));
  EXPECT_TRUE(ids.insert(changed([](Recipe& r) { r.normalization = "nfkc_casefold"; })).second);
  EXPECT_TRUE(ids.insert(changed([](Recipe& r) { r.normalization = "folded"; })).second);
  EXPECT_TRUE(ids.insert(changed([](Recipe& r) { r.fold_han = false; })).second);
  EXPECT_TRUE(ids.insert(changed([](Recipe& r) { r.tokenizer = "words"; })).second);
  EXPECT_TRUE(ids.insert(changed([](Recipe& r) { r.cjk = "bigrams"; })).second);
  EXPECT_TRUE(ids.insert(changed([](Recipe& r) { r.cjk = "syllables"; })).second);
  EXPECT_TRUE(ids.insert(changed([](Recipe& r) { r.stop_words = "none"; })).second);
  EXPECT_TRUE(ids.insert(changed([](Recipe& r) { r.stemmer = "none"; })).second);
  EXPECT_TRUE(ids.insert(changed([](Recipe& r) { r.extraction = "auto"; })).second);
  EXPECT_TRUE(ids.insert(changed([](Recipe& r) { r.mask = {"dates"}; })).second);
  EXPECT_TRUE(ids.insert(changed([](Recipe& r) { r.family = Family::kMinHash; })).second);
  EXPECT_TRUE(ids.insert(changed([](Recipe& r) { r.minhash.ngram = 4; })).second);
  EXPECT_TRUE(ids.insert(changed([](Recipe& r) { r.minhash.long_ngram = 4; })).second);
  EXPECT_TRUE(ids.insert(changed([](Recipe& r) { r.minhash.blind_ngram = 8; })).second);
  EXPECT_TRUE(ids.insert(changed([](Recipe& r) { r.quotes = r.quotes == "own" ? "all" : "own"; })).second);
  EXPECT_TRUE(ids.insert(changed([](Recipe& r) { r.minhash.num_values = 240; })).second);
  EXPECT_TRUE(ids.insert(changed([](Recipe& r) { r.minhash.seed = 0; })).second);
  EXPECT_TRUE(ids.insert(changed([](Recipe& r) { r.fingerprints.pop_back(); })).second);
  EXPECT_TRUE(ids.insert(changed([](Recipe& r) { r.fingerprints[1].ngram = 3; })).second);
  EXPECT_TRUE(ids.insert(changed([](Recipe& r) { r.fingerprints[0].weight = Weight::kTfIdf; })).second);
  EXPECT_TRUE(ids.insert(changed([](Recipe& r) { r.fingerprints[0].top_n = 21; })).second);
  EXPECT_TRUE(ids.insert(changed([](Recipe& r) { r.fingerprints[1].seed = 1; })).second);
  EXPECT_TRUE(ids.insert(changed([](Recipe& r) { r.idf = "corpus"; })).second);
  EXPECT_TRUE(ids.insert(changed([](Recipe& r) { r.idf_id = ""; })).second);
  EXPECT_TRUE(ids.insert(changed([](Recipe& r) { r.hash_seed = 0; })).second);
  EXPECT_TRUE(ids.insert(changed([](Recipe& r) { r.min_tokens = 6; })).second);
  EXPECT_TRUE(ids.insert(changed([](Recipe& r) { r.checksum = "xxh3"; })).second);
}

TEST(Recipe, ErrorsNameTheKeyAndTheCure) {
  expect_error(R"({"fingerprints":[{}],"tokeniser":"words"})", "tokeniser", "known are name, version");
  expect_error(R"({"fingerprints":[{"n":2}]})", "n", "known are ngram");
  expect_error(R"({"fingerprints":[]})", "fingerprints", "1 to 16");
  expect_error(R"({})", "fingerprints", "1 to 16");
  expect_error(R"({"fingerprints":{}})", "fingerprints", "an array");
  expect_error(R"({"fingerprints":[3]})", "fingerprints", "an object");
  expect_error(R"({"fingerprints":[{"ngram":0}]})", "ngram", "from 1 to 16");
  expect_error(R"({"fingerprints":[{"ngram":17}]})", "ngram", "from 1 to 16");
  expect_error(R"({"fingerprints":[{"ngram":-1}]})", "ngram", "whole number");
  expect_error(R"({"fingerprints":[{"ngram":2.5}]})", "ngram", "whole number");
  expect_error(R"({"fingerprints":[{"ngram":"2"}]})", "ngram", "whole number");
  expect_error(R"({"fingerprints":[{"top_n":4294967296}]})", "top_n", "2147483647");
  expect_error(R"({"fingerprints":[{"seed":-1}]})", "seed", "2^64");
  expect_error(R"({"fingerprints":[{"weight":"tfidf"}]})", "weight", "tf_idf");
  expect_error(R"({"fingerprints":[{"weight":"tf_idf"}]})", "idf", "corpus, file or jieba");
  expect_error(R"({"fingerprints":[{"weight":"tf_idf","ngram":2}],"idf":"corpus"})", "weight", "binary, tf or log_tf");
  expect_error(R"({"fingerprints":[{}],"tokenizer":"word"})", "tokenizer", "words");
  expect_error(R"({"fingerprints":[{}],"normalization":"nfc"})", "normalization", "nfkc_casefold");
  expect_error(R"({"fingerprints":[{}],"cjk":"words"})", "cjk", "characters");
  expect_error(R"({"fingerprints":[{}],"fold_han":1})", "fold_han", "true or false");
  expect_error(R"({"fingerprints":[{}],"stop_words":"klingon"})", "stop_words", "english");
  expect_error(R"({"fingerprints":[{}],"stemmer":"klingon"})", "stemmer", "english");
  expect_error(R"({"fingerprints":[{}],"extraction":"pdf"})", "extraction", "html");
  expect_error(R"({"fingerprints":[{}],"mask":"dates"})", "mask", "array");
  expect_error(R"({"fingerprints":[{}],"mask":["date"]})", "mask", "dates");
  expect_error(R"({"fingerprints":[{}],"mask":["urls","dates"]})", "mask", "order");
  expect_error(R"({"fingerprints":[{}],"mask":["urls","urls"]})", "mask", "once");
  expect_error(R"({"fingerprints":[{}],"checksum":"sha1"})", "checksum", "md5");
  expect_error(R"({"fingerprints":[{}],"idf":"yes"})", "idf", "corpus");
  expect_error(R"({"fingerprints":[{}],"bits":128})", "bits", "64");
  expect_error(R"({"fingerprints":[{}],"version":2})", "version", "1");
  expect_error(R"({"fingerprints":[{}],"name":3})", "name", "a string");
  expect_error(R"({"fingerprints":[{}],"family":"sim"})", "family", "auto, simhash or minhash");
  expect_error(R"({"family":"minhash","minhash":{"values":100}})", "values", "a multiple of 16 up to 1024");
  expect_error(R"({"family":"minhash","minhash":{"values":2048}})", "values", "a multiple of 16 up to 1024");
  expect_error(R"({"family":"minhash","minhash":{"bands":1025}})", "bands", "from 1 to 1024");
  expect_error(R"({"family":"minhash","minhash":{"rows":129,"bands":1}})", "rows", "from 1 to 128");
  expect_error(R"({"family":"minhash","minhash":{"ngram":0}})", "ngram", "from 1 to 16");
  expect_error(R"({"family":"minhash","minhash":{"num":1}})", "num", "known are ngram, values");
  EXPECT_FALSE(recipe_from_json("[]"));
  EXPECT_FALSE(recipe_from_json("{"));
  EXPECT_FALSE(recipe_from_json(""));
  EXPECT_FALSE(recipe_from_json("{\"name\":\"\xff\"}"));
}

TEST(Recipe, NamedOnesAreValid) {
  const std::vector<std::string> names = recipe_names();
  ASSERT_FALSE(names.empty());
  EXPECT_EQ(names[0], "default");
  for (const std::string& name : names) {
    const Result<Recipe> recipe = find_recipe(name);
    ASSERT_TRUE(recipe);
    EXPECT_EQ(recipe->name, name);
    EXPECT_TRUE(validate(*recipe)) << name;
    EXPECT_EQ(*recipe_from_json(to_json(*recipe)), *recipe);
    EXPECT_FALSE(recipe_summary(name).empty());
  }
  for (const char* name : {"grams", "paper"}) EXPECT_TRUE(std::count(names.begin(), names.end(), name)) << name;
  EXPECT_TRUE(recipe_summary("nothing").empty());
}

TEST(Recipe, QuotesAreNamedWhereTheyAreLeftOut) {
  Recipe recipe = *find_recipe("minhash");
  EXPECT_NE(to_json(recipe).find(R"("quotes":"own")"), std::string::npos);
  EXPECT_EQ(recipe_from_json(to_json(recipe))->quotes, "own");
  recipe.quotes = "all";
  EXPECT_EQ(to_json(recipe).find("quotes"), std::string::npos) << "recipes from before keep their ids";
  EXPECT_EQ(find_recipe("code")->quotes, "all");
  const Result<Recipe> wrong = recipe_from_json(R"({"family":"minhash","quotes":"none"})");
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find("own, all"), std::string::npos) << wrong.error().message;
}

TEST(Recipe, PaperHasOneFingerprint) { EXPECT_EQ(find_recipe("paper")->fingerprints.size(), 1U); }

TEST(Recipe, UnknownNameListsTheNames) {
  const Result<Recipe> recipe = find_recipe("deflaut");
  ASSERT_FALSE(recipe);
  EXPECT_EQ(recipe.error().code, Code::kNotFound);
  EXPECT_NE(recipe.error().message.find("deflaut"), std::string::npos);
  for (const std::string& name : recipe_names()) EXPECT_NE(recipe.error().message.find(name), std::string::npos);
}

TEST(Recipe, IsReadFromAFile) {
  const auto path = std::filesystem::temp_directory_path() / ("neardup_recipe_" + std::to_string(getpid()) + ".json");
  ASSERT_TRUE(write_file_atomically(path.string(), to_json(full_recipe())));
  EXPECT_EQ(*find_recipe(path.string()), full_recipe());
  ASSERT_TRUE(write_file_atomically(path.string(), R"({"fingerprints":[{"ngram":99}]})"));
  const Result<Recipe> broken = find_recipe(path.string());
  ASSERT_FALSE(broken);
  EXPECT_NE(broken.error().message.find(path.string()), std::string::npos);
  std::filesystem::remove(path);
}

TEST(Recipe, OfSourceCodeSaysHowItIsCut) {
  const Recipe code = *find_recipe("code");
  const std::string json = to_json(code);
  EXPECT_NE(json.find(R"("long_ngram":4,"blind_ngram":8)"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("code_tokens":"2")"), std::string::npos) << json;
  Recipe again = *recipe_from_json(json);
  EXPECT_EQ(again, code);
  const Result<Recipe> older =
      recipe_from_json(R"({"tokenizer":"code","code_tokens":"1","family":"minhash","minhash":{"ngram":2}})");
  ASSERT_FALSE(older);
  EXPECT_EQ(older.error().code, Code::kMismatch);
  const Result<Recipe> prose = recipe_from_json(R"({"family":"minhash","minhash":{"blind_ngram":8}})");
  ASSERT_FALSE(prose);
  EXPECT_NE(prose.error().message.find("blind_ngram"), std::string::npos);
}

}  // namespace
}  // namespace neardup::recipe
