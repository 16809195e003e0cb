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

TEST(FoldCode, SlashesInRegularExpressionsBeginNoComment) {
  EXPECT_EQ(folded("a.js", "const r = /[/*]/g; count(r); /* x */ let s;"), "constv=/[/*]/v;v(v);letv;");
  EXPECT_EQ(folded("a.ts", "if (/a\\/\"b/.test(x)) y = \"z\";"), "if(/a\\/\"b/.v(v))v=\"z\";");
  EXPECT_EQ(folded("a.js", "return /'/.exec(name) || f(/`/, other)"), "return/'/.v(v)||v(/`/,v)");
  EXPECT_EQ(folded("a.js", "x = a / b; // c / d\ny = (a) / b / c; i++ / j / k"), "v=v/v;v=(v)/v/v;v++/v/v");
  EXPECT_EQ(folded("a.js", "x = 4 /* n */ / b; y = z[0] / \"/\";"), "v=4/v;v=v[0]/\"/\";");
  EXPECT_EQ(folded("a.js", "x = /[open\ny = /open\nz = /x/;"), "v=/[vv=/vv=/x/;");
  EXPECT_EQ(folded("a.jsx", "<b>one</b><i>two</i>"), "<v>v</v><v>v</v>");
  EXPECT_EQ(folded("a.java", "x = a /b/ c; // d"), "v=v/v/v;");
}

TEST(FoldCode, BackticksBehindABackslashEndNoTemplate) {
  EXPECT_EQ(folded("a.js", "s = `a \\` /* b`; count"), "v=`a \\` /* b`;v");
  EXPECT_EQ(folded("a.js", "s = `open \\` closed"), "v=`v\\`v");
  EXPECT_EQ(folded("a.go", "s := `C:\\`; count"), "v:=`C:\\`;v");
}

TEST(FoldCode, RawStringsEndWhereTheirMarksSay) {
  EXPECT_EQ(folded("a.cc", "s = R\"x(a\" /* b)\" c)x\"; count"), "v=R\"x(a\" /* b)\" c)x\";v");
  for (const std::string prefix : {"LR", "uR", "UR", "u8R"})
    EXPECT_EQ(folded("a.cc", prefix + "\"(\\)\"; count"), prefix + "\"(\\)\";v");
  EXPECT_EQ(folded("a.cc", "R\"x(a b"), "v\"v(vv");
  EXPECT_EQ(folded("a.cc", "FOR\"(\\\"b)\" R + 1"), "v\"(\\\"b)\"v+1");
  EXPECT_EQ(folded("a.rs", "let s = r\"C:\\\"; let t = br##\"a\"# /* b\"##; r#type"),
            "letv=r\"C:\\\";letv=br##\"a\"# /* b\"##;v#type");
}

TEST(FoldCode, AnApostropheMayBeACharacter) {
  EXPECT_EQ(folded("a.rs", "if c == '\\'' { d = '\"'; count }"), "ifv=='\\''{v='\"';v}");
  EXPECT_EQ(folded("a.hs", "f c = c == '\\'' || c == '\"' -- x"), "vv=v=='\\''||v=='\"'");
}

TEST(FoldCode, OnlyDocumentationIsAComment) {
  EXPECT_EQ(folded("a.py", "x = (\"a\"\n  \"\"\"b\"\"\")"), "v=(\"a\"\"\"\"b\"\"\")");
  EXPECT_EQ(folded("a.py", "x = y >\\\n\"\"\"b\"\"\""), "v=v>\\\"\"\"b\"\"\"");
  EXPECT_EQ(folded("a.java", "return\n  \"\"\"\n  b\"\"\";"), "return\"\"\"\n  b\"\"\";");
  EXPECT_EQ(folded("a.jl", "\"\"\"Doc.\"\"\"\nfunction f() end"), "functionv()end");
}

TEST(FoldCode, LiteralsThatAreNeverClosedTakeNoLonger) {
  for (const std::string path : {"a.js", "a.cc", "a.rs"}) {
    std::string source;
    for (int i = 0; source.size() < 4'000'000; ++i)
      source += path == "a.js"   ? "=/["
                : path == "a.cc" ? "R\"" + std::to_string(i) + "("
                                 : "r" + std::string(static_cast<size_t>(i % 250), '#') + "\"";
    EXPECT_FALSE(folded(path, source).empty());
  }
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
    const auto passages = shared_passages(found, found.pairs[0], options, {.texts = true}).value();
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
