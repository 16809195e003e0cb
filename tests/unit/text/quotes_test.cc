#include "neardup/text/quotes.h"

#include <gtest/gtest.h>

#include <string>

#include "neardup/text/forum_quotes.h"
#include "neardup/text/quote_digest.h"

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

const std::string kQuoted = "> Does it start when the cable is not there?\n";

/// What is left of a short answer without the word for what it quotes.
std::string short_of(const std::string& text) {
  const std::string own = own_of(text);
  const size_t word = own.find("⟨");
  return word == std::string::npos ? own : own.substr(0, word);
}

std::string quoted_of(const std::string& text) {
  const std::string own = own_of(text);
  return own.substr(own.find("⟨"));
}

TEST(Quotes, AShortAnswerSaysWhatItSaysAndWhatTo) {
  EXPECT_EQ(short_of("Ann wrote:\n" + kQuoted + "Yes, it does.\n"), "Yes, it does.\n");
  EXPECT_EQ(short_of("Yes.\n\nAnn wrote:\n" + kQuoted), "Yes.\n\n");
  EXPECT_EQ(short_of("Ann wrote:\n" + kQuoted + "Yes.\n-- \n" + kOwn), "Yes.\n") << "a signature is no answer";
  EXPECT_EQ(short_of("Ann wrote:\n" + kQuoted + "Yes.\n_______________\n" + kOwn), "Yes.\n");
  const std::string one = quoted_of("Ann wrote:\n" + kQuoted + "Yes.\n");
  EXPECT_EQ(one, quoted_of("Bob wrote:\n> Does it start when the\n>  cable is not there?\nNo.\n")) << "same quote";
  EXPECT_NE(one, quoted_of("Ann wrote:\n> Does it stop when the cable is not there?\nYes.\n"));
}

TEST(Quotes, KeepsAllWhereNothingIsOnesOwn) {
  EXPECT_EQ(own_of("Ann wrote:\n" + kQuoted), "(all)");
  EXPECT_EQ(own_of("Ann wrote:\n" + kQuoted + "-- \n" + kOwn), "(all)");
  EXPECT_EQ(own_of("Ann wrote:\n> Yes?\nNo.\n"), "(all)") << "no room for a word in place of the quote";
}

TEST(Quotes, KeepsWhatStandsBehindARuleAndIsNoFooter) {
  std::string page = "News\n==========\n";
  for (int i = 0; i < 10; ++i) page += kOwn;
  EXPECT_EQ(own_of(page + "Ann wrote:\n" + kQuoted), "(all)");
}

const std::string kMail =
    "From: Ann Lee [mailto:ann@example.com]\nSent: Friday, May 3, 2002 2:05 PM\nTo: all\n"
    "Subject: the cable\n\nDoes it start?\n";

TEST(Quotes, LeavesOutTheMailBelowAnAnswer) {
  for (const std::string head :
       {kMail, "-----Original Message-----\n" + kMail, "________________________________\n" + kMail,
        std::string("-----Ursprüngliche Nachricht-----\nVon: Ann\nGesendet: Freitag\nBetreff: es\n\nGeht es?\n"),
        std::string("-----邮件原件-----\n发件人：王明\n日期：2002\n主题：电缆\n\n能启动吗？\n"),
        std::string("*De :* Luc <luc@b.org>\n*Objet :* cable\n\nCela marche ?\n"),
        std::string("On Fri, May 3, 2002 at 14:05, Ann <a@b.org> wrote:\n\nDoes it start?\n"),
        std::string("Am 03.05.2002 um 14:05 schrieb Hans Mai\n<hans@b.org>:\n\nGeht es?\n")})
    EXPECT_EQ(own_of(kOwn + "\n" + head), kOwn + "\n") << head;
  EXPECT_EQ(short_of("It does.\n\n" + kMail), "It does.\n\n");
}

TEST(Quotes, LeavesOutTheIntroductionOfTwoLines) {
  const std::string two = "On Fri, May 3, 2002 at 14:05 Ann Lee <ann@example.com>\nwrote:\n";
  EXPECT_EQ(own_of(two + kQuoted + kOwn), kOwn);
  EXPECT_EQ(own_of(kOwn + "\n" + two + "\n" + kQuoted), kOwn + "\n");
}

TEST(Quotes, KeepsMailsThatAreNoQuotation) {
  EXPECT_EQ(own_of(kMail + kOwn), "(all)") << "its own head";
  EXPECT_EQ(own_of("Received: by x\n" + kMail + kOwn), "(all)");
  EXPECT_EQ(own_of(kOwn + "From: Ulm\nTo: Bonn\n\nA train.\n"), "(all)") << "no mail";
  EXPECT_EQ(own_of(kOwn + "\nAnn <a@b.org> wrote the following in a 2001-06-13 Doc-SIG\npost:\n\nA.\n"), "(all)");
  EXPECT_EQ(own_of(kOwn + "\n    At 12:48 Ann <a@b.org> wrote:\n\n    A.\n"), "(all)") << "set in";
  EXPECT_EQ(own_of(kOwn + "\nAt 12:48 Ann wrote:\nA.\n\nAt 12:50 Bob wrote:\nB.\n"), "(all)") << "a list of posts";
  EXPECT_EQ(own_of(kOwn + "\n---------- Forwarded message ----------\n" + kMail), "(all)")
      << "what is passed on may be nowhere else";
  EXPECT_EQ(short_of("See below.\n\n---------- Forwarded message ----------\n" + kMail), "See below.\n\n");
}

TEST(Quotes, LeavesOutPostsOfForums) {
  EXPECT_EQ(own_of("[quote=\"ann, post:2\"]Does it start?[/quote]\n" + kOwn), "\n" + kOwn);
  EXPECT_EQ(own_of("[QUOTE=Ann;12][quote]a[/quote] b\nc[/QUOTE]" + kOwn), kOwn);
  EXPECT_EQ(short_of("[quote]Does it start, or does it not?[/quote]Yes."), "Yes.\n");
  for (const std::string text : {"[quote]a" + kOwn, "a[/quote]" + kOwn, "[quotes]a[/quote]" + kOwn, "[/quote" + kOwn})
    EXPECT_EQ(own_of(text), "(all)") << text;
}

TEST(Quotes, KnowsABlockOfProseInWhatIsNoMarkdown) {
  const std::string block =
      "> I have tried it on three machines\n> now and none of them starts\n> at all when it rains.\n";
  EXPECT_EQ(own_of(block + kOwn), kOwn);
  EXPECT_EQ(own_of("# Rain\n" + block + kOwn), "(all)");
  EXPECT_EQ(own_of("> make all\n> make test\n> make install\n" + kOwn), "(all)");
}

TEST(Quotes, KnowsSignsByAMailThatTheyQuote) {
  EXPECT_EQ(own_of("| On 11/10/09 6:25 AM, Ann wrote:\n|> Does it start?\n|\n| It does.\n" + kOwn), kOwn);
  EXPECT_EQ(own_of("| a | b |\n| From | to: |\n" + kOwn), "(all)");
}

TEST(Quotes, KnowsSignsOfPages) {
  EXPECT_EQ(own_of("Ann wrote:\n&gt; Does it start?\n&gt; &gt; It does.\n" + kOwn), kOwn);
}

TEST(Quotes, CountsWordsOfScriptsWithoutSpaces) {
  const std::string own = "我在三台机器上试过了，没有一台可以启动。\n";
  EXPECT_EQ(own_of("王明写道：\n> 能启动吗？\n" + own), own);
  EXPECT_EQ(short_of("王明写道：\n> 没有电缆的时候能启动吗？\n可以启动。\n"), "可以启动。\n");
}

const std::string kOwnHead =
    "From bob@example.com Fri May  3 15:00:00 2002\nReceived: from a by b;\n\tFri, 3 May 2002\nFrom: Bob <bob@b.org>\n"
    "To: ann@example.com\nSubject: Re: the cable\nDate: Fri, 3 May 2002 15:00:00 +0200\n\n";

TEST(Quotes, AMailWithItsHeadIsWhatItSaysBelowThat) {
  EXPECT_EQ(own_of(kOwnHead + "On Fri, Ann wrote:\n" + kQuoted + kOwn), kOwnHead + kOwn);
  EXPECT_EQ(own_of(kOwnHead + kOwn + "\n-----Original Message-----\n" + kMail), kOwnHead + kOwn + "\n");
  EXPECT_EQ(own_of(kOwnHead + kOwn + "\n" + kMail), kOwnHead + kOwn + "\n");
  EXPECT_EQ(short_of(kOwnHead + "Yes.\n\n" + kMail), kOwnHead + "Yes.\n\n") << "its head says nothing";
  EXPECT_EQ(own_of(kOwnHead + "On Fri, Ann wrote:\n" + kQuoted), "(all)");
}

TEST(Quotes, ADigestKeepsItsMails) {
  EXPECT_EQ(own_of(kOwnHead + "Topics\n\n------------------------------\n\n" + kMail), "(all)");
}

TEST(Quotes, TakesWhatHasNoLines) {
  for (const std::string text : {"", ">", "\n", ">\n", ":\n>", "wrote:\n>"}) EXPECT_EQ(own_of(text), "(all)") << text;
}

TEST(Quotes, KeepsWhatStandsBelowASentenceOfAnArticle) {
  for (const std::string sentence :
       {"Minutes later @ann wrote:",
        "Write to desk@paper.example for more.\n\nAt 10:45 the minister wrote on his page:",
        "Please mail anna@example.org, who wrote the agenda at 12:30, the following points:",
        "Anna <anna@example.org> wrote down these points:", "In 2019 @ann wrote:"})
    EXPECT_EQ(own_of(kOwn + "\n" + sentence + "\n\n" + kOwn), "(all)") << sentence;
}

TEST(Quotes, KnowsIntroductionsOfMailProgramsWithoutSignsBelow) {
  for (const std::string head :
       {"On Tue, 3 Mar 2020 at 10:45, Anna <anna@example.org> wrote:", "Am 03.03.2020 um 10:45 schrieb Anna:",
        "On 11/10/09 6:25 AM, Ann wrote:", "On Tue, 3 Mar 2020, Anna <anna@example.org> wrote:"})
    EXPECT_EQ(own_of("To b@c.org\n" + kOwn + "\n" + head + "\n\nDoes it start?\n"), "To b@c.org\n" + kOwn + "\n")
        << head;
  EXPECT_EQ(own_of(kOwn + "\nAnn <a@b.org> wrote:\nA.\n\nOn 3 Mar 2020 at 10:45 Bob <b@c.org> wrote:\nB.\n"), "(all)")
      << "a list of posts, one of which is no mail's";
}

TEST(Quotes, AnIntroductionOfTwoLinesHasNoQuotedLineBetween) {
  const std::string own = "I wrote about that at length in my last book on kernels\n";
  EXPECT_EQ(own_of("Ann wrote:\n> q\n> q\n" + own + "> third\njohn@example.org:\n> fourth\n" + kOwn), own + kOwn);
  EXPECT_EQ(short_of("> q\n> q\n" + own + "> third\njohn@example.org:\n> fourth\n"), own);
}

TEST(Quotes, TheWordForAQuoteIsTheSameForEachSign) {
  const std::string line = "Does it start when the cable is not there?\n";
  const std::string one = quoted_of("Ann wrote:\n> " + line + "Yes.\n");
  for (const std::string sign : {"&gt; ", "JM> ", "|", "> > ", "&gt;&gt;", "  }"})
    EXPECT_EQ(quoted_of("Ann wrote:\n" + sign + line + "Yes.\n"), one) << sign;
}

TEST(Quotes, PostsThatAreNotLeftOutAddNothingToTheDigest) {
  for (const std::string text : {"[quote]a[/quote] [quote]b", "[quote]a[/quote]b[/quote]"}) {
    QuoteDigest digest;
    std::string out;
    EXPECT_EQ(leave_out_forum_quotes(text, out, digest), 0) << text;
    EXPECT_EQ(digest.word(), QuoteDigest().word()) << text;
  }
}

TEST(Quotes, LeavingOutTwiceChangesNothing) {
  const std::string once = own_of("Ann wrote:\n> Bob wrote:\n>> a\n>> b\n> c\n> d\n" + kOwn);
  EXPECT_EQ(once, kOwn);
  EXPECT_EQ(own_of(once), "(all)");
}

}  // namespace
}  // namespace neardup::text
