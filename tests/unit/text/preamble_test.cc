// What stands before a text and is none of it.
#include "neardup/text/preamble.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "neardup/text/extract.h"
#include "neardup/text/front_matter.h"
#include "neardup/text/latex.h"
#include "neardup/text/licence_comments.h"

namespace neardup::text {
namespace {

const std::string kProse = "Every bounded sequence of reals has a convergent subsequence, as bisection shows.\n";
const std::string kCode = "int add(int left, int right) { return left + right; }\nint last_one_of(int* numbers);\n";

/// The text without its preamble; "-" where it has none.
std::string without_preamble(const std::string& text) {
  std::string out;
  const size_t left_out = leave_out_preamble(text, out);
  if (left_out == 0) return "-";
  EXPECT_EQ(left_out, text.size() - out.size());
  return out;
}

TEST(FrontMatter, SettingsAreLeftOutAndAllElseStays) {
  EXPECT_EQ(
      without_preamble("---\nlayout: post\ntitle: One\nTags:\n  - a\n- b\n# why\n\nms.author: jane\ndate: 2020-01-02\n"
                       "hero: |\n  a line\n---\n" +
                       kProse),
      "title: One\ndate: 2020-01-02\n" + kProse);
  EXPECT_EQ(without_preamble("---\r\nlayout: post\r\n...\r\n" + kProse), kProse);
  EXPECT_EQ(
      without_preamble("+++\ntitle = \"One\"\ndraft = true\ntags = [\n\"a\",\n]\n[params]\nname = 'x'\n+++\n" + kProse),
      "-")
      << "a line of an array is neither a member nor set in";
  EXPECT_EQ(without_preamble("+++\ntitle = \"One\"\ndraft = true\ntags = [\n  \"a\",\n]\n[params]\nname = 'x'\n+++\n" +
                             kProse),
            "title = \"One\"\n[params]\nname = 'x'\n" + kProse);
}

TEST(FrontMatter, OtherTextsHaveNone) {
  for (const std::string& text : std::vector<std::string>{
           "---\ntitle: One\n---\n" + kProse,               // no setting
           "---\nlayout: post\n" + kProse + "---\n",        // a line that is no member
           "---\nlayout: post\n\n",                         // no end
           "---\n" + kProse + "---\n",                      // a rule
           "a\n---\nlayout: post\n---\n" + kProse,          // not at the front
           "---\nlayout: post\n---\nkind: Pod\n" + kProse,  // YAML documents
           "---\nlayout: post\n---\n\n- name: x\n" + kProse, std::string("---\nlayout: post\n---\nToo little\n"),
           "---\nlayout: " + std::string(20000, 'x') + "\n---\n" + kProse})
    EXPECT_EQ(without_preamble(text), "-") << text.substr(0, 100);
}

TEST(LatexPreamble, WhatAReaderMaySeeStays) {
  const std::string begin = "% A comment\n\n\\documentclass[11pt]{article}\n";
  EXPECT_EQ(without_preamble(begin +
                             "\\usepackage[utf8]{inputenc}\n\\usepackage{amsmath}  % maths\n"
                             "\\newcommand{\\R}{\\mathbb{R}}\n\\newtheorem{theorem}{Theorem}\n"
                             "\\lstset{\n  basicstyle=\\ttfamily,\n  frame=single\n}\n"
                             "\\title{On sequences}\n\\newcommand{\\client}{Acme}\n  \\begin{document}\n" +
                             kProse + "\\end{document}\nbehind\n"),
            "\\title{On sequences}\n\\newcommand{\\client}{Acme}\n\n" + kProse);
  EXPECT_EQ(without_preamble(begin + "\\begin{document}" + kProse +
                             "\\begin{verbatim}\n\\end{document}\n\\end{verbatim}\nmore\n" + "\\end{document}\n"),
            kProse + "\\begin{verbatim}\n\\end{document}\n\\end{verbatim}\nmore\n");
  EXPECT_EQ(without_preamble(begin + "\\begin{document}\n" + kProse), "\n" + kProse) << "no end";
}

TEST(LatexPreamble, OtherTextsHaveNone) {
  for (const std::string& text : std::vector<std::string>{
           "\\section{One}\n" + kProse, "\\documentclass{article}\n" + kProse,
           "\\documentclass{article}\n\\usepackage{x\n\\begin{document}\n" + kProse,  // a group that does not end
           "\\documentclass{article}\nx \\begin{document}\n" + kProse,
           "An example: \\documentclass{article}\n\\begin{document}\n" + kProse,
           std::string("\\documentclass{article}\n\\begin{document}\nx\n\\end{document}\n")})
    EXPECT_EQ(without_preamble(text), "-") << text;
}

TEST(LicenceComments, ParagraphsOnLicencesAreLeftOutAndOthersStay) {
  EXPECT_EQ(without_preamble("/* Copyright (C) 2020 A. Person\n * All rights reserved.\n */\n\n" + kCode),
            " */\n\n" + kCode);
  EXPECT_EQ(without_preamble("/*\n * Adds numbers.\n *\n * Copyright 2020 A. Person\n *\n * Use is permitted.\n */\n" +
                             kCode),
            "/*\n * Adds numbers.\n *\n *\n */\n" + kCode);
  EXPECT_EQ(without_preamble(
                "#!/bin/sh\n# Copyright 2020 A\n# Licensed under the MIT License.\n\n# Adds numbers.\n#\n" + kCode),
            "\n# Adds numbers.\n#\n" + kCode)
      << "the first line belongs to the paragraph that it stands before";
  EXPECT_EQ(without_preamble("// SPDX-License-Identifier: MIT\n// By A. Person\n" + kCode), kCode);
  EXPECT_EQ(without_preamble("<?xml version=\"1.0\"?>\n\n<!-- \xC2\xA9 2020 A. Person -->\n" + kCode),
            "<?xml version=\"1.0\"?>\n\n" + kCode);
  EXPECT_EQ(without_preamble(";; Copyright 2020 A\r\n;; and B\r\n" + kCode), kCode);
}

TEST(LicenceComments, OtherTextsHaveNone) {
  for (const std::string& text : std::vector<std::string>{
           "/* Adds numbers. */\n" + kCode,                                             // no licence
           "/* Distributed hashes. */\n" + kCode,                                       // one word alone
           std::string("/* Copyright 2020 A. Person */\n"),                             // nothing behind
           std::string("/* Copyright 2020 A. Person */\nint a;\n"),                     // hardly anything behind
           "/* Copyright 2020 A. Person\n" + kCode,                                     // no end
           "/* Copyright 2020 A. Person */ int zero;\n" + kCode,                        // code in its line
           "# Copyright\n\n" + kProse,                                                  // one line, as a heading
           "#include <a>\n#define COPYRIGHT 1\n" + kCode,                               // no comments
           "Copyright 2020 A. Person\nAll rights reserved.\n\n" + kProse,               // a text
           "/* Copyright 2020 A. Person\n" + std::string(5000, 'x') + " */\n" + kCode,  // a whole licence
           std::string("# Copyright 2020 A. Person\n# All rights reserved.\n")})
    EXPECT_EQ(without_preamble(text), "-") << text;
}

TEST(Preamble, IsLeftOutWhereTextsAreExtracted) {
  const std::string source = "/* Copyright (C) 2020 A. Person */\n" + kCode;
  Extract as_usual(ExtractOptions{.extraction = Extraction::kAuto, .own_lines = true});
  const Extracted extracted = as_usual.from(source);
  EXPECT_TRUE(extracted.complete && extracted.leaves_out());
  EXPECT_EQ(extracted.text, kCode);
  EXPECT_EQ(extracted.whole_text, source);
  EXPECT_EQ(extracted.preamble_bytes, source.size() - kCode.size());
  EXPECT_EQ(as_usual.from(kCode).preamble_bytes, 0U);
  Extract none(ExtractOptions{});
  EXPECT_EQ(none.from(source).text, source);
}

// Whatever opens and does not close: time follows the size.
TEST(Preamble, HostileTextsTakeNoLonger) {
  for (const std::string piece : {"\\usepackage{", "\\begin{document}", " \\end{document}", "/*", "\\usepackage{}",
                                  "# \n", "%\n", "\\title", "a: b\n", "<!--", "/* */\n"}) {
    for (const std::string begin : {"", "---\n", "\\documentclass{x}\n", "% x\n\\documentclass{x}\n",
                                    "\\documentclass{x}\n\\begin{document}\n"}) {
      std::string text = begin, out;
      while (text.size() < (size_t{1} << 20)) text += piece;
      leave_out_preamble(text, out);
      EXPECT_LE(out.size(), text.size());
    }
  }
}

}  // namespace
}  // namespace neardup::text
