// What mask.h promises of every text and every set of kinds.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>
#include <string>

#include "neardup/text/mask.h"

namespace neardup::text {
namespace {

struct MaskKindCase {
  const char* name;
  uint32_t kind;
  const char* word;
  const char* part;  // a text that is one such part
};

constexpr MaskKindCase kMaskKinds[] = {{"dates", kMaskDates, "⟨date⟩", "21 November 2026"},
                                       {"times", kMaskTimes, "⟨time⟩", "10:30"},
                                       {"numbers", kMaskNumbers, "⟨number⟩", "1,234.5"},
                                       {"urls", kMaskUrls, "⟨url⟩", "https://example.org/a?b=c"},
                                       {"emails", kMaskEmails, "⟨email⟩", "name@host.org"}};

std::string after_mask(std::string_view text, uint32_t kinds, std::vector<MaskedPart>* parts = nullptr) {
  std::string out = "left over";
  mask(text, kinds, out, parts);
  return out;
}

// Pieces that mean something to some kind, and such that nearly do.
std::string text_of_pieces(std::mt19937_64& random) {
  static constexpr const char* kPieces[] = {"21 November 2026",
                                            "2026-11-21",
                                            "10:30",
                                            "10:",
                                            "1,234.5",
                                            "12 %",
                                            "3rd",
                                            "mp3",
                                            "https://a.org/?sid=12&q=1",
                                            "www.",
                                            "a@b.org",
                                            "@",
                                            "⟨date⟩",
                                            "年",
                                            "2026年11月21日",
                                            "\xff",
                                            "Nov.",
                                            "Saturday,",
                                            " ",
                                            " ",
                                            " ",
                                            "\n",
                                            "word",
                                            "-",
                                            "$99",
                                            "1.2k",
                                            "é",
                                            "11/21/26",
                                            "/"};
  std::string text;
  for (size_t i = random() % 24; i > 0; --i) text += kPieces[random() % std::size(kPieces)];
  return text;
}

TEST(MaskOfAny, EachKindAloneMasksItsPartAndNamesIt) {
  for (const MaskKindCase& given : kMaskKinds) {
    EXPECT_EQ(mask_kind(given.name), given.kind);
    std::vector<MaskedPart> parts;
    const std::string before = "words before ", after = " and behind";
    EXPECT_EQ(after_mask(before + given.part + after, given.kind, &parts), before + given.word + after) << given.name;
    ASSERT_EQ(parts.size(), 1U) << given.name;
    EXPECT_EQ(parts[0], (MaskedPart{given.kind, before.size(), std::string_view(given.part).size()}));
    EXPECT_EQ(after_mask(before + given.part + after, 0), before + given.part + after) << "nothing is asked for";
  }
}

TEST(MaskOfAny, MaskingAgainChangesNothing) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (size_t i = random() % 24; i > 0; --i)
      text += std::string(kMaskKinds[random() % std::size(kMaskKinds)].part) + (random() % 2 == 0 ? " " : " word ");
    const uint32_t kinds = static_cast<uint32_t>(random() % 64);
    const std::string once = after_mask(text, kinds);
    EXPECT_EQ(after_mask(once, kinds), once) << text << " by " << kinds;
  }
}

TEST(MaskOfAny, PartsAreInOrderWithinTheTextAndOfTheKindsAskedFor) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 3000; ++round) {
    const std::string text = text_of_pieces(random);
    const uint32_t kinds = static_cast<uint32_t>(random() % 64);
    std::vector<MaskedPart> parts = {{1, 2, 3}};
    const std::string out = after_mask(text, kinds, &parts);
    size_t end = 0, kept = 0;
    for (const MaskedPart& part : parts) {
      EXPECT_GE(part.begin, end);
      EXPECT_GT(part.size, 0U);
      EXPECT_EQ(part.kind & kinds, part.kind) << text;
      EXPECT_EQ(part.kind & (part.kind - 1), 0U) << "one kind";
      kept += part.begin - end;
      end = part.begin + part.size;
    }
    EXPECT_LE(end, text.size());
    EXPECT_GE(out.size(), kept + (text.size() - end)) << "what is no part stays";
  }
}

TEST(MaskOfAny, OutsideOfPartsEveryByteStays) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 2000; ++round) {
    const std::string text = text_of_pieces(random);
    const uint32_t kinds = static_cast<uint32_t>(random() % 32);  // all but tracking, whose parts have no word
    std::vector<MaskedPart> parts;
    const std::string out = after_mask(text, kinds, &parts);
    std::string expected;
    size_t end = 0;
    for (const MaskedPart& part : parts) {
      expected.append(text, end, part.begin - end);
      for (const MaskKindCase& kind : kMaskKinds)
        if (kind.kind == part.kind) expected += kind.word;
      end = part.begin + part.size;
    }
    EXPECT_EQ(out, expected + text.substr(end)) << text;
  }
}

RC_GTEST_PROP(MaskOfAnyBytes, NothingAskedForIsACopy, (const std::string& text)) {
  RC_ASSERT(after_mask(text, 0) == text);
}

RC_GTEST_PROP(MaskOfAnyBytes, PartsLieWithinTheText, (const std::string& text, uint32_t kinds)) {
  std::vector<MaskedPart> parts;
  const std::string out = after_mask(text, kinds % 64, &parts);
  for (const MaskedPart& part : parts) RC_ASSERT(part.begin + part.size <= text.size());
  RC_ASSERT(!parts.empty() || out == text);
}

TEST(MaskNames, EachIsAKindAndNoOtherIs) {
  uint32_t all = 0;
  for (const std::string& name : mask_names()) {
    const uint32_t kind = mask_kind(name);
    EXPECT_NE(kind, 0U) << name;
    EXPECT_EQ(all & kind, 0U) << name;
    all |= kind;
  }
  EXPECT_EQ(all, 63U);
  for (const char* name : {"", "date", "Dates", "dates ", "all"}) EXPECT_EQ(mask_kind(name), 0U) << name;
}

// Every day of some years in every way of writing it is one word.
TEST(MaskDatesOfAllDays, AreWholeInNumbersAndEnglish) {
  static constexpr const char* kMonths[] = {"January", "February", "March",     "April",   "May",      "June",
                                            "July",    "August",   "September", "October", "November", "December"};
  for (int month = 1; month <= 12; ++month) {
    for (int day = 1; day <= 28; ++day) {
      const std::string d = std::to_string(day), m = std::to_string(month), name = kMonths[month - 1];
      const std::string mm = (month < 10 ? "0" : "") + m, dd = (day < 10 ? "0" : "") + d;
      for (const std::string& date :
           {d + " " + name + " 1999", name + " " + d + ", 2026", "2026-" + mm + "-" + dd, dd + "." + mm + ".1987",
            m + "/" + d + "/2003", "2026年" + m + "月" + d + "日", name.substr(0, 3) + " " + d + ", 2001"})
        EXPECT_EQ(after_mask("on " + date + " it", kMaskDates), "on ⟨date⟩ it") << date;
    }
  }
}

TEST(MaskTimesOfTheDay, AreWhole) {
  for (int hour = 0; hour < 24; ++hour) {
    for (int minute = 0; minute < 60; minute += 7) {
      const std::string time = std::to_string(hour) + ":" + (minute < 10 ? "0" : "") + std::to_string(minute);
      EXPECT_EQ(after_mask("at " + time + " or", kMaskTimes), "at ⟨time⟩ or") << time;
      EXPECT_EQ(after_mask("at " + time + ":59 or", kMaskTimes), "at ⟨time⟩ or") << time;
    }
  }
}

TEST(MaskNumbersOfEverySize, AreOneWordAndDigitsInWordsStay) {
  std::mt19937_64 random(4);
  for (int round = 0; round < 500; ++round) {
    const std::string number = std::to_string(random() >> random() % 64);
    EXPECT_EQ(after_mask("of " + number + " now", kMaskNumbers), "of ⟨number⟩ now") << number;
    EXPECT_EQ(after_mask("of x" + number + " now", kMaskNumbers), "of x" + number + " now");
  }
}

}  // namespace
}  // namespace neardup::text
