#include "neardup/sif/fold_space.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "neardup/sif/file_text.h"
#include "neardup/sif/similar.h"
#include "tests/unit/sif/temporary_tree.h"

namespace neardup::sif {
namespace {

std::string folded(std::string_view text) {
  std::string out = "before";
  fold_space(text, out);
  return out;
}

TEST(FoldSpace, RowsOfWhiteSpaceAreOneBlank) {
  for (const char* text : {"if x:\n    return 1\n", "if x:\r\n    return 1\r\n", "if x:\r    return 1\r",
                           "if x:\n\treturn 1", "if x: \n\n  return  1 \n", "\xEF\xBB\xBF\nif x:\v\freturn 1"})
    EXPECT_EQ(folded(text), "if x: return 1") << text;
  for (const char* text : {"", " ", "\r\n\t", "\xEF\xBB\xBF "}) EXPECT_EQ(folded(text), "");
  EXPECT_EQ(folded("a\xC2\xA0 b\0 c"), "a\xC2\xA0 b");
}

RC_GTEST_PROP(FoldSpace, TellsWhereEachByteIsFrom, (const std::string& any)) {
  const std::string pieces[] = {" ", "\r\n", "\t", "\n\n", "x", "yz", "\xEF\xBB\xBF", any};
  std::string text, out, with;
  for (int n = *rc::gen::inRange(0, 20); n > 0; --n) text += pieces[*rc::gen::inRange<size_t>(0, std::size(pieces))];
  std::vector<Origin> origins = {{7, 7}};
  fold_space(text, out);
  fold_space(text, with, &origins);
  RC_ASSERT(out == with);
  RC_ASSERT(origins.size() == out.size());
  for (size_t i = 0; i < out.size(); ++i) {
    const std::string_view from = std::string_view(text).substr(origins[i].begin, origins[i].end - origins[i].begin);
    const bool is_right = out[i] == ' ' ? from.find_first_not_of(" \t\r\n\v\f") == from.npos : from == out.substr(i, 1);
    RC_ASSERT(is_right);
  }
  std::string again;
  fold_space(out, again);
  RC_ASSERT(again == out || out.starts_with("\xEF\xBB\xBF"));
}

TEST(FoldText, SaysWhatIsCompared) {
  std::string out;
  EXPECT_FALSE(fold_text("a  b", 0, Fold::kNone, out));
  EXPECT_FALSE(fold_text(std::string_view("a  b\0", 5), 0, Fold::kSpace, out)) << "of binary files all bytes count";
  EXPECT_TRUE(fold_text("a  b", 0, Fold::kSpace, out));
  EXPECT_EQ(out, "a b");
  EXPECT_TRUE(fold_text("a  b", 0, Fold::kCode, out)) << "no source code";
  EXPECT_EQ(out, "a b");
  EXPECT_TRUE(fold_text("a  b", language_of(Fold::kCode, "a.c"), Fold::kCode, out));
  EXPECT_EQ(out, "vv");
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

// Copies that an editor, an archive or another system made.
TEST(SimilarText, CopiesWithOtherWhiteSpaceHaveAllInCommon) {
  std::string text;
  for (int i = 0; i < 12; ++i)
    text += "def step_" + std::to_string(i * i) + "(x):\n    if x > " + std::to_string(i) + ":\n        return x\n";
  const TemporaryTree tree;
  tree.write("a.txt", text);
  tree.write("crlf.txt", replaced(text, "\n", "\r\n"));
  tree.write("cr.txt", replaced(text, "\n", "\r"));
  tree.write("tabs.txt", replaced(text, "    ", "\t"));
  tree.write("two.txt", replaced(text, "    ", "  "));
  tree.write("ends.txt", replaced(text, "\n", "  \n\n"));
  tree.write("mark.txt", "\xEF\xBB\xBF" + text.substr(0, text.size() - 1));
  for (const bool verify : {false, true}) {
    for (const Fold fold : {Fold::kSpace, Fold::kCode, Fold::kNone}) {
      SimilarOptions options;
      options.inputs = {tree.path()};
      options.fold = fold;
      options.verify = verify;
      const SimilarFiles found = find_similar(options).value();
      EXPECT_EQ(found.pairs.size() == 21U, fold != Fold::kNone);
      for (const SimilarPair& pair : found.pairs) {
        EXPECT_FALSE(pair.is_equal) << "the bytes differ";
        if (fold != Fold::kNone) {
          EXPECT_EQ(pair.a_in_b, 1);
          EXPECT_EQ(pair.b_in_a, 1);
        }
      }
    }
  }
}

}  // namespace
}  // namespace neardup::sif
