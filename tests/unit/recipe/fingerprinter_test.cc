#include "neardup/recipe/fingerprinter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "neardup/feature/ngrams.h"
#include "neardup/feature/phrases.h"
#include "neardup/fingerprint/signature.h"
#include "neardup/minhash/signer.h"
#include "neardup/simhash/counters.h"
#include "neardup/simhash/kernel.h"
#include "neardup/token/numbers.h"
#include "neardup/token/one_token.h"
#include "tests/unit/recipe/usable_recipe.h"
#include "tests/unit/token/jieba_sources.h"

namespace neardup::recipe {
namespace {

Fingerprinter make(const Recipe& recipe, std::shared_ptr<const feature::Idf> idf = nullptr) {
  Result<Fingerprinter> fingerprinter = Fingerprinter::create(recipe, std::move(idf));
  EXPECT_TRUE(fingerprinter) << fingerprinter.error().message;
  return std::move(*fingerprinter);
}

TextFingerprint fingerprint_of(Fingerprinter& fingerprinter, std::string_view text) {
  TextFingerprint text_fingerprint;
  fingerprinter.fingerprint(text, text_fingerprint);
  return text_fingerprint;
}

TextFingerprint fingerprint_of(const std::string& recipe, std::string_view text) {
  Fingerprinter fingerprinter = make(*find_recipe(recipe));
  return fingerprint_of(fingerprinter, text);
}

void expect_same(const TextFingerprint& a, const TextFingerprint& b) {
  EXPECT_EQ(a.fingerprints, b.fingerprints);
  EXPECT_EQ(a.checksum, b.checksum);
  EXPECT_EQ(a.size_bytes, b.size_bytes);
  EXPECT_EQ(a.tokens, b.tokens);
  EXPECT_EQ(a.has_features, b.has_features);
}

std::shared_ptr<const feature::Idf> learn(Fingerprinter& counter, const std::vector<std::string>& texts) {
  feature::IdfBuilder builder;
  for (const std::string& text : texts) counter.count_tokens(text, builder);
  return builder.build();
}

constexpr std::string_view kText =
    "The quick brown fox jumps over the lazy dog. Pack my box with five dozen liquor jugs, and the quick brown fox "
    "sleeps. 快速的棕色狐狸跳过了懒狗。";

TEST(Fingerprinter, NumbersInAnotherFormAreNoEqualText) {
  for (const std::string name : {"default", "chinese", "jieba", "grams", "news", "web"}) {
    Recipe recipe = *find_recipe(name);
    if (recipe.needs_dictionary() || recipe.needs_idf()) continue;
    Fingerprinter fingerprinter = make(recipe);
    const auto sum_of = [&](std::string_view text) { return fingerprint_of(fingerprinter, text).checksum; };
    EXPECT_NE(sum_of("10⁵ ways"), sum_of("105 ways")) << name;
    EXPECT_NE(sum_of("1½ cups"), sum_of("11/2 cups")) << name;
    EXPECT_NE(sum_of("2① a"), sum_of("21 a")) << name;
    EXPECT_NE(sum_of("<p>10<sup>5</sup> ways</p>"), sum_of("<p>105 ways</p>")) << name;
  }
}

TEST(Fingerprinter, LettersThatAreOneDoNotMatter) {
  Recipe old = *find_recipe("minhash");
  old.normalization = "nfkc_casefold";
  old.cjk = "characters";
  Fingerprinter before = make(old);
  const std::string text = "Économie générale, Ελλάδα, ёлка, کتاب یک, 할 수 있다";
  for (const char* other : {"Economie generale, Ελλαδα, елка, كتاب يك, 할수있다",
                            "&Eacute;conomie g&#233;nérale, Ελλάδα, ёлка, کتاب یک, 할 수 있다"}) {
    EXPECT_EQ(fingerprint_of("minhash", text).tokens, fingerprint_of("minhash", other).tokens) << other;
    EXPECT_NE(fingerprint_of(before, text).tokens, fingerprint_of(before, other).tokens) << "what was, is to be had";
  }
}

TEST(Fingerprinter, ChineseWordsAreFoundBeforeCharactersAreFolded) {
  const JiebaFolder folder("fingerprinter");
  folder.write("dict.txt", std::string(kSmallWords) + "著名 50 a\n");
  Recipe recipe = *find_recipe("jieba");
  recipe.idf = "none";
  recipe.family = Family::kMinHash;
  recipe.fingerprints.clear();
  ASSERT_TRUE(attach_dictionary(recipe, token::JiebaDictionary::open(folder.files()).value()));
  Fingerprinter fingerprinter = make(recipe);
  const auto tokens_of = [&](std::string_view text) { return fingerprint_of(fingerprinter, text).tokens; };
  EXPECT_EQ(tokens_of("著名的北京大学的生活").size(), 5U) << "simplified texts write the first character, too";
  EXPECT_EQ(tokens_of("北京大学的生活"), tokens_of("北京大學的生活")) << "traditional ones are cut when folded";
  EXPECT_EQ(fingerprinter.cut("著名").normalized, "着名");
}

TEST(Fingerprinter, CaseSpaceAndFormDoNotMatter) {
  const TextFingerprint a = fingerprint_of("grams", "The  Quick\tbrown\n fox ﬁne");
  const TextFingerprint b = fingerprint_of("grams", " the quick brown fox fine ");
  expect_same(a, b);
  EXPECT_EQ(a.size_bytes, std::string_view("the quick brown fox fine").size());
  EXPECT_EQ(a.tokens.size(), 5U);
}

TEST(Fingerprinter, ChecksumIsOfTheNormalisedText) {
  const TextFingerprint text_fingerprint = fingerprint_of("grams", "  ABC  def ");
  EXPECT_EQ(text_fingerprint.checksum, hash128("abc def"));
}

TEST(Fingerprinter, Md5IsAnOption) {
  Recipe recipe = *find_recipe("grams");
  recipe.checksum = "md5";
  Fingerprinter fingerprinter = make(recipe);
  // RFC 1321, appendix A.5.
  EXPECT_EQ(to_hex(fingerprint_of(fingerprinter, "").checksum), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(to_hex(fingerprint_of(fingerprinter, "ABC").checksum), "900150983cd24fb0d6963f7d28e17f72");
  EXPECT_EQ(to_hex(fingerprint_of(fingerprinter, "message digest").checksum), "f96b697d7cb7938d525a2f31aaf161d0");
}

TEST(Fingerprinter, NoTokensNoFeatures) {
  for (const std::string_view text : {"", " \t\n", "... !!! ---", "\xff\xfe", "🙂🙂🙂"}) {
    const TextFingerprint text_fingerprint = fingerprint_of("grams", text);
    EXPECT_FALSE(text_fingerprint.has_features) << text;
    EXPECT_EQ(text_fingerprint.fingerprints, (std::vector<uint64_t>{0, 0}));
  }
}

TEST(Fingerprinter, MinTokensIsALimit) {
  Recipe recipe = *find_recipe("grams");
  recipe.min_tokens = 3;
  Fingerprinter fingerprinter = make(recipe);
  EXPECT_FALSE(fingerprint_of(fingerprinter, "one two").has_features);
  EXPECT_TRUE(fingerprint_of(fingerprinter, "one two three").has_features);
  EXPECT_EQ(fingerprint_of(fingerprinter, "one two").tokens.size(), 2U);
}

TEST(Fingerprinter, ShortTextsHaveAFingerprint) {
  const TextFingerprint text_fingerprint = fingerprint_of("grams", "word");
  EXPECT_TRUE(text_fingerprint.has_features);
  EXPECT_NE(text_fingerprint.fingerprints[0], 0U);
  EXPECT_NE(text_fingerprint.fingerprints[0], fingerprint_of("grams", "other").fingerprints[0]);
}

TEST(Fingerprinter, EveryScriptHasFeaturesOfItsOwn) {
  const std::vector<std::string> texts = {"机器学习是人工智能的一个分支",       "機械学習は人工知能の一分野である",
                                          "기계 학습은 인공지능의 한 분야이다", "التعلم الآلي هو فرع من الذكاء",
                                          "การเรียนรู้ของเครื่องเป็นสาขาหนึ่ง",         "Машинное обучение раздел науки",
                                          "machine learning is a branch"};
  Fingerprinter fingerprinter = make(*find_recipe("grams"));
  for (size_t i = 0; i < texts.size(); ++i) {
    const TextFingerprint a = fingerprint_of(fingerprinter, texts[i]);
    EXPECT_TRUE(a.has_features) << texts[i];
    for (size_t j = 0; j < i; ++j) {
      EXPECT_GT(std::popcount(a.fingerprints[0] ^ fingerprint_of(fingerprinter, texts[j]).fingerprints[0]), 12)
          << i << j;
    }
  }
}

TEST(Fingerprinter, SimilarTextsAreNear) {
  std::string a;
  for (int i = 0; i < 300; ++i) a += "word" + std::to_string(i * i % 1009) + ' ';
  std::string b = a;
  b.replace(b.find("word81 "), 7, "changed ");
  Fingerprinter fingerprinter = make(*find_recipe("grams"));
  const TextFingerprint pa = fingerprint_of(fingerprinter, a);
  const TextFingerprint pb = fingerprint_of(fingerprinter, b);
  for (size_t i = 0; i < pa.fingerprints.size(); ++i) {
    EXPECT_LE(std::popcount(pa.fingerprints[i] ^ pb.fingerprints[i]), 8) << i;
  }
  EXPECT_NE(pa.checksum, pb.checksum);
}

TEST(Fingerprinter, ReusedMemoryLeavesNoTrace) {
  const std::vector<std::string> texts = {
      std::string(kText), "", "one", std::string(100000, 'x') + " y z", "中文 and English", std::string(kText)};
  Fingerprinter reused = make(*find_recipe("grams"));
  TextFingerprint text_fingerprint;
  for (const std::string& text : texts) {
    reused.fingerprint(text, text_fingerprint);
    expect_same(text_fingerprint, fingerprint_of("grams", text));
  }
}

TEST(Fingerprinter, IdfIsNeededWhereWeightsUseIt) {
  const Result<Fingerprinter> without = Fingerprinter::create(*find_recipe("paper"), nullptr);
  ASSERT_FALSE(without);
  EXPECT_EQ(without.error().code, Code::kInvalidArgument);
  EXPECT_NE(without.error().message.find("dictionary"), std::string::npos);
  EXPECT_FALSE(Fingerprinter::create(Recipe{}, nullptr)) << "a recipe without fingerprints";
}

TEST(Fingerprinter, CountTokensCountsEachWordOnce) {
  Fingerprinter counter = make(*find_recipe("grams"));
  const auto idf = learn(counter, {"a b b", "a A a c", "a"});
  EXPECT_EQ(idf->num_documents(), 3U);
  EXPECT_EQ(idf->num_tokens(), 3U);
  EXPECT_EQ(idf->weight(token::token_hash("a", 0)), 1.0F);
  EXPECT_GT(idf->weight(token::token_hash("b", 0)), 1.0F);
}

TEST(Fingerprinter, FrequentWordsWeighLittle) {
  // Only the rare word differs: with IDF weights it turns many bits, with binary weights few.
  std::vector<std::string> texts;
  for (int i = 0; i < 200; ++i) texts.push_back("common words of all texts here " + std::to_string(i));
  Fingerprinter counter = make(*find_recipe("grams"));
  Recipe binary{.fingerprints = {{.ngram = 1}}};
  Fingerprinter weighted = make(*find_recipe("paper"), learn(counter, texts));
  Fingerprinter plain = make(binary);
  const auto between = [&](Fingerprinter& f) {
    int sum = 0;
    for (size_t i = 1; i < texts.size(); ++i) {
      sum += std::popcount(fingerprint_of(f, texts[0]).fingerprints[0] ^ fingerprint_of(f, texts[i]).fingerprints[0]);
    }
    return sum;
  };
  EXPECT_GT(between(weighted), between(plain) * 3 / 2);
}

void expect_explained(Fingerprinter& fingerprinter, std::string_view text) {
  const TextFingerprint text_fingerprint = fingerprint_of(fingerprinter, text);
  const Explanation explanation = fingerprinter.explain(text);
  EXPECT_EQ(explanation.checksum, text_fingerprint.checksum);
  EXPECT_EQ(explanation.normalized.size(), text_fingerprint.size_bytes);
  EXPECT_EQ(explanation.num_tokens, text_fingerprint.tokens.size());
  EXPECT_EQ(explanation.has_features, text_fingerprint.has_features);
  ASSERT_EQ(explanation.fingerprints.size(), text_fingerprint.has_features ? text_fingerprint.fingerprints.size() : 0);
  for (size_t i = 0; i < explanation.fingerprints.size(); ++i) {
    const ExplainedFingerprint& explained = explanation.fingerprints[i];
    EXPECT_EQ(explained.fingerprint, text_fingerprint.fingerprints[i]);
    for (size_t bit = 0; bit < 64; ++bit) {
      double counter = 0;
      for (const auto& f : explained.features) counter += (f.hash >> bit & 1) != 0 ? f.weight : -f.weight;
      ASSERT_NEAR(counter, explained.counters[bit], 1e-6);
      ASSERT_EQ(explained.counters[bit] > 0, (text_fingerprint.fingerprints[i] >> bit & 1) != 0);
    }
    for (const auto& f : explained.features) {
      EXPECT_EQ(explanation.normalized.substr(f.begin, f.text.size()), f.text);
      EXPECT_GE(f.count, 1U);
    }
  }
}

TEST(Explain, AddsUpToTheFingerprint) {
  Fingerprinter counter = make(*find_recipe("grams"));
  const auto idf = learn(counter, {std::string(kText), "the fox", "the dog", "lazy"});
  for (const std::string& name : recipe_names()) {
    Fingerprinter fingerprinter = make(usable_recipe(name), idf);
    for (const std::string_view text :
         {kText, std::string_view("one"), std::string_view("one two"), std::string_view()}) {
      expect_explained(fingerprinter, text);
    }
  }
}

TEST(Explain, NamesTheNgrams) {
  Recipe recipe{.fingerprints = {{.ngram = 2, .weight = Weight::kTf}}};
  Fingerprinter fingerprinter = make(recipe);
  const Explanation explanation = fingerprinter.explain("Red, red rose; RED, RED");
  ASSERT_EQ(explanation.fingerprints.size(), 1U);
  const auto& features = explanation.fingerprints[0].features;
  ASSERT_EQ(features.size(), 3U);
  EXPECT_EQ(features[0].text, "red, red");
  EXPECT_EQ(features[0].count, 2U);
  EXPECT_EQ(features[0].weight, 2.0);
  EXPECT_EQ(features[1].text, "red rose");
  EXPECT_EQ(features[2].text, "rose; red");
}

TEST(Explain, TopNKeepsTheHeaviest) {
  Recipe recipe{.fingerprints = {{.ngram = 1, .weight = Weight::kTf, .top_n = 2}}};
  Fingerprinter fingerprinter = make(recipe);
  const Explanation explanation = fingerprinter.explain("a a a b b c d");
  const auto& features = explanation.fingerprints[0].features;
  ASSERT_EQ(features.size(), 2U);
  EXPECT_EQ(features[0].text, "a");
  EXPECT_EQ(features[1].text, "b");
  expect_explained(fingerprinter, "a a a b b c d");
}

// Indexes on disk rest on these: a change needs a new recipe version.
TEST(Fingerprinter, ValuesArePinned) {
  const TextFingerprint text_fingerprint = fingerprint_of("grams", kText);
  EXPECT_EQ(to_hex(text_fingerprint.fingerprints[0]), "0c29777ec7888e16");
  EXPECT_EQ(to_hex(text_fingerprint.fingerprints[1]), "78be49c6e568540e");
  EXPECT_EQ(to_hex(text_fingerprint.checksum), "e7b02fec8e6067e6b54db7fecd1e9725");
}

TEST(Fingerprinter, SparingMemoryChangesNoFingerprint) {
  std::string text;
  for (int i = 0; i < 60000; ++i)
    text += "word" + std::to_string(int64_t{i} * i % 7919) + (i % 9 == 0 ? " 中文字 a b c " : " ");
  for (const std::string& name : recipe_names()) {
    Recipe recipe = usable_recipe(name);
    recipe.fingerprints.push_back({.ngram = 5, .weight = Weight::kTf, .top_n = 100});
    Recipe counting = recipe;
    counting.fingerprints = {{.ngram = 1}};
    feature::IdfBuilder usual_builder, sparing_builder;
    Fingerprinter::create(counting, nullptr).value().count_tokens(text, usual_builder);
    Fingerprinter counter = Fingerprinter::create(counting, nullptr).value();
    counter.spare_memory();
    counter.count_tokens(text, sparing_builder);
    const auto idf = usual_builder.build();
    EXPECT_EQ(sparing_builder.build()->id(), idf->id());
    Fingerprinter usual = Fingerprinter::create(recipe, idf).value();
    Fingerprinter sparing = Fingerprinter::create(recipe, idf).value();
    sparing.spare_memory();
    TextFingerprint expected, text_fingerprint;
    usual.fingerprint(text, expected);
    sparing.fingerprint(text, text_fingerprint);
    EXPECT_EQ(text_fingerprint.fingerprints, expected.fingerprints) << name;
    EXPECT_EQ(text_fingerprint.tokens, expected.tokens) << name;
    EXPECT_TRUE(text_fingerprint.checksum == expected.checksum) << name;
    EXPECT_LT(working_bytes(recipe, text.size(), 0, true), working_bytes(recipe, text.size(), 0, false));
  }
}

TextFingerprint minhash_of(std::string_view text) {
  Recipe recipe = *find_recipe("default");
  recipe.family = Family::kMinHash;
  Result<Fingerprinter> fingerprinter = Fingerprinter::create(recipe, nullptr);
  TextFingerprint text_fingerprint;
  fingerprinter->fingerprint(text, text_fingerprint);
  return text_fingerprint;
}

TEST(Fingerprinter, MinHashFillsTheSignatureAlone) {
  const TextFingerprint text_fingerprint = minhash_of("the quick brown fox jumps over the lazy dog");
  EXPECT_TRUE(text_fingerprint.fingerprints.empty());
  ASSERT_EQ(text_fingerprint.signature.size(), 128U);
  EXPECT_NE(text_fingerprint.signature, std::vector<fingerprint::SignatureValue>(128));
  EXPECT_TRUE(text_fingerprint.has_features);
  EXPECT_EQ(text_fingerprint.tokens.size(), 9U);
}

TEST(Fingerprinter, MinHashSignaturesAgreeAsTheGramsDo) {
  // 7 grams each; the last word changes one of them: 6 of 8 in common.
  const TextFingerprint a = minhash_of("the quick brown fox jumps over the lazy dog");
  const TextFingerprint b = minhash_of("The quick  brown fox jumps over the lazy cat");
  const double jaccard = fingerprint::estimated_jaccard(fingerprint::count_equal(a.signature, b.signature), 128);
  EXPECT_NEAR(jaccard, 6.0 / 8, 5 * fingerprint::jaccard_error(6.0 / 8, 128));
  EXPECT_EQ(minhash_of("THE QUICK brown fox jumps over the lazy dog").signature, a.signature);
}

TEST(Fingerprinter, MinHashCountsAPhraseAsOneToken) {
  Recipe recipe = *find_recipe("minhash");
  const auto signature_of = [&recipe](std::string_view text) {
    Result<Fingerprinter> fingerprinter = Fingerprinter::create(recipe, nullptr);
    TextFingerprint text_fingerprint;
    fingerprinter->fingerprint(text, text_fingerprint);
    EXPECT_EQ(text_fingerprint.tokens.size(), 4U) << "verification has the words as they are";
    return text_fingerprint.signature;
  };
  constexpr std::string_view kDog = "the lazy brown dog";
  const auto words = signature_of(kDog);
  Result<Fingerprinter> plain = Fingerprinter::create(recipe, nullptr);
  const std::span<const uint64_t> found = plain->token_hashes(kDog);
  const std::vector<uint64_t> tokens(found.begin(), found.end());
  recipe.phrases = "file";
  recipe.phrase_set.object = std::make_shared<feature::Phrases>(
      feature::PhraseHead(), std::vector{feature::phrase_hash(tokens[1], tokens[2])});
  const auto phrases = signature_of(kDog);
  EXPECT_NE(phrases, words);
  // One 3-gram is left: nothing else of the text counts.
  uint64_t gram = 0;
  feature::ngram_hashes(std::vector{tokens[0], feature::phrase_hash(tokens[1], tokens[2]), tokens[3]}, 3, 0, &gram);
  std::vector<fingerprint::SignatureValue> expected(128);
  minhash::Signer({128, 0}).sign({&gram, 1}, expected);
  EXPECT_EQ(phrases, expected);
}

TEST(Fingerprinter, MinHashOfAShortTextIsThatOfItsOneGram) {
  EXPECT_EQ(minhash_of("two words").signature, minhash_of("Two  Words").signature);
  EXPECT_NE(minhash_of("two words").signature, minhash_of("words two").signature);
  EXPECT_FALSE(minhash_of(" ... ").has_features);
}

const std::string kAnswer =
    "I have tried it on three machines now and none of them starts at all when the cable is not there.\n";

TEST(Fingerprinter, WhatAnAnswerQuotesHasNoFeaturesButCountsInTheChecksum) {
  for (const char* recipe : {"default", "minhash"}) {
    Recipe own = *find_recipe(recipe);
    ASSERT_TRUE(take_family(own, Family::kMinHash));
    Fingerprinter fingerprinter = make(own);
    const TextFingerprint plain = fingerprint_of(fingerprinter, kAnswer);
    const TextFingerprint first = fingerprint_of(fingerprinter, "Ann wrote:\n> Does it start?\n" + kAnswer);
    const TextFingerprint second = fingerprint_of(fingerprinter, "Ann wrote:\n> Does  IT start?\n" + kAnswer);
    const TextFingerprint third = fingerprint_of(fingerprinter, "Ann wrote:\n> Does it stop?\n" + kAnswer);
    EXPECT_EQ(first.signature, plain.signature);
    EXPECT_EQ(first.tokens, plain.tokens);
    EXPECT_EQ(first.checksum, second.checksum);
    EXPECT_NE(first.checksum, plain.checksum);
    EXPECT_NE(first.checksum, third.checksum);
    EXPECT_GT(first.size_bytes, plain.size_bytes);
    EXPECT_EQ(fingerprint_of(fingerprinter, kAnswer).checksum, plain.checksum) << "nothing is left of the text before";
    own.quotes = "all";
    Fingerprinter whole = make(own);
    EXPECT_EQ(fingerprint_of(whole, "Ann wrote:\n> Does it start?\n" + kAnswer).checksum, first.checksum);
    EXPECT_NE(fingerprint_of(whole, "Ann wrote:\n> Does it start?\n" + kAnswer).signature, first.signature);
  }
}

TEST(Fingerprinter, ManualPagesAreComparedByWhatManShowsAndEqualAsAWhole) {
  Fingerprinter fingerprinter = make(*find_recipe("grams"));
  const std::string words = ".SH NAME\n" + kAnswer;
  const TextFingerprint first = fingerprint_of(fingerprinter, ".\\\" one\n.TH RUN 1 2001\n" + words);
  const TextFingerprint second = fingerprint_of(fingerprinter, ".\\\" two\n.TH RUN 1 2002\n" + words);
  EXPECT_EQ(first.tokens, second.tokens);
  EXPECT_NE(first.checksum, second.checksum);
  EXPECT_TRUE(fingerprinter.explain(".TH RUN 1\n" + words).is_manual);
  const TextFingerprint include = fingerprint_of(fingerprinter, ".so man1/run.1\n");
  EXPECT_FALSE(include.has_features) << "what is included is not known";
  EXPECT_NE(include.checksum, fingerprint_of(fingerprinter, ".so man1/walk.1\n").checksum);
}

TEST(Fingerprinter, TextsAreComparedWithoutTheirPreambleAndEqualAsAWhole) {
  Fingerprinter fingerprinter = make(*find_recipe("grams"));
  const std::string licence = "// Copyright (C) 2020 A. Person\n// All rights reserved.\n";
  const TextFingerprint with = fingerprint_of(fingerprinter, licence + kAnswer);
  const TextFingerprint without = fingerprint_of(fingerprinter, kAnswer);
  EXPECT_EQ(with.tokens, without.tokens);
  EXPECT_NE(with.checksum, without.checksum);
  EXPECT_EQ(fingerprinter.explain(licence + kAnswer).preamble_bytes, licence.size());
  EXPECT_EQ(fingerprinter.explain(kAnswer).preamble_bytes, 0U);
}

TEST(Explain, TellsHowManyQuotedLinesAreLeftOut) {
  Fingerprinter fingerprinter = make(*find_recipe("grams"));
  const Explanation explanation = fingerprinter.explain("Ann wrote:\n> Does it start?\n" + kAnswer);
  EXPECT_EQ(explanation.quoted_lines, 2);
  ASSERT_FALSE(explanation.tokens.tokens.empty());
  const token::Token& third = explanation.tokens.tokens[2].token;
  EXPECT_EQ(explanation.normalized.substr(third.begin, third.size_bytes), "tried");
  EXPECT_EQ(fingerprinter.explain(kAnswer).quoted_lines, 0);
}

TEST(Fingerprinter, PagesWithoutTextAreNotEqual) {
  Recipe recipe = *find_recipe("grams");
  recipe.extraction = "html";
  Fingerprinter fingerprinter = make(recipe);
  const TextFingerprint one = fingerprint_of(fingerprinter, "<script>render(1)</script>");
  const TextFingerprint two = fingerprint_of(fingerprinter, "<script>render(2)</script>");
  EXPECT_FALSE(one.whole);
  EXPECT_NE(one.checksum, two.checksum);
  EXPECT_EQ(one.checksum, fingerprint_of(fingerprinter, "<script>render(1)</script>").checksum);
  const std::string long_page = "<p>" + std::string(size_t{16} << 20, ' ') + "x";
  EXPECT_NE(fingerprint_of(fingerprinter, long_page + "y").checksum,
            fingerprint_of(fingerprinter, long_page + "z").checksum);
  EXPECT_EQ(fingerprint_of(fingerprinter, "<p>text").checksum, fingerprint_of(fingerprinter, "<div>text").checksum);
  EXPECT_TRUE(fingerprint_of(fingerprinter, "<p>text").whole);
}

TEST(Fingerprinter, TheTitleOrHeadingThatATextBeginsWithIsMarkedInItsTokens) {
  Recipe recipe = *find_recipe("default");
  recipe.mark_numbers = true;
  ASSERT_TRUE(take_family(recipe, Family::kMinHash));
  Fingerprinter fingerprinter = make(recipe);
  const auto title_end = [&](const std::string& page) {
    const std::vector<uint32_t> tokens = fingerprint_of(fingerprinter, page).tokens;
    return std::ranges::find(tokens, token::kHeadingEnd) - tokens.begin();
  };
  const std::string body = "<body><p>Ferry No. 7, which had left late, struck the northern pier in thick fog.</body>";
  EXPECT_EQ(title_end("<head><title>Fog: a FERRY strikes!</title></head>" + body), 4);
  EXPECT_EQ(title_end("<head><title>Ferry No.</title></head>" + body), 2) << "the text begins with it";
  EXPECT_EQ(title_end("<head><title>\u6e21\u8f6e\u649e\u7801\u5934</title></head>" + body), 5) << "characters";
  EXPECT_EQ(title_end(body), 14) << "none";
  EXPECT_EQ(title_end("Fog: a ferry strikes. Ferry No. 7 left late."), 9) << "no page";
  EXPECT_EQ(title_end("# Fog: a ferry strikes\nFerry No. 7 left late."), 4) << "a heading";
  EXPECT_EQ(title_end("<head><title>?!</title></head>" + body), 14) << "no word";
  recipe.mark_numbers = false;
  fingerprinter = make(recipe);
  EXPECT_EQ(title_end("<head><title>Fog: a ferry strikes</title></head>" + body), 18) << "not marked";
}

TEST(Fingerprinter, PagesThatListOthersAreMarkedInTheirTokens) {
  Recipe recipe = *find_recipe("default");
  recipe.mark_numbers = true;
  ASSERT_TRUE(take_family(recipe, Family::kMinHash));
  Fingerprinter fingerprinter = make(recipe);
  const auto mark = [&](const std::string& page, uint32_t token) {
    const std::vector<uint32_t> tokens = fingerprint_of(fingerprinter, page).tokens;
    return std::ranges::find(tokens, token) - tokens.begin();
  };
  std::string list = "<body><main><ul>";
  for (const char* title : {"Two boats for the ferry", "The old crane is sold", "Who paints the buoys"})
    list += "<li><a href=x>" + std::string(title) + "</a></li>";
  list += "</ul></main></body>";
  const std::string title = "<html><head><title>Harbour news</title></head>";
  EXPECT_EQ(mark(title + list, token::kListHeadingEnd), 2);
  EXPECT_EQ(mark(title + list, token::kHeadingEnd), 17) << "instead of the other one: 2, 1 and 14 tokens";
  EXPECT_EQ(mark("<html>" + list, token::kListHeadingEnd), 0) << "without a title";
  recipe.mark_numbers = false;
  fingerprinter = make(recipe);
  EXPECT_EQ(mark(title + list, token::kListHeadingEnd), 16) << "not marked";
}

TEST(Fingerprinter, PagesThatShowDifferentThingsAreNotEqual) {
  Fingerprinter fingerprinter = make(*find_recipe("grams"));
  const auto print = [&](const std::string& menu, const std::string& beside) {
    return fingerprint_of(fingerprinter, "<html><head><title>Ferry</title></head><body><nav>" + menu +
                                             "</nav><article><p>The ferry, which had left late, struck the northern "
                                             "pier in thick fog, said the harbour master.</p></article><div class="
                                             "sidebar>" +
                                             beside + "</div></body></html>");
  };
  const TextFingerprint page = print("Home", "Newest: a crane");
  for (const TextFingerprint& other : {print("Home", "Newest: a buoy"), print("Start", "Newest: a crane")}) {
    EXPECT_EQ(page.tokens, other.tokens);
    EXPECT_EQ(page.size_bytes, other.size_bytes);
    EXPECT_NE(page.checksum, other.checksum);
  }
  EXPECT_EQ(page.checksum, print("HOME", "Newest:  a\n<b>crane</b>").checksum) << "letters, spaces and tags";
  EXPECT_EQ(page.checksum, print("Home", "Newest: a crane<script>x()</script>").checksum);
}

TEST(Fingerprinter, AParagraphOfACutPageIsNotItsPrint) {
  const std::string page =
      "<p>the beginning that two pages share<!--" + std::string(size_t{16} << 20, ' ') + "-->and an end";
  for (const char* name : {"grams", "minhash", "default"}) {
    Recipe recipe = *find_recipe(name);
    if (name == std::string("default")) {
      ASSERT_TRUE(take_family(recipe, Family::kMinHash));
    }
    recipe.extraction = "html";
    Fingerprinter fingerprinter = make(recipe);
    const TextFingerprint text_fingerprint = fingerprint_of(fingerprinter, page);
    EXPECT_FALSE(text_fingerprint.whole) << name;
    EXPECT_FALSE(text_fingerprint.has_features) << name;
    EXPECT_TRUE(text_fingerprint.short_text.empty()) << name;
    const Explanation explanation = fingerprinter.explain(page);
    EXPECT_FALSE(explanation.whole || explanation.has_features) << name;
  }
}

}  // namespace
}  // namespace neardup::recipe
