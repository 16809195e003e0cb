#include "neardup/token/language.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "neardup/token/stop_words.h"
#include "neardup/token/tokenizer.h"

namespace neardup::token::language_test {
namespace {

// Article 1 of the Universal Declaration of Human Rights, in small letters as normalisation gives them.
struct Sample {
  const char* language;
  const char* text;
};
constexpr Sample kSamples[] = {
    {"english",
     "all human beings are born free and equal in dignity and rights. they are endowed with reason and "
     "conscience and should act towards one another in a spirit of brotherhood."},
    {"german",
     "alle menschen sind frei und gleich an würde und rechten geboren. sie sind mit vernunft und gewissen "
     "begabt und sollen einander im geiste der brüderlichkeit begegnen."},
    {"french",
     "tous les êtres humains naissent libres et égaux en dignité et en droits. ils sont doués de raison et de "
     "conscience et doivent agir les uns envers les autres dans un esprit de fraternité."},
    {"spanish",
     "todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como están de razón y "
     "conciencia, deben comportarse fraternalmente los unos con los otros."},
    {"russian",
     "все люди рождаются свободными и равными в своем достоинстве и правах. они наделены разумом и совестью "
     "и должны поступать в отношении друг друга в духе братства."},
    {"swedish",
     "alla människor är födda fria och lika i värde och rättigheter. de har utrustats med förnuft och "
     "samvete och bör handla gentemot varandra i en anda av gemenskap."},
    {"finnish",
     "kaikki ihmiset syntyvät vapaina ja tasavertaisina arvoltaan ja oikeuksiltaan. heille on annettu järki "
     "ja omatunto, ja heidän on toimittava toisiaan kohtaan veljeyden hengessä."},
    {"greek",
     "ολοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα. είναι προικισμένοι "
     "με λογική και συνείδηση."},
    {"chinese", "人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心,并应以兄弟关系的精神相对待。"},
};

TEST(Language, IsThatOfTheText) {
  for (const Sample& sample : kSamples) {
    const size_t language = language_of(sample.text);
    ASSERT_NE(language, kUnknownLanguage) << sample.language;
    EXPECT_EQ(kLanguages[language], sample.language);
  }
}

TEST(Language, IsNotKnownOfAFewSignsOrOfAnother) {
  for (const char* text : {"", "ok", "12 34 56", "\xef\xbf\xbd\xef\xbf\xbd",
                           "全ての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。"})
    EXPECT_EQ(language_of(text), kUnknownLanguage) << text;
}

std::string repeated(const Sample& sample, size_t size_bytes) {
  std::string text;
  while (text.size() < size_bytes) text += std::string(sample.text) + " ";
  return text;
}

// A reprint keeps the stems of its original, whatever stands above or below it.
TEST(Language, IsThatOfTheTextUnderAForeignHeader) {
  for (const Sample& sample : kSamples) {
    const std::string original = repeated(sample, 6000);
    const size_t language = language_of(original);
    EXPECT_EQ(kLanguages.at(language), sample.language);
    for (const Sample& other : kSamples) {
      const std::string frame = repeated(other, kLanguageBytes);
      EXPECT_EQ(language_of(frame + original), language) << other.language << " above " << sample.language;
      EXPECT_EQ(language_of(original + frame), language) << other.language << " below " << sample.language;
    }
  }
}

TEST(Language, ACharacterMayLieAcrossABorder) {
  const std::string russian = repeated(kSamples[4], 5000);
  for (size_t size = 0; size < 8; ++size)
    EXPECT_EQ(language_of(std::string(size, 'a') + " " + russian + std::string(size, 'b')), language_of(russian));
}

TEST(Language, StemmersAndStopWordListsAreOfLanguagesThatAreKnown) {
  const auto is_known = [](std::string_view name) {
    return std::find(kLanguages.begin(), kLanguages.end(), name) != kLanguages.end();
  };
  for (const StopWordList& list : stop_word_lists()) EXPECT_TRUE(is_known(list.language)) << list.language;
  for (const std::string& name : stemmer_names()) {
    const bool is_variant = name == "none" || name == "auto" || name == "porter" || name == "lovins" ||
                            name == "german2" || name == "kraaij_pohlmann";
    EXPECT_NE(is_known(name), is_variant) << name;
  }
}

std::vector<uint64_t> hashes_of(const char* text, const TokenizerOptions& options) {
  auto tokenizer = Tokenizer::create(options);
  EXPECT_TRUE(tokenizer);
  std::vector<uint64_t> hashes;
  tokenizer->hashes(text, hashes);
  return hashes;
}

TEST(Language, AutoIsTheStemmerAndTheListOfTheTextsLanguage) {
  const auto stemmers = stemmer_names();
  for (const Sample& sample : kSamples) {
    const std::string language = sample.language;
    if (std::find(stemmers.begin(), stemmers.end(), language) == stemmers.end()) continue;
    const bool has_list = !stop_words(language).empty();
    EXPECT_EQ(hashes_of(sample.text, {.stop_words = "auto", .stemmer = "auto"}),
              hashes_of(sample.text, {.stop_words = has_list ? language : "none", .stemmer = language}))
        << language;
    EXPECT_NE(hashes_of(sample.text, {.stemmer = "auto"}), hashes_of(sample.text, {})) << language;
  }
  EXPECT_EQ(hashes_of("ok 12", {.stop_words = "auto", .stemmer = "auto"}), hashes_of("ok 12", {}));
}

TEST(Language, OneTokenizerChangesLanguageFromTextToText) {
  auto tokenizer = Tokenizer::create({.stop_words = "auto", .stemmer = "auto"});
  ASSERT_TRUE(tokenizer);
  for (int round = 0; round < 2; ++round) {
    for (const Sample& sample : kSamples) {
      std::vector<uint64_t> hashes;
      tokenizer->hashes(sample.text, hashes);
      EXPECT_EQ(hashes, hashes_of(sample.text, {.stop_words = "auto", .stemmer = "auto"}));
    }
  }
}

}  // namespace
}  // namespace neardup::token::language_test
