// One test per promise of a run: complete, nothing lost, bad input stops nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "neardup/engine/match/auto_distance.h"
#include "neardup/engine/match/signatures.h"
#include "neardup/engine/read/family.h"
#include "neardup/engine/read/idf_pass.h"
#include "neardup/join/bands.h"
#include "neardup/recipe/fingerprinter.h"
#include "neardup/report/figures.h"
#include "neardup/verify/definition.h"
#include "neardup/verify/rule.h"
#include "neardup/verify/short_texts.h"
#include "tests/promise/engine/family_run.h"

namespace neardup::engine {
namespace {

class Promise : public FamilyRun {};

double normalized_size(const std::string& text) {
  static auto fingerprinter = *recipe::Fingerprinter::create(*recipe::find_recipe("grams"), nullptr);
  recipe::TextFingerprint text_fingerprint;
  fingerprinter.fingerprint(text, text_fingerprint);
  return static_cast<double>(text_fingerprint.size_bytes);
}

// Whether two signatures agree in all values of a band and in enough of all.
bool meet(const std::vector<uint16_t>& a, const std::vector<uint16_t>& b, const std::vector<join::Band>& bands,
          int min_equal) {
  int equal = 0;
  for (size_t i = 0; i < a.size(); ++i) equal += a[i] == b[i];
  const auto agrees = [&](uint16_t i) { return a[i] == b[i]; };
  return equal >= min_equal &&
         std::ranges::any_of(bands, [&](const join::Band& band) { return std::ranges::all_of(band, agrees); });
}

// Every pair by the definitions alone: equal checksum; or some fingerprint within k bits, or a band where the
// signatures meet, and similar by the rule.
Pairs expected_pairs(const std::vector<std::string>& texts, DedupOptions options, int distance) {
  const auto inputs = corpus::discover(options.inputs, {});
  EXPECT_TRUE(choose_family(options));
  const auto bands = join::make_bands(128, options.recipe.minhash.bands, options.recipe.minhash.rows);
  const int min_equal = sketch_bound(options.verify, options.recipe);
  auto idf = provide_idf(options.recipe, "", *inputs, options.read, {1}, {});
  auto fingerprinter = recipe::Fingerprinter::create(options.recipe, *idf);
  std::vector<recipe::TextFingerprint> fingerprints(texts.size());
  for (size_t i = 0; i < texts.size(); ++i) fingerprinter->fingerprint(texts[i], fingerprints[i]);
  Pairs pairs;
  for (size_t a = 0; a < texts.size(); ++a) {
    for (size_t b = a + 1; b < texts.size(); ++b) {
      bool candidate = false;
      for (size_t f = 0; f < fingerprints[a].fingerprints.size(); ++f)
        candidate |=
            fingerprint::distance(fingerprints[a].fingerprints[f], fingerprints[b].fingerprints[f]) <= distance;
      if (!fingerprints[a].signature.empty())
        candidate = meet(fingerprints[a].signature, fingerprints[b].signature, *bands, min_equal);
      candidate &= fingerprints[a].has_features && fingerprints[b].has_features;
      const bool both_short = verify::looks_at_characters(options.verify) && !fingerprints[a].short_text.empty() &&
                              !fingerprints[b].short_text.empty();
      if (both_short) candidate = false;  // all similar pairs of them are found
      if (fingerprints[a].checksum == fingerprints[b].checksum ||
          (both_short &&
           verify::compare_short_texts(options.verify, fingerprints[a].short_text, fingerprints[b].short_text)
               .similar) ||
          (candidate && verify::compare_tokens(options.verify, fingerprints[a].tokens, fingerprints[b].tokens).similar))
        pairs.insert(ordered("d" + std::to_string(a), "d" + std::to_string(b)));
    }
  }
  return pairs;
}

TEST_P(Promise, CompleteEveryPairIsFoundNoneBeyondEachOnce) {
  for (const char* rule : {"content", "origin", "jaccard:0.7", "none"}) {
    for (const int distance : {0, 3, 12}) {
      DedupOptions o = options("out");
      o.overwrite = true;
      if (GetParam() == FamilyChoice::kSimHash) o.distance = distance;
      o.verify = *verify::rule_from_string(rule);
      run(o);
      const auto common = verify::Commonness::load(o.output + "/commonness.bin");
      EXPECT_EQ(common.has_value(), o.verify.kind == verify::Rule::Kind::kContent);
      if (common) o.verify.common = common->get();
      const Pairs expected = expected_pairs(texts_, o, distance);
      EXPECT_GT(expected.size(), 100u);
      EXPECT_EQ(found_pairs(o.output), expected) << rule << " " << distance;
    }
  }
}

// Without a list of pairs, clusters of signatures are made straight from the buckets.
TEST_P(Promise, TheSameStaysWithAndWithoutAListOfPairs) {
  for (const char* keep : {"first", "longest"})
    for (const ClusterKind kind : {ClusterKind::kStar, ClusterKind::kComponents}) {
      DedupOptions o = options("out" + to_string(kind) + keep);
      o.keep = *cluster::keep_rule_from_string(keep);
      o.cluster = kind;
      run(o);
      DedupOptions without = o;
      without.output = folder_ + "/without" + to_string(kind) + keep;
      without.write_pairs = false;
      run(without);
      auto expected = read_results(o.output), found = read_results(without.output);
      expected.erase("pairs.jsonl");
      if (kind == ClusterKind::kComponents) {  // the distance of two that are similar by way of others may be known
        EXPECT_EQ(expected.erase("duplicates.jsonl"), found.erase("duplicates.jsonl"));
      }
      EXPECT_TRUE(found == expected) << to_string(kind) << " " << keep;
    }
}

// One licence under 45,000 headers: a billion pairs are alike.
TEST_P(Promise, CopiesThatAreAllAlikeAreNotListedForWantOfMemory) {
  if (GetParam() != FamilyChoice::kMinHash) GTEST_SKIP() << "SimHash lists its pairs";
  constexpr uint64_t kCopies = 45000;
  std::mt19937_64 random(1);
  const std::string licence = join_words(made_words(random, 60));
  std::vector<std::string> texts;
  for (uint64_t i = 0; i < kCopies; ++i) texts.push_back(std::to_string(i) + " " + licence);
  write_jsonl(folder_ + "/licences.jsonl", texts);
  for (const ClusterKind kind : {ClusterKind::kStar, ClusterKind::kComponents}) {
    DedupOptions o = options("all_alike_" + to_string(kind));
    o.inputs = {folder_ + "/licences.jsonl"};
    o.cluster = kind;
    o.write_pairs = false;
    o.memory_bytes = kSmallestMemory;
    o.read.batch_bytes = uint64_t{1} << 20;
    const report::Report report = run(o);
    EXPECT_EQ(report.total.kept, 1U);
    EXPECT_EQ(report.total.near, kCopies - 1);
    EXPECT_LT(report.num_candidates, 3 * kCopies);
  }
}

void check_nothing_is_lost(const DedupOptions& o, const report::Report& report, const std::vector<std::string>& texts) {
  const report::Tally& total = report.total;
  EXPECT_EQ(total.read, texts.size());
  EXPECT_EQ(total.read, total.kept + total.exact + total.near + total.rejected);
  std::set<std::string> kept, removed;
  for (const char* name : {"a.jsonl", "b.jsonl"})
    for (const auto& json : read_jsonl(o.output + "/kept/" + name)) {
      EXPECT_TRUE(kept.insert(json["id"]).second);
      EXPECT_EQ(json["text"], texts[std::stoul(json["id"].get<std::string>().substr(1))]);
    }
  const Pairs pairs = found_pairs(o.output);
  for (const auto& json : read_jsonl(o.output + "/duplicates.jsonl")) {
    EXPECT_TRUE(removed.insert(json["id"]).second);
    EXPECT_TRUE(kept.contains(json["duplicate_of"])) << json.dump();
    EXPECT_TRUE(o.cluster != ClusterKind::kStar || pairs.contains(ordered(json["id"], json["duplicate_of"])))
        << "not verified: " << json.dump();
  }
  EXPECT_EQ(kept.size(), total.kept);
  EXPECT_EQ(removed.size(), total.exact + total.near);
  for (size_t i = 0; i < texts.size(); ++i)
    EXPECT_NE(kept.contains("d" + std::to_string(i)), removed.contains("d" + std::to_string(i)));
}

TEST_P(Promise, NoDocumentIsLostAndEachRemovedOneNamesAKeptOne) {
  for (const ClusterKind kind : {ClusterKind::kStar, ClusterKind::kComponents}) {
    for (const char* keep : {"first", "longest", "max:n"}) {
      DedupOptions o = options("out");
      o.overwrite = true;
      o.cluster = kind;
      o.keep = *cluster::keep_rule_from_string(keep);
      check_nothing_is_lost(o, run(o), texts_);
    }
  }
}

TEST_P(Promise, EmptyAndShortTextsAreNeverNearDuplicates) {
  std::filesystem::remove_all(folder_ + "/in");
  write_jsonl(folder_ + "/in/a.jsonl", {"", "", "!!!", "???", "a", "b", "、。", "🙂"});
  DedupOptions o = options("out");
  const report::Report report = run(o);
  EXPECT_EQ(report.total.near, 0u);
  EXPECT_EQ(report.total.exact, 1u) << "only the two empty texts are the same";
}

// Reports of one template, each also as a reprint that has the same numbers behind another beginning.
std::vector<std::string> made_reports(size_t count) {
  std::mt19937_64 random(17);
  const std::vector<std::string> form = made_words(random, 120);
  std::vector<std::string> texts;
  while (texts.size() < 2 * count) {
    std::string text;
    for (size_t i = 0; i < form.size(); ++i)
      text += form[i] + (i % 9 == 8 ? " " + std::to_string(random() % 1000) + "." : "") + " ";
    texts.push_back(text);
    texts.push_back("Reprinted by others: " + text);
  }
  return texts;
}

TEST_P(Promise, TextsOfOneTemplateNeedTheSameNumbers) {
  const std::vector<std::string> reports = made_reports(30);
  write_jsonl(folder_ + "/in/a.jsonl", reports);
  write_jsonl(folder_ + "/in/b.jsonl", {"Nothing of that kind."}, reports.size());
  std::vector<std::string> texts = reports;
  texts.emplace_back("Nothing of that kind.");
  DedupOptions o = options("content");
  EXPECT_EQ(run(o).total.kept, 31u) << "what all texts have in common says little, and numbers are compared anyway";
  o = options("all");
  o.verify.kind = verify::Rule::Kind::kOrigin;
  EXPECT_LT(run(o).total.kept, 20u);
  o = options("templates");
  o.verify = {.kind = verify::Rule::Kind::kOrigin, .templates = true};
  const report::Report report = run(o);
  check_nothing_is_lost(o, report, texts);
  EXPECT_EQ(report.total.kept, 31u);
  EXPECT_EQ(report.verify, "origin --templates");
  const Pairs expected = expected_pairs(texts, o, auto_distance(texts.size()));
  EXPECT_EQ(expected.size(), 30u);
  EXPECT_EQ(found_pairs(o.output), expected);
  DedupOptions without = o;
  without.output = folder_ + "/without_pairs";
  without.write_pairs = false;
  EXPECT_EQ(run(without).total.kept, 31u);
  o.verify.templates = false;
  o.resume = true;
  const auto other = dedup(o, {});
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().message.find("another --verify (\"origin --templates\" then"), std::string::npos)
      << other.error().message;
}

// Short texts are compared by their characters: a letter more or less is an edit, another word or number is another
// text.
TEST_P(Promise, ShortTextsAreJudgedByTheirCharacters) {
  const std::vector<std::vector<std::string>> families = {
      {"中国"},
      {"中国人"},
      {"How to install Python on Windows", "How to instal Python on Windows!"},
      {"How to install Java on Windows"},
      {"Order 12345 has shipped", "ORDER 12345 has been shipped"},
      {"Order 12346 has shipped"},
      {"The committee approves the new budget for local schools and roads",
       "The comittee approves the new budget for local schools and roads."},
      {"The committee rejects the new budget for local schools and bridges"},
      {"国务院常务会议部署进一步扩大内需", "国务院常务会议：部署进一步扩大内需政策"}};
  std::vector<std::string> texts;
  std::vector<size_t> family_of;
  for (size_t f = 0; f < families.size(); ++f)
    for (const std::string& text : families[f]) {
      texts.push_back(text);
      family_of.push_back(f);
    }
  std::filesystem::remove_all(folder_ + "/in");
  write_jsonl(folder_ + "/in/a.jsonl", texts);
  for (const bool pairs : {false, true}) {
    DedupOptions o = options("out");
    o.write_pairs = pairs;
    o.overwrite = true;
    EXPECT_EQ(run(o).total.near, texts.size() - families.size());
    size_t by_characters = 0;
    for (const auto& json : read_jsonl(o.output + "/duplicates.jsonl")) {
      const auto number = [&](const char* key) { return std::stoul(json[key].get<std::string>().substr(1)); };
      EXPECT_EQ(family_of[number("id")], family_of[number("duplicate_of")]) << json.dump();
      by_characters += json.value("route", "") == "short";
    }
    EXPECT_EQ(by_characters, 4u) << "each of them has fewer than 16 words, the Chinese title, too";
  }
}

TEST_P(Promise, OnlyEqualValuesOfTheWithinFieldAreCompared) {
  std::ofstream file(folder_ + "/in/a.jsonl", std::ios::binary);
  for (size_t i = 0; i < 300; ++i) {
    const nlohmann::json json = {{"id", "d" + std::to_string(i)}, {"text", texts_[i / 3]}, {"lang", i % 3}};
    file << json.dump() << "\n";
  }
  file.close();
  std::filesystem::remove(folder_ + "/in/b.jsonl");
  DedupOptions o = options("all");
  const report::Report all = run(o);
  EXPECT_GE(all.total.exact + all.total.near, 200u);
  o = options("within");
  o.read.within_key = "lang";
  const report::Report within = run(o);
  EXPECT_EQ(within.total.exact + within.total.near, 3 * (all.total.exact + all.total.near - 200));
  EXPECT_GT(within.num_filtered, 100u);
  for (const auto& json : read_jsonl(o.output + "/pairs.jsonl")) {
    const auto lang = [&](const char* key) { return std::stoul(json[key].get<std::string>().substr(1)) % 3; };
    EXPECT_EQ(lang("a"), lang("b"));
  }
}

TEST_P(Promise, SizesMayBeHeldTogether) {
  DedupOptions o = options("all");
  run(o);
  const Pairs all = found_pairs(o.output);
  DedupOptions within = options("within");
  within.size_within = 0.02;
  const report::Report report = run(within);
  EXPECT_GT(report.num_filtered, 0u);
  const auto size = [&](const std::string& id) { return normalized_size(texts_[std::stoul(id.substr(1))]); };
  Pairs expected;
  for (const auto& [a, b] : all) {
    const double larger = std::max(size(a), size(b)), smaller = std::min(size(a), size(b));
    if (larger - smaller <= 0.02 * larger) expected.insert({a, b});
  }
  EXPECT_LT(expected.size(), all.size());
  EXPECT_EQ(found_pairs(within.output), expected);
}

TEST_P(Promise, BadInputIsCountedNamedAndStopsNothing) {
  std::ofstream(folder_ + "/in/a.jsonl", std::ios::app | std::ios::binary)
      << "{\"id\":1,\"text\":\n[1]\n\n{\"id\":\"x\"}\n{\"id\":\"y\",\"text\":5}\n{\"id\":\"bad\",\"text\":\"\xFF\xC0 "
         "text\"}\n";
  DedupOptions o = options("out");
  const report::Report report = run(o);
  EXPECT_EQ(report.total.rejected, 4u);
  EXPECT_EQ(report.total.read, texts_.size() + 5);
  std::vector<std::pair<uint64_t, std::string>> found;
  for (const auto& json : read_jsonl(o.output + "/rejected.jsonl")) {
    EXPECT_TRUE(json["file"].get<std::string>().ends_with("in/a.jsonl"));
    found.emplace_back(json["line"], json["reason"]);
  }
  EXPECT_EQ(found, (std::vector<std::pair<uint64_t, std::string>>{
                       {401, "invalid_json"}, {402, "not_an_object"}, {404, "missing_text"}, {405, "not_a_string"}}));
  DedupOptions strict = options("strict");
  strict.strict = true;
  const auto stopped = dedup(strict, {});
  ASSERT_FALSE(stopped);
  EXPECT_NE(stopped.error().message.find("a.jsonl"), std::string::npos);
}

TEST_P(Promise, ReferencesAreOnlyRead) {
  DedupOptions o = options("out");
  o.references = {folder_ + "/in/a.jsonl"};
  o.inputs = {folder_ + "/in/b.jsonl"};
  const report::Report report = run(o);
  EXPECT_EQ(report.total.read, 300u);
  EXPECT_EQ(report.num_references, 400u);
  EXPECT_FALSE(std::filesystem::exists(o.output + "/kept/a.jsonl"));
  size_t to_references = 0;
  for (const auto& json : read_jsonl(o.output + "/duplicates.jsonl")) {
    EXPECT_GE(std::stoul(json["id"].get<std::string>().substr(1)), 400u);
    to_references += std::stoul(json["duplicate_of"].get<std::string>().substr(1)) < 400;
  }
  EXPECT_GT(to_references, 50u);
}

TEST_P(Promise, ACompressedFileWithoutSurvivorsIsStillAValidFile) {
  const std::string all = *read_file(folder_ + "/in/a.jsonl");
  for (const auto& [kind, name] :
       {std::pair(corpus::Compression::kGzip, "c.jsonl.gz"), std::pair(corpus::Compression::kZstd, "c.jsonl.zst")}) {
    ASSERT_TRUE(create_directories(folder_ + "/more"));
    ASSERT_TRUE(write_file_atomically(folder_ + "/more/" + name, *corpus::compress(kind, all)));
    DedupOptions o = options("out");
    o.overwrite = true;
    o.inputs = {folder_ + "/more/" + name};
    o.references = {folder_ + "/in/a.jsonl"};
    EXPECT_EQ(run(o).total.kept, 0u);
    EXPECT_EQ(*read_file(o.output + "/kept/" + name), *corpus::compress(kind, ""));
  }
}

INSTANTIATE_TEST_SUITE_P(Families, Promise, ::testing::Values(FamilyChoice::kSimHash, FamilyChoice::kMinHash),
                         family_name);

}  // namespace
}  // namespace neardup::engine
