// `neardup fingerprint` and `neardup pairs` together, against the plain definition.
#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "neardup/base/hash.h"
#include "tests/unit/cli/run.h"

namespace neardup::cli::pairs_test {
namespace {

struct Made {
  std::string tsv;
  std::vector<std::vector<uint64_t>> fingerprints;  // by document; empty = no features
};

Made make_documents(int count, size_t columns, uint64_t seed) {
  std::mt19937_64 random(seed);
  Made made;
  for (int i = 0; i < count; ++i) {
    std::vector<uint64_t> fingerprints;
    for (size_t c = 0; c < columns && i % 7 != 3; ++c) {
      const auto earlier = made.fingerprints.empty() ? size_t{0} : random() % made.fingerprints.size();
      const bool near = !made.fingerprints.empty() && !made.fingerprints[earlier].empty() && random() % 2 == 0;
      uint64_t value = near ? made.fingerprints[earlier][c] : random();
      for (uint64_t flips = random() % 6; near && flips > 0; --flips) value ^= uint64_t{1} << random() % 64;
      fingerprints.push_back(value);
    }
    made.tsv += "d" + std::to_string(i);
    for (size_t c = 0; c < fingerprints.size(); ++c) made.tsv += (c == 0 ? '\t' : ',') + to_hex(fingerprints[c]);
    made.tsv += fingerprints.empty() ? "\t-\n" : "\n";
    made.fingerprints.push_back(fingerprints);
  }
  return made;
}

std::string line_if_near(const std::string& a, const std::string& b, const std::vector<uint64_t>& x,
                         const std::vector<uint64_t>& y, int max_distance) {
  int distance = 65;
  for (size_t c = 0; c < std::min(x.size(), y.size()); ++c) distance = std::min(distance, std::popcount(x[c] ^ y[c]));
  return distance <= max_distance ? a + "\t" + b + "\t" + std::to_string(distance) + "\n" : "";
}

TEST(Pairs, OfOneFileAgreeWithAScan) {
  const Folder folder;
  const Made made = make_documents(300, 2, 1);
  const std::string file = folder.write("p.tsv", made.tsv);
  for (const int distance : {0, 3, 7, 16}) {
    std::string expected;
    for (size_t i = 0; i < made.fingerprints.size(); ++i) {
      for (size_t j = i + 1; j < made.fingerprints.size(); ++j) {
        expected += line_if_near("d" + std::to_string(i), "d" + std::to_string(j), made.fingerprints[i],
                                 made.fingerprints[j], distance);
      }
    }
    for (const char* threads : {"1", "3"}) {
      const Ran ran = run({"pairs", file, "--distance", std::to_string(distance), "--threads", threads});
      EXPECT_EQ(ran.exit, 0) << ran.err;
      EXPECT_EQ(ran.out, expected) << distance;
    }
  }
}

TEST(Pairs, OfTwoFilesAgreeWithAScan) {
  const Folder folder;
  const Made a = make_documents(150, 3, 1);
  const Made b = make_documents(200, 3, 1);  // begins like a
  std::string expected;
  for (size_t i = 0; i < a.fingerprints.size(); ++i) {
    for (size_t j = 0; j < b.fingerprints.size(); ++j) {
      expected +=
          line_if_near("d" + std::to_string(i), "d" + std::to_string(j), a.fingerprints[i], b.fingerprints[j], 5);
    }
  }
  const Ran ran = run({"pairs", folder.write("a.tsv", a.tsv), folder.write("b.tsv", b.tsv), "--distance", "5", "-o",
                       folder / "out.tsv"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(folder.read("out.tsv"), expected);
}

// Sixteen values make only 16 bands of 4.
TEST(Pairs, ShortSignaturesWithoutARecipeAreCompared) {
  Folder folder;
  const std::string values = "0001000200030004000500060007000800090010001100120013001400150016";
  const std::string checksum(32, '0');
  const std::string file =
      folder.write("s.tsv", "a\t" + values + "\t" + checksum + "\nb\t" + values + "\t" + checksum + "\n");
  const Ran ran = run({"pairs", file});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_NE(ran.out.find("a\tb\t"), std::string::npos) << ran.out;
}

TEST(Pairs, FaultsAreNamedWithTheirLine) {
  const Folder folder;
  const std::string good = "a\t0000000000000000\n";
  const auto error_of = [&](const std::string& tsv) {
    const Ran ran = run({"pairs", folder.write("p.tsv", tsv)});
    EXPECT_EQ(ran.exit, kExitFailed);
    return ran.err.substr(ran.err.find("p.tsv"));
  };
  EXPECT_EQ(error_of(good + "\nb\n"),
            "p.tsv:3: expected an id, a tab and fingerprints, found no tab; neardup fingerprint makes such lines\n");
  EXPECT_EQ(error_of(good + "b\txyz\n"), "p.tsv:2: expected a fingerprint of 16 hexadecimal digits, found \"xyz\"\n");
  EXPECT_EQ(error_of(good + "b\t0000000000000000,0000000000000001\n"),
            "p.tsv:2: expected 1 fingerprint as before, found 2 fingerprints: the file mixes recipes\n");
}

TEST(Pairs, FilesOfDifferentNumbersOfFingerprintsAreRefused) {
  const Folder folder;
  const Ran ran = run({"pairs", folder.write("a.tsv", "a\t0000000000000000\n"),
                       folder.write("b.tsv", "a\t0000000000000000,0000000000000000\n")});
  EXPECT_EQ(ran.exit, kExitFailed);
  EXPECT_NE(ran.err.find("a.tsv' has 1 fingerprint a document"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("b.tsv' has 2 fingerprints a document"), std::string::npos) << ran.err;
}

TEST(Pairs, MemoryIsALimit) {
  const Folder folder;
  std::string tsv;
  for (int i = 0; i < 2000; ++i) tsv += "d" + std::to_string(i) + "\t0000000000000000\n";  // two million pairs
  const Ran ran = run({"pairs", folder.write("p.tsv", tsv), "--memory", "8M"});
  EXPECT_EQ(ran.exit, kExitFailed);
  EXPECT_NE(ran.err.find("--memory"), std::string::npos) << ran.err;
}

std::string corpus(int count) {
  std::string jsonl;
  for (int i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    if (i % 10 == 4) jsonl += "\nnot json\n";
    const std::string id = i % 5 == 0 ? "" : "\"id\":\"d" + n + "\",";
    jsonl += "{" + id + "\"text\":\"word" + n + " and some more of it, " +
             std::string(static_cast<size_t>(i % 40), 'x') + "\"}\n";
  }
  return jsonl;
}

TEST(Fingerprint, IsTheSameForAllThreadsAndBatches) {
  const Folder folder;
  const std::string input = folder.write("c.jsonl", corpus(200));
  const Ran one = run({"fingerprint", input, "--threads", "1"});
  const Ran four = run({"fingerprint", input, "--threads", "4", "--batch-bytes", "500"});
  EXPECT_EQ(one.exit, 0) << one.err;
  EXPECT_EQ(std::count(one.out.begin(), one.out.end(), '\n'), 200);
  EXPECT_EQ(one.out, four.out);
  EXPECT_NE(one.out.find("\nc.jsonl:8\t"), std::string::npos) << "document 5 has no id and stands in line 8";
  EXPECT_NE(one.err.find("c.jsonl:6: "), std::string::npos) << one.err;
  EXPECT_NE(four.err.find("20 of 220 records rejected"), std::string::npos) << four.err;
}

TEST(Fingerprint, FeedsPairs) {
  const Folder folder;
  const std::string input = folder.write(
      "c.jsonl",
      "{\"id\":\"a\",\"text\":\"one two three\"}\n{\"id\":\"b\",\"text\":\"One, two: three!\"}\n"
      "{\"id\":\"c\",\"text\":\"quite another text\"}\n{\"id\":\"d\",\"text\":\"\"}\n{\"id\":\"e\",\"text\":\"\"}\n");
  ASSERT_EQ(run({"fingerprint", input, "-o", folder / "p.tsv"}).exit, 0);
  EXPECT_EQ(run({"pairs", folder / "p.tsv"}).out, "a\tb\t0\n");
}

TEST(Fingerprint, RecipesThatLearnReadTheCorpusFirst) {
  const Folder folder;
  const std::string input = folder.write("c.jsonl", corpus(50));
  const Ran ran = run({"fingerprint", input, "--recipe", "paper"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_NE(ran.out, run({"fingerprint", input, "--recipe", "grams"}).out);
}

TEST(Fingerprint, BinaryFilesServePairsAsTextDoes) {
  const Folder folder;
  const std::string input = folder.write("c.jsonl", corpus(200));
  const std::string text = folder / "p.tsv";
  const std::string binary = folder / "p.bin";
  ASSERT_EQ(run({"fingerprint", input, "-o", text}).exit, 0);
  ASSERT_EQ(run({"fingerprint", input, "--format", "bin", "-o", binary}).exit, 0);
  const Ran of_text = run({"pairs", text, "--distance", "16"});
  EXPECT_NE(of_text.out, "");
  EXPECT_EQ(run({"pairs", binary, "--distance", "16"}).out, of_text.out);
  EXPECT_EQ(run({"pairs", binary, text, "--distance", "0"}).out, run({"pairs", text, text, "--distance", "0"}).out);
}

/// Files of two recipes with as many fingerprints a document: only the recipe tells them apart.
struct TwoRecipes {
  const Folder folder;
  std::string grams, words;

  explicit TwoRecipes(const std::string& format) {
    const std::string input = folder.write("c.jsonl", corpus(20));
    grams = folder / "grams", words = folder / "words";
    EXPECT_EQ(run({"fingerprint", input, "--format", format, "-o", grams, "--recipe", "grams"}).exit, 0);
    EXPECT_EQ(run({"fingerprint", input, "--format", format, "-o", words, "--recipe", "default"}).exit, 0);
  }
};

void expect_both_named(const Ran& ran) {
  EXPECT_EQ(ran.exit, kExitFailed);
  EXPECT_EQ(ran.out, "");
  EXPECT_NE(ran.err.find("of recipe grams ("), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("cannot be compared"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("idf=FILE"), std::string::npos) << ran.err;
}

TEST(Recipes, AreNeverMixedByPairs) {
  for (const std::string format : {"tsv", "bin"}) {
    const TwoRecipes files(format);
    expect_both_named(run({"pairs", files.grams, files.words}));
    EXPECT_EQ(run({"pairs", files.words, files.words, "--distance", "0"}).exit, 0);
  }
  const TwoRecipes files("bin");
  expect_both_named(run({"pairs", files.grams, files.words, "--work", files.folder / "work"}));
}

TEST(Recipes, AreNeverMixedInOneFile) {
  const TwoRecipes files("tsv");
  const std::string both = files.folder.write("both", files.folder.read("grams") + files.folder.read("words"));
  expect_both_named(run({"pairs", both}));
  EXPECT_NE(run({"pairs", both}).err.find("both:21: this line"), std::string::npos);
  expect_both_named(run({"index", "create", files.folder / "index", both}));
}

TEST(Recipes, AreNeverMixedInAnIndex) {
  for (const std::string format : {"tsv", "bin"}) {
    const TwoRecipes files(format);
    const std::string index = files.folder / "index";
    ASSERT_EQ(run({"index", "create", index, files.grams}).exit, 0);
    expect_both_named(run({"index", "query", index, files.words}));
    expect_both_named(run({"index", "add", index, files.words}));
    EXPECT_NE(run({"index", "info", index}).out.find("recipe                     grams ("), std::string::npos);
    EXPECT_NE(run({"index", "query", index, files.grams}).out, "");
  }
}

TEST(Recipes, TheSameOneIsComparedWhateverTheForm) {
  const TwoRecipes text("tsv"), binary("bin");
  EXPECT_NE(run({"pairs", text.grams, binary.grams, "--distance", "0"}).out, "");
  const std::string index = text.folder / "index";
  ASSERT_EQ(run({"index", "create", index, text.grams}).exit, 0);
  EXPECT_EQ(run({"index", "add", index, binary.grams}).exit, 0);
}

TEST(Recipes, NeedNotBeNamed) {
  const TwoRecipes files("tsv");
  const std::string text = files.folder.read("words");
  std::string unnamed;
  for (size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
    unnamed += text.substr(at, text.find("\trecipe:", at) - at) + "\n";
  ASSERT_EQ(unnamed.find("recipe:"), std::string::npos);
  const std::string file = files.folder.write("unnamed", unnamed);
  EXPECT_EQ(run({"pairs", file, files.grams}).exit, 0);
  const std::string index = files.folder / "index";
  ASSERT_EQ(run({"index", "create", index, file}).exit, 0);
  EXPECT_NE(run({"index", "info", index}).out.find("not known"), std::string::npos);
  EXPECT_EQ(run({"index", "query", index, file}).exit, 0);
  EXPECT_NE(run({"index", "query", index, files.words}).err.find("a recipe that nobody named"), std::string::npos);
}

TEST(Fingerprint, BinaryBytesMayGoToStandardOutput) {
  const Folder folder;
  const std::string input = folder.write("c.jsonl", corpus(200));
  ASSERT_EQ(run({"fingerprint", input, "--format", "bin", "-o", folder / "a.bin"}).exit, 0);
  const Ran ran = run({"fingerprint", input, "--format", "bin"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.out, folder.read("a.bin"));
  Io terminal;
  terminal.err = std::tmpfile();
  terminal.out_is_terminal = true;
  EXPECT_EQ(run_cli({"fingerprint", input, "--format", "bin"}, terminal), kExitUsage);
  EXPECT_NE(contents_of(terminal.err).find("not for a terminal"), std::string::npos);
  std::fclose(terminal.err);
}

TEST(Fingerprint, FilesWithoutALineAreRefused) {
  const Folder folder;
  for (const char* content : {"", "\n \n"}) {
    const std::string empty = folder.write("empty.tsv", content);
    for (const auto& arguments :
         std::vector<std::vector<std::string>>{{"pairs", empty},
                                               {"pairs", folder.write("p.tsv", "a\t-\n"), empty},
                                               {"index", "create", folder / "index", empty}}) {
      const Ran ran = run(arguments);
      EXPECT_EQ(ran.exit, kExitFailed) << arguments[0];
      EXPECT_NE(ran.err.find("empty.tsv: there are no fingerprints in it"), std::string::npos) << ran.err;
      EXPECT_FALSE(std::filesystem::exists(folder / "index"));
    }
  }
  const std::string json = folder.write("p.jsonl", "{\"id\":\"a\",\"fingerprints\":[]}\n");
  EXPECT_NE(run({"pairs", json}).err.find("p.jsonl:1: expected fingerprints as neardup fingerprint writes them"),
            std::string::npos);
  const std::string none = folder.write("none.jsonl", "");
  const Ran ran = run({"fingerprint", none, "--format", "bin", "-o", folder / "none.bin"});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_NE(ran.err.find("the input holds no documents"), std::string::npos) << ran.err;
  EXPECT_EQ(run({"pairs", folder / "none.bin"}).exit, 0) << "a file of no documents says so";
}

TEST(Pairs, EachFamilyHasItsOwnMeasure) {
  const Folder folder;
  const std::string input = folder.write("c.jsonl", corpus(20));
  for (const std::string family : {"minhash", "simhash"}) {
    ASSERT_EQ(run({"fingerprint", input, "--family", family, "-o", folder / family}).exit, 0);
    EXPECT_EQ(run({"pairs", folder / family}).exit, 0);
  }
  EXPECT_EQ(run({"pairs", folder / "simhash", "--distance", "3"}).exit, 0);
  EXPECT_EQ(run({"pairs", folder / "minhash", "--verify", "jaccard:0.7"}).exit, 0);
  const Ran bits = run({"pairs", folder / "minhash", "--distance", "3"});
  EXPECT_EQ(bits.exit, kExitUsage);
  EXPECT_NE(bits.err.find("take --verify jaccard:T instead"), std::string::npos) << bits.err;
  const Ran rule = run({"pairs", folder / "simhash", "--verify", "origin"});
  EXPECT_EQ(rule.exit, kExitUsage);
  EXPECT_NE(rule.err.find("take --distance K instead"), std::string::npos) << rule.err;
}

TEST(Fingerprint, DamagedBinaryFilesAreRefused) {
  const Folder folder;
  const std::string input = folder.write("c.jsonl", corpus(20));
  ASSERT_EQ(run({"fingerprint", input, "--format", "bin", "-o", folder / "a.bin"}).exit, 0);
  std::string bytes = folder.read("a.bin");
  bytes[bytes.size() / 2] ^= 1;
  const Ran ran = run({"pairs", folder.write("b.bin", bytes)});
  EXPECT_EQ(ran.exit, kExitFailed);
  EXPECT_NE(ran.err.find("b.bin"), std::string::npos) << ran.err;
}

TEST(OutputFile, IsTriedBeforeTheWork) {
  const Folder folder;
  // Every record is refused: had the work begun, it would say so.
  const std::string in = folder.write("in.jsonl", "{\"other\":\"one two three four\"}\n");
  const std::string out = folder / "none/out";
  for (const auto& arguments : std::vector<std::vector<std::string>>{
           {"fingerprint", in, "-o", out},
           {"idf", in, "-o", out},
           {"phrases", in, "-o", out},
           {"evaluate", in, "--html", out},
           {"explain", in, "--html", out},
           {"plan", "--documents", "10", "--calibrate", "--calibration", out},
       }) {
    const Ran ran = run(arguments);
    EXPECT_NE(ran.exit, 0) << arguments[0];
    EXPECT_NE(ran.err.find("cannot create '" + out + "'"), std::string::npos) << ran.err;
    EXPECT_EQ(ran.err.find("rejected"), std::string::npos) << ran.err;
  }
}

TEST(Memory, IsSaidAsItWasTyped) {
  const Folder folder;
  const std::string in = folder.write("in.jsonl", "{\"id\":\"a\",\"text\":\"one two three four\"}\n");
  for (const auto& arguments : std::vector<std::vector<std::string>>{
           {"fingerprint", in}, {"idf", in, "-o", folder / "x"}, {"dedup", in, "-o", folder / "x"}, {"evaluate", in}}) {
    std::vector<std::string> with_memory = arguments;
    with_memory.insert(with_memory.end(), {"--memory", "1K"});
    EXPECT_NE(run(with_memory).err.find("--memory 1K is too little; 64M is the least"), std::string::npos)
        << arguments[0];
  }
}

TEST(Learning, SaysWhatWasWritten) {
  const Folder folder;
  const std::string in = folder.write("in.jsonl", "{\"text\":\"one two three\"}\n{\"text\":\"one two three\"}\n");
  const std::string idf = folder / "w.idf", phrases = folder / "w.phrases", all = folder / "all.idf";
  EXPECT_NE(run({"idf", in, "-o", idf}).err.find("wrote " + idf + ": 3 tokens of 2 documents, "), std::string::npos);
  EXPECT_NE(run({"idf", "merge", idf, "-o", all}).err.find("wrote " + all + ": 3 tokens of 2 documents, "),
            std::string::npos);
  EXPECT_NE(run({"phrases", in, "-o", phrases, "--min-count", "1"}).err.find("wrote " + phrases + ": 2 phrases of 2"),
            std::string::npos);
  EXPECT_EQ(run({"idf", in, "-o", idf, "--progress", "off"}).err, "");
  EXPECT_EQ(run({"idf", in, "-o", "/dev/null"}).exit, 0);
  const std::string none = folder.write("none.jsonl", "");
  for (const char* command : {"idf", "phrases"})
    EXPECT_NE(run({command, none, "-o", idf}).err.find("no documents: the result is empty"), std::string::npos);
}

TEST(OutputFile, IsNeverAnInput) {
  const Folder folder;
  const std::string corpus = "{\"id\":\"a\",\"text\":\"one two three four\"}\n";
  std::filesystem::create_directory(folder / "corpus");
  const std::string in = folder.write("corpus/in.jsonl", corpus);
  const std::string fingerprints = folder.write("p.tsv", make_documents(5, 1, 1).tsv);
  const std::string before = folder.read("p.tsv");
  std::filesystem::create_symlink(in, folder / "link");
  std::filesystem::create_hard_link(fingerprints, folder / "hard");
  for (const auto& arguments : std::vector<std::vector<std::string>>{
           {"fingerprint", in, "-o", in},
           {"fingerprint", in, "-o", folder / "link"},
           {"fingerprint", folder / "corpus", "-o", in},
           {"pairs", fingerprints, "-o", fingerprints},
           {"pairs", in, fingerprints, "-o", folder / "hard"},
       }) {
    const Ran ran = run(arguments);
    EXPECT_EQ(ran.exit, 1) << arguments[0] << ran.err;
    EXPECT_NE(ran.err.find("is also an input"), std::string::npos) << ran.err;
  }
  EXPECT_EQ(folder.read("corpus/in.jsonl"), corpus);
  EXPECT_EQ(folder.read("p.tsv"), before);
  const std::string other = folder.write("other.tsv", "old");
  EXPECT_EQ(run({"pairs", fingerprints, "-o", other}).exit, 0) << "a file that is no input is replaced";
  EXPECT_NE(folder.read("other.tsv"), "old");
}

}  // namespace
}  // namespace neardup::cli::pairs_test
