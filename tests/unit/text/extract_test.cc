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

std::string repeated(const std::string& part, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += part;
  return text;
}

TEST(Extract, AFooterDoesNotStandForAPageThatShowsMore) {
  Extract extract({.extraction = Extraction::kHtml});
  const std::string footer =
      "<div><p>You are reading this page, since you are a member of the harbour club, and of its friends, and wish to "
      "be told of what is on sale there. To leave, write to the address that stands below, and name the one that "
      "you gave, which we need to find you.</p></div>";
  const std::string row = "<div><span>A cabin</span> <span>at 5 pounds</span></div>";
  EXPECT_FALSE(extract.from("<body><div>" + repeated(row, 30) + "</div>" + footer).complete);
  EXPECT_TRUE(extract.from("<body><div>" + repeated(row, 5) + "</div>" + footer).complete);
  const std::string long_text = "<body><div>" + repeated(row, 90) + "</div>" + repeated(footer, 3);
  EXPECT_TRUE(extract.from(long_text).complete) << "a text of its own";
}

TEST(Extract, ALineToNavigateDoesNotStandForAPage) {
  Extract extract({.extraction = Extraction::kHtml});
  const std::string line =
      "<p>Next: <a href=a>The functions that take memory, and those that give it back</a>, Previous: <a href=b>What "
      "the library is, and who may use it, and how</a>, Up: <a href=c>The manual of the library</a></p>";
  const std::string contents = repeated("<li><a href=s>A section of the manual, on a part of it</a></li>", 12);
  EXPECT_FALSE(
      extract.from("<body><table><tr><td>" + line + "<tr><td><h2>Use</h2><ul>" + contents + "</ul></table>").complete);
}

TEST(Extract, MasksWhatIsExtracted) {
  EXPECT_EQ(extracted("On 2026-11-21 at 10:30", {.mask = kMaskDates}), "On ⟨date⟩ at 10:30");
}

TEST(Extract, NamesOfExtractions) {
  EXPECT_EQ(extraction_of_name("auto"), Extraction::kAuto);
  EXPECT_EQ(extraction_of_name("html"), Extraction::kHtml);
  EXPECT_EQ(extraction_of_name("none"), Extraction::kNone);
  EXPECT_FALSE(extraction_of_name("pdf").has_value());
}

}  // namespace
}  // namespace neardup::text
