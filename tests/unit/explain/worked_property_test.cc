// SimHash by hand and the words that a text lost, of made-up features and tokens, against plain loops.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "neardup/explain/changed_words.h"
#include "neardup/explain/worked_example.h"

namespace neardup::explain {
namespace {

using nlohmann::json;

TEST(WorkedByHand, CountersAreSumsOfSignedWeights) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 100; ++round) {
    const size_t num_bits = 1 + random() % 20;
    json given = {{"bits", num_bits}, {"features", json::array()}};
    std::vector<double> counters(num_bits);
    for (size_t i = random() % 6; i > 0; --i) {
      std::string hash;
      json signs = json::array();
      const double weight = static_cast<double>(1 + random() % 8) / 2;
      for (size_t bit = 0; bit < num_bits; ++bit) {
        const bool is_set = random() % 2 == 0;
        hash += is_set ? '1' : '0';
        signs.push_back(is_set ? 1 : -1);
        counters[bit] += is_set ? weight : -weight;
      }
      json feature = {{"name", fmt::format("f{}", i)}, {"weight", weight}};
      if (random() % 2 == 0) feature["hash"] = hash;
      if (!feature.contains("hash")) feature["signs"] = signs;
      given["features"].push_back(feature);
    }
    const auto example = parse_worked_example(given.dump());
    ASSERT_TRUE(example) << example.error().message;
    EXPECT_EQ(example->num_bits, num_bits);
    const json said = json::parse(worked_json(*example));
    EXPECT_EQ(said["counters"].get<std::vector<double>>(), counters);
    EXPECT_EQ(said["features"].size(), given["features"].size());
    std::string bits;
    for (const double counter : counters) bits += counter > 0 ? '1' : '0';
    EXPECT_EQ(said["fingerprint"], bits);
    if (!said["features"].empty()) {
      EXPECT_EQ(said["features"].back()["counters"], said["counters"]) << "the last of the running ones";
    }
    EXPECT_TRUE(worked_text(*example).ends_with("fingerprint " + bits + "\n")) << worked_text(*example);
  }
}

TEST(WorkedByHand, SignsAreOneAndMinusOneAlone) {
  for (const char* sign : {"4294967297", "35624178901234567890", "1.0", "-2", "null"}) {
    const std::string given = fmt::format(R"({{"bits":1,"features":[{{"signs":[{}]}}]}})", sign);
    EXPECT_FALSE(parse_worked_example(given)) << sign;
  }
}

TEST(WorkedByHand, TheMostBitsAreTakenAndNoMore) {
  const auto of_bits = [](int bits) {
    return parse_worked_example(json{{"bits", bits}, {"features", json::array()}}.dump());
  };
  EXPECT_TRUE(of_bits(1));
  EXPECT_TRUE(of_bits(1024));
  for (const int bits : {-1, 0, 1025}) {
    ASSERT_FALSE(of_bits(bits)) << bits;
    EXPECT_EQ(of_bits(bits).error().code, Code::kInvalidArgument);
  }
}

TEST(ChangedWordsOfAny, AreCountedByWordTheMostFrequentFirst) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 100; ++round) {
    std::string text;
    token::ExplainedTokens tokens;
    std::map<std::string, uint64_t> dropped, stemmed;
    for (size_t i = random() % 40; i > 0; --i) {
      const std::string word = fmt::format("word{}", random() % 6);
      token::ExplainedToken token{};
      token.token.begin = static_cast<uint32_t>(text.size());
      token.token.size_bytes = static_cast<uint32_t>(word.size());
      const auto kind = (word.back() - '0') % 3;  // of a word always the same
      token.is_stop_word = kind == 0;
      if (kind == 1) token.stem = "stem";
      if (kind == 0) ++dropped[word];
      if (kind == 1) ++stemmed[word];
      tokens.tokens.push_back(token);
      text += word + " ";
    }
    const ChangedWords changed = changed_words(text, tokens);
    uint64_t num_dropped = 0, num_stemmed = 0;
    for (const ChangedWord& word : changed.dropped) {
      EXPECT_EQ(word.count, dropped[word.word]);
      EXPECT_EQ(word.stem, "");
      num_dropped += word.count;
    }
    for (const ChangedWord& word : changed.stemmed) {
      EXPECT_EQ(word.count, stemmed[word.word]);
      EXPECT_EQ(word.stem, "stem");
      num_stemmed += word.count;
    }
    EXPECT_EQ(changed.num_dropped, num_dropped);
    EXPECT_EQ(changed.num_stemmed, num_stemmed);
    EXPECT_EQ(changed.dropped.size(), dropped.size());
    EXPECT_EQ(changed.stemmed.size(), stemmed.size());
    EXPECT_TRUE(std::ranges::is_sorted(changed.dropped, std::ranges::greater(), &ChangedWord::count));
    std::string members = "{\"first\":1";
    append_changed_words(members, text, tokens);
    const json object = json::parse(members + "}");
    EXPECT_EQ(object["dropped"].size(), dropped.size());
    EXPECT_EQ(object["stemmed"].size(), stemmed.size());
    EXPECT_EQ(changed_words_lines(text, tokens).size(), (dropped.empty() ? 0U : 1U) + (stemmed.empty() ? 0U : 1U));
  }
}

}  // namespace
}  // namespace neardup::explain
