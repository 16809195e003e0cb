#include "neardup/sif/fold_code.h"

#include <gtest/gtest.h>

#include "neardup/sif/languages.h"
#include "neardup/sif/shared_text.h"
#include "neardup/sif/similar.h"
#include "tests/unit/sif/temporary_tree.h"

namespace neardup::sif {
namespace {

std::string folded(const std::string& path, std::string_view source) {
  std::string out;
  fold_code(source, language_of(Fold::kCode, path), out);
  return out;
}

TEST(FoldCode, TellsLanguagesByEndings) {
  EXPECT_EQ(language_of(Fold::kNone, "a.c"), 0U);
  EXPECT_EQ(language_of(Fold::kCode, "README"), 0U);
  EXPECT_EQ(language_of(Fold::kCode, "dir.c/file"), 0U);
  EXPECT_EQ(language_of(Fold::kCode, "a.txt"), 0U);
  EXPECT_NE(language_of(Fold::kCode, "a.py"), 0U);
  EXPECT_EQ(language_of(Fold::kCode, "a.c"), language_of(Fold::kCode, "b/c.HPP"));
  EXPECT_NE(language_of(Fold::kCode, "a.c"), language_of(Fold::kCode, "a.py"));
}

TEST(FoldCode, KeepsKeywordsNumbersSignsAndStrings) {
  EXPECT_EQ(folded("a.c", "int main(void) { /* x */ return count + 0x1F; } // end"), "intv(void){returnv+0x1F;}");
  EXPECT_EQ(folded("a.c", "char c = '\\''; s = \"a // b\"; /* open"), "charv='\\'';v=\"a // b\";/*v");
  EXPECT_EQ(folded("a.c", "x = \"never closed\ny = 1.5e3;"), "v=\"vvv=1.5e3;");
  EXPECT_EQ(folded("a.py", "def f(a):\n    \"\"\"Docs.\"\"\"\n    return x + \"\"\"text\"\"\"  # why\n"),
            "defv(v):returnv+\"\"\"text\"\"\"");
  EXPECT_EQ(folded("a.py", "f(\n    '''taken''')"), "v('''taken''')");
  EXPECT_EQ(folded("a.rs", "fn f<'a>(x: &'a str) { let c = '}'; let d = '\\u{41}'; }"),
            "fnv<'v>(v:&'vstr){letv='}';letv='\\u{41}';}");
  EXPECT_EQ(folded("a.sql", "SELECT name FROM t -- all\nwhere Id = 1"), "selectvfromvwherev=1");
  EXPECT_EQ(folded("a.sh", "echo $#a # b\nif [ -n \"$x\" ]; then"), "echo$#vif[-v\"$x\"];then");
  EXPECT_EQ(folded("a.js", "const t = `a\n // b`; $x"), "constv=`a\n // b`;v");
  EXPECT_EQ(folded("a.lua", "--[[ a\nb ]] x = 1 -- c"), "v=1");
  EXPECT_EQ(folded("a.lisp", "(defun add-one (x) (+ 'x 1)) ; one"), "(defunv(v)(v'v1))");
  EXPECT_EQ(folded("a.c", ""), "");
}

TEST(FoldCode, NamesInAnyScriptAreIdentifiers) { EXPECT_EQ(folded("a.py", "größe = 名前 + 1"), "v=v+1"); }

TEST(FoldCode, TellsWhereEachByteIsFrom) {
  const std::string source = "int  total /* n */ = 12;";
  std::string out;
  std::vector<Origin> origins;
  fold_code(source, language_of(Fold::kCode, "a.c"), out, &origins);
  ASSERT_EQ(out, "intv=12;");
  ASSERT_EQ(origins.size(), out.size());
  EXPECT_EQ(source.substr(origins[3].begin, origins[3].end - origins[3].begin), "total");
  EXPECT_EQ(origins[4].begin, source.find('='));
}

constexpr const char* kOriginal = R"(#include <stdio.h>
/* Counts the words of a text. */
static int count_words(const char *text) {
  int words = 0, inside = 0;
  for (; *text != '\0'; ++text) {
    if (*text == ' ' || *text == '\n') {
      inside = 0;
    } else if (!inside) {
      inside = 1;
      words++;
    }
  }
  return words;
}
int main(int argc, char **argv) {
  long sum = 0;
  for (int i = 1; i < argc; ++i) sum += count_words(argv[i]);
  while (sum > 1000) sum = (sum >> 1) - (sum & 7);
  printf("%ld\n", sum);
  return sum == 0 ? 1 : 0;
}
)";

constexpr const char* kDisguised = R"(#include <stdio.h>
// my own work
static int wc(const char *p)
{
    int n = 0,
        state = 0;
    for (; *p != '\0'; ++p)
    {
        // is it white?
        if (*p == ' ' || *p == '\n') { state = 0; }
        else if (!state) { state = 1; n++; }
    }
    return n;
}

int main(int c, char **args)
{
    long all = 0;   /* of all arguments */
    for (int k = 1; k < c; ++k) all += wc(args[k]);
    while (all > 1000)
        all = (all >> 1) - (all & 7);
    printf("%ld\n", all);
    return all == 0 ? 1 : 0;
}
)";

constexpr const char* kOther = R"(#include <string.h>
struct node { struct node *next; unsigned key; char name[32]; };
struct node *lookup(struct node **table, unsigned size, const char *name) {
  unsigned hash = 5381;
  const char *at = name;
  do { hash = hash * 33 ^ (unsigned char)*at++; } while (*at);
  struct node *found = table[hash % size];
  while (found && strcmp(found->name, name)) found = found->next;
  if (!found || found->key < 17) return NULL;
  switch (found->key % 3) {
    case 0: return found->next;
    case 1: return table[found->key % size];
    default: break;
  }
  return found;
}
)";

TEST(FoldCode, CodeInDisguiseIsFoundAndOtherCodeIsNot) {
  const TemporaryTree tree;
  tree.write("original.c", kOriginal);
  tree.write("disguised.cc", kDisguised);
  tree.write("other.c", kOther);
  SimilarOptions options;
  options.inputs = {tree.path()};
  EXPECT_TRUE(find_similar(options).value().pairs.empty());
  options.fold = Fold::kCode;
  for (const bool verify : {false, true}) {
    options.verify = verify;
    const SimilarFiles found = find_similar(options).value();
    ASSERT_EQ(found.pairs.size(), 1U);
    EXPECT_TRUE(found.files[found.pairs[0].a].path.ends_with("disguised.cc"));
    EXPECT_TRUE(found.files[found.pairs[0].b].path.ends_with("original.c"));
    EXPECT_EQ(found.pairs[0].is_exact, verify);
    EXPECT_GE(found.pairs[0].a_in_b, verify ? 0.99F : 0.95F);
    EXPECT_GE(found.pairs[0].b_in_a, verify ? 0.99F : 0.95F);
    const auto passages = shared_passages(found, found.pairs[0], options).value();
    ASSERT_FALSE(passages.empty());
    EXPECT_TRUE(passages[0].text_a.starts_with("#include"));
    EXPECT_NE(passages[0].text_a.find("my own work"), std::string::npos);
    EXPECT_NE(passages[0].text_b.find("count_words(argv[i])"), std::string::npos);
    EXPECT_EQ(passages[0].a.first_line, 1U);
    EXPECT_GE(passages[0].b.last_line, 20U);
  }
}

TEST(FoldCode, EqualBytesAreEqualInAnyLanguage) {
  const TemporaryTree tree;
  tree.write("a.c", kOriginal);
  tree.write("b.txt", kOriginal);
  tree.write("c.py", kOriginal);
  SimilarOptions options;
  options.inputs = {tree.path()};
  options.fold = Fold::kCode;
  const SimilarFiles found = find_similar(options).value();
  ASSERT_EQ(found.pairs.size(), 2U);
  for (const SimilarPair& pair : found.pairs) EXPECT_TRUE(pair.is_equal);
}

}  // namespace
}  // namespace neardup::sif
