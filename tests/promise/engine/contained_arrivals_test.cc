// A Deduplicator with --contained: its definition document by document, and dedup over the same ones, longest first.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <random>
#include <set>

#include "neardup/engine/match/contained/contained.h"
#include "neardup/engine/online/deduplicator.h"
#include "neardup/engine/online/text_store.h"
#include "neardup/engine/online/verdict_json.h"
#include "neardup/store/check_store.h"
#include "neardup/store/repair_store.h"
#include "neardup/verify/held.h"
#include "tests/failing_file_system.h"
#include "tests/own_path.h"
#include "tests/promise/engine/made_corpus.h"
#include "tests/promise/engine/quoting_texts.h"

namespace neardup::engine {
namespace {

using Kind = Arrival::Kind;

DedupOptions contained_options(double threshold = 0.6) {
  DedupOptions options;
  options.verify.kind = verify::Rule::Kind::kJaccard;  // by two texts alone
  options.verify.threshold = threshold;
  options.contained = 0.8;
  return options;
}

std::string name_of(size_t number) { return "d" + std::to_string(number); }

/// The definition: each text that is neither equal nor near goes to the longest new one before it that contains it.
class ByDefinition {
 public:
  explicit ByDefinition(const std::vector<std::string>& texts) : tokens_(tokens_of(texts)) {
    for (const auto& tokens : tokens_) passages_.push_back(passages_of(tokens));
  }

  /// Who contains `number`, by all pairs; itself where nobody does.
  size_t container_of(size_t number) const {
    size_t best = number;
    for (const size_t kept : kept_)
      if (contains(kept, number) && (best == number || tokens_[kept].size() > tokens_[best].size())) best = kept;
    return best;
  }
  void add(size_t number, bool is_kept) {
    if (is_kept) kept_.push_back(number);
    for (const uint64_t passage : passages_[number]) ++holders_[passage];
  }

 private:
  bool is_common(uint64_t passage) const {
    const auto holders = holders_.find(passage);
    return holders != holders_.end() && holders->second + 1 > kMostHolders;
  }
  bool contains(size_t longer, size_t shorter) const {
    if (!verify::is_longer(tokens_[longer].size(), tokens_[shorter].size(), 0.8)) return false;
    size_t num_own = 0, num_shared = 0;
    for (const uint64_t passage : passages_[shorter]) {
      num_own += !is_common(passage);
      num_shared += !is_common(passage) && passages_[longer].contains(passage);
    }
    if (num_shared == 0 || !have_enough_passages(num_shared, num_own, 0.8)) return false;
    std::vector<feature::Passage> selected;
    feature::select_passages(tokens_[shorter], selected);
    std::vector<bool> common;
    for (const feature::Passage& passage : selected) common.push_back(is_common(passage.hash));
    std::vector<uint8_t> marks;
    verify::mark_common(selected, common, tokens_[shorter].size(), marks);
    const double asked = verify::share_to_hold(tokens_[longer].size(), tokens_[shorter].size(), 0.8);
    return verify::held_tokens(tokens_[shorter], tokens_[longer], marks).reaches(asked);
  }

  std::vector<std::vector<uint32_t>> tokens_;
  std::vector<std::set<uint64_t>> passages_;
  std::vector<size_t> kept_;
  std::map<uint64_t, size_t> holders_;
};

TEST(ContainedArrivals, AgreeWithTheDefinition) {
  size_t num_contained = 0, num_near = 0;
  for (uint64_t seed = 51; seed <= 56; ++seed) {
    const std::vector<std::string> texts = quoting_texts(seed, 400);
    auto seen = *Deduplicator::create(contained_options());
    ByDefinition definition(texts);
    std::map<std::string, Arrival> told;  // of each text
    for (size_t i = 0; i < texts.size(); ++i) {
      const Arrival arrival = *seen.add(name_of(i), texts[i]);
      if (const auto before = told.emplace(texts[i], arrival); !before.second) {
        const Arrival& first = before.first->second;
        ASSERT_EQ(arrival.kind, first.kind == Kind::kNew ? Kind::kExact : first.kind);
        if (first.kind != Kind::kNew) ASSERT_EQ(arrival.duplicate_of, first.duplicate_of);
        continue;
      }
      if (arrival.kind == Kind::kExact || arrival.kind == Kind::kNear) {
        ++num_near;
        continue;
      }
      const size_t container = definition.container_of(i);
      ASSERT_EQ(arrival.kind, container == i ? Kind::kNew : Kind::kContained) << seed << " " << i;
      if (container != i) {
        ASSERT_EQ(arrival.duplicate_of, name_of(container));
        ASSERT_GE(arrival.similarity, 0.8F - 1e-6F);
        ++num_contained;
      }
      definition.add(i, container == i);
    }
  }
  EXPECT_GT(num_contained, 150U);
  EXPECT_GT(num_near, 150U);
}

// A store of texts in batches of different sizes; opened again on the way, with and without a checkpoint.
class StoredArrivals {
 public:
  StoredArrivals(const DedupOptions& options, store::StoreOptions of_store = {}) : of_store_(std::move(of_store)) {
    std::filesystem::remove_all(folder_);
    keep(TextStore::create(folder_, {.matching = options}, of_store_));
  }
  ~StoredArrivals() {
    store_.reset();
    std::filesystem::remove_all(folder_);
  }
  std::vector<TextVerdict> add_all(const std::vector<std::string>& texts) {
    std::vector<TextVerdict> all;
    for (size_t begin = 0, round = 1; begin < texts.size(); ++round) {
      const size_t end = std::min(begin + 1 + round * 7 % 40, texts.size());
      for (TextVerdict& verdict : add(texts, begin, end)) all.push_back(std::move(verdict));
      begin = end;
      if (round % 3 == 0) {
        EXPECT_TRUE(store_->store().checkpoint());
      }
      if (round % 4 == 0) open_again();
    }
    return all;
  }
  std::vector<TextVerdict> add(const std::vector<std::string>& texts, size_t begin, size_t end) {
    std::vector<std::string> ids;
    for (size_t i = begin; i < end; ++i) ids.push_back(name_of(i));
    std::vector<ArrivingText> arriving;
    for (size_t i = begin; i < end; ++i) arriving.push_back({.id = ids[i - begin], .text = texts[i]});
    auto verdicts = store_->check_and_insert(arriving);
    EXPECT_TRUE(verdicts) << verdicts.error().message;
    return verdicts ? std::move(*verdicts) : std::vector<TextVerdict>(arriving.size());
  }
  void open_again() {
    store_.reset();
    keep(TextStore::open(folder_, of_store_));
  }
  void close() { store_.reset(); }
  TextStore& store() { return *store_; }
  const std::string& folder() const { return folder_; }

 private:
  void keep(Result<std::unique_ptr<TextStore>> store) {
    ASSERT_TRUE(store) << store.error().message;
    store_ = std::move(*store);
  }

  FailingFileSystem unsynced_{{}};  // no power is lost
  const ReplacedFileSystem replaced_{unsynced_};
  const std::string folder_ = own_path("store");
  store::StoreOptions of_store_;
  std::unique_ptr<TextStore> store_;
};

std::string told(std::string_view kind, const std::string& duplicate_of, float similarity, uint32_t distance) {
  return fmt::format("{} {} {} {}", kind, duplicate_of, similarity, distance);
}

std::string told(const TextVerdict& verdict) {
  return told(engine::name_of(verdict.kind), verdict.duplicate_of, verdict.similarity, verdict.distance);
}

std::string told(const Arrival& arrival) {
  static constexpr std::array<std::string_view, 4> kNames = {"new", "exact", "near", "contained"};
  return told(kNames[static_cast<size_t>(arrival.kind)], arrival.duplicate_of, arrival.similarity, arrival.distance);
}

// Where the longest come first, nothing is near and nothing common, nobody needs to know what comes later.
TEST(ContainedArrivals, LongestFirstTheyAreWhatDedupFinds) {
  const std::string folder = own_path();
  size_t num_contained = 0;
  for (uint64_t seed = 61; seed <= 84; ++seed) {
    std::filesystem::remove_all(folder);
    std::vector<std::string> texts = quoting_texts(seed, 20);
    const auto tokens = tokens_of(texts);
    std::vector<size_t> order(texts.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, std::greater(), [&](size_t i) { return tokens[i].size(); });
    std::vector<std::string> longest_first;
    for (const size_t i : order) longest_first.push_back(texts[i]);
    write_jsonl(folder + "/in.jsonl", longest_first);
    DedupOptions options = contained_options(1);
    options.inputs = {folder + "/in.jsonl"};
    options.output = folder + "/out";
    const auto report = dedup(options, {});
    ASSERT_TRUE(report) << report.error().message;
    ASSERT_EQ(report->common_passages, 0U);
    std::map<std::string, std::pair<std::string, std::string>> expected, found;
    for (const nlohmann::json& line : read_jsonl(options.output + "/duplicates.jsonl"))
      expected[line["id"]] = {line["kind"], line["duplicate_of"]};
    auto seen = *Deduplicator::create(contained_options(1));
    StoredArrivals stored(contained_options(1));
    const std::vector<TextVerdict> in_store = stored.add_all(longest_first);
    for (size_t i = 0; i < longest_first.size(); ++i) {
      const Arrival arrival = *seen.add(name_of(i), longest_first[i]);
      EXPECT_EQ(told(in_store[i]), told(arrival));
      if (arrival.kind == Kind::kNew) continue;
      const char* kind = arrival.kind == Kind::kExact ? "exact" : arrival.kind == Kind::kNear ? "near" : "contained";
      found[name_of(i)] = {kind, arrival.duplicate_of};
      num_contained += arrival.kind == Kind::kContained;
    }
    EXPECT_EQ(found, expected) << "seed " << seed;
  }
  std::filesystem::remove_all(folder);
  EXPECT_GT(num_contained, 30U);
}

store::StoreOptions of_small_parts() {
  store::StoreOptions options;
  options.log_bytes = 1 << 16;
  options.map_keys = 64;  // fewer than a document has
  return options;
}

TEST(ContainedArrivals, AStoreSaysWhatADeduplicatorSays) {
  size_t num_contained = 0;
  for (uint64_t seed = 51; seed <= 56; ++seed) {
    const std::vector<std::string> texts = quoting_texts(seed, 400);
    auto seen = *Deduplicator::create(contained_options());
    StoredArrivals stored(contained_options(), of_small_parts());
    const std::vector<TextVerdict> verdicts = stored.add_all(texts);
    ASSERT_EQ(verdicts.size(), texts.size());
    std::vector<std::string> expected;
    for (size_t i = 0; i < texts.size(); ++i) {
      expected.push_back(told(*seen.add(name_of(i), texts[i])));
      ASSERT_EQ(told(verdicts[i]), expected.back()) << seed << " " << i;
      num_contained += verdicts[i].kind == store::Kind::kContained;
    }
    stored.open_again();
    const std::vector<TextVerdict> again = stored.add(texts, 0, texts.size());
    for (size_t i = 0; i < texts.size(); ++i) {
      EXPECT_TRUE(again[i].is_repeated);
      ASSERT_EQ(told(again[i]), expected[i]) << "a retry is told the same";
    }
  }
  EXPECT_GT(num_contained, 150U);
}

// An article, and a quote of it.
struct Quoted {
  explicit Quoted(uint64_t seed) {
    std::mt19937_64 random(seed);
    const Words quote = story(random, 100);
    Words article = story(random, 200);
    append(article, quote);
    texts = {join_words(article), join_words(quote), join_words(part(quote, 10, 60))};
  }
  std::vector<std::string> texts;  // the article, the quote, a part of the quote
};

TextVerdict insert(TextStore& store, const ArrivingText& arriving) {
  const auto verdicts = store.check_and_insert({&arriving, 1});
  EXPECT_TRUE(verdicts) << verdicts.error().message;
  return verdicts ? verdicts->front() : TextVerdict();
}

TEST(ContainedArrivals, AStoreKnowsItsShareAndMakesItselfAgain) {
  const std::vector<std::string> texts = quoting_texts(57, 200);
  StoredArrivals stored(contained_options());
  std::vector<std::string> expected;
  for (const TextVerdict& verdict : stored.add(texts, 0, texts.size())) expected.push_back(told(verdict));
  EXPECT_EQ(stored.store().store().settings().has_passages, true);
  ASSERT_TRUE(stored.store().store().compact());
  stored.close();
  const auto checked = store::check_store(stored.folder(), {});
  ASSERT_TRUE(checked) << checked.error().message;
  EXPECT_EQ(checked->faults, std::vector<std::string>());
  const auto repaired = store::repair_store(stored.folder(), {});
  ASSERT_TRUE(repaired) << repaired.error().message;
  EXPECT_EQ(repaired->lost_documents, 0U);
  EXPECT_TRUE(store::check_store(stored.folder(), {})->faults.empty());
  stored.open_again();
  EXPECT_EQ(stored.store().settings().matching.contained, 0.8);
  std::vector<std::string> again;
  for (const TextVerdict& verdict : stored.add(texts, 0, texts.size())) again.push_back(told(verdict));
  EXPECT_EQ(again, expected);
}

TEST(ContainedArrivals, AQueryFindsWhoContainsATextAndACheckSaysSo) {
  const Quoted quoted(72);
  StoredArrivals stored(contained_options());
  EXPECT_EQ(stored.add(quoted.texts, 0, 1)[0].kind, store::Kind::kNew);
  const ArrivingText quote{.id = "q", .text = quoted.texts[1]};
  const auto checked = stored.store().check({&quote, 1});
  ASSERT_TRUE(checked) << checked.error().message;
  EXPECT_EQ(told(checked->front()), "contained d0 1 0");
  const auto found = stored.store().query(quote, 9);
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->found.size(), 1U);
  EXPECT_EQ(found->found[0].id, "d0");
  EXPECT_TRUE(found->found[0].is_container);
  EXPECT_FALSE(found->found[0].is_exact);
  EXPECT_EQ(found->found[0].likeness.similarity, 1.F);
  const auto itself = stored.store().query({.id = "a", .text = quoted.texts[0]}, 9);
  ASSERT_TRUE(itself) << itself.error().message;
  ASSERT_EQ(itself->found.size(), 1U);
  EXPECT_TRUE(itself->found[0].is_exact);
  EXPECT_FALSE(itself->found[0].is_container);
}

TEST(ContainedArrivals, WhoseContainerIsErasedIsLookedAtAgain) {
  const Quoted quoted(73);
  StoredArrivals stored(contained_options());
  TextStore& store = stored.store();
  insert(store, {.id = "article", .text = quoted.texts[0]});
  EXPECT_EQ(insert(store, {.id = "quote", .text = quoted.texts[1]}).duplicate_of, "article");
  EXPECT_EQ(insert(store, {.id = "copy", .text = quoted.texts[1]}).kind, store::Kind::kContained);
  EXPECT_EQ(store.store().statistics()->duplicates, 2U);
  const std::string_view ids[] = {"article"};
  ASSERT_EQ(*store.store().erase(ids), 1U);
  EXPECT_EQ(insert(store, {.id = "quote", .text = quoted.texts[1]}).kind, store::Kind::kNew);
  EXPECT_EQ(told(insert(store, {.id = "copy", .text = quoted.texts[1]})), "exact quote 1 0");
  EXPECT_EQ(insert(store, {.id = "part", .text = quoted.texts[2]}).duplicate_of, "quote");
  // Of a version that it takes the place of nobody is a part.
  EXPECT_EQ(insert(store, {.id = "quote", .text = quoted.texts[2]}).kind, store::Kind::kNew);
}

TEST(ContainedArrivals, ACrawlThatIsCancelledContainsNothing) {
  const Quoted quoted(74);
  StoredArrivals stored(contained_options());
  TextStore& store = stored.store();
  ASSERT_TRUE(*store.store().begin_tag("crawl"));
  insert(store, {.id = "article", .text = quoted.texts[0], .tag = "crawl"});
  EXPECT_EQ(insert(store, {.id = "seen", .text = quoted.texts[2], .tag = "crawl"}).duplicate_of, "article");
  EXPECT_EQ(insert(store, {.id = "beside", .text = quoted.texts[1]}).kind, store::Kind::kNew) << "it sees no crawl";
  stored.open_again();
  ASSERT_TRUE(*stored.store().store().cancel_tag("crawl"));
  EXPECT_EQ(stored.store().store().statistics()->duplicates, 0U);
  EXPECT_EQ(insert(stored.store(), {.id = "part", .text = quoted.texts[2]}).duplicate_of, "beside");
  ASSERT_TRUE(*stored.store().store().begin_tag("again"));
  insert(stored.store(), {.id = "article", .text = quoted.texts[0], .tag = "again"});
  ASSERT_TRUE(*stored.store().store().commit_tag("again"));
  const std::string piece = quoted.texts[0].substr(0, quoted.texts[0].size() / 3);
  EXPECT_EQ(insert(stored.store(), {.id = "piece", .text = piece}).duplicate_of, "article");
}

TEST(ContainedArrivals, OtherCategoriesContainNothing) {
  const Quoted quoted(76);
  StoredArrivals stored(contained_options());
  insert(stored.store(), {.id = "article", .text = quoted.texts[0], .within = "de"});
  EXPECT_EQ(insert(stored.store(), {.id = "quote", .text = quoted.texts[1]}).kind, store::Kind::kNew);
  EXPECT_EQ(insert(stored.store(), {.id = "german", .text = quoted.texts[1], .within = "de"}).duplicate_of, "article");
}

// So that a footer of millions costs no more than that of some.
TEST(ContainedArrivals, APassageIsRecordedOfSoManyDocumentsAlone) {
  std::mt19937_64 random(77);
  const Words footer = story(random, 40);
  std::vector<std::string> texts;
  for (int i = 0; i < 100; ++i) {
    Words page = story(random, 30);
    append(page, footer);
    texts.push_back(join_words(page));
  }
  StoredArrivals stored(contained_options());
  stored.add_all(texts);
  std::map<uint64_t, size_t> recorded;
  ASSERT_TRUE(stored.store().store().for_each(0, 1000, [&](const store::Record& record) {
    for (const uint64_t passage : record.passages) ++recorded[passage];
  }));
  const size_t most = std::ranges::max_element(recorded, {}, &std::pair<const uint64_t, size_t>::second)->second;
  EXPECT_EQ(most, store::kMostRecorded);
  ASSERT_TRUE(stored.store().put(std::vector<ArrivingText>{{.id = "p", .text = texts[0] + " more"}}));
  ASSERT_TRUE(stored.store().store().find("p", [&](const store::Record& record) {
    EXPECT_LT(record.passages.size(), 8U) << "those of the page alone";
    EXPECT_GT(record.passages.size(), 0U);
  }));
}

TEST(ContainedArrivals, TheLongOneThatComesLaterRemovesNothing) {
  std::mt19937_64 random(71);
  const Words quote = story(random, 100);
  Words article = story(random, 200);
  append(article, quote);
  auto seen = *Deduplicator::create(contained_options());
  EXPECT_EQ(seen.add("quote", join_words(quote))->kind, Kind::kNew);
  EXPECT_EQ(seen.add("article", join_words(article))->kind, Kind::kNew);
  EXPECT_EQ(seen.add("quote", join_words(quote))->kind, Kind::kNew) << "the same again is told the same";
  const Arrival part_of_it = *seen.add("part", join_words(part(quote, 10, 60)));
  EXPECT_EQ(part_of_it.kind, Kind::kContained);
  EXPECT_EQ(part_of_it.duplicate_of, "article") << "the longest that holds it";
  const Arrival copy = *seen.add("copy of part", join_words(part(quote, 10, 60)));
  EXPECT_EQ(copy.kind, Kind::kContained) << "as contained as the first of them";
  EXPECT_EQ(copy.duplicate_of, "article");
  EXPECT_EQ(seen.figures().new_texts, 2U);
  EXPECT_EQ(seen.figures().different_texts, 3U);
}

// Which is a near-duplicate of it by the rule.
TEST(ContainedArrivals, ALongTextDoesNotGoForItsHalf) {
  std::mt19937_64 random(15);
  const Words words = story(random, 400);
  const std::string whole = join_words(words), half = join_words(part(words, 0, 240));
  const auto second_of = [](const DedupOptions& options, const std::vector<std::string>& texts) {
    auto seen = *Deduplicator::create(options);
    EXPECT_EQ(seen.add("d0", texts[0])->kind, Kind::kNew);
    const std::string verdict = told(*seen.add("d1", texts[1]));
    EXPECT_EQ(told(StoredArrivals(options).add(texts, 0, 2).at(1)), verdict) << "in one batch";
    StoredArrivals stored(options);
    stored.add(texts, 0, 1);
    EXPECT_EQ(told(stored.add(texts, 1, 2).at(0)), verdict) << "one after the other";
    return verdict.substr(0, verdict.find(' ', verdict.find(' ') + 1));
  };
  const DedupOptions options = contained_options(0.5);
  DedupOptions plain = options;
  plain.contained.reset();
  EXPECT_EQ(second_of(plain, {half, whole}), "near d0") << "else this test proves nothing";
  EXPECT_EQ(second_of(options, {half, whole}), "new ");
  EXPECT_EQ(second_of(options, {whole, half}), "contained d0");
}

TEST(ContainedArrivals, RefusesWhatDedupRefuses) {
  DedupOptions letters = contained_options();
  letters.recipe.tokenizer = "chars";
  EXPECT_EQ(Deduplicator::create(letters).error().code, Code::kInvalidArgument);
  DedupOptions little = contained_options();
  little.contained = 0.4;
  EXPECT_EQ(Deduplicator::create(little).error().code, Code::kInvalidArgument);
  const std::string folder = own_path("refused");
  for (const DedupOptions& options : {letters, little})
    EXPECT_EQ(TextStore::create(folder, {.matching = options}).error().code, Code::kInvalidArgument);
  const auto tokenless =
      TextStore::create(folder, {.matching = contained_options(), .records = RecordsKept::kSignature});
  ASSERT_FALSE(tokenless);
  EXPECT_NE(tokenless.error().message.find("--records signature keeps none"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder));
}

}  // namespace
}  // namespace neardup::engine
