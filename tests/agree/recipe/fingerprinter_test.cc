// The whole way from text to fingerprint gives the same on every instruction set of this machine.
#include "neardup/recipe/fingerprinter.h"

#include <gtest/gtest.h>
#include <hwy/highway.h>
#include <hwy/targets.h>

#include <random>
#include <string>
#include <vector>

#include "tests/unit/recipe/usable_recipe.h"

namespace neardup::recipe {
namespace {

std::vector<std::string> random_texts() {
  const std::vector<std::string> pieces = {
      "the",  "The", " ",  "  ",   "\n",   "fox",           "naïve",
      "中文", "漢",  "字", "カナ", "ไทย",  "123",           "_",
      "-",    ".",   "ﬁ",  "É",    "\xff", "длинное-слово", "supercalifragilistic"};
  std::mt19937_64 random(1);
  std::vector<std::string> texts;
  for (size_t i = 0; i < 300; ++i) {
    std::string& text = texts.emplace_back();
    const size_t size = random() % (i % 50 == 0 ? 5000 : 200);
    for (size_t j = 0; j < size; ++j) {
      text += pieces[random() % pieces.size()];
      if (random() % 3 != 0) text += "word" + std::to_string(random() % 400) + ' ';
    }
  }
  return texts;
}

/// Learns a dictionary where the recipe needs one, and returns everything in one line per text.
std::vector<std::string> lines_of(const Recipe& recipe, const std::vector<std::string>& texts) {
  Recipe counting = recipe;
  counting.fingerprints = {{.ngram = 1}};
  Fingerprinter counter = Fingerprinter::create(counting, nullptr).value();
  feature::IdfBuilder builder;
  for (const std::string& text : texts) counter.count_tokens(text, builder);
  const auto idf = builder.build();
  Fingerprinter fingerprinter = Fingerprinter::create(recipe, idf).value();
  std::vector<std::string> lines = {idf->id()};
  TextFingerprint text_fingerprint;
  for (const std::string& text : texts) {
    fingerprinter.fingerprint(text, text_fingerprint);
    std::string& line = lines.emplace_back(to_hex(text_fingerprint.checksum));
    for (const uint64_t value : text_fingerprint.fingerprints) line += ' ' + to_hex(value);
    for (const uint32_t token : text_fingerprint.tokens) line += ' ' + std::to_string(token);
  }
  return lines;
}

TEST(FingerprinterTargets, AllGiveTheSame) {
  const std::vector<std::string> texts = random_texts();
  for (const std::string& name : recipe_names()) {
    const Recipe recipe = usable_recipe(name);
    hwy::SetSupportedTargetsForTest(0);
    const std::vector<std::string> expected = lines_of(recipe, texts);
    for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
      hwy::SetSupportedTargetsForTest(target);
      ASSERT_EQ(lines_of(recipe, texts), expected) << name << ' ' << hwy::TargetName(target);
    }
  }
  hwy::SetSupportedTargetsForTest(0);
}

}  // namespace
}  // namespace neardup::recipe
