#include "neardup/text/quotes.h"

#include <gtest/gtest.h>

#include <string>

namespace neardup::text {
namespace {

const std::string kOwn =
    "I have tried it on three machines now and none of them starts at all when the cable is not there.\n";

std::string own_of(const std::string& text) {
  std::string out;
  return leave_out_quotes(text, out) == 0 ? "(all)" : out;
}

TEST(Quotes, LeavesOutWhatAnAnswerQuotes) {
  EXPECT_EQ(own_of("On Monday, Ann Lee wrote:\n> Does it start?\n> Tell me.\n\n" + kOwn), "\n" + kOwn);
  EXPECT_EQ(own_of(kOwn + "\nAm 12.3. schrieb Hans Mai:\n\n> Geht es?\n"), kOwn + "\n");
  EXPECT_EQ(own_of("Le 3 mai, Luc a écrit :\r\n> Ça va ?\r\n" + kOwn), kOwn);
  EXPECT_EQ(own_of("王明写道：\n> 能启动吗？\n" + kOwn), kOwn);
}

TEST(Quotes, KnowsTheSignsOfMailPrograms) {
  for (const std::string sign : {">", "> >", ">>", "  >", "JM>", "|", "}", "> |"})
    EXPECT_EQ(own_of("Ann wrote:\n" + sign + " Does it start?\n" + kOwn), kOwn) << sign;
  EXPECT_EQ(own_of(kOwn + "AL> It does.\n> Does it?\n>> Yes\n> No\n> > Yes.\nAL> Well.\n"), kOwn);
}

TEST(Quotes, CountsHowManyLinesAreLeftOut) {
  std::string out;
  EXPECT_EQ(leave_out_quotes("Ann wrote:\n> a\n> b\n" + kOwn + "> c\n", out), 4);
  EXPECT_EQ(out, kOwn);
  EXPECT_EQ(leave_out_quotes("Ann wrote:\n\n> a\n" + kOwn, out), 3) << "with the blank line between the two";
}

TEST(Quotes, KnowsAnAnswerByWhatIsQuotedAndByItsSignature) {
  EXPECT_EQ(own_of(">>>>> Ann Lee writes:\n> Does it start?\n" + kOwn), kOwn);
  EXPECT_EQ(own_of("> From: Ann Lee\n> Subject: it\n>\n> Does it start?\n" + kOwn), kOwn);
  EXPECT_EQ(own_of("> Does it start?\n> Tell me.\n" + kOwn + "-- \nBob\n"), kOwn + "-- \nBob\n");
  EXPECT_EQ(own_of("On May 3 at 12:48, Ann asked:\n> Does it start?\n" + kOwn), kOwn);
}

TEST(Quotes, KeepsBlocksThatNobodyIsSaidToHaveWritten) {
  for (const std::string lines :
       {"> A saying of old times.\n> It is short.\n", "Use it so:\n> make all\n> make install\n",
        ">>> print(1)\n1\n>>> print(2)\n2\n>>> print(3)\n", "| a | b |\n| 1 | 2 |\n", "}\n}\n", "He rewrote:\n> this\n",
        "He said:\n\n> this\n", "Ann wrote:\n    >>> 1\n", "> one\n-- \n", "> once\n>> twice\n",
        "<<<<<<< a\n=======\n>>>>>>> b\n"})
    EXPECT_EQ(own_of(kOwn + lines), "(all)") << lines;
}

TEST(Quotes, AnIntroductionCountsForItsSignOnly) {
  const std::string table = "| a | b |\n| 1 | 2 |\n";
  EXPECT_EQ(own_of("Ann wrote:\n> Does it start?\n" + kOwn + table), kOwn + table);
}

TEST(Quotes, KeepsAllWhereLittleIsOnesOwn) {
  EXPECT_EQ(own_of("Ann wrote:\n> Does it start?\nYes, it does.\n"), "(all)");
  EXPECT_EQ(own_of("Ann wrote:\n> Does it start?\nYes.\n-- \n" + kOwn), "(all)") << "a signature is no answer";
  EXPECT_EQ(own_of("Ann wrote:\n> Does it start?\nYes.\n_______________\n" + kOwn), "(all)");
}

TEST(Quotes, CountsWordsOfScriptsWithoutSpaces) {
  const std::string own = "我在三台机器上试过了，没有一台可以启动。\n";
  EXPECT_EQ(own_of("王明写道：\n> 能启动吗？\n" + own), own);
  EXPECT_EQ(own_of("王明写道：\n> 能启动吗？\n可以启动。\n"), "(all)");
}

TEST(Quotes, TakesWhatHasNoLines) {
  for (const std::string text : {"", ">", "\n", ">\n", ":\n>", "wrote:\n>"}) EXPECT_EQ(own_of(text), "(all)") << text;
}

TEST(Quotes, LeavingOutTwiceChangesNothing) {
  const std::string once = own_of("Ann wrote:\n> Bob wrote:\n>> a\n>> b\n> c\n> d\n" + kOwn);
  EXPECT_EQ(once, kOwn);
  EXPECT_EQ(own_of(once), "(all)");
}

}  // namespace
}  // namespace neardup::text
