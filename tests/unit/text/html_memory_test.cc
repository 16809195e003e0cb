// A page for which the system has no memory: refused, and the reader is as good as before.
#include <gtest/gtest.h>

#include <new>
#include <string>

#include "neardup/text/html/html.h"
#include "tests/refused_memory.h"

namespace neardup::text::html_memory_test {
namespace {

// Of elements that lexbor keeps in tables of their own, with names that it does not know, misnested, long.
std::string some_page() {
  std::string page = "<!doctype html><html lang=en><head><title>A page</title></head><body><h1>Title</h1>";
  for (int i = 0; i < 40; ++i) {
    const std::string number = std::to_string(i);
    page += "<p class='c" + number + "'>Paragraph " + number + " <a href=x>of <b>some</a> words</b> &amp; more.";
    page += "<own-" + number + " data-" + number + "=1>named</own-" + number + ">";
  }
  page += "<template><p>kept</template><svg><path d=x /></svg><table>";
  for (int i = 0; i < 60; ++i) page += "<tr><td>" + std::to_string(i) + "</td>text in a table</tr>";
  return page + "</table><select><option>one</select><p>" + std::string(20'000, 'x') + "</p></body></html>";
}

std::string read_by(HtmlReader& reader, const std::string& page) {
  HtmlPage out;
  reader.read(page, {}, out);
  EXPECT_TRUE(out.complete);
  return out.text;
}

TEST(HtmlMemory, APageIsReadOrRefused) {
  const std::string page = some_page(), other = "<p>Another page of a few words.</p>";
  HtmlReader whole;
  const std::string right = read_by(whole, page), right_of_other = read_by(whole, other);
  ASSERT_GT(right.size(), 20'000u);
  const int64_t step = torture_seed() ? 1 : 3;
  int64_t num_refused = 0;
  refuse_each(step, [&](int64_t n) {
    HtmlReader reader;
    std::string text;
    bool was_refused = false;
    {
      const RefusedMemory refused(n);
      try {
        text = read_by(reader, page);
      } catch (const std::bad_alloc&) {
        ++num_refused;
      }
      was_refused = refused.was_refused();
      RefusedMemory::stop();
    }
    EXPECT_TRUE(text.empty() || text == right) << n;
    EXPECT_EQ(read_by(reader, page), right) << n;
    EXPECT_EQ(read_by(reader, other), right_of_other) << n;
    return was_refused;
  });
  EXPECT_GT(num_refused, 5);
}

// Documents are used again from page to page.
TEST(HtmlMemory, APageAfterOthersIsReadOrRefused) {
  const std::string page = some_page(), other = "<p>Another page of a few words.</p>";
  HtmlReader reader;
  const std::string right = read_by(reader, page);
  refuse_each(1, [&](int64_t n) {
    EXPECT_EQ(read_by(reader, other), "Another page of a few words.\n") << n;
    bool was_refused = false;
    try {
      const RefusedMemory refused(n);
      EXPECT_EQ(read_by(reader, page), right) << n;
      was_refused = refused.was_refused();
    } catch (const std::bad_alloc&) {
      was_refused = true;
    }
    return was_refused;
  });
}

}  // namespace
}  // namespace neardup::text::html_memory_test
