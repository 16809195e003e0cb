// What the program says to the person who runs it.
#include "neardup/cli/cli.h"

#include <gtest/gtest.h>

#include "tests/unit/cli/run.h"

namespace neardup::cli {
namespace {

TEST(Cli, VersionAndHelpGoToStandardOutput) {
  const Ran version = run({"--version"});
  EXPECT_EQ(version.exit, 0);
  EXPECT_TRUE(version.out.starts_with("neardup ")) << version.out;
  EXPECT_EQ(version.err, "");
  EXPECT_EQ(run({"-V"}).out, version.out);
  EXPECT_EQ(run({"--help"}).out, run({"help"}).out);
  EXPECT_EQ(run({"dedup", "--help"}).out, run({"help", "dedup"}).out);
  EXPECT_EQ(run({"dedup", "-h"}).exit, 0);
}

TEST(Cli, HelpShowsWhatIsUsualAndHelpAllEverything) {
  const std::string usual = run({"dedup", "-h"}).out;
  const std::string all = run({"dedup", "--help-all"}).out;
  EXPECT_EQ(usual.find("--size-within"), std::string::npos);
  EXPECT_NE(usual.find("--help-all"), std::string::npos);
  EXPECT_NE(all.find("--size-within"), std::string::npos);
  EXPECT_EQ(run({"help", "dedup", "--all"}).out, all);
  EXPECT_EQ(run({"--help-all"}).out, run({"--help"}).out);
}

TEST(Cli, NothingToDoShowsHelpAndFails) {
  const Ran ran = run({});
  EXPECT_EQ(ran.exit, kExitUsage);
  EXPECT_EQ(ran.out, "");
  EXPECT_NE(ran.err.find("Commands:"), std::string::npos);
}

struct UsageCase {
  std::vector<std::string> arguments;
  std::string error;
};

class UsageErrors : public testing::TestWithParam<UsageCase> {};

TEST_P(UsageErrors, AreNamedWithTheirCure) {
  const Ran ran = run(GetParam().arguments);
  EXPECT_EQ(ran.exit, kExitUsage);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err.substr(0, ran.err.find('\n')), "neardup: " + GetParam().error);
  EXPECT_NE(ran.err.find("\nTry: neardup help"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    Cli, UsageErrors,
    testing::Values(
        UsageCase{{"dedpu"}, "no command \"dedpu\"; did you mean dedup?"}, UsageCase{{"zzz"}, "no command \"zzz\""},
        UsageCase{{"--verion"}, "no flag --verion; did you mean --version?"},
        UsageCase{{"dedup", "x", "--distnce=3"}, "no flag --distnce; did you mean --distance?"},
        UsageCase{{"dedup", "x", "--zzz"}, "no flag --zzz"},
        UsageCase{{"dedup", "x", "-o"}, "--output needs a value: DIR"},
        UsageCase{{"dedup", "x", "--distance", "17"},
                  "--distance: expected auto or a whole number, 0 to 16, found \"17\""},
        UsageCase{{"dedup", "x", "--distance", "-1"},
                  "--distance: expected auto or a whole number, 0 to 16, found \"-1\""},
        UsageCase{{"dedup", "x", "--mode", "anotate"},
                  "--mode: expected remove, annotate or ids, found \"anotate\"; did you mean annotate?"},
        UsageCase{{"dedup", "x", "--verify", "jacard"},
                  "--verify: unknown rule 'jacard'; use content, origin, jaccard:T (0 < T <= 1), code, code:T or none"},
        UsageCase{{"dedup", "x", "--memory", "4X"}, "--memory: expected a size such as 512M or 4G, found \"4X\""},
        UsageCase{{"dedup", "x", "--shard", "4/4"},
                  "--shard: expected I/N with 0 <= I < N, such as 0/4, found \"4/4\""},
        UsageCase{{"dedup", "x", "--shard", "1"}, "--shard: expected I/N with 0 <= I < N, such as 0/4, found \"1\""},
        UsageCase{{"dedup"}, "INPUT is missing: a file, a folder, or - for standard input"},
        UsageCase{{"dedup", "x"}, "-o DIR is missing: where the results go"},
        UsageCase{{"dedup", "x", "-o", "y", "--resume", "--overwrite"},
                  "--resume and --overwrite cannot go together: one goes on, the other starts anew"},
        UsageCase{{"dedup", "x", "-o", "y", "--shard", "0/2", "--merge-shards", "2"},
                  "--shard and --merge-shards cannot go together: first run every shard, then merge"},
        UsageCase{{"dedup", "x", "-o", "y", "--lines", "--format", "jsonl"},
                  "--lines contradicts the format: give one of them"},
        UsageCase{{"pairs"}, "FILE is missing: fingerprints, as neardup fingerprint writes them"},
        UsageCase{{"pairs", "a", "b", "c"}, "FILE: \"c\" is one argument too many"},
        UsageCase{{"completion", "tcsh"}, "SHELL: expected bash, zsh or fish, found \"tcsh\""},
        UsageCase{{"bench", "jion"},
                  "BENCH: expected fingerprint, join, query, store, serve, similar or lines, found \"jion\"; did you "
                  "mean join?"},
        UsageCase{
            {"help", "dedpu"},
            "expected dedup, fingerprint, explain, evaluate, pairs, lines, similar, index, crawl-filter, serve, text, "
            "tokens, plan, idf, phrases, "
            "bench, recipes, completion or help, found "
            "\"dedpu\"; did "
            "you mean dedup?"}));

INSTANTIATE_TEST_SUITE_P(
    OtherWords, UsageErrors,
    testing::Values(
        UsageCase{{"dedup", "x", "--threshold", "0.8"},
                  "no flag --threshold; --verify jaccard:T takes a threshold, such as jaccard:0.8"},
        UsageCase{{"dedup", "x", "--jaccard=0.8"},
                  "no flag --jaccard; --verify jaccard:T takes a threshold, such as jaccard:0.8"},
        UsageCase{
            {"dedup", "x", "--limit", "5"},
            "no flag --limit; there is no limit: head -n N FILE gives a part, and - reads it from standard input"},
        UsageCase{{"dedup", "x", "-v"}, "no flag -v; --progress plain says more, and -V (capital) shows the version"},
        UsageCase{{"dedup", "x", "-j", "4"}, "no flag -j; --threads N says how many threads"},
        UsageCase{{"dedup", "x", "-j4"}, "no flag -j4; --threads N says how many threads"},
        UsageCase{{"recipes", "-j", "4"}, "no flag -j"},
        UsageCase{{"dedup", "x", "--id-field", "n"}, "no flag --id-field; --id-key FIELD names the field with the id"},
        UsageCase{{"dedup", "https://a.org/x.jsonl", "-o", "y"},
                  "INPUT: \"https://a.org/x.jsonl\" is an address, and only files are read; fetch it first: curl -LO "
                  "https://a.org/x.jsonl, or curl -L ... | neardup with - for it"},
        UsageCase{{"dedup", "x", "-o", "a", "-o", "b"}, "--output is given twice, as a and b: give one"},
        UsageCase{{"dedup", "x", "-o", "y", "--lines", "--text-key", "body"},
                  "--text-key names a field of JSONL, CSV or TSV, and lines and text files have none: leave it or the "
                  "format out"},
        UsageCase{{"dedup", "/dev/null", "-o", "y", "--include", "*.txt"},
                  "--include and --exclude choose files in folders, and every INPUT is a file: leave them out, or name "
                  "the folder"},
        UsageCase{{"help", "dedup", "more"}, "\"more\" is one argument too many: neardup help dedup"}));

TEST(Cli, HelpIsFoundWhereverItIsAskedFor) {
  const std::string index = run({"index", "-h"}).out;
  EXPECT_EQ(run({"help", "index", "create"}).out, index);
  EXPECT_EQ(run({"index", "help"}).out, index);
  EXPECT_EQ(run({"help", "idf", "merge"}).out, run({"idf", "-h"}).out);
  EXPECT_EQ(run({"dedup", "help"}).out, run({"dedup", "-h"}).out);
}

TEST(Cli, MissingFileIsAFailureNotAUsageError) {
  const Folder folder;
  const Ran ran = run({"fingerprint", folder / "none.jsonl"});
  EXPECT_EQ(ran.exit, kExitFailed);
  EXPECT_NE(ran.err.find("none.jsonl"), std::string::npos);
  EXPECT_EQ(ran.err.find("Try:"), std::string::npos);
}

TEST(Cli, LostOutputIsAFailure) {
  std::FILE* full = std::fopen("/dev/full", "w");
  if (full == nullptr) GTEST_SKIP() << "no /dev/full here";
  Io io;
  io.out = fileno(full);
  io.err = std::tmpfile();
  EXPECT_EQ(run_cli({"help"}, io), kExitFailed);
  EXPECT_NE(contents_of(io.err).find("standard output"), std::string::npos);
  std::fclose(full);
  std::fclose(io.err);
}

TEST(Cli, TheLastOfRepeatedFlagsCounts) {
  const Folder folder;
  const std::string fingerprints = folder.write("p.tsv", "a\t0000000000000000\nb\t0000000000000007\n");
  EXPECT_EQ(run({"pairs", fingerprints, "--distance", "0", "--distance", "3"}).out, "a\tb\t3\n");
  EXPECT_EQ(run({"pairs", fingerprints, "--distance=0"}).out, "");
}

TEST(Cli, CancelledWorkExits130) {
  const Folder folder;
  const std::string input = folder.write("a.jsonl", "{\"id\":\"a\",\"text\":\"one two three\"}\n");
  const std::atomic<bool> cancel = true;
  EXPECT_EQ(run({"fingerprint", input}, &cancel).exit, kExitInterrupted);
}

TEST(Config, FileGivesWhatIsNotTyped) {
  const Folder folder;
  const std::string fingerprints = folder.write("p.tsv", "a\t0000000000000000\nb\t0000000000000007\n");
  const std::string config =
      folder.write("c.toml", "# how near\ndistance = 3\nthreads = 1\n\n[bench]\ndistance = 99\n");
  EXPECT_EQ(run({"pairs", fingerprints, "--config", config}).out, "a\tb\t3\n");
  EXPECT_EQ(run({"pairs", fingerprints, "--config", config, "--distance", "2"}).out, "");
  const std::string whole = folder.write("d.toml", "[pairs]\nfile = [\"" + fingerprints + "\"]\ndistance = \"16\"\n");
  EXPECT_EQ(run({"pairs", "--config", whole}).out, "a\tb\t3\n");
}

TEST(Config, FaultsAreNamedWithTheirKey) {
  const Folder folder;
  const auto error_of = [&](const std::string& content) {
    const std::string config = folder.write("c.toml", content);
    const Ran ran = run({"pairs", "x", "--config", config});
    EXPECT_EQ(ran.exit, kExitUsage) << content;
    return ran.err.substr(("neardup: " + config).size(), ran.err.find('\n') - ("neardup: " + config).size());
  };
  EXPECT_EQ(error_of("distanc = 3\n"), ": distanc: no such flag; did you mean distance?");
  EXPECT_EQ(error_of("distance = 33\n"), ": distance: expected a whole number, 0 to 16, found \"33\"");
  EXPECT_EQ(error_of("distance = [3, 4]\n"),
            ": distance: takes one value (put it in quotes if it holds a space or a comma)");
  EXPECT_EQ(run({"pairs", "x", "--config", folder / "none"}).exit, kExitFailed);
}

TEST(Arguments, BracketsAreNotArrays) {
  const Ran ran = run({"explain", "--text", "[one, two]", "--json"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_NE(ran.out.find(R"("name":"\"[one, two]\"")"), std::string::npos) << ran.out;
}

}  // namespace
}  // namespace neardup::cli
