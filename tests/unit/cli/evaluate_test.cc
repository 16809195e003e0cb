// `neardup evaluate` against what `neardup dedup --pairs` reports for the same setting.
#include <gtest/gtest.h>
#include <simdjson.h>

#include <map>
#include <random>
#include <set>
#include <sstream>

#include "neardup/verify/rule.h"
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
  const auto add = [&](int cluster, int number, const std::string& text) {  // "half": c and its copies are apart
    const std::string id = "c" + std::to_string(cluster) + "-" + std::to_string(number);
    const bool labelled = cluster % 5 != 4;
    corpus.ids.push_back(id);
    corpus.label_of[id] = labelled ? std::to_string(cluster) : "";
    const std::string half = cluster % 3 == 0 && number % 2 == 1 ? "b" : "a";
    corpus.jsonl += "{\"id\":\"" + id + "\",\"half\":\"" + half + "\",\"text\":\"" + text + "\"";
    corpus.jsonl += labelled ? ",\"cluster\":" + std::to_string(cluster) + "}\n" : ",\"cluster\":null}\n";
  };
  const auto add_short = [&](int cluster) {
    std::vector<std::string> words(5 + random() % 5);
    for (std::string& w : words) w = "short" + std::string(3, static_cast<char>('a' + random() % 26)) + "title";
    add(cluster, 0, joined(words));
    words.back() += "s";
    add(cluster, 1, joined(words));
    words[random() % words.size()] = "another";
    add(cluster, 2, joined(words));
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
      if (copy == 3) add(cluster, 10, joined(words) + joined({words.begin(), words.begin() + 20}));
    }
  }
  for (int cluster = num_clusters; cluster < num_clusters * 5 / 4; ++cluster) add_short(cluster);
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
                            const std::set<std::pair<int64_t, std::string>>& looked_at,
                            const std::vector<std::string>& filters = {}) {
  const Folder folder;
  const Corpus corpus = make_corpus(120);
  const std::string file = folder.write("c.jsonl", corpus.jsonl);
  std::vector<std::string> evaluate = {"evaluate", file,   "--format",    "json",     "--progress", "off",
                                       "--family", family, "--templates", "--memory", "200M"};
  evaluate.insert(evaluate.end(), filters.begin(), filters.end());
  const Ran ran = run(evaluate);
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
    if (rule == "origin --templates") arguments[8] = "origin", arguments.push_back("--templates");
    arguments.insert(arguments.end(), filters.begin(), filters.end());
    arguments.insert(arguments.end(), {"--" + noun, std::to_string(level)});
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
  expect_counts_of_dedup("simhash", "distance",
                         {{0, "none"},
                          {12, verify::to_string(verify::Rule{})},
                          {3, "origin"},
                          {12, "origin"},
                          {16, "none"},
                          {16, "jaccard:0.7"},
                          {9, "jaccard:0.5"}});
}

TEST(Evaluate, CountsWhatDedupReportsWithMinHash) {
  expect_counts_of_dedup("minhash", "bands",
                         {{64, "none"},
                          {64, "origin"},
                          {64, "jaccard:0.7"},
                          {64, "jaccard:0.9"},
                          {8, "none"},
                          {24, "origin"},
                          {128, "none"}});
}

TEST(Evaluate, CountsWhatDedupReportsWithAnyNumberOfBands) {
  expect_counts_of_dedup("minhash", "bands", {{6, "none"}, {43, "origin"}, {50, "none"}, {100, "jaccard:0.45"}},
                         {"--bands", "50"});
  expect_counts_of_dedup("minhash", "bands", {{1, "none"}, {3, "origin"}, {6, "jaccard:0.3"}}, {"--bands", "3"});
}

TEST(Evaluate, CountsWhatDedupReportsOfPairsThatMayBeCompared) {
  for (const std::vector<std::string>& filters : {std::vector<std::string>{"--within", "half"},
                                                  {"--size-within", "10%"},
                                                  {"--within", "half", "--size-within", "4"}}) {
    expect_counts_of_dedup("simhash", "distance", {{12, "origin"}, {16, "jaccard:0.5"}}, filters);
    expect_counts_of_dedup("minhash", "bands", {{64, "none"}, {64, "origin"}}, filters);
  }
}

TEST(Evaluate, CountsWhatDedupReportsOfTemplates) {
  expect_counts_of_dedup("simhash", "distance", {{12, "origin"}, {12, "origin --templates"}});
  expect_counts_of_dedup("minhash", "bands", {{64, "origin --templates"}}, {"--within", "half"});
}

TEST(Evaluate, DistanceAsksForSimHashAsInDedup) {
  const Folder folder;
  const std::string file = folder.write("c.jsonl", make_corpus(20).jsonl);
  const auto with = [&](std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"evaluate", file, "--format", "json", "--progress", "off"});
    return run(flags);
  };
  EXPECT_NE(with({}).out.find("\"family\":\"minhash\""), std::string::npos);
  const Ran ran = with({"--distance", "14"});
  EXPECT_NE(ran.out.find("\"family\":\"simhash\""), std::string::npos) << ran.err;
  EXPECT_NE(ran.out.find("{\"distance\":14,"), std::string::npos);
  EXPECT_EQ(ran.out.find("{\"distance\":15,"), std::string::npos);
  for (const std::vector<std::string>& flags :
       {std::vector<std::string>{"--distance", "14", "--bands", "8"}, {"--distance", "14", "--family", "minhash"}}) {
    const Ran refused = with(flags);
    EXPECT_EQ(refused.exit, 1);
    EXPECT_NE(refused.err.find("--distance counts bits of SimHash"), std::string::npos) << refused.err;
  }
}

TEST(Evaluate, RefusesWhatDoesNotFit) {
  const Folder folder;
  std::string jsonl;
  for (int i = 0; i < 60000; ++i)
    jsonl += "{\"text\":\"page number " + std::to_string(i) + "\",\"cluster\":" + std::to_string(i / 2) + "}\n";
  const std::string file = folder.write("c.jsonl", jsonl);
  const Ran ran = run({"evaluate", file, "--memory", "80M", "--progress", "off"});
  EXPECT_NE(ran.exit, 0);
  EXPECT_NE(ran.err.find("evaluating 60000 documents takes at least "), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("--memory allows 80 MiB"), std::string::npos) << ran.err;
  std::string pairs;
  for (int i = 0; i < 400; ++i)
    for (int j = i + 1; j < 400; ++j) pairs += std::to_string(i) + ' ' + std::to_string(j) + '\n';
  const std::string few = folder.write("few.jsonl", jsonl.substr(0, jsonl.find("page number 400")) + "\"}\n");
  const Ran many = run({"evaluate", few, "--pairs", folder.write("p.txt", pairs + pairs + pairs + pairs + pairs),
                        "--memory", "64M", "--progress", "off"});
  EXPECT_NE(many.exit, 0);
  EXPECT_NE(many.err.find("labelled pairs do not fit into --memory; raise it"), std::string::npos) << many.err;
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
  EXPECT_NE(
      with({"2", "--pairs", folder.write("fewer.txt", by_line.substr(0, by_line.find('\n', by_line.size() / 2) + 1))}),
      expected);
}

// Judged pairs of random documents of the corpus: within a cluster label 1 to 3, else 0.
std::string judge(const Corpus& corpus, const std::string& more) {
  std::mt19937 random(5);
  std::string lines;
  for (size_t i = 0; i < corpus.ids.size(); ++i) {
    for (size_t j = i + 1; j < std::min(corpus.ids.size(), i + 4); ++j) {
      const bool same = corpus.label_of.at(corpus.ids[i]) == corpus.label_of.at(corpus.ids[j]);
      const auto grade = same ? 1 + random() % 3 : 0;
      if (random() % 3 != 0)
        lines += "{\"a\":\"" + corpus.ids[j] + "\",\"b\":\"" + corpus.ids[i] + "\",\"label\":" + std::to_string(grade) +
                 ",\"part\":\"" + (i % 2 == 0 ? "even" : "odd") + "\"" + more + "}\n";
    }
  }
  return lines;
}

// What `dedup --pairs` finds of judged pairs, by counting.
struct JudgedFound {
  uint64_t right = 0, wrong = 0, unjudged = 0;
};

JudgedFound count_judged(const std::string& pairs_jsonl, const std::string& judged, int64_t duplicate_from) {
  simdjson::dom::parser parser;
  const auto key_of = [](const simdjson::dom::element& pair) {
    std::string a(pair["a"].get_string().value()), b(pair["b"].get_string().value());
    if (b < a) std::swap(a, b);
    return std::pair(std::move(a), std::move(b));
  };
  std::map<std::pair<std::string, std::string>, int64_t> grades;
  std::istringstream labels(judged), lines(pairs_jsonl);
  for (std::string line; std::getline(labels, line);) {
    const simdjson::dom::element pair = parser.parse(line);
    grades[key_of(pair)] = pair["label"].get_int64();
  }
  JudgedFound found;
  for (std::string line; std::getline(lines, line);) {
    const simdjson::dom::element pair = parser.parse(line);
    const auto grade = grades.find(key_of(pair));
    ++(grade == grades.end() ? found.unjudged : grade->second >= duplicate_from ? found.right : found.wrong);
  }
  return found;
}

TEST(Evaluate, CountsWhatDedupReportsOfJudgedPairs) {
  const Folder folder;
  const Corpus corpus = make_corpus(120);
  const std::string file = folder.write("c.jsonl", corpus.jsonl), judged = judge(corpus, "");
  const Ran ran = run({"evaluate", file, "--pairs", folder.write("j.jsonl", judged), "--format", "json", "--progress",
                       "off", "--duplicate-from", "2", "--verify", "jaccard:0.42", "--bands", "40"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  simdjson::dom::parser parser;
  const simdjson::dom::element evaluation = parser.parse(ran.out);
  size_t seen = 0;
  for (const simdjson::dom::element setting : evaluation["settings"].get_array()) {
    const int64_t bands = setting["bands"].get_int64();
    const std::string rule(setting["verify"].get_string().value());
    if (!(bands == 40 && (rule == "origin" || rule == "jaccard:0.42")) && !(bands == 10 && rule == "none")) continue;
    const std::string out = "out" + std::to_string(++seen);
    ASSERT_EQ(run({"dedup", file, "-o", folder / out, "--pairs", "--verify", rule, "--bands", std::to_string(bands),
                   "--progress", "off"})
                  .exit,
              0);
    const JudgedFound found = count_judged(folder.read(out + "/pairs.jsonl"), judged, 2);
    EXPECT_GT(found.right * found.wrong * found.unjudged, 0U);
    EXPECT_EQ(setting["right"].get_uint64().value(), found.right) << bands << rule;
    EXPECT_EQ(setting["found"].get_uint64().value(), found.right + found.wrong) << bands << rule;
    EXPECT_EQ(setting["unjudged"].get_uint64().value(), found.unjudged) << bands << rule;
  }
  EXPECT_EQ(seen, 3U);
}

TEST(Evaluate, ComparesRulesOnJudgementsTheSameForAnyNumberOfThreads) {
  const Folder folder;
  const Corpus corpus = make_corpus(120);
  const std::string file = folder.write("c.jsonl", corpus.jsonl);
  const std::string judged = folder.write("j.jsonl", judge(corpus, ",\"weight\":3"));
  const auto with = [&](const std::string& threads, const std::string& format) {
    const Ran ran = run({"evaluate", file, "--pairs", judged, "--format", format, "--progress", "off", "--threads",
                         threads, "--verify", "none", "--verify", "jaccard:0.9", "--stratum-key", "part"});
    EXPECT_EQ(ran.exit, 0) << ran.err;
    return ran.out;
  };
  const std::string table = with("1", "table");
  EXPECT_EQ(with("3", "table"), table);
  EXPECT_EQ(with("3", "json"), with("1", "json"));
  for (const char* words : {"; weighted, recipe", "--bands 64 --verify none", "asked for", "\neven ", "\nodd ",
                            "Found of the judged pairs of each label", " than chance", "Precision, by stratum"})
    EXPECT_NE(table.find(words), std::string::npos) << words << "\n" << table;
}

// A pair that stands for two is as good as two pairs.
TEST(Evaluate, WeightsCountPairs) {
  const Folder folder;
  const std::string one = R"("text":"one two three four five six seven eight nine ten eleven twelve")";
  const std::string file = folder.write("c.jsonl", "{\"id\":1," + one + "}\n{\"id\":2," + one + "}\n{\"id\":3," + one +
                                                       "}\n{\"id\":4,\"text\":\"something else\"}\n");
  const std::string labels = folder.write("j.jsonl", R"({"a":1,"b":2,"label":1,"weight":1}
{"a":2,"b":3,"label":0,"weight":3}
{"a":1,"b":4,"label":1,"weight":4})");
  const Ran ran = run({"evaluate", file, "--pairs", labels, "--format", "json", "--progress", "off"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  const std::string standard = ran.out.substr(ran.out.find("\"standard\":"));
  EXPECT_NE(standard.find("\"found\":2,\"right\":1,\"precision\":0.25,\"recall\":0.2,"), std::string::npos) << standard;
}

TEST(Bands, AreThoseOfTheRecipeOrTheFlag) {
  const Folder folder;
  const std::string file = folder.write("c.jsonl", make_corpus(60).jsonl);
  std::string recipe = run({"recipes", "default"}).out;
  recipe.replace(recipe.find("\"bands\": 64"), 11, "\"bands\": 17");
  const auto pairs = [&](const std::string& out, const std::vector<std::string>& flags) {
    std::vector<std::string> arguments = {"dedup",    file,   "-o",         folder / out, "--pairs",
                                          "--verify", "none", "--progress", "off"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    const Ran ran = run(arguments);
    EXPECT_EQ(ran.exit, 0) << ran.err;
    return folder.read(out + "/pairs.jsonl");
  };
  const std::string expected = pairs("edited", {"--recipe", folder.write("17.json", recipe)});
  EXPECT_EQ(pairs("flag", {"--bands", "17"}), expected);
  EXPECT_EQ(pairs("before", {"--bands", "17", "--recipe", "default"}), expected);
  EXPECT_NE(pairs("more", {"--bands", "64"}), expected);
  for (const auto& [flags, message] :
       {std::pair(std::vector<std::string>{"--family", "simhash"}, "leave one of them out"),
        {{"--distance", "3"}, "--distance counts bits of SimHash"},
        {{"--bands", "1025"}, "make at most 1024 bands of 4, found 1025"}}) {
    std::vector<std::string> arguments = {"dedup", file, "-o", folder / "no", "--bands", "17", "--progress", "off"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    const Ran ran = run(arguments);
    EXPECT_EQ(ran.exit, 1);
    EXPECT_NE(ran.err.find(message), std::string::npos) << ran.err;
  }
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
      {"0 2\n{\"a\":\"x\",\"b\":\"y\",\"label\":1}\n", "labels:2: some lines have \"duplicate\" or \"label\""},
  };
  for (const Case& refused : cases) {
    const Ran ran =
        run({"evaluate", documents, "--pairs", folder.write("labels", refused.labels), "--progress", "off"});
    EXPECT_NE(ran.exit, 0) << refused.labels;
    EXPECT_NE(ran.err.find(refused.message), std::string::npos) << refused.message << "\n" << ran.err;
  }
  const std::string more = folder.write("m.jsonl", R"({"id":"x","text":"one"}
{"id":"y","text":"two"}
{"id":"z","text":"two"})");
  const Case kinds[] = {
      {R"("label":1}|"duplicate":true})", "some lines have \"duplicate\" and some \"label\""},
      {R"("label":1,"weight":2}|"label":1})", "labels:2: some lines have \"weight\" and some have not"},
  };
  for (const Case& refused : kinds) {
    const size_t bar = refused.labels.find('|');
    const std::string lines = R"({"a":"x","b":"y",)" + refused.labels.substr(0, bar) + "\n" + R"({"a":"x","b":"z",)" +
                              refused.labels.substr(bar + 1) + "\n";
    const Ran ran = run({"evaluate", more, "--pairs", folder.write("labels", lines), "--progress", "off"});
    EXPECT_EQ(ran.exit, 1) << lines;
    EXPECT_NE(ran.err.find(refused.message), std::string::npos) << ran.err;
  }
  std::string strata, documents_of_strata;
  for (int i = 0; i < 66; ++i) {
    documents_of_strata += "{\"id\":" + std::to_string(i) + ",\"text\":\"one\"}\n";
    if (i > 0)
      strata += "{\"a\":0,\"b\":" + std::to_string(i) + ",\"label\":1,\"stratum\":" + std::to_string(i) + "}\n";
  }
  const Ran many = run({"evaluate", folder.write("s.jsonl", documents_of_strata), "--pairs",
                        folder.write("labels", strata), "--progress", "off"});
  EXPECT_NE(many.err.find("labels:65: more than 64 strata"), std::string::npos) << many.err;
  for (const std::vector<std::string>& flags :
       {std::vector<std::string>{"--duplicate-from", "2"}, {"--stratum-key", "type"}, {"--least-similarity", "0.5"}}) {
    const Ran ran = run({"evaluate", documents, flags[0], flags[1], "--progress", "off"});
    EXPECT_EQ(ran.exit, 1);
    EXPECT_NE(ran.err.find(flags[0] + " is about the pairs of a file"), std::string::npos) << ran.err;
  }
  const Ran no_field = run({"evaluate", documents, "--progress", "off"});
  EXPECT_NE(no_field.exit, 0);
  EXPECT_NE(no_field.err.find("--cluster-key"), std::string::npos) << no_field.err;
}

}  // namespace
}  // namespace neardup::cli
