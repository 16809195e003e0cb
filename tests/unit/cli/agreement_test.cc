// What commands print, against the libraries that do the work and against each other.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>

#include "neardup/feature/idf.h"
#include "neardup/fingerprint/text_line.h"
#include "neardup/hamming/plan_text.h"
#include "neardup/planner/compare_plans.h"
#include "neardup/recipe/fingerprinter.h"
#include "tests/unit/cli/run.h"

namespace neardup::cli {
namespace {

using nlohmann::json;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<json> objects_of(const std::string& text) {
  std::vector<json> objects;
  for (const std::string& line : lines_of(text)) objects.push_back(json::parse(line));
  return objects;
}

// Forty texts of a hundred words: some equal, some edited, some alone, one empty; and a broken line.
class MadeCorpus : public ::testing::Test {
 protected:
  MadeCorpus() {
    std::mt19937 random(1);
    std::string bytes;
    for (int i = 0; i < 40; ++i) {
      std::string text;
      for (int word = 0; word < 100 && i != 20; ++word)
        text +=
            fmt::format("w{}x{} ", i / 4, random() % 100 < static_cast<unsigned>(3 * (i % 4)) ? random() % 999 : word);
      texts_.push_back(text);
      bytes += json{{"id", fmt::format("d{:02}", i)}, {"text", text}, {"n", i}}.dump() + "\n";
    }
    input_ = folder_.write("in.jsonl", bytes + "{broken\n");
  }
  Ran ran(std::vector<std::string> arguments) const {
    Ran ran = run(arguments);
    EXPECT_EQ(ran.exit, 0) << ran.err;
    return ran;
  }
  // Runs dedup into a folder of its own and returns its name.
  std::string dedup(const std::vector<std::string>& flags) {
    const std::string name = fmt::format("out{}", num_runs_++);
    std::vector<std::string> arguments = {"dedup", input_, "-o", folder_ / name};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    (void)ran(arguments);
    return name + "/";
  }
  std::set<std::string> ids_in(const std::string& name) const {
    std::set<std::string> ids;
    for (const json& object : objects_of(folder_.read(name))) ids.insert(object["id"].get<std::string>());
    return ids;
  }
  const Folder folder_;
  std::vector<std::string> texts_;
  std::string input_;
  int num_runs_ = 0;
};

TEST_F(MadeCorpus, EveryDocumentIsKeptRemovedOrRejected) {
  for (const std::vector<std::string>& flags : std::vector<std::vector<std::string>>{{},
                                                                                     {"--family", "simhash"},
                                                                                     {"--cluster", "components"},
                                                                                     {"--verify", "origin"},
                                                                                     {"--keep", "longest"},
                                                                                     {"--verify", "none"},
                                                                                     {"--verify", "jaccard:0.9"}}) {
    const std::string out = dedup(flags);
    const std::set<std::string> kept = ids_in(out + "kept/in.jsonl"), removed = ids_in(out + "duplicates.jsonl");
    EXPECT_EQ(kept.size() + removed.size(), 40U);
    for (const std::string& id : removed) EXPECT_FALSE(kept.contains(id)) << id;
    EXPECT_EQ(lines_of(folder_.read(out + "rejected.jsonl")).size(), 1U);
    const json total = json::parse(folder_.read(out + "report.json"))["total"];
    EXPECT_EQ(total["read"], 41);
    EXPECT_EQ(total["kept"], kept.size());
    EXPECT_EQ(total["removed_exact"].get<size_t>() + total["removed_near"].get<size_t>(), removed.size());
    EXPECT_EQ(total["rejected"], 1);
    EXPECT_TRUE(kept.contains("d20")) << "an empty text is nobody's duplicate";
  }
}

TEST_F(MadeCorpus, EachRemovedDocumentNamesAKeptOneAndItsCluster) {
  for (const char* cluster : {"star", "components"}) {
    const std::string out = dedup({"--cluster", cluster});
    const std::set<std::string> kept = ids_in(out + "kept/in.jsonl");
    const std::vector<json> clusters = objects_of(folder_.read(out + "clusters.jsonl"));
    std::map<size_t, std::set<std::string>> members;
    for (const json& removed : objects_of(folder_.read(out + "duplicates.jsonl"))) {
      EXPECT_TRUE(kept.contains(removed["duplicate_of"]));
      const size_t number = removed["cluster"];
      ASSERT_LT(number, clusters.size());
      EXPECT_EQ(clusters[number]["kept"], removed["duplicate_of"]);
      members[number].insert(removed["id"].get<std::string>());
    }
    ASSERT_EQ(members.size(), clusters.size());
    for (size_t i = 0; i < clusters.size(); ++i) {
      EXPECT_EQ(clusters[i]["cluster"], i);
      std::set<std::string> expected = members[i];
      expected.insert(clusters[i]["kept"].get<std::string>());
      EXPECT_EQ(clusters[i]["members"].get<std::set<std::string>>(), expected);
      EXPECT_EQ(clusters[i]["members"][0], clusters[i]["kept"]);
    }
  }
}

TEST_F(MadeCorpus, TheModesSayTheSame) {
  const std::string removed = dedup({}), ids = dedup({"--mode", "ids"}), annotated = dedup({"--mode", "annotate"});
  EXPECT_EQ(folder_.read(removed + "duplicates.jsonl"), folder_.read(ids + "duplicates.jsonl"));
  EXPECT_EQ(folder_.read(removed + "duplicates.jsonl"), folder_.read(annotated + "duplicates.jsonl"));
  std::string kept_ids;
  for (const json& object : objects_of(folder_.read(removed + "kept/in.jsonl")))
    kept_ids += object["id"].get<std::string>() + "\n";
  EXPECT_EQ(folder_.read(ids + "kept_ids.txt"), kept_ids);
  std::map<std::string, json> fates;
  for (const json& object : objects_of(folder_.read(removed + "duplicates.jsonl"))) fates[object["id"]] = object;
  const std::vector<json> notes = objects_of(folder_.read(annotated + "annotated/in.jsonl"));
  ASSERT_EQ(notes.size(), 40U);
  for (const json& note : notes) {
    const auto fate = fates.find(note["id"].get<std::string>());
    EXPECT_EQ(note["neardup_duplicate_of"].is_null(), fate == fates.end());
    if (fate == fates.end()) continue;
    EXPECT_EQ(note["neardup_duplicate_of"], fate->second["duplicate_of"]);
    EXPECT_EQ(note["neardup_cluster"], fate->second["cluster"]);
  }
}

TEST_F(MadeCorpus, ListedPairsHoldWhatWasRemovedForItsKeptOne) {
  const std::string out = dedup({"--pairs", "--verify", "origin"});
  std::map<std::pair<std::string, std::string>, json> pairs;
  for (const json& pair : objects_of(folder_.read(out + "pairs.jsonl"))) {
    EXPECT_TRUE(pairs.try_emplace({pair["a"], pair["b"]}, pair).second) << "each once";
    EXPECT_GE(pair["similarity"].get<double>(), 0.4);
  }
  for (const json& removed : objects_of(folder_.read(out + "duplicates.jsonl"))) {
    const auto pair = pairs.find({removed["duplicate_of"], removed["id"]});
    ASSERT_NE(pair, pairs.end()) << removed;
    for (const char* member : {"kind", "distance", "similarity"}) EXPECT_EQ(pair->second[member], removed[member]);
  }
}

TEST_F(MadeCorpus, ThreadsAndMemoryChangeNothing) {
  const std::string first = dedup({"--threads", "1", "--pairs"});
  for (const std::vector<std::string>& flags : std::vector<std::vector<std::string>>{
           {"--threads", "4", "--pairs"}, {"--threads", "3", "--pairs", "--memory", "256M"}}) {
    const std::string out = dedup(flags);
    for (const char* name : {"kept/in.jsonl", "duplicates.jsonl", "clusters.jsonl", "pairs.jsonl", "rejected.jsonl"})
      EXPECT_EQ(folder_.read(out + name), folder_.read(first + name)) << name;
  }
}

TEST_F(MadeCorpus, WhatIsKeptHasNothingToRemoveAnyMore) {
  const std::string out = dedup({"--verify", "origin"});
  const std::string again = folder_ / "again";
  (void)ran({"dedup", folder_ / (out + "kept/in.jsonl"), "-o", again, "--verify", "origin"});
  EXPECT_EQ(folder_.read("again/duplicates.jsonl"), "");
  EXPECT_EQ(folder_.read("again/kept/in.jsonl"), folder_.read(out + "kept/in.jsonl"));
}

TEST_F(MadeCorpus, AReferenceOfAllLeavesOnlyWhatHasNoText) {
  const std::string copy = folder_.write("all.jsonl", folder_.read("in.jsonl"));
  const std::string out = dedup({"--reference", copy});
  EXPECT_EQ(lines_of(folder_.read(out + "duplicates.jsonl")).size() + ids_in(out + "kept/in.jsonl").size(), 40U);
  EXPECT_LE(ids_in(out + "kept/in.jsonl").size(), 1U);
}

TEST_F(MadeCorpus, PrintedFingerprintsAreThoseOfTheLibrary) {
  for (const char* name : {"grams", "minhash"}) {
    const std::vector<std::string> lines = lines_of(ran({"fingerprint", input_, "--recipe", name}).out);
    ASSERT_EQ(lines.size(), 40U);
    const recipe::Recipe recipe = *recipe::find_recipe(name);
    auto fingerprinter = recipe::Fingerprinter::create(recipe, nullptr);
    ASSERT_TRUE(fingerprinter);
    for (size_t i = 0; i < lines.size(); ++i) {
      recipe::TextFingerprint made;
      fingerprinter->fingerprint(texts_[i], made);
      const auto line = fingerprint::parse_tsv_line(lines[i]);
      ASSERT_TRUE(line) << lines[i];
      EXPECT_EQ(line->id, fmt::format("d{:02}", i));
      EXPECT_EQ(line->recipe_id, recipe::recipe_id(recipe));
      EXPECT_EQ(line->fingerprints, made.has_features ? made.fingerprints : decltype(made.fingerprints)());
      EXPECT_EQ(line->signature, made.has_features ? made.signature : decltype(made.signature)());
    }
  }
}

TEST_F(MadeCorpus, PairsOfPrintedFingerprintsAreThoseOfALoop) {
  const std::string prints = folder_.write("prints.tsv", ran({"fingerprint", input_, "--recipe", "grams"}).out);
  std::vector<fingerprint::TextLine> documents;
  for (const std::string& line : lines_of(folder_.read("prints.tsv")))
    documents.push_back(*fingerprint::parse_tsv_line(line));
  for (const int distance : {0, 3, 10, 16}) {
    std::string expected;
    for (size_t i = 0; i < documents.size(); ++i) {
      for (size_t j = i + 1; j < documents.size(); ++j) {
        int least = 65;
        for (size_t c = 0; c < std::min(documents[i].fingerprints.size(), documents[j].fingerprints.size()); ++c)
          least = std::min(least, std::popcount(documents[i].fingerprints[c] ^ documents[j].fingerprints[c]));
        if (least <= distance) expected += fmt::format("{}\t{}\t{}\n", documents[i].id, documents[j].id, least);
      }
    }
    EXPECT_EQ(ran({"pairs", prints, "--distance", std::to_string(distance)}).out, expected);
  }
}

TEST_F(MadeCorpus, AnIndexFindsForEachDocumentItself) {
  const std::string prints = folder_.write("prints.tsv", ran({"fingerprint", input_, "--recipe", "grams"}).out);
  const std::string index = folder_ / "index";
  (void)ran({"index", "create", index, "--distance", "3", prints});
  std::set<std::string> selves;
  for (const std::string& line : lines_of(ran({"index", "query", index, prints, "--distance", "0"}).out)) {
    const std::string query = line.substr(0, line.find('\t'));
    const std::string rest = line.substr(query.size() + 1);
    EXPECT_TRUE(rest.ends_with("\t0")) << line;
    if (rest.substr(0, rest.find('\t')) == query) selves.insert(query);
  }
  EXPECT_EQ(selves.size(), 39U) << "all with features";
  (void)ran({"index", "delete", index, "--ids", folder_.write("ids", "d00\nd01\n")});
  for (const std::string& line : lines_of(ran({"index", "query", index, prints, "--distance", "3"}).out))
    EXPECT_EQ(line.find("\td00\t"), std::string::npos) << line;
  (void)ran({"index", "check", index});
  (void)ran({"index", "compact", index});
  EXPECT_EQ(json::parse(ran({"index", "info", index, "--json"}).out)["documents"], 38);
}

TEST_F(MadeCorpus, PrintedTokensAreThoseOfTheLibrary) {
  const Ran printed = run({"tokens", input_, "--recipe", "grams"});
  EXPECT_EQ(printed.exit, kExitFailed) << "as a record could not be read";
  const std::vector<std::string> lines = lines_of(printed.out);
  ASSERT_EQ(lines.size(), 40U);
  auto fingerprinter = recipe::Fingerprinter::create(*recipe::find_recipe("grams"), nullptr);
  ASSERT_TRUE(fingerprinter);
  for (size_t i = 0; i < lines.size(); ++i) {
    const recipe::CutText cut = fingerprinter->cut(texts_[i]);
    std::string expected = fmt::format("d{:02}\t", i);
    for (const token::ExplainedToken& token : cut.tokens.tokens) {
      if (!expected.ends_with('\t')) expected += ' ';
      expected += cut.normalized.substr(token.token.begin, token.token.size_bytes);
    }
    EXPECT_EQ(lines[i], expected);
  }
}

TEST_F(MadeCorpus, AnIdfCountsTheDocumentsOfEachWord) {
  const std::string file = folder_ / "words.idf";
  (void)ran({"idf", input_, "--recipe", "paper", "-o", file});
  const auto idf = feature::Idf::load(file);
  ASSERT_TRUE(idf) << idf.error().message;
  EXPECT_EQ((*idf)->num_documents(), 40U);
  EXPECT_EQ(json::parse(ran({"idf", "info", file, "--json"}).out)["documents"], 40);
  const Ran used = run({"fingerprint", input_, "--recipe", "paper,idf=" + file});
  EXPECT_EQ(used.exit, 0) << used.err;
  EXPECT_EQ(lines_of(used.out).size(), 40U);
}

TEST(PlanCommand, IsThePlannersChoice) {
  for (const char* documents : {"1000", "1e6", "1e9"}) {
    for (const char* distance : {"0", "3", "8"}) {
      const Ran said = run({"plan", "--documents", documents, "--distance", distance, "--json"});
      ASSERT_EQ(said.exit, 0) << said.err;
      planner::PlanRequest request;
      request.num_fingerprints = static_cast<uint64_t>(std::stod(documents));
      request.max_distance = std::stoi(distance);
      const auto table = planner::compare_plans(request);
      ASSERT_TRUE(table);
      EXPECT_NE(said.out.find("\"" + table->options[table->chosen].plan.name + "\""), std::string::npos) << said.out;
      EXPECT_TRUE(json::parse(said.out).is_object());
    }
  }
}

TEST(RecipesCommand, EachIsListedWithItsIdAndPrintedAsItIs) {
  const std::string listed = run({"recipes"}).out;
  for (const std::string& name : recipe::recipe_names()) {
    const recipe::Recipe recipe = *recipe::find_recipe(name);
    EXPECT_NE(listed.find(recipe::recipe_id(recipe)), std::string::npos) << name;
    const Ran printed = run({"recipes", name});
    ASSERT_EQ(printed.exit, 0) << printed.err;
    const auto again = recipe::recipe_from_json(printed.out);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(recipe::recipe_id(*again), recipe::recipe_id(recipe)) << name;
  }
  EXPECT_EQ(run({"recipes", "no-such-recipe"}).exit, kExitUsage);
}

// What each command says where its input is not there: a failure that names the path, on the error stream alone.
TEST(EveryCommand, NamesTheInputThatIsMissing) {
  const Folder folder;
  const std::string none = folder / "none.jsonl", out = folder / "out";
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"dedup", none, "-o", out},
                                             {"fingerprint", none},
                                             {"tokens", none},
                                             {"text", none},
                                             {"idf", none, "-o", out},
                                             {"idf", "info", none},
                                             {"phrases", none, "-o", out},
                                             {"phrases", "info", none},
                                             {"pairs", none},
                                             {"evaluate", none},
                                             {"explain", none, none},
                                             {"explain", "--jsonl", none, "a", "b"},
                                             {"explain", "--features", none},
                                             {"index", "info", none},
                                             {"index", "query", none, none},
                                             {"index", "create", out, none},
                                             {"plan", "--documents", "10", "--calibration", none}}) {
    const Ran ran = run(arguments);
    const std::string what = arguments[0] + " " + arguments[1];
    EXPECT_EQ(ran.exit, kExitFailed) << what;
    EXPECT_EQ(ran.out, "") << what;
    EXPECT_TRUE(ran.err.starts_with("neardup: ")) << what << ": " << ran.err;
    EXPECT_NE(ran.err.find(none), std::string::npos) << what << ": " << ran.err;
    EXPECT_FALSE(std::filesystem::exists(out + "/kept")) << what;
  }
}

}  // namespace
}  // namespace neardup::cli
