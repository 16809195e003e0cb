#include "neardup/text/extract.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "neardup/text/mask.h"

namespace neardup::text {
namespace {

std::string page(const std::string& name) {
  std::ifstream file(std::string(NEARDUP_TEST_DATA) + "/pages/" + name, std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

std::string extracted(const std::string& bytes, const ExtractOptions& options) {
  Extract extract(options);
  return std::string(extract.from(bytes).text);
}

TEST(Extract, NoneLeavesBytesAsTheyAre) {
  const std::string bytes = page("zh_gb18030.html");
  ASSERT_FALSE(bytes.empty());
  EXPECT_EQ(extracted(bytes, {}), bytes);
}

TEST(Extract, AutoTellsPagesFromText) {
  Extract extract({.extraction = Extraction::kAuto});
  const std::string html = page("ferry.html");
  const std::string text = page("notes.txt");
  EXPECT_TRUE(extract.from(html).is_page);
  EXPECT_EQ(extract.from(html).title, "Ferry strikes pier | The Harbour Post");
  EXPECT_EQ(extract.from(html).language, "en");
  EXPECT_FALSE(extract.from(text).is_page);
  EXPECT_EQ(extract.from(text).text, text);
  EXPECT_TRUE(Extract({.extraction = Extraction::kHtml}).from(text).is_page);
}

TEST(Extract, ATitledTextBeginsWithTheTitleOnce) {
  const ExtractOptions titled{.extraction = Extraction::kAuto, .titled = true};
  const std::string beginning = "<html><head><title> The  ferry\n</title></head><body>";
  EXPECT_EQ(extracted(beginning + "<p>It left late.</body>", titled), "The ferry\nIt left late.\n");
  EXPECT_EQ(extracted(beginning + "<p>It left late.</body>", {.extraction = Extraction::kAuto}), "It left late.\n");
  EXPECT_EQ(extracted(beginning + "<p>The ferry left late.</body>", titled), "The ferry left late.\n");
  EXPECT_EQ(extracted("<p>It left late.", titled), "It left late.\n") << "a page without a title";
  EXPECT_EQ(extracted("It left late.", titled), "It left late.");
  EXPECT_FALSE(Extract(titled).from(beginning + std::string(2000, ' ') + "<p>x</body>").complete)
      << "a title is hardly any text";
}

TEST(Extract, SaysWhereTheHeadingEnds) {
  const ExtractOptions titled{.extraction = Extraction::kAuto, .mask = kMaskDates, .titled = true};
  const auto heading = [](const std::string& bytes, const ExtractOptions& options) {
    Extract extract(options);
    const Extracted extracted = extract.from(bytes);
    return std::string(extracted.text.substr(0, extracted.heading_bytes));
  };
  const std::string page = "<html><head><title>Late on 2026-11-21</title></head><body><p>It left late.</body>";
  EXPECT_EQ(heading(page, titled), "Late on ⟨date⟩");
  EXPECT_EQ(heading("<html><head><title>It left</title></head><body><p>It left late.</body>", titled), "It left");
  EXPECT_EQ(heading("<p>It left late.", titled), "");
  EXPECT_EQ(heading(page, {.extraction = Extraction::kAuto}), "") << "the title is no part of the text";
  EXPECT_EQ(heading("# Late\nIt left late.", titled), "# Late\n");
  EXPECT_EQ(heading("# Late\nIt left late.", {}), "");
  EXPECT_EQ(heading(".TH FERRY 1\n.SH NAME\nferry \\- leaves late\n", titled), "FERRY 1 \nNAME\n");
}

TEST(Extract, PagesOfTwoSitesAndEncodingsAreEqual) {
  const ExtractOptions options{.extraction = Extraction::kAuto, .mask = kMaskDates | kMaskTimes};
  for (const auto& [left, right] :
       {std::pair{"ferry.html", "coast.html"}, std::pair{"zh_gb18030.html", "zh_utf16.html"}}) {
    const std::string text = extracted(page(left), options);
    EXPECT_GT(text.size(), 300u) << left;
    EXPECT_EQ(text, extracted(page(right), options));
  }
}

TEST(Extract, OtherEncodingsOfPlainTextBecomeUtf8) {
  Extract extract({.extraction = Extraction::kAuto});
  const std::string wide("\xFF\xFEh\0\x60\x4F", 6);
  EXPECT_EQ(extract.from(wide).text, "h你");
  EXPECT_EQ(extract.from(wide).encoding, "UTF-16LE");
  EXPECT_EQ(Extract({.extraction = Extraction::kAuto, .charset = "latin1"}).from("caf\xE9").encoding, "windows-1252");
}

TEST(Extract, SaysWhereTheTextStandsForNotAllBytes) {
  Extract extract({.extraction = Extraction::kHtml});
  EXPECT_TRUE(extract.from("<p>text").complete);
  EXPECT_TRUE(extract.from("").complete);
  EXPECT_TRUE(extract.from(" \n").complete);
  EXPECT_FALSE(extract.from("<script>render()</script>").complete);
  EXPECT_FALSE(extract.from("<p>" + std::string(size_t{17} << 20, 'x')).complete);
  EXPECT_TRUE(Extract({.extraction = Extraction::kNone}).from("<script>x</script>").complete);
}

TEST(Extract, MasksWhatIsExtracted) {
  EXPECT_EQ(extracted("On 2026-11-21 at 10:30", {.mask = kMaskDates}), "On ⟨date⟩ at 10:30");
}

TEST(Extract, TheWholeOfAPageIsAllThatItShows) {
  const std::string page =
      "<html><body><nav>Menu of 2026-11-20</nav><article><p>The ferry left on 2026-11-21, late, and it struck the "
      "pier, "
      "which had been repaired twice since.</p></article><aside>Weather</aside></body></html>";
  Extract extract({.extraction = Extraction::kAuto, .mask = kMaskDates, .shown = true});
  const Extracted shown = extract.from(page);
  EXPECT_TRUE(shown.whole_text.starts_with("Menu of ⟨date⟩\n")) << shown.whole_text;
  EXPECT_NE(shown.whole_text.find("left on ⟨date⟩"), std::string::npos);
  EXPECT_EQ(shown.text.find("Menu"), std::string::npos);
  const Extracted text = extract.from("no page");
  EXPECT_EQ(text.whole_text, text.text);
  Extract plain({.extraction = Extraction::kAuto});
  const Extracted main = plain.from(page);
  EXPECT_EQ(main.whole_text, main.text);
}

TEST(Extract, NamesOfExtractions) {
  EXPECT_EQ(extraction_of_name("auto"), Extraction::kAuto);
  EXPECT_EQ(extraction_of_name("html"), Extraction::kHtml);
  EXPECT_EQ(extraction_of_name("none"), Extraction::kNone);
  EXPECT_FALSE(extraction_of_name("pdf").has_value());
}

}  // namespace
}  // namespace neardup::text
