// Texts that are hard to read go the whole road: each is kept and counted, and a copy of it is found.
#include <gtest/gtest.h>
#include <unistd.h>

#include "neardup/feature/idf.h"
#include "neardup/recipe/fingerprinter.h"
#include "neardup/recipe/recipe_tokens.h"
#include "tests/fuzz/jieba_sample.h"
#include "tests/promise/engine/made_corpus.h"

namespace neardup::engine {
namespace {

using nlohmann::json;

struct Setting {
  const char* recipe;
  FamilyChoice family;
};

std::string repeated(std::string_view piece, size_t size_bytes) {
  std::string text;
  while (text.size() < size_bytes) text += piece;
  return text;
}

// As JSON strings, since some cannot be had from valid UTF-8.
const std::map<std::string, std::string>& hostile_texts() {
  const auto quoted = [](const std::string& text) { return json(text).dump(); };
  static const std::map<std::string, std::string> texts = {
      {"arabic_and_latin", quoted(repeated("قال المدير إن شركة Example Ltd تبيع 25 جهازا في Cairo و Beirut. ", 600))},
      {"hebrew_and_latin", quoted(repeated("המנהל אמר כי חברת Example Ltd מוכרת 25 מכשירים ב London ו Haifa. ", 600))},
      {"direction_marks",
       quoted(repeated("abc \u202E\u05D0\u05D1\u05D2\u202C def \u2067\u0627\u0628\u2069 ghi \u200F. ", 600))},
      {"lone_surrogates", "\"" + repeated("before \\ud800 between \\udc00 after \\udc00\\ud800 end ", 600) + "\""},
      {"no_spaces_latin", quoted(repeated("abcdefghijklmnopqrstuvwxyz0123456789", 1 << 20))},
      {"no_spaces_chinese", quoted(repeated("北京大学生活在中国的杨洋", 1 << 20))},
      {"no_spaces_combining", quoted("e" + repeated("\u0301\u0323", 1 << 20))},
      {"no_spaces_thai", quoted(repeated("ภาษาไทยไม่มีช่องว่าง", 1 << 16))},
      {"controls", "\"" + repeated("\\u0000\\u0001 x\\u0002y \\u007f\\u0085 ", 600) + "\""},
      {"one_sign", quoted("\U0001F600")},
      {"nothing", quoted("")},
  };
  return texts;
}

class Hostile : public ::testing::TestWithParam<Setting> {
 protected:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "neardup_hostile_" + std::to_string(getpid());
    std::filesystem::create_directories(folder_ + "/in");
    std::ofstream out(folder_ + "/in/a.jsonl", std::ios::binary);
    for (const char* copy : {"a_", "b_"})
      for (const auto& [name, text] : hostile_texts())
        out << R"({"id":")" << copy << name << R"(","text":)" << text << "}\n";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  DedupOptions options() const {
    DedupOptions options;
    options.inputs = {folder_ + "/in"};
    options.output = folder_ + "/out";
    options.recipe = *recipe::find_recipe(GetParam().recipe);
    options.family = GetParam().family;
    options.num_threads = 2;
    if (options.recipe.tokenizer == "jieba") {
      auto dictionary = token::JiebaDictionary::from_bytes(compiled_sample());
      EXPECT_TRUE(dictionary && recipe::attach_dictionary(options.recipe, *dictionary));
    }
    return options;
  }
  /// Runs, and finds each text kept once and its copy removed as an exact one; nothing rejected.
  void expect_all_are_kept(const DedupOptions& options) const {
    const auto report = dedup(options, {});
    ASSERT_TRUE(report) << report.error().message;
    const uint64_t count = hostile_texts().size();
    EXPECT_EQ(report->total.read, 2 * count);
    EXPECT_EQ(report->total.rejected, 0U);
    EXPECT_EQ(report->total.kept + report->total.exact + report->total.near, 2 * count);
    std::map<std::string, int> kept;
    std::ifstream in(options.output + "/kept/a.jsonl", std::ios::binary);
    for (std::string line; std::getline(in, line);) {
      const size_t begin = line.find(":\"") + 4;  // behind "a_" or "b_"
      ++kept[line.substr(begin, line.find('"', begin) - begin)];
    }
    for (const auto& [name, text] : hostile_texts()) EXPECT_EQ(kept[name], 1) << name;
    EXPECT_EQ(report->total.exact, count);
  }

  std::string folder_;
};

TEST_P(Hostile, EachTextIsKeptAndItsCopyFound) { expect_all_are_kept(options()); }

TEST_P(Hostile, EachTextHasAFingerprint) {
  DedupOptions o = options();
  if (o.recipe.needs_idf()) o.recipe.idf = "file";
  auto idf = feature::IdfBuilder().build({.tokens = recipe::tokens_json(o.recipe)});
  auto fingerprinter = recipe::Fingerprinter::create(o.recipe, o.recipe.needs_idf() ? idf : nullptr);
  ASSERT_TRUE(fingerprinter) << fingerprinter.error().message;
  for (const auto& [name, text] : hostile_texts()) {
    if (name == "lone_surrogates") continue;  // the reader alone can make text of it
    recipe::TextFingerprint first, second;
    fingerprinter->fingerprint(json::parse(text).get<std::string>(), first);
    fingerprinter->fingerprint(json::parse(text).get<std::string>(), second);
    EXPECT_EQ(first.fingerprints, second.fingerprints) << name;
    EXPECT_EQ(first.signature, second.signature) << name;
    EXPECT_EQ(first.tokens, second.tokens) << name;
    const bool has_words = name != "nothing" && name != "one_sign";
    EXPECT_TRUE(!has_words || !first.tokens.empty()) << name;
  }
}

// A dictionary of no documents weighs all tokens alike.
TEST_P(Hostile, AnEmptyIdfDictionaryLosesNothing) {
  DedupOptions o = options();
  if (!o.recipe.needs_idf() || o.family == FamilyChoice::kMinHash) GTEST_SKIP() << "nothing is weighed by IDF";
  o.recipe.idf = "file";
  o.idf_file = folder_ + "/empty.idf";
  ASSERT_TRUE(feature::IdfBuilder().build({.tokens = recipe::tokens_json(o.recipe)})->save(o.idf_file));
  expect_all_are_kept(o);
}

INSTANTIATE_TEST_SUITE_P(
    Recipes, Hostile,
    ::testing::Values(Setting{"default", FamilyChoice::kSimHash}, Setting{"default", FamilyChoice::kMinHash},
                      Setting{"web", FamilyChoice::kSimHash}, Setting{"jieba", FamilyChoice::kSimHash},
                      Setting{"code", FamilyChoice::kMinHash}, Setting{"lines", FamilyChoice::kMinHash}),
    [](const auto& setting) {
      return setting.param.recipe +
             std::string(setting.param.family == FamilyChoice::kMinHash ? "_minhash" : "_simhash");
    });

// Without any words the model of unknown ones is left.
TEST(EmptyDictionary, OfJiebaCutsEveryTextWhole) {
  token::JiebaModel model;
  model.id = std::string(32, '0');
  model.hmm = *token::parse_hmm(kSampleHmm);
  const auto bytes = token::compile_jieba(model);
  ASSERT_TRUE(bytes) << bytes.error().message;
  auto dictionary = token::JiebaDictionary::from_bytes(*bytes);
  ASSERT_TRUE(dictionary) << dictionary.error().message;
  recipe::Recipe recipe = *recipe::find_recipe("jieba");
  recipe.family = recipe::Family::kMinHash;
  ASSERT_TRUE(recipe::attach_dictionary(recipe, *dictionary));
  auto fingerprinter = recipe::Fingerprinter::create(recipe, nullptr);
  ASSERT_TRUE(fingerprinter) << fingerprinter.error().message;
  EXPECT_FALSE(fingerprinter->token_hashes("北京大学 ok").empty());
}

}  // namespace
}  // namespace neardup::engine
