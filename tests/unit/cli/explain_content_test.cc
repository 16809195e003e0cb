// explain under the rule content: the figures and the words are those of what dedup learns.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "neardup/verify/commonness.h"
#include "tests/unit/cli/run.h"

namespace neardup::cli::explain_content_test {
namespace {

using nlohmann::json;

std::string line(const std::string& id, const std::string& text) {
  return json{{"id", id}, {"text", text}}.dump() + "\n";
}

// Thirty notices of one frame, each with a body of its own; two of them with the same body, one of these with a word
// changed; and a copy.
constexpr const char* kFrame =
    "This notice may be copied and passed on to others as long as nothing in it is changed and the name of its writer "
    "stays where it is. It comes without any promise that it is of use to you or right in what it says.";

std::string body(int i) {
  std::string out;
  for (int word = 0; word < 24; ++word) out += fmt::format(" w{}x{}", i, word);
  return out;
}

std::string corpus() {
  std::string out;
  for (int i = 0; i < 30; ++i) out += line(fmt::format("n{}", i), kFrame + body(i));
  out += line("same", std::string("Dear all. ") + kFrame + body(3));
  return out + line("copy", kFrame + body(3));
}

json explained(const std::vector<std::string>& arguments) {
  std::vector<std::string> all = {"explain", "--json"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const Ran ran = run(all);
  EXPECT_EQ(ran.exit, 0) << ran.err;
  return ran.exit == 0 ? json::parse(ran.out) : json();
}

class ExplainContent : public ::testing::Test {
 protected:
  const Folder folder_;
  const std::string input_ = folder_.write("in.jsonl", corpus());
};

TEST_F(ExplainContent, AFrameIsNoSubstance) {
  const json page = explained({"--jsonl", input_, "n1", "n2"});
  const json& content = page["content"];
  EXPECT_EQ(page["decision"]["removed"], false) << content;
  EXPECT_GT(content["jaccard3"], content["share"]);
  EXPECT_EQ(content["corpus_texts"], 30) << "n3, its copy and the same with a header are one family";
  EXPECT_GT(content["frequent_ngrams"].get<double>(), 0.9 * content["common_ngrams"].get<double>());
  EXPECT_EQ(content["only_a"]["runs"][0]["text"], body(1).substr(1));
  EXPECT_EQ(content["only_b"]["runs"][0]["text"], body(2).substr(1));
  EXPECT_EQ(content["only_a"]["runs"][0]["frequent"], false);
  EXPECT_NE(content["why"].back().get<std::string>().find("they share a frame"), std::string::npos) << content["why"];
}

TEST_F(ExplainContent, AHeaderIsNone) {
  const json page = explained({"--jsonl", input_, "n3", "same"});
  EXPECT_EQ(page["decision"]["verdict"], "near") << page["content"];
  EXPECT_EQ(page["content"]["only_b"]["runs"][0]["text"], "dear all");
  EXPECT_EQ(page["content"]["only_a"]["num_runs"], 0);
  EXPECT_NE(page["content"]["why"].back().get<std::string>().find("the rule calls that the same"), std::string::npos);
}

TEST_F(ExplainContent, WithoutACorpusItSaysSo) {
  const json page = explained({"--text", kFrame + body(1), kFrame + body(2)});
  EXPECT_EQ(page["content"]["corpus_texts"], nullptr);
  EXPECT_EQ(page["content"]["frequent_ngrams"], nullptr);
  EXPECT_NEAR(page["content"]["share"], page["content"]["jaccard3"], 1e-9);
  EXPECT_NE(page["content"]["why"][0].get<std::string>().find("no corpus says which are common"), std::string::npos);
  const Ran shown = run({"explain", "--text", kFrame + body(1), kFrame + body(2)});
  EXPECT_NE(shown.out.find("--input or --commonness FILE"), std::string::npos) << shown.out;
}

TEST_F(ExplainContent, TakesWhatDedupHasLeft) {
  ASSERT_EQ(run({"dedup", input_, "-o", folder_ / "out"}).exit, 0);
  const std::string left = folder_ / "out/commonness.bin";
  const json learnt = explained({"--jsonl", input_, "n1", "n2"});
  EXPECT_EQ(learnt, explained({"--jsonl", input_, "n1", "n2", "--commonness", left}));
  const json alone = explained({"--text", kFrame + body(1), kFrame + body(2), "--commonness", left});
  EXPECT_EQ(alone["content"], learnt["content"]);
}

TEST_F(ExplainContent, NumbersThatOnlyOneHasAreNamed) {
  const json page = explained({"--text", "On 8 May 1,346 cases were counted in the country, of them 52 in the capital.",
                               "On 9 May 1,346 cases were counted in the country, of them 61 in the capital and 61 on "
                               "the coast and in the harbours."});
  const json& content = page["content"];
  EXPECT_EQ(content["only_a"]["numbers"], json::parse(R"(["8","52"])"));
  EXPECT_EQ(content["only_b"]["numbers"], json::parse(R"(["9","61","61"])"));
  EXPECT_EQ(content["numbers"]["fewer"], 4);  // the tokenizer makes two of 1,346
  EXPECT_EQ(content["numbers"]["common"], 2);
}

TEST_F(ExplainContent, PagesShowIt) {
  const std::string page = folder_ / "why.html";
  const Ran ran = run({"explain", "--jsonl", input_, "n1", "n2", "--html", page});
  EXPECT_NE(ran.out.find("\nWhat counts\n"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("only A says (share of all weight):\n"), std::string::npos) << ran.out;
  EXPECT_NE(folder_.read("why.html").find("<h2>What counts</h2>"), std::string::npos);
}

TEST_F(ExplainContent, AFileForAnotherRuleIsRefused) {
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"explain", "--text", "a", "b"}, {"dedup", input_, "-o", folder_ / "other"}}) {
    std::vector<std::string> all = command;
    all.insert(all.end(), {"--verify", "origin", "--commonness", folder_ / "none.bin"});
    const Ran ran = run(all);
    EXPECT_EQ(ran.exit, 1);
    EXPECT_NE(ran.err.find("--commonness goes with --verify content"), std::string::npos) << ran.err;
  }
}

}  // namespace
}  // namespace neardup::cli::explain_content_test
