#include "neardup/text/mask.h"

#include <gtest/gtest.h>

#include <ctime>
#include <string>

namespace neardup::text {
namespace {

constexpr uint32_t kAll = kMaskDates | kMaskTimes | kMaskNumbers | kMaskUrls | kMaskEmails;

std::string masked(std::string_view text, uint32_t kinds) {
  std::string out = "left over";
  mask(text, kinds, out);
  return out;
}

TEST(Mask, Dates) {
  for (const std::string_view date : {"21 November 2026",
                                      "21 november 2026",
                                      "21st of November, 2026",
                                      "November 21, 2026",
                                      "NOVEMBER 21st",
                                      "Nov. 21",
                                      "Nov 2026",
                                      "Sept. 3, 1999",
                                      "Saturday, November 21, 2026",
                                      "Sat, 21 Nov 2026",
                                      "2026-11-21",
                                      "2026/1/2",
                                      "2026-11-21T10:30:00Z",
                                      "21.11.2026",
                                      "11/21/26",
                                      "1/2/2003",
                                      "21. November 2026",
                                      "Samstag, den 21. November 2026",
                                      "1er août 2026",
                                      "samedi 21 novembre 2026",
                                      "21 de noviembre de 2026",
                                      "21 luglio 2026",
                                      "3 de março de 2026",
                                      "21 ноября 2026",
                                      "21 Ноября 2026 г.",
                                      "3 ŞUBAT 2026",
                                      "21 września 2026",
                                      "2026年11月21日",
                                      "11月21日",
                                      "2026年11月",
                                      "２０２６年１１月２１日",
                                      "二〇二六年十一月二十一日",
                                      "2026년 11월 21일"}) {
    EXPECT_EQ(masked(date, kMaskDates), "⟨date⟩") << date;
    EXPECT_EQ(masked("On " + std::string(date) + ", it", kMaskDates), "On ⟨date⟩, it") << date;
    EXPECT_EQ(masked("截至" + std::string(date) + "止", kMaskDates), "截至⟨date⟩止") << date;
  }
  for (const std::string_view other :
       {"", "may", "March on", "We may go", "1.2.3.4", "version 10.2.15", "1-800-555", "99/99/2026", "2026", "12.5",
        "1/2", "Saturday", "Saturday night", "三月", "abc2026-11-21", "Mayo 5x", "十一", "20261121", "2026-11-215"}) {
    EXPECT_EQ(masked(other, kMaskDates), other);
  }
}

TEST(Mask, Times) {
  for (const std::string_view time :
       {"10:30", "10:30:15", "10:30:15.25", "9:05 pm", "9:05 p.m.", "10:30 GMT", "10:30 am EST", "5pm", "10:30+02:00",
        "10h30", "10：30", "10时30分", "上午10时30分15秒", "10시 30분"}) {
    const std::string out = masked(time, kMaskTimes);
    EXPECT_TRUE(out == "⟨time⟩" || out == "上午⟨time⟩") << time << " gave " << out;
  }
  for (const std::string_view other : {"10:3", "25:99", "1:23456", "Genesis 1:x", "a10:30", "3 points"}) {
    EXPECT_EQ(masked(other, kMaskTimes), other);
  }
}

TEST(Mask, Numbers) {
  for (const std::string_view number : {"7", "1,234.50", "1.234.567", "1'000", "$99.95", "€ 5", "5€", "12 €", "£3",
                                        "￥１２３", "12%", "1.2k", "3rd", "21st", "２０２６", "5元"}) {
    EXPECT_EQ(masked(number, kMaskNumbers), "⟨number⟩") << number;
  }
  EXPECT_EQ(masked("read 1,024 times.", kMaskNumbers), "read ⟨number⟩ times.");
  EXPECT_EQ(masked("in 2026.", kMaskNumbers), "in ⟨number⟩.");
  EXPECT_EQ(masked("浏览5次", kMaskNumbers), "浏览⟨number⟩次");
  EXPECT_EQ(masked("21 November 2026", kMaskNumbers), "⟨number⟩ November ⟨number⟩");
  for (const std::string_view other : {"mp3", "4chan", "x86", "é2", "$", "a1b2", "3D"}) {
    EXPECT_EQ(masked(other, kMaskNumbers), other);
  }
}

TEST(Mask, UrlsAndEmails) {
  EXPECT_EQ(masked("See https://example.org/a?b=1&c=2#d.", kMaskUrls), "See ⟨url⟩.");
  EXPECT_EQ(masked("(http://example.org/x_(y))", kMaskUrls), "(⟨url⟩");
  EXPECT_EQ(masked("见https://example.org/新闻", kMaskUrls), "见⟨url⟩新闻");
  EXPECT_EQ(masked("WWW.EXAMPLE.ORG!", kMaskUrls), "⟨url⟩!");
  EXPECT_EQ(masked("http:// and www.", kMaskUrls), "http:// and www.");
  EXPECT_EQ(masked("Write to john.smith+x@mail.example.org.", kMaskEmails), "Write to ⟨email⟩.");
  EXPECT_EQ(masked("me@home, a@b, @name", kMaskEmails), "me@home, a@b, @name");
}

TEST(Mask, Tracking) {
  EXPECT_EQ(masked("https://a.org/x?utm_source=y&id=7&gclid=z#top now", kMaskTracking), "https://a.org/x?id=7#top now");
  EXPECT_EQ(masked("https://a.org/x;jsessionid=0A1B?id=7", kMaskTracking), "https://a.org/x?id=7");
  EXPECT_EQ(masked("https://a.org/?fbclid=1", kMaskTracking), "https://a.org/");
  EXPECT_EQ(masked("https://a.org/?inside=1&sid=2", kMaskTracking), "https://a.org/?inside=1");
  EXPECT_EQ(masked("https://a.org/list;sid=1;page=2", kMaskTracking), "https://a.org/list;page=2");
  EXPECT_EQ(masked("https://a.org/a;sid=1/b;sid=2?c=3", kMaskTracking), "https://a.org/a/b?c=3");
}

TEST(Mask, TextsThatDifferInADateBecomeEqual) {
  EXPECT_EQ(masked("Updated Monday, 2 March 2026 at 9:15, read 12 times", kAll),
            masked("Updated Saturday, 21 November 2026 at 10:30, read 1,900 times", kAll));
  EXPECT_NE(masked("Updated Monday, 2 March 2026", kAll), masked("Updated", kAll));
}

TEST(Mask, TellsWhatItMasked) {
  std::string out;
  std::vector<MaskedPart> parts;
  mask("On 2026-11-21, $5 at https://a.org/", kAll, out, &parts);
  EXPECT_EQ(out, "On ⟨date⟩, ⟨number⟩ at ⟨url⟩");
  EXPECT_EQ(parts, (std::vector<MaskedPart>{{kMaskDates, 3, 10}, {kMaskNumbers, 15, 2}, {kMaskUrls, 21, 14}}));
}

TEST(Mask, NamesOfKinds) {
  for (const std::string& name : mask_names()) EXPECT_NE(mask_kind(name), 0u) << name;
  EXPECT_EQ(mask_names().size(), 6u);
  EXPECT_EQ(mask_kind("date"), 0u);
}

TEST(Mask, NothingToDoCopies) {
  const std::string text = "Nothing to see: \xFF\xEF\xBC caf\xC3";
  EXPECT_EQ(masked(text, kAll), text);
  EXPECT_EQ(masked("10:30 on 2026-11-21", 0), "10:30 on 2026-11-21");
}

TEST(Mask, LongRunsTakeLinearTime) {
  for (const std::string unit :
       {"1", "a", "1.", "1-", "may ", "a.", "@", "$", "www.", "https://a", "十", "２", "monday ", "2026年"}) {
    std::string text;
    while (text.size() < (size_t{4} << 20)) text += unit;
    const std::clock_t before = std::clock();
    EXPECT_FALSE(masked(text, kAll).empty());
    EXPECT_LT(static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC, 10) << unit;
  }
}

TEST(Mask, NumbersThatAWordGoesOnFromTakeLinearTime) {
  for (const std::string unit : {"1,", "1.", "1'", "$1,", "２，", "２"}) {
    std::string text;
    while (text.size() < (size_t{4} << 20)) text += unit;
    const std::clock_t before = std::clock();
    EXPECT_TRUE(masked(text + "1a", kMaskNumbers).ends_with("1a")) << unit;
    EXPECT_LT(static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC, 10) << unit;
  }
  EXPECT_EQ(masked("1,2a $3,4b 5,6", kMaskNumbers), "1,2a $3,4b ⟨number⟩");
}

}  // namespace
}  // namespace neardup::text
