// Pages that are made to be slow or large: time and memory grow with a page's size, and no faster.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <functional>
#include <string>

#include "neardup/text/html/html.h"
#include "tests/cpu_seconds.h"
#include "tests/linear_time.h"

namespace neardup::text::html_hostile_test {
namespace {

std::string repeated(const std::string& part, size_t size) {
  std::string text;
  while (text.size() < size) text += part;
  return text;
}

/// Expects that the time of a page grows with its size alone.
void expect_linear(size_t size, const std::function<std::string(size_t)>& html) {
  HtmlReader reader;
  HtmlPage page;
  expect_linear_time(
      size, html, [&](const std::string& text) { reader.read(text, {}, page); }, html(40));
}

TEST(HtmlHostile, PagesTakeLinearTime) {
  // Each of these takes minutes, or all memory, where a parser rebuilds open elements or searches all of them, or where
  // a rule looks at all of a page for each of its parts.
  for (const std::string& part : {std::string("<div>"),
                                  std::string("<b>"),
                                  std::string("<b id=1><i id=2><font id=3><p>x"),
                                  std::string("<a><p>x"),
                                  std::string("<table><tr><td>"),
                                  std::string("<table><b>"),
                                  std::string("<li>"),
                                  std::string("<svg><g>"),
                                  std::string("<a b=c "),
                                  std::string("&amp;"),
                                  std::string("<!--"),
                                  std::string("</p>"),
                                  std::string("<select>"),
                                  std::string("<option>"),
                                  std::string("<template>"),
                                  std::string("word"),
                                  std::string("\xe6\xb8\xaf"),
                                  std::string("<script>"),
                                  std::string("<h1 class=a-b-c-d>t,"),
                                  std::string("<form><input>x"),
                                  std::string("<h3>Related articles</h3>"),
                                  std::string("<div><p></p><h3>Most read</h3><a>x</a></div>"),
                                  std::string("<p></p><p>Read more: <a>another page of ours</a></p>"),
                                  std::string("<p>By someone, 3 May 2021</p>"),
                                  std::string("<div id=related-work class=a><h2>Related work</h2>words, "),
                                  std::string("<div class=share><p>"),
                                  std::string("<font><img src=a <img alt='b "),
                                  std::string("<p a=3D\"b\" c=3D\"d\">x=\n"),
                                  std::string("<div class=a><p>A sentence, and another one, that go on for as long as "
                                              "it takes to be a paragraph of sentences.</p></div>"),
                                  std::string("<div class=a><div class=b><p>A sentence, and another one, that go on "
                                              "for as long as it takes to be a paragraph of sentences.</p>"),
                                  std::string("<div role=tablist><div role=button>x"),
                                  std::string("<div role=button>x</div>"),
                                  std::string("<div class=cookie>cookies "),
                                  std::string("<div>We use cookies.</div>"),
                                  std::string("<a href=x>Some words here</a> "),
                                  std::string("\0", 1)}) {
    expect_linear(size_t{32} << 10, [&](size_t size) { return repeated(part, size); });
  }
}

TEST(HtmlHostile, ALongTokenTakesLinearTime) {
  // Quadratic, beyond what a small page shows, where the buffer of a token grows by as much each time: it is copied.
  expect_linear(size_t{512} << 10, [](size_t size) { return "<p>Before<!--" + std::string(size, 'x') + "-->"; });
}

TEST(HtmlHostile, LabelsBehindMuchThatIsEmptyTakeLinearTime) {
  expect_linear(25'000, [](size_t size) { return repeated("<p></p>", size) + repeated("<p>Related</p>", size); });
}

std::string nested(size_t depth, const std::string& inner) {
  return "<body>" + repeated("<div class=cookie>", depth * 18) + inner;
}

TEST(HtmlHostile, NestedNoticesTakeTheTimeOfOne) {
  constexpr size_t kSize = size_t{2} << 20;
  HtmlReader reader;
  HtmlPage page;
  // Each took the time of its depth where all text below a part, hidden or blank, was searched for each part.
  for (const std::string& inner :
       {"<p>Hi, we are here.<div style='display:none'>" + repeated("word and more ", kSize) + "</div>",
        "<p>Hi, we are" + std::string(kSize, ' ') + "here."}) {
    const std::string one = nested(1, inner), many = nested(200, inner);
    expect_time_within(
        3, [&] { reader.read(one, {}, page); }, [&] { reader.read(many, {}, page); }, "nested notices");
  }
}

TEST(HtmlHostile, OneTagOfManyNamesTakesLinearTime) {
  const auto html = [](size_t size) {
    std::string tag = "<p>Before.</p><div";
    for (int i = 0; tag.size() < size; ++i) tag += " name" + std::to_string(i) + "=1";
    return tag + "><p>Behind.";
  };
  // Quadratic, and minutes, where the names are counted at the end of the tag.
  expect_linear(size_t{256} << 10, html);
  HtmlReader reader;
  HtmlPage page;
  reader.read(html(size_t{1} << 20), {}, page);
  EXPECT_FALSE(page.complete);
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

uint64_t peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) << 10;
}

std::string numbered(const std::string& before, const std::string& after, int count) {
  std::string html;
  for (int i = 0; i < count; ++i) html += before + std::to_string(i) + after;
  return html;
}

TEST(HtmlHostile, PagesTakeMemoryOfTheirSize) {
  if (kSanitized) GTEST_SKIP() << "sanitizers keep what is freed";
  // A link that is left open comes again in every block, with its attributes.
  HtmlReader reader;
  HtmlPage page;
  for (const std::string& html :
       {"<p><a class=\"" + std::string(size_t{1} << 20, 'x') + "\">x" + repeated("<p>x", 400'000),
        "<a id='" + std::string(200'000, 'x') + "' style='" + std::string(200'000, 'y') + "'>" +
            repeated("<div>x</div>", size_t{1} << 20),
        repeated("<p><a class=x id=y>x", size_t{2} << 20), repeated("</p>x", size_t{2} << 20),
        repeated("<a><p>x</a>y", size_t{2} << 20), repeated("<tr><td>1<td>2", size_t{2} << 20),
        repeated("<p id=ad>x", size_t{4} << 20), repeated("<p>By x", size_t{4} << 20)}) {
    const uint64_t before = peak_bytes();
    reader.read(html, {}, page);
    EXPECT_LT(peak_bytes() - before, 64 * html.size() + (size_t{8} << 20)) << html.substr(0, 20);
  }
}

std::string text_of(const std::string& html) {
  HtmlReader reader;
  HtmlPage page;
  reader.read(html, {}, page);
  return page.text;
}

TEST(HtmlHostile, TagsPartWordsWhereNoneAreHeededAnyMore) {
  const std::string text = text_of("<body>" + repeated("<td>1</td>x", size_t{1} << 20) + repeated("<i><p>2", 100'000));
  EXPECT_EQ(text.find("22"), std::string::npos);
  EXPECT_NE(text.find("2"), std::string::npos);
}

TEST(HtmlHostile, NamesWithoutEndAreGivenUp) {
  // lexbor keeps unknown names in a table of fixed size: this would take minutes.
  for (const std::string& html : {numbered("<x", ">y", 400'000), numbered("<p y", ">z", 400'000)}) {
    HtmlReader reader;
    HtmlPage page;
    const double before = cpu_seconds();
    reader.read("<p>begin" + html, {}, page);
    EXPECT_LT(cpu_seconds() - before, 5);
    EXPECT_FALSE(page.complete);
    EXPECT_TRUE(page.text.starts_with("begin")) << page.text.substr(0, 20);
    reader.read("<p>after", {}, page);
    EXPECT_TRUE(page.complete);
    EXPECT_EQ(page.text, "after\n");
  }
}

}  // namespace
}  // namespace neardup::text::html_hostile_test
