// `neardup evaluate` against what `neardup dedup --pairs` reports for the same setting.
#include <gtest/gtest.h>
#include <simdjson.h>

#include <map>
#include <random>
#include <set>
#include <sstream>

#include "tests/unit/cli/run.h"

namespace neardup::cli {
namespace {

// Documents "c<cluster>-<number>": an original of random words, copies of it with some words changed, an equal copy.
// Every fifth cluster is a single document without a label.
struct Corpus {
  std::string jsonl;
  std::vector<std::string> ids;
  std::map<std::string, std::string> label_of;  // by id; empty = none
};

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += word + ' ';
  return text;
}

Corpus make_corpus(int num_clusters) {
  std::mt19937 random(11);
  Corpus corpus;
  const auto word = [&] { return "w" + std::to_string(random() % 4000); };
  const auto add = [&](int cluster, int number, const std::string& text) {
    const std::string id = "c" + std::to_string(cluster) + "-" + std::to_string(number);
    const bool labelled = cluster % 5 != 4;
    corpus.ids.push_back(id);
    corpus.label_of[id] = labelled ? std::to_string(cluster) : "";
    corpus.jsonl += "{\"id\":\"" + id + "\",\"text\":\"" + text + "\"";
    corpus.jsonl += labelled ? ",\"cluster\":" + std::to_string(cluster) + "}\n" : ",\"cluster\":null}\n";
  };
  for (int cluster = 0; cluster < num_clusters; ++cluster) {
    std::vector<std::string> words(40 + random() % 100);
    for (std::string& w : words) w = word();
    add(cluster, 0, joined(words));
    for (int copy = 1; copy <= cluster % 5 && cluster % 5 != 4; ++copy) {
      for (size_t i = 0; i < words.size(); ++i)
        if (random() % 100 < static_cast<unsigned>(4 * copy)) words[i] = word();
      add(cluster, copy, joined(words));
      if (copy == 2) add(cluster, 9, joined(words));
    }
  }
  return corpus;
}

// A pair of ids and what `dedup` said of it.
struct Found {
  uint64_t found = 0, right = 0;
};

Found count_pairs(const std::string& pairs_jsonl, const Corpus& corpus) {
  Found found;
  simdjson::dom::parser parser;
  std::istringstream lines(pairs_jsonl);
  for (std::string line; std::getline(lines, line);) {
    const simdjson::dom::element pair = parser.parse(line);
    const std::string& a = corpus.label_of.at(std::string(pair["a"].get_string().value()));
    const std::string& b = corpus.label_of.at(std::string(pair["b"].get_string().value()));
    ++found.found;
    found.right += !a.empty() && a == b;
  }
  return found;
}

// Compares the settings (level, rule) that `evaluate` prints with runs of `dedup`.
void expect_counts_of_dedup(const std::string& family, const std::string& noun,
                            const std::set<std::pair<int64_t, std::string>>& looked_at) {
  const Folder folder;
  const Corpus corpus = make_corpus(120);
  const std::string file = folder.write("c.jsonl", corpus.jsonl);
  const Ran ran = run({"evaluate", file, "--format", "json", "--progress", "off", "--family", family});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  simdjson::dom::parser parser;
  const simdjson::dom::element evaluation = parser.parse(ran.out);
  size_t seen = 0;
  for (const simdjson::dom::element setting : evaluation["settings"].get_array()) {
    const int64_t level = setting[noun].get_int64();
    const std::string rule(setting["verify"].get_string().value());
    if (!looked_at.contains({level, rule})) continue;
    const std::string out = "out" + std::to_string(++seen);
    std::vector<std::string> arguments = {"dedup",    file, "-o",       folder / out, "--pairs",    "--mode", "ids",
                                          "--verify", rule, "--family", family,       "--progress", "off"};
    if (noun == "distance") arguments.insert(arguments.end(), {"--distance", std::to_string(level)});
    const Ran dedup = run(arguments);
    ASSERT_EQ(dedup.exit, 0) << dedup.err;
    const Found found = count_pairs(folder.read(out + "/pairs.jsonl"), corpus);
    EXPECT_EQ(setting["found"].get_uint64().value(), found.found) << level << " " << rule;
    EXPECT_EQ(setting["right"].get_uint64().value(), found.right) << level << " " << rule;
    EXPECT_GT(found.right, 0U);
  }
  EXPECT_EQ(seen, looked_at.size());
}

TEST(Evaluate, CountsWhatDedupReportsWithSimHash) {
  expect_counts_of_dedup(
      "simhash", "distance",
      {{0, "none"}, {3, "origin"}, {12, "origin"}, {16, "none"}, {16, "jaccard:0.7"}, {9, "jaccard:0.5"}});
}

TEST(Evaluate, CountsWhatDedupReportsWithMinHash) {
  expect_counts_of_dedup("minhash", "bands", {{64, "none"}, {64, "origin"}, {64, "jaccard:0.7"}, {64, "jaccard:0.9"}});
}

TEST(Evaluate, IsTheSameForAnyNumberOfThreadsAndAnyFormOfTheLabels) {
  const Folder folder;
  const Corpus corpus = make_corpus(60);
  const std::string file = folder.write("c.jsonl", corpus.jsonl);
  std::string by_line = "# i j\n", by_id;
  for (size_t i = 0; i < corpus.ids.size(); ++i) {
    for (size_t j = i + 1; j < corpus.ids.size(); ++j) {
      const std::string& label = corpus.label_of.at(corpus.ids[i]);
      if (label.empty() || label != corpus.label_of.at(corpus.ids[j])) continue;
      by_line += std::to_string(j) + " " + std::to_string(i) + " 0.9\n";
      by_id += "{\"a\":\"" + corpus.ids[i] + "\",\"b\":\"" + corpus.ids[j] + "\"}\n";
    }
  }
  const auto settings = [](const Ran& ran) {
    EXPECT_EQ(ran.exit, 0) << ran.err;
    return ran.out.substr(std::min(ran.out.size(), ran.out.find("\"settings\"")));
  };
  const std::vector<std::string> base = {"evaluate", file, "--format", "json", "--progress", "off", "--threads"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), base.begin(), base.end());
    return settings(run(more));
  };
  const std::string expected = with({"1"});
  EXPECT_EQ(with({"3"}), expected);
  EXPECT_EQ(with({"2", "--pairs", folder.write("lines.txt", by_line)}), expected);
  EXPECT_EQ(with({"2", "--pairs", folder.write("ids.jsonl", by_id)}), expected);
  EXPECT_NE(with({"2", "--pairs", folder.write("fewer.txt", by_line.substr(0, by_line.size() / 2 + 5))}), expected);
}

struct Case {
  std::string labels;
  std::string message;
};

TEST(Evaluate, LabelsThatCannotBeAreRefusedWithTheirPlace) {
  const Folder folder;
  const std::string documents = folder.write("c.jsonl",
                                             "{\"id\":\"x\",\"text\":\"one two three\"}\n\n"
                                             "{\"id\":\"y\",\"text\":\"one two four\"}\n"
                                             "{\"id\":\"y\",\"text\":\"five six\"}\n");
  const Case cases[] = {
      {"0 2\n0 1\n", "labels:2: line 1 (from 0) of the input holds no document"},
      {"0 2\n0 9\n", "labels:2: line 9"},
      {"2 2\n", "labels:1: the line pairs a document with itself"},
      {"{\"a\":\"x\",\"b\":\"z\"}\n", "labels:1: no document has the id \"z\"; ids here look like \"x\""},
      {"{\"a\":\"x\",\"b\":\"y\"}\n", "two documents have the id \"y\""},
      {"0 2\nhello\n", "labels:2: the first two columns are no line numbers; expected"},
      {"# nothing\n", "no pair is labelled"},
      {"{\"a\":\"x\",\"b\":\"x\",\"duplicate\":true}\n", "with itself"},
  };
  for (const Case& refused : cases) {
    const Ran ran =
        run({"evaluate", documents, "--pairs", folder.write("labels", refused.labels), "--progress", "off"});
    EXPECT_NE(ran.exit, 0) << refused.labels;
    EXPECT_NE(ran.err.find(refused.message), std::string::npos) << refused.message << "\n" << ran.err;
  }
  const Ran no_field = run({"evaluate", documents, "--progress", "off"});
  EXPECT_NE(no_field.exit, 0);
  EXPECT_NE(no_field.err.find("--cluster-key"), std::string::npos) << no_field.err;
}

}  // namespace
}  // namespace neardup::cli
