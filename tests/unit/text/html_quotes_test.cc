// What mails in HTML and posts of forums quote.
#include <gtest/gtest.h>

#include <string>

#include "neardup/text/extract.h"

namespace neardup::text {
namespace {

const std::string kSaid =
    "I have tried it on three machines now and none of them starts at all when the cable is not there.";
const std::string kOld = "Does the new machine start when the cable of the old one is not there, or does it only hang?";

Extracted extracted_of(Extract& extract, const std::string& html) { return extract.from(html); }

std::string own_text(const std::string& html) {
  Extract extract({.extraction = Extraction::kHtml, .own_lines = true, .shown = true});
  const Extracted extracted = extracted_of(extract, html);
  if (extracted.num_quoted_lines == 0) return "(all)";
  std::string own(extracted.text);
  if (own.ends_with("\n\n")) own.pop_back();  // before the head of a mail
  return own;
}

std::string mail(const std::string& body) { return "<html><head></head><body>" + body + "</body></html>"; }

TEST(HtmlQuotes, AnAnswerIsWhatItSaysInEachMailProgram) {
  const std::string own = "<div>" + kSaid + "</div>", old = "<div>" + kOld + "</div>";
  for (const std::string quote :
       {"<div class=\"gmail_quote\"><div class=\"gmail_attr\">On Mon, Ann &lt;a@b.org&gt; wrote:<br></div><blockquote "
        "class=\"gmail_quote\">" +
            old + "</blockquote></div>",
        "<div class=\"moz-cite-prefix\">Am 12.03.20 um 12:48 schrieb Ann:<br></div><blockquote type=\"cite\">" + old +
            "</blockquote>",
        "<div>On 3 May 2020, at 12:48, Ann &lt;a@b.org&gt; wrote:</div><br><blockquote type=\"cite\">" + old +
            "</blockquote>",
        "<div class=\"yahoo_quoted\" id=\"yahoo_quoted_1\"><div>On Monday, Ann wrote:</div>" + old + "</div>",
        "<div class=\"protonmail_quote\">------- Original Message -------<br>" + old + "</div>",
        "<div><div style=\"border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in\"><p><b>From:</b> Ann "
        "Lee<br><b>Sent:</b> Monday<br><b>Subject:</b> cable</p></div></div>" +
            old,
        "<hr><div id=\"divRplyFwdMsg\"><b>Von:</b> Ann<br><b>Gesendet:</b> Montag<br><b>Betreff:</b> Kabel</div>" + old,
        "<hr><b>From:</b> Ann<br><b>Sent:</b> Monday<br><b>To:</b> Bob<br><b>Subject:</b> cable<br>" + old,
        "<hr id=\"stopSpelling\">Date: Thu, 26 Jun 2014<br>Subject: cable<br>From: a@b.org<br>To: c@b.org<br>" + old,
        "<span id=\"OLK_SRC_BODY_SECTION\"><div>From: Ann<br>Date: Monday<br>Subject: cable</div>" + old + "</span>",
        "<p>-----Original Message-----<br>From: Ann [mailto:a@b.org]<br>Subject: cable</p>" + old,
        "<p>On Mon, May 3, 2020 at 12:48 PM Ann &lt;a@b.org&gt; wrote:</p><blockquote>" + old + "</blockquote>",
        "<p>пн, 3 мая 2020 г. в 12:48, Анна &lt;a@b.org&gt;:</p><blockquote>" + old + "</blockquote>"})
    EXPECT_EQ(own_text(mail(own + quote)), kSaid + "\n") << quote;
  EXPECT_EQ(own_text(mail("<blockquote type=\"cite\">" + old + "</blockquote>" + own)), kSaid + "\n")
      << "bottom posting";
}

TEST(HtmlQuotes, AShortAnswerSaysWhatItSaysAndWhatTo) {
  const auto answer = [](const std::string& says, const std::string& to) {
    return own_text(mail("<div>" + says + "</div><blockquote type=\"cite\"><p>" + to + "</p></blockquote>"));
  };
  EXPECT_TRUE(answer("It hangs.", kOld).starts_with("It hangs.\n⟨")) << answer("It hangs.", kOld);
  EXPECT_NE(answer("It hangs.", kOld), answer("It hangs.", kSaid));
  EXPECT_EQ(answer("", kOld), "(all)");
}

TEST(HtmlQuotes, APostIsWhatItSaysInEachForum) {
  const std::string own = "<p>" + kSaid + "</p>";
  for (const std::string quote :
       {"<blockquote><div><cite><a href=\"#\">Ann</a> wrote:</cite>" + kOld + "</div></blockquote>",
        "<blockquote class=\"bbCodeBlock bbCodeBlock--quote\"><div>" + kOld + "</div></blockquote>",
        "<div class=\"bbcode_quote\"><div class=\"quote_container\">" + kOld + "</div></div>",
        "<blockquote class=\"ipsQuote\">" + kOld + "</blockquote>",
        "<div class=\"quoteheader\">Quote from: Ann on May 3</div><blockquote class=\"bbc_standard_quote\">" + kOld +
            "</blockquote>"})
    EXPECT_EQ(own_text(mail("<div class=\"post\">" + quote + own + "</div>")), kSaid + "\n") << quote;
}

TEST(HtmlQuotes, ArticlesKeepTheirQuotations) {
  for (const std::string before :
       {"The minister wrote on her page:", "As the report of 2020 says:", "At 10:45 Ann wrote:"})
    EXPECT_EQ(own_text(mail("<article><h1>Cables</h1><p>" + kSaid + "</p><p>" + before + "</p><blockquote><p>" + kOld +
                            "</p></blockquote><p>" + kSaid + "</p></article>")),
              "(all)")
        << before;
  EXPECT_EQ(own_text(mail("<p>" + kSaid + "</p><blockquote><p>" + kOld + "</p><cite>Ann Lee</cite></blockquote>")),
            "(all)");
}

TEST(HtmlQuotes, AMailThatIsPassedOnStays) {
  EXPECT_EQ(own_text(mail("<div>" + kSaid +
                          "</div><div class=\"gmail_quote\"><div>---------- Forwarded message ---------<br>From: Ann "
                          "&lt;a@b.org&gt;<br>Subject: cable</div><p>" +
                          kOld + "</p></div>")),
            "(all)");
}

TEST(HtmlQuotes, QuotedTweetsAndSessionsAreNoMails) {
  for (const std::string quote :
       {"<p>@ann: " + kOld + "</p>", "Ann wrote: " + kOld, "<pre>root@b:/home# ls</pre>" + kOld})
    EXPECT_EQ(own_text(mail("<p>" + kSaid + "</p><blockquote>" + quote + "</blockquote>")), "(all)") << quote;
}

TEST(HtmlQuotes, AMailThatAPageShowsIsItsText) {
  EXPECT_EQ(own_text(mail("<h1>cable</h1><hr>From: Ann<br>Date: Monday<br>Subject: cable<hr><p>" + kOld + "</p>")),
            "(all)");
}

TEST(HtmlQuotes, ArchivesOfListsAreReadAsMails) {
  const std::string pre =
      "<pre>On Mon, May 3, 2020 at 12:48 PM Ann &lt;a@b.org&gt; wrote:\n&gt; " + kOld + "\n" + kSaid + "\n</pre>";
  EXPECT_EQ(own_text(mail(pre)), kSaid + "\n");
  EXPECT_EQ(
      own_text(mail("<pre>&gt;&gt;&gt; print(1)\n&gt; one\n&gt; two and three of them are here\n" + kSaid + "</pre>")),
      "(all)");
}

}  // namespace
}  // namespace neardup::text
