// explain says of two documents what dedup does with them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "tests/unit/cli/run.h"

namespace neardup::cli::explain_decision_test {
namespace {

using nlohmann::json;
using Flags = std::vector<std::string>;

std::string record_line(const std::string& id, const std::string& text) {
  return json{{"id", id}, {"text", text}}.dump() + "\n";
}

// What became of the second document: a line of duplicates.jsonl, or null.
json removed_by_dedup(const std::string& a, const std::string& b, const Flags& flags) {
  const Folder folder;
  Flags arguments = {"dedup", folder.write("in.jsonl", record_line("a", a) + record_line("b", b)), "-o",
                     folder / "out"};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  const Ran ran = run(arguments);
  EXPECT_EQ(ran.exit, 0) << ran.err;
  const std::string removed = folder.read("out/duplicates.jsonl");
  return removed.empty() ? json() : json::parse(removed);
}

// Of a corpus of these two, from which dedup learns how common n-grams are.
json explained(const std::string& a, const std::string& b, const Flags& flags) {
  const Folder folder;
  Flags arguments = {"explain", "--jsonl", folder.write("in.jsonl", record_line("a", a) + record_line("b", b)),
                     "a",       "b",       "--json"};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  const Ran ran = run(arguments);
  EXPECT_EQ(ran.exit, 0) << ran.err;
  return json::parse(ran.out)["decision"];
}

void expect_agreement(const std::string& a, const std::string& b, const Flags& flags) {
  const json removed = removed_by_dedup(a, b, flags), decision = explained(a, b, flags);
  const std::string what = a + "\n" + b + "\n" + removed.dump() + "\n" + decision.dump();
  ASSERT_EQ(decision["removed"], !removed.is_null()) << what;
  if (removed.is_null()) return;
  EXPECT_EQ(decision["verdict"], removed["kind"]) << what;
  if (removed["kind"] != "near") return;
  EXPECT_NEAR(decision["similarity"].get<double>(), removed["similarity"].get<double>(), 5e-4) << what;
  EXPECT_EQ(decision["route"] == "characters", removed.value("route", "") == "short") << what;
}

class Words {
 public:
  explicit Words(unsigned seed) : random_(seed) {}
  std::string text(size_t count) {
    std::string out;
    for (size_t i = 0; i < count; ++i) out += (i > 0 ? " " : "") + word();
    return out;
  }
  // Each word is another one with this probability.
  std::string edited(const std::string& text, double share) {
    std::string out;
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find(' ', begin), text.size());
      const bool edits = std::uniform_real_distribution<>()(random_) < share;
      out += (out.empty() ? "" : " ") + (edits ? word() : text.substr(begin, end - begin));
      begin = end + 1;
    }
    return out;
  }

 private:
  std::string word() {
    std::string out;
    for (size_t length = 3 + random_() % 6; length > 0; --length) out += static_cast<char>('a' + random_() % 26);
    return out;
  }
  std::mt19937 random_;
};

// Lengths on both sides of what a short text is, edits on both sides of what a near-duplicate is.
void expect_agreement_on_random_pairs(const Flags& flags) {
  Words words(7);
  for (const size_t length : {1U, 14U, 17U, 60U}) {
    for (const double share : {0.0, 0.05, 0.15, 0.3}) {
      const std::string text = words.text(length);
      expect_agreement(text, words.edited(text, share), flags);
    }
  }
}

TEST(ExplainDecision, IsThatOfDedup) { expect_agreement_on_random_pairs({}); }
TEST(ExplainDecision, IsThatOfDedupWithSimHash) {
  expect_agreement_on_random_pairs({"--family", "simhash", "--recipe", "grams"});
}
TEST(ExplainDecision, IsThatOfDedupWithAnotherRule) { expect_agreement_on_random_pairs({"--verify", "jaccard:0.5"}); }
TEST(ExplainDecision, IsThatOfDedupWithAnotherDistance) {
  expect_agreement_on_random_pairs({"--distance", "5", "--recipe", "grams", "--verify", "none"});
}

TEST(ExplainDecision, ShortTextsAreComparedByTheirCharacters) {
  const std::string a = "Apple unveils new iPhone with better camera",
                    b = "Apple unveils new iPhone with a better camera";
  expect_agreement(a, b, {});
  EXPECT_EQ(explained(a, b, {})["route"], "characters");
  EXPECT_EQ(explained("Flight 815 is late by 2 hours", "Flight 815 is late by 3 hours", {})["removed"], false);
  expect_agreement("Flight 815 is late by 2 hours", "Flight 815 is late by 3 hours", {});
  expect_agreement("北京今日发布高温红色预警", "北京今日发布高温橙色预警", {});
  const std::string page = run({"explain", "--text", a, b}).out;
  EXPECT_EQ(page.rfind("Near-duplicates: dedup would keep one of the two.\nBoth have fewer than 16 words", 0), 0U)
      << page;
}

TEST(ExplainDecision, TheVerdictComesFirstEverywhere) {
  const Folder folder;
  Words words(3);
  const std::string a = words.text(60);
  for (const auto& [b, name, title] : {std::tuple{a + "!", "near", "Near-duplicates"},
                                       {words.text(50), "not_similar", "Not similar"},
                                       {"  " + a, "exact", "Equal texts"},
                                       {"...", "too_short", "Too short to compare"}}) {
    const Ran ran = run({"explain", "--text", a, b, "--html", folder / "page.html"});
    EXPECT_EQ(ran.out.rfind(title, 0), 0U) << ran.out;
    EXPECT_LE(std::count(ran.out.begin(), ran.out.end(), '\n'), 60);
    EXPECT_NE(folder.read("page.html").find(std::string("<h1>") + title), std::string::npos);
    EXPECT_EQ(explained(a, b, {})["verdict"], name);
  }
}

// Texts that differ here and there are similar by the rule although every band of four values may differ.
TEST(ExplainDecision, SimilarTextsThatNeverMeetAreKept) {
  const Flags flags = {"--family", "simhash", "--recipe", "grams", "--distance", "0"};
  Words words(5);
  const std::string a = words.text(80), b = words.edited(a, 0.1);
  expect_agreement(a, b, flags);
  const json decision = explained(a, b, flags);
  EXPECT_EQ(decision["verdict"], "missed") << decision;
  EXPECT_EQ(decision["removed"], false);
  EXPECT_GE(decision["similarity"], decision["asked"]);
}

// The report shows what was compared of pages.
TEST(ReportOfPages, ShowsTheirMainText) {
  const Folder folder;
  Words words(11);
  const std::string text = words.text(80);
  const auto page = [](const std::string& title, const std::string& body) {
    return "<!DOCTYPE html><html class=\"no-js\"><head><title>" + title +
           "</title><meta name=x content=unseen></head><body><p>" + body + ".</p></body></html>";
  };
  const std::string input = folder.write("in.jsonl", record_line("a", page("Ferries", text)) +
                                                         record_line("b", page("Ferries", words.edited(text, 0.03))));
  const Ran ran = run({"dedup", input, "-o", folder / "out", "--recipe", "web"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  ASSERT_EQ(json::parse(folder.read("out/duplicates.jsonl"))["kind"], "near");
  const std::string report = folder.read("out/report.html");
  const size_t examples = report.find("<article class=\"pair\"");
  ASSERT_NE(examples, std::string::npos);
  const std::string side = "data-label=\"kept\">";
  const size_t shown = report.find(side, examples) + side.size();
  EXPECT_NE(text.find(report.substr(shown, 12)), std::string::npos) << report.substr(examples, 1000);
  for (const char* source : {"no-js", "unseen"}) EXPECT_EQ(report.find(source), std::string::npos) << source;
}

}  // namespace
}  // namespace neardup::cli::explain_decision_test
