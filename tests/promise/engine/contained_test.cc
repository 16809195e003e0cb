// --contained against its definition over whole runs, and its promises.
#include "neardup/engine/match/contained/contained.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "neardup/engine/online/text_store.h"
#include "neardup/feature/passages.h"
#include "neardup/recipe/fingerprinter.h"
#include "neardup/verify/held.h"
#include "tests/own_path.h"
#include "tests/promise/engine/made_corpus.h"
#include "tests/promise/engine/quoting_texts.h"

namespace neardup::engine {
namespace {

class Contained : public ::testing::Test {
 protected:
  Contained() { std::filesystem::remove_all(folder_); }
  ~Contained() override { std::filesystem::remove_all(folder_); }

  DedupOptions options_for(const std::string& output) const {
    DedupOptions options;
    options.inputs = {folder_ + "/in.jsonl"};
    options.output = folder_ + "/" + output;
    options.verify.kind = verify::Rule::Kind::kJaccard;  // by two texts alone
    options.verify.threshold = 0.6;
    options.contained = 0.8;
    options.num_threads = 2;
    return options;
  }
  static report::Report run(const DedupOptions& options) {
    auto report = dedup(options, {});
    EXPECT_TRUE(report) << report.error().message;
    return report ? *report : report::Report();
  }
  // id -> line of duplicates.jsonl
  static std::map<std::string, nlohmann::json> removed(const DedupOptions& options) {
    std::map<std::string, nlohmann::json> lines;
    for (const nlohmann::json& line : read_jsonl(options.output + "/duplicates.jsonl")) lines[line["id"]] = line;
    return lines;
  }
  const std::string folder_ = own_path();
};

/// Whom each text goes for by the page docs/design/contained.md: every pair is looked at.
class Definition {
 public:
  /// `near`: whom each text goes for as an equal or near-duplicate text, itself where it is kept. The first
  /// `num_references` are references.
  Definition(const std::vector<std::string>& texts, std::vector<size_t> near, double asked, size_t num_references = 0)
      : tokens_(tokens_of(texts)), near_(std::move(near)), asked_(asked), num_references_(num_references) {
    std::map<uint64_t, size_t> holders;
    for (size_t i = 0; i < tokens_.size(); ++i) {
      passages_.push_back(passages_of(tokens_[i]));
      if (near_[i] == i)
        for (const uint64_t passage : passages_.back()) ++holders[passage];
    }
    for (const auto& [passage, count] : holders)
      if (count > kMostHolders) common_.insert(passage);
  }

  std::map<size_t, size_t> removed() const {
    std::vector<size_t> order;
    for (size_t i = 0; i < near_.size(); ++i)
      if (near_[i] == i) order.push_back(i);
    std::ranges::stable_sort(order, std::greater(),
                             [this](size_t i) { return std::pair(i < num_references_, tokens_[i].size()); });
    std::map<size_t, size_t> gone;
    for (size_t rank = 0; rank < order.size(); ++rank)
      for (size_t better = order[rank] < num_references_ ? rank : 0; better < rank; ++better) {
        if (gone.contains(order[better]) || !goes(order[better], order[rank])) continue;
        gone[order[rank]] = order[better];
        break;
      }
    for (size_t i = 0; i < near_.size(); ++i)
      if (near_[i] != i && gone.contains(near_[i])) gone[i] = gone[near_[i]];
    return gone;
  }

  bool contains(size_t longer, size_t shorter) const {
    if (!verify::is_longer(tokens_[longer].size(), tokens_[shorter].size(), asked_)) return false;
    std::vector<feature::Passage> selected;
    feature::select_passages(tokens_[shorter], selected);
    std::vector<bool> common;
    for (const feature::Passage& passage : selected) common.push_back(common_.contains(passage.hash));
    std::vector<uint8_t> marks;
    verify::mark_common(selected, common, tokens_[shorter].size(), marks);
    const double asked = verify::share_to_hold(tokens_[longer].size(), tokens_[shorter].size(), asked_);
    return verify::held_tokens(tokens_[shorter], tokens_[longer], marks).reaches(asked);
  }

 private:
  bool goes(size_t longer, size_t shorter) const {
    size_t own = 0, shared = 0;
    for (const uint64_t passage : passages_[shorter]) {
      own += !common_.contains(passage);
      shared += !common_.contains(passage) && passages_[longer].contains(passage);
    }
    if (shared == 0 || static_cast<double>(shared) < asked_ / 4 * static_cast<double>(own)) return false;
    for (size_t i = 0; i < near_.size(); ++i)
      if (near_[i] == shorter && !contains(longer, i)) return false;
    return true;
  }

  std::vector<std::vector<uint32_t>> tokens_;
  std::vector<size_t> near_;
  double asked_;
  size_t num_references_;
  std::vector<std::set<uint64_t>> passages_;
  std::set<uint64_t> common_;
};

size_t number_of(const nlohmann::json& id) { return std::stoul(id.get<std::string>().substr(1)); }

class ContainedByDefinition : public Contained {
 protected:
  // Runs with and without --contained, the texts as "d0", "d1", ...; returns who went for whom as contained.
  std::map<size_t, size_t> expect_the_definition(const std::vector<std::string>& texts, DedupOptions options,
                                                 size_t num_references = 0) {
    options.overwrite = true;
    const std::vector<size_t> near = near_of(texts, options, num_references);
    const report::Report report = run(options);
    std::map<size_t, size_t> found;
    for (const auto& [id, line] : removed(options)) {
      const size_t number = number_of(line["id"]), of = number_of(line["duplicate_of"]);
      if (line["kind"] == "contained") {
        found[number] = of;
        num_followers_ += near[number] != number;
        EXPECT_GE(line["similarity"].get<double>(), 0.8 - 1e-4);
      } else {
        EXPECT_EQ(near[number], of);
      }
    }
    std::map<size_t, size_t> expected = Definition(texts, near, 0.8, num_references).removed();
    std::erase_if(expected, [&](const auto& gone) { return gone.first < num_references; });
    EXPECT_EQ(found, expected);
    EXPECT_EQ(report.total.contained, found.size());
    EXPECT_EQ(report.total.read, report.total.kept + report.total.exact + report.total.near + report.total.contained);
    return found;
  }
  size_t num_followers_ = 0;
  size_t num_held_ = 0;  // pairs that would be near-duplicates, were it not that the longer one holds the other

 private:
  // Whom each text goes for as an equal or near-duplicate one: by the pairs of a run without --contained, but for those
  // of which the longer one holds the other.
  std::vector<size_t> near_of(const std::vector<std::string>& texts, DedupOptions options, size_t num_references) {
    options.output += ".near";
    options.contained.reset();
    options.write_pairs = true;
    run(options);
    const auto tokens = tokens_of(texts);
    std::vector<std::vector<size_t>> like(texts.size());  // of each those that come before it
    for (const nlohmann::json& line : read_jsonl(options.output + "/pairs.jsonl")) {
      if (line["kind"] != "near") continue;
      const auto [before, after] = std::minmax({number_of(line["a"]), number_of(line["b"])});
      if (verify::is_held_by_longer(tokens[before], tokens[after], 0.8))
        ++num_held_;
      else if (after >= num_references)
        like[after].push_back(before);
    }
    std::vector<size_t> near(texts.size());
    std::map<std::string, size_t> first;  // of equal texts
    const bool is_chain = options.cluster == ClusterKind::kComponents;
    for (size_t i = 0; i < texts.size(); ++i) {
      near[i] = i;
      if (const size_t equal = first.emplace(texts[i], i).first->second; equal != i) {
        near[i] = near[equal];
        continue;
      }
      for (const size_t before : like[i]) {
        if (!is_chain && near[before] == before) near[i] = std::min(near[i], before);
        if (!is_chain) continue;
        const auto [least, most] = std::minmax({near[before], near[i]});
        std::replace(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(i) + 1, size_t{most}, size_t{least});
      }
    }
    return near;
  }
};

TEST_F(ContainedByDefinition, Stars) {
  size_t num_contained = 0;
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    const std::vector<std::string> texts = quoting_texts(seed, 250);
    write_jsonl(folder_ + "/in.jsonl", texts);
    num_contained += expect_the_definition(texts, options_for("stars")).size();
  }
  EXPECT_GT(num_contained, 150U);
  EXPECT_GT(num_followers_, 5U);
  EXPECT_GT(num_held_, 5U);
}

TEST_F(ContainedByDefinition, Components) {
  size_t num_contained = 0;
  for (uint64_t seed = 21; seed <= 24; ++seed) {
    SCOPED_TRACE(seed);
    const std::vector<std::string> texts = quoting_texts(seed, 250);
    write_jsonl(folder_ + "/in.jsonl", texts);
    DedupOptions options = options_for("components");
    options.cluster = ClusterKind::kComponents;
    num_contained += expect_the_definition(texts, options).size();
  }
  EXPECT_GT(num_contained, 80U);
  EXPECT_GT(num_followers_, 3U);
}

TEST_F(ContainedByDefinition, References) {
  size_t num_of_references = 0, num_of_others = 0;
  for (uint64_t seed = 31; seed <= 34; ++seed) {
    SCOPED_TRACE(seed);
    constexpr size_t kReferences = 60;
    const std::vector<std::string> texts = quoting_texts(seed, 250);
    write_jsonl(folder_ + "/old.jsonl", {texts.begin(), texts.begin() + kReferences});
    write_jsonl(folder_ + "/in.jsonl", {texts.begin() + kReferences, texts.end()}, kReferences);
    DedupOptions options = options_for("references");
    options.references = {folder_ + "/old.jsonl"};
    for (const auto& [gone, kept] : expect_the_definition(texts, options, kReferences))
      ++(kept < kReferences ? num_of_references : num_of_others);
  }
  EXPECT_GT(num_of_references, 20U);
  EXPECT_GT(num_of_others, 10U);
}

// Of each value what a run over this value alone removes.
TEST_F(ContainedByDefinition, Within) {
  constexpr size_t kValues = 3;
  std::vector<std::vector<std::string>> texts(kValues);
  for (size_t value = 0; value < kValues; ++value) texts[value] = quoting_texts(41 + value / 2, 120);  // two are alike
  std::map<std::string, std::string> expected;
  for (size_t value = 0; value < kValues; ++value) {
    write_jsonl(folder_ + "/in.jsonl", texts[value]);
    for (const auto& [gone, kept] : expect_the_definition(texts[value], options_for("alone")))
      expected[std::to_string(value) + ":" + std::to_string(gone)] = std::to_string(value) + ":" + std::to_string(kept);
  }
  std::ofstream out(folder_ + "/in.jsonl", std::ios::binary);
  for (size_t i = 0; i < 120; ++i)
    for (size_t value = 0; value < kValues; ++value) {
      const std::string name = std::to_string(value);
      out << nlohmann::ordered_json{{"id", name + ":" + std::to_string(i)}, {"value", name}, {"text", texts[value][i]}}
                 .dump()
          << "\n";
    }
  out.close();
  DedupOptions options = options_for("within");
  options.read.within_key = "value";
  run(options);
  std::map<std::string, std::string> found;
  for (const auto& [id, line] : removed(options))
    if (line["kind"] == "contained") found[id] = line["duplicate_of"];
  EXPECT_EQ(found, expected);
  EXPECT_GT(found.size(), 20U);
}

TEST_F(Contained, AnnotatedDocumentsNameTheLongOne) {
  const std::vector<std::string> texts = quoting_texts(13, 200);
  write_jsonl(folder_ + "/in.jsonl", texts);
  const DedupOptions plain = options_for("plain");
  DedupOptions annotated = options_for("annotated");
  annotated.mode = Mode::kAnnotate;
  run(plain), run(annotated);
  const auto expected = removed(plain);
  size_t num_lines = 0, num_contained = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(annotated.output + "/annotated")) {
    if (!entry.is_regular_file()) continue;
    for (const nlohmann::json& line : read_jsonl(entry.path().string())) {
      ++num_lines;
      const auto gone = expected.find(line["id"].get<std::string>());
      ASSERT_EQ(line["neardup_duplicate_of"].is_null(), gone == expected.end());
      if (gone == expected.end()) continue;
      EXPECT_EQ(line["neardup_duplicate_of"], gone->second["duplicate_of"]);
      EXPECT_EQ(line["neardup_cluster"], gone->second["cluster"]);
      num_contained += gone->second["kind"] == "contained";
    }
  }
  EXPECT_EQ(num_lines, texts.size());
  EXPECT_GT(num_contained, 5U);
}

// Stopped while passages are selected, sorted and compared, with and without a list of pairs.
TEST_F(Contained, AStoppedRunGoesOnToTheSameBytes) {
  struct Stopper : Progress {
    std::atomic<bool> stop{false};
    std::string stage, stop_in;
    uint64_t after = 0;
    void begin_stage(std::string_view name, std::string_view, uint64_t, uint64_t) override { stage = name, count(); }
    void advance(uint64_t, uint64_t) override { count(); }
    void end_stage() override {}
    void warn(std::string_view) override {}
    void count() {
      if (stage == stop_in && after-- == 0) stop = true;
    }
  };
  write_jsonl(folder_ + "/in.jsonl", quoting_texts(14, 900));
  for (const bool with_pairs : {false, true}) {
    DedupOptions whole = options_for(with_pairs ? "pairs" : "whole");
    whole.write_pairs = with_pairs;
    run(whole);
    size_t num_stopped = 0;
    for (const char* stage : {"passages", "contained", "write"})
      for (const uint64_t after : {0, 1, 5}) {
        Stopper stopper;
        stopper.stop_in = stage, stopper.after = after;
        DedupOptions options = options_for("stopped");
        options.write_pairs = with_pairs;
        std::filesystem::remove_all(options.output);
        const auto first = dedup(options, {.progress = &stopper, .cancel = &stopper.stop});
        if (!first) {
          EXPECT_EQ(first.error().code, Code::kCancelled);
          options.resume = true;
          run(options);
          ++num_stopped;
        }
        EXPECT_EQ(read_results(options.output), read_results(whole.output)) << stage << " " << after;
      }
    EXPECT_GE(num_stopped, 4U);
  }
}

TEST_F(Contained, SameBytesForThreadsMemoryAndShards) {
  write_jsonl(folder_ + "/in.jsonl", quoting_texts(7, 1500));
  DedupOptions options = options_for("one");
  options.num_threads = 1;
  options.write_pairs = true;
  run(options);
  const auto expected = read_results(options.output);
  for (const int num_threads : {2, 7}) {
    DedupOptions other = options_for("threads" + std::to_string(num_threads));
    other.num_threads = num_threads;
    other.write_pairs = true;
    run(other);
    EXPECT_EQ(read_results(other.output), expected) << num_threads << " threads";
  }
  DedupOptions small = options_for("small");
  small.memory_bytes = kSmallestMemory;
  small.write_pairs = true;
  run(small);
  EXPECT_EQ(read_results(small.output), expected) << "little memory";
  DedupOptions shards = options_for("shards");
  shards.write_pairs = true;
  shards.shard_count = 3;
  for (int i = 0; i < 3; ++i) {
    shards.shard_index = i;
    run(shards);
  }
  shards.shard_index.reset();
  shards.merge_shards = true;
  run(shards);
  EXPECT_EQ(read_results(shards.output), expected) << "shards";
}

TEST_F(Contained, WithoutPairsTheSameDocumentsGo) {
  write_jsonl(folder_ + "/in.jsonl", quoting_texts(8, 600));
  const DedupOptions plain = options_for("plain");
  DedupOptions listed = options_for("listed");
  listed.write_pairs = true;
  run(plain), run(listed);
  EXPECT_EQ(read_results(plain.output)["duplicates.jsonl"], read_results(listed.output)["duplicates.jsonl"]);
  std::set<std::pair<std::string, std::string>> pairs;
  for (const nlohmann::json& line : read_jsonl(listed.output + "/pairs.jsonl"))
    if (line["kind"] == "contained") pairs.emplace(line["a"].get<std::string>(), line["b"].get<std::string>());
  EXPECT_GT(pairs.size(), 20U);
}

// The short one goes, whatever comes first; not against a field that ranks it higher; never a reference.
TEST_F(Contained, TheShortOneGoes) {
  std::mt19937_64 random(9);
  const Words quote = story(random, 100);
  Words article = story(random, 200);
  append(article, quote);
  append(article, story(random, 300));
  const std::vector<std::string> texts = {join_words(quote), join_words(article)};
  write_jsonl(folder_ + "/in.jsonl", texts);  // "n" is 0 and 1
  const auto goes = [&](const std::string& name, const std::string& keep) {
    DedupOptions options = options_for(name);
    options.keep = *cluster::keep_rule_from_string(keep);
    run(options);
    return removed(options);
  };
  for (const char* keep : {"first", "longest", "max:n"}) {
    const auto lines = goes(std::string("keep") + keep[0] + keep[1], keep);
    ASSERT_EQ(lines.size(), 1U) << keep;
    EXPECT_EQ(lines.at("d0")["duplicate_of"], "d1");
    EXPECT_EQ(lines.at("d0")["kind"], "contained");
    EXPECT_EQ(lines.at("d0")["similarity"], 1);
    EXPECT_TRUE(lines.at("d0")["distance"].is_null());
  }
  EXPECT_TRUE(goes("priority", "priority:n=0,1").empty());

  write_jsonl(folder_ + "/quote.jsonl", {texts[0]});
  write_jsonl(folder_ + "/article.jsonl", {texts[1]}, 1);
  DedupOptions options = options_for("reference");
  options.inputs = {folder_ + "/quote.jsonl"};
  options.references = {folder_ + "/article.jsonl"};
  run(options);
  EXPECT_EQ(removed(options).at("d0")["duplicate_of"], "d1");
  DedupOptions other = options;
  other.contained = 0.9;
  const auto refused = dedup(other, {});  // a run that kept nothing, but removed something, holds something
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kMismatch);
  options.output += "2";
  std::swap(options.inputs, options.references);
  run(options);
  EXPECT_TRUE(removed(options).empty());
}

// A text is a near-duplicate of its first half by the rule, but the half goes for it: the other half is nowhere else.
TEST_F(Contained, ALongTextDoesNotGoForItsHalf) {
  std::mt19937_64 random(15);
  const Words words = story(random, 400);
  const std::string whole = join_words(words), half = join_words(part(words, 0, 240));
  const auto fates = [&](const std::vector<std::string>& references, const std::vector<std::string>& texts,
                         const verify::Rule& rule, std::optional<double> contained) {
    write_jsonl(folder_ + "/old.jsonl", references);
    write_jsonl(folder_ + "/in.jsonl", texts, references.size());
    DedupOptions options = options_for("half");
    options.overwrite = true;
    if (!references.empty()) options.references = {folder_ + "/old.jsonl"};
    options.verify = rule;
    options.verify_is_given = true;
    options.contained = contained;
    run(options);
    std::string all;
    for (const auto& [id, line] : removed(options))
      all += id + " " + line["kind"].get<std::string>() + " " + line["duplicate_of"].get<std::string>();
    return all;
  };
  for (const verify::Rule& rule :
       {verify::Rule{verify::Rule::Kind::kContent}, verify::Rule{verify::Rule::Kind::kJaccard, 0.5}}) {
    EXPECT_EQ(fates({}, {half, whole}, rule, {}), "d1 near d0") << "else this test proves nothing";
    EXPECT_EQ(fates({}, {half, whole}, rule, 0.8), "d0 contained d1");
    EXPECT_EQ(fates({}, {whole, half}, rule, 0.8), "d1 contained d0");
    EXPECT_EQ(fates({half}, {whole}, rule, {}), "d1 near d0");
    EXPECT_EQ(fates({half}, {whole}, rule, 0.8), "") << "references stay, too";
    EXPECT_EQ(fates({whole}, {half}, rule, 0.8), "d1 contained d0");
  }
}

// A hundred documents with one passage of 10,000 tokens: no pair is compared for it, and none goes.
TEST_F(Contained, WhatAllHaveMakesNoCandidates) {
  std::mt19937_64 random(10);
  const Words frame = story(random, 10'000);
  std::vector<std::string> texts;
  for (size_t i = 0; i < 100; ++i) {
    Words words = story(random, 200 + 150 * i);
    append(words, frame);
    texts.push_back(join_words(words));
  }
  texts.push_back(join_words(part(frame, 500, 3000)));
  write_jsonl(folder_ + "/in.jsonl", texts);
  DedupOptions options = options_for("frame");
  options.verify.threshold = 1;
  const report::Report report = run(options);
  EXPECT_EQ(report.total.kept, texts.size());
  EXPECT_LT(report.contained_verified, 10U);
  EXPECT_GT(report.common_passages, 1000U);
}

// Twenty values of a field with an article and a quote of it each: among those of one value nothing is common.
TEST_F(Contained, WhatOtherValuesHaveIsNotCommon) {
  std::mt19937_64 random(12);
  const Words quote = story(random, 100);
  Words article = story(random, 200);
  append(article, quote);
  std::filesystem::create_directories(folder_);
  std::ofstream out(folder_ + "/in.jsonl", std::ios::binary);
  for (size_t i = 0; i < 40; ++i) {
    const nlohmann::ordered_json json = {{"id", "d" + std::to_string(i)},
                                         {"value", "v" + std::to_string(i / 2)},
                                         {"text", join_words(i % 2 == 0 ? quote : article)}};
    out << json.dump() << "\n";
  }
  out.close();
  DedupOptions options = options_for("within");
  options.read.within_key = "value";
  const report::Report report = run(options);
  EXPECT_EQ(report.total.contained, 20U);
  EXPECT_EQ(report.total.kept, 20U);
  EXPECT_EQ(report.common_passages, 0U);
}

TEST_F(Contained, OneTokenAMillionTimes) {
  std::string text;
  for (int i = 0; i < 1'000'000; ++i) text += "same ";
  std::mt19937_64 random(11);
  const std::string story_text = join_words(story(random, 1000));
  write_jsonl(folder_ + "/in.jsonl", {text, text.substr(0, 2'000'000), story_text, story_text + " " + text + text});
  const report::Report report = run(options_for("same"));
  EXPECT_EQ(report.total.read, 4U);
  EXPECT_EQ(report.total.read, report.total.kept + report.total.exact + report.total.near + report.total.contained);
}

TEST_F(Contained, RefusesWhatItCannotDo) {
  write_jsonl(folder_ + "/in.jsonl", {"a text"});
  const auto message = [this](const auto& change) {
    DedupOptions options = options_for("refused");
    change(options);
    const auto report = dedup(options, {});
    EXPECT_FALSE(report);
    return report ? std::string() : report.error().message;
  };
  EXPECT_NE(message([](DedupOptions& options) { options.size_within = 0.2; }).find("--size-within"), std::string::npos);
  EXPECT_NE(message([](DedupOptions& options) { options.contained = 0.4; }).find("0.5"), std::string::npos);
  EXPECT_NE(message([](DedupOptions& options) { options.recipe.tokenizer = "chars"; }).find("letters"),
            std::string::npos);
  ASSERT_TRUE(TextStore::create(folder_ + "/store", {}));
  EXPECT_NE(message([this](DedupOptions& options) {
              options.into = folder_ + "/store";
            }).find("was made without --contained"),
            std::string::npos);
}

}  // namespace
}  // namespace neardup::engine
