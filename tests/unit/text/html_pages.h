// What tests of web pages are made of, and what is read of them.
#pragma once

#include <string>

#include "neardup/text/html/html.h"

namespace neardup::text {

inline std::string read_text(const std::string& html) {
  HtmlReader reader;
  HtmlPage page;
  reader.read(html, {}, page);
  return page.text;
}

inline std::string paragraph(int i) {
  const std::string number = std::to_string(i);
  return "Paragraph " + number + " tells of the ferry, of the pier, and of the tide that keeps both waiting; boat " +
         number + " came in late, as it does in autumn, and nobody on the quay said a word about it.";
}

inline std::string paragraphs(int first, int count, const std::string& tag = "p") {
  std::string html;
  for (int i = first; i < first + count; ++i) html += "<" + tag + ">" + paragraph(i) + "</" + tag + ">\n";
  return html;
}

}  // namespace neardup::text
