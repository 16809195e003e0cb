#include "neardup/engine/online/text_store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "neardup/engine/read/idf_pass.h"
#include "neardup/feature/idf.h"
#include "neardup/recipe/fingerprinter.h"
#include "neardup/recipe/recipe_tokens.h"
#include "tests/own_path.h"

namespace neardup::engine {
namespace {

using store::Kind;

constexpr const char* kText =
    "The committee met on Tuesday to discuss the new rules for keeping bees in town gardens. Members heard two "
    "neighbours, a beekeeper and a doctor, and asked for a map of all hives before anything is decided. A second "
    "meeting is planned after the summer, when the map will be there and the costs of inspections are known.";

std::string edited() { return std::string(kText) + " The minutes will be sent to all who asked."; }
std::string other() {
  return "A ship that left the harbour in the night carried grain, machines and forty passengers across the strait. "
         "Nobody on board knew that the lighthouse at the northern cape had been dark since the storm of that week.";
}

class TextStoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = own_path();
    std::filesystem::remove_all(folder_);
  }
  void TearDown() override {
    store_.reset();
    std::filesystem::remove_all(folder_);
  }

  void create(const TextStoreSettings& settings = {}) {
    store_.reset();
    std::filesystem::remove_all(folder_);
    auto created = TextStore::create(folder_, settings);
    ASSERT_TRUE(created) << created.error().message;
    store_ = std::move(*created);
  }
  void reopen() {
    store_.reset();
    auto opened = TextStore::open(folder_);
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::move(*opened);
  }
  TextVerdict add(const ArrivingText& arriving) {
    const auto verdicts = store_->check_and_insert({&arriving, 1});
    EXPECT_TRUE(verdicts) << verdicts.error().message;
    return verdicts ? verdicts->front() : TextVerdict();
  }
  TextVerdict add(std::string_view id, std::string_view text) { return add({.id = id, .text = text}); }
  Error refused(const ArrivingText& arriving) {
    const auto verdicts = store_->check_and_insert({&arriving, 1});
    EXPECT_FALSE(verdicts);
    return verdicts ? Error{} : verdicts.error();
  }

  std::string folder_;
  std::unique_ptr<TextStore> store_;
};

std::string page_of(std::string_view text, size_t tags) {
  std::string page = "<html><body><article><p>" + std::string(text) + "</p></article>";
  for (size_t i = 0; i < tags; ++i) page += "<p>";
  return page;
}

// What is read becomes what it became without a limit, be there one page or several at once.
TEST_F(TextStoreTest, TreesOfPagesTakeNoMoreThanTheyMay) {
  constexpr uint64_t kPageMemory = uint64_t{16} << 20;  // of pages of 256 KiB
  const std::string read = page_of(kText, 80'000), too_long = page_of(kText, 90'000);
  ASSERT_LT(read.size(), kPageMemory / 64);
  ASSERT_GT(too_long.size(), kPageMemory / 64);
  create();
  EXPECT_EQ(add({.id = "a", .text = too_long, .is_html = true}).kind, Kind::kNew);
  EXPECT_EQ(add({.id = "b", .text = read, .is_html = true}).kind, Kind::kExact);
  store_->limit_page_memory(kPageMemory);
  const Error error = refused({.id = "c", .text = too_long, .is_html = true});
  EXPECT_EQ(error.code, Code::kInvalidArgument);
  EXPECT_NE(error.message.find("262144"), std::string::npos) << error.message;
  EXPECT_EQ(add("d", std::string(kText) + std::string(300'000, ' ')).kind, Kind::kExact);  // no page: no tree
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, id = "e" + std::to_string(i)] {
      EXPECT_EQ(add({.id = id, .text = read, .is_html = true}).kind, Kind::kExact);
    });
  for (std::thread& thread : threads) thread.join();
}

TEST_F(TextStoreTest, TellsNewExactAndNear) {
  create();
  EXPECT_EQ(add("a", kText).kind, Kind::kNew);
  const TextVerdict exact = add("b", kText);
  EXPECT_EQ(exact.kind, Kind::kExact);
  EXPECT_EQ(exact.duplicate_of, "a");
  EXPECT_EQ(exact.similarity, 1);
  const TextVerdict near = add("c", edited());
  EXPECT_EQ(near.kind, Kind::kNear);
  EXPECT_EQ(near.duplicate_of, "a");
  EXPECT_LT(near.similarity, 1);
  EXPECT_GT(near.similarity, .5);
  EXPECT_EQ(add("d", other()).kind, Kind::kNew);
}

TEST_F(TextStoreTest, ARetryGetsItsFirstVerdictAgain) {
  create();
  add("a", kText);
  const TextVerdict first = add("b", edited());
  reopen();
  const TextVerdict again = add("a", kText), near_again = add("b", edited());
  EXPECT_EQ(again.kind, Kind::kNew);
  EXPECT_TRUE(again.is_repeated);
  EXPECT_EQ(near_again.kind, first.kind);
  EXPECT_EQ(near_again.duplicate_of, first.duplicate_of);
  EXPECT_EQ(near_again.similarity, first.similarity);
  EXPECT_TRUE(near_again.is_repeated);
}

TEST_F(TextStoreTest, AnIdWithAnotherTextTakesItsPlace) {
  create();
  add("a", kText);
  EXPECT_EQ(add("a", other()).kind, Kind::kNew);
  EXPECT_EQ(add("b", kText).kind, Kind::kNew) << "nobody has that text any more";
  EXPECT_EQ(add("c", other()).duplicate_of, "a");
}

TEST_F(TextStoreTest, CategoriesDoNotMeet) {
  create();
  add({.id = "a", .text = kText, .within = "news"});
  EXPECT_EQ(add({.id = "b", .text = kText, .within = "mail"}).kind, Kind::kNew);
  EXPECT_EQ(add({.id = "c", .text = edited(), .within = "mail"}).duplicate_of, "b");
}

TEST_F(TextStoreTest, ShortTextsMeetByTheirCharacters) {
  create();
  add("a", "Breaking: the harbour bridge is closed until Monday morning");
  EXPECT_EQ(add("b", "Breaking - the harbour bridge is closed until monday mornin").duplicate_of, "a");
  EXPECT_EQ(add("c", "Weather: rain until Monday morning, then sun").kind, Kind::kNew);
}

TEST_F(TextStoreTest, PagesCountByTheirMainText) {
  create();
  add("a", kText);
  const std::string page = "<html><head><title>Bees</title></head><body><nav><a href='/'>Home</a></nav><article><p>" +
                           std::string(kText) + "</p></article></body></html>";
  const TextVerdict verdict = add({.id = "b", .text = page, .is_html = true});
  EXPECT_NE(verdict.kind, Kind::kNew);
  EXPECT_EQ(verdict.duplicate_of, "a");
}

TEST_F(TextStoreTest, APieceOfAPageIsOneWhereItIsSaidToBe) {
  create();
  add("a", "The caf\xC3\xA9 by the ferry is closed until the storm is over, said the captain of the ship last night.");
  const TextVerdict verdict =
      add({.id = "b",
           .text = "The caf&eacute; by the <b>ferry</b> is closed until the storm is over, said "
                   "the captain of the ship last night.",
           .is_html = true});
  EXPECT_EQ(verdict.kind, Kind::kExact);
}

// Many texts of one frame, none near another: whoever comes would be compared with all of them.
TEST_F(TextStoreTest, ABoundOnWhatIsComparedIsSaidWhereItCuts) {
  const auto framed = [](int number) {
    std::string text;
    for (int i = 0; i < 60; ++i) text += "frame" + std::to_string(i) + " ";
    for (int i = 0; i < 45; ++i) text += "own" + std::to_string(number) + "x" + std::to_string(i) + " ";
    return text;
  };
  constexpr int kTexts = 30;
  const std::string last_edited = framed(kTexts - 1) + " at the end";
  for (const uint64_t most : {uint64_t{0}, uint64_t{2}}) {
    store_.reset();
    std::filesystem::remove_all(folder_);
    store_ = std::move(*TextStore::create(folder_, {}, {.most_compared = most}));
    bool any_truncated = false;
    for (int i = 0; i < kTexts; ++i) {
      const TextVerdict verdict = add(std::to_string(i), framed(i));
      ASSERT_EQ(verdict.kind, Kind::kNew) << i;
      any_truncated |= verdict.is_truncated;
    }
    EXPECT_EQ(any_truncated, most != 0);
    const TextVerdict verdict = add("edited", last_edited);
    EXPECT_EQ(verdict.kind, most == 0 ? Kind::kNear : Kind::kNew);
    EXPECT_EQ(verdict.is_truncated, most != 0);
    reopen();
    const TextVerdict again = add("edited", last_edited);
    EXPECT_TRUE(again.is_repeated);
    EXPECT_EQ(again.is_truncated, most != 0) << "the first verdict";
    EXPECT_EQ(add("equal", last_edited).kind, most == 0 ? Kind::kNear : Kind::kExact) << "equal texts are always found";
  }
}

TEST_F(TextStoreTest, QueryFindsAllThatAreSimilar) {
  create();
  add("a", kText);
  ASSERT_TRUE(store_->put(std::vector<ArrivingText>{{.id = "b", .text = kText}}));
  const std::string text = edited();
  ASSERT_TRUE(store_->put(std::vector<ArrivingText>{{.id = "c", .text = text}, {.id = "d", .text = "quite short"}}));
  const auto found = store_->query({.text = kText}, 10);
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->found.size(), 3U);
  EXPECT_EQ(found->found[0].id, "a");
  EXPECT_TRUE(found->found[1].is_exact);
  EXPECT_EQ(found->found[2].id, "c");
  EXPECT_FALSE(found->found[2].is_exact);
  EXPECT_FALSE(found->truncated);
  const auto one = store_->query({.text = kText}, 1);
  EXPECT_EQ(one->found.size(), 1U);
  EXPECT_TRUE(one->truncated);
}

TEST_F(TextStoreTest, WithoutTokensTheSimilarityIsAnEstimate) {
  for (const RecordsKept records : {RecordsKept::kSignature, RecordsKept::kNone}) {
    SCOPED_TRACE(name_of(records));
    create({.records = records});
    add("a", kText);
    reopen();
    EXPECT_EQ(store_->settings().records, records);
    EXPECT_FALSE(add("b", kText).is_estimate) << "equal texts are equal";
    const TextVerdict near = add("c", edited());
    EXPECT_EQ(near.kind, Kind::kNear);
    EXPECT_TRUE(near.is_estimate);
    EXPECT_TRUE(add("c", edited()).is_estimate) << "and remains one";
    EXPECT_EQ(add("d", other()).kind, Kind::kNew);
  }
}

TEST_F(TextStoreTest, TakesSignaturesThatWereMadeElsewhere) {
  create();
  add("a", kText);
  auto fingerprinter = recipe::Fingerprinter::create(store_->recipe(), nullptr);
  recipe::TextFingerprint made;
  fingerprinter->fingerprint(edited(), made);
  const TextVerdict near = add({.id = "b", .signature = made.signature});
  EXPECT_EQ(near.duplicate_of, "a");
  EXPECT_TRUE(near.is_estimate);
  EXPECT_TRUE(add({.id = "b", .signature = made.signature}).is_repeated);
}

TEST_F(TextStoreTest, TakesFingerprintsThatWereMadeElsewhere) {
  TextStoreSettings settings;
  settings.matching.recipe = *recipe::find_recipe("grams");
  settings.matching.distance = 3;
  create(settings);
  const std::vector<fingerprint::Fingerprint> far(store_->recipe().num_fingerprints(), 0xFFFF0000FFFF0000);
  std::vector<fingerprint::Fingerprint> near = far;
  near[0] ^= 0b101;
  EXPECT_EQ(add({.id = "a", .fingerprints = far}).kind, Kind::kNew);
  const TextVerdict verdict = add({.id = "b", .fingerprints = near});
  EXPECT_EQ(verdict.duplicate_of, "a");
  EXPECT_TRUE(verdict.is_estimate);
  near[0] ^= 0xFF00;
  for (auto& fingerprint : near) fingerprint ^= 0xFF00FF00;
  EXPECT_EQ(add({.id = "c", .fingerprints = near}).kind, Kind::kNew);
}

TEST_F(TextStoreTest, SaysWhatIsWrongWithADocument) {
  create();
  EXPECT_EQ(refused({.text = kText}).message, "a document has no id; each needs one");
  const std::vector<fingerprint::SignatureValue> three = {1, 2, 3};
  EXPECT_NE(refused({.id = "x", .signature = three}).message.find("'x' has 0 fingerprints and 3 signature values"),
            std::string::npos);
  EXPECT_NE(refused({.id = "x", .text = kText, .signature = three}).message.find("give one of the two"),
            std::string::npos);
}

TEST_F(TextStoreTest, KeepsTextsWhereAsked) {
  create({.keep_texts = true});
  add("a", kText);
  reopen();
  std::string text;
  ASSERT_TRUE(store_->store().find("a", [&](const store::Record& record) { text = TextStore::text_of(record)->text; }));
  EXPECT_EQ(text, kText);
  create();
  add("a", kText);
  ASSERT_TRUE(store_->store().find("a", [&](const store::Record& record) { text = TextStore::text_of(record)->text; }));
  EXPECT_EQ(text, "");
}

TEST_F(TextStoreTest, KnowsOfWhatItKeepsWhetherItCameAsAPage) {
  create({.keep_texts = true});
  add("a", kText);
  const std::string page = "<p>" + other();
  add({.id = "b", .text = page, .is_html = true});
  reopen();
  for (const auto& [id, is_html] : {std::pair("a", false), std::pair("b", true)}) {
    StoredText text;
    ASSERT_TRUE(store_->store().find(id, [&](const store::Record& record) { text = *TextStore::text_of(record); }));
    EXPECT_EQ(text.is_html, is_html) << id;
  }
}

TEST(TextRecord, BodiesFromBeforePagesWereMarkedAreRead) {
  const std::string body = std::string("\x05\0\0\0\0", 5) + "<p>a text";
  TextRecord record;
  ASSERT_TRUE(record.read({.id = "a", .body = body}));
  EXPECT_EQ(record.text().bytes, "<p>a text");
  EXPECT_FALSE(record.text().is_page);
}

TEST_F(TextStoreTest, ItsSettingsAreThereAgain) {
  TextStoreSettings settings;
  settings.matching.verify = {.kind = verify::Rule::Kind::kOrigin, .templates = true};
  settings.matching.recipe.mask = {"dates"};
  create(settings);
  const std::string id = store_->recipe_id();
  reopen();
  EXPECT_EQ(store_->recipe_id(), id);
  EXPECT_EQ(store_->settings().matching.verify, settings.matching.verify);
  EXPECT_EQ(store_->recipe().mask, settings.matching.recipe.mask);
}

// The file may be gone: the store has its own.
TEST_F(TextStoreTest, KeepsTheIdfThatItWasMadeWith) {
  TextStoreSettings settings;
  settings.matching.recipe = *recipe::find_recipe("default");
  settings.matching.family = FamilyChoice::kSimHash;
  EXPECT_FALSE(TextStore::create(folder_, settings)) << "the default recipe learns how rare words are";
  recipe::Recipe learning = settings.matching.recipe;
  ASSERT_TRUE(recipe::take_family(learning, recipe::Family::kSimHash));
  auto fingerprinter = recipe::Fingerprinter::create(counting_recipe(learning), nullptr);
  ASSERT_TRUE(fingerprinter) << fingerprinter.error().message;
  feature::IdfBuilder builder;
  fingerprinter->count_tokens(kText, builder);
  fingerprinter->count_tokens(other(), builder);
  const std::string path = folder_ + ".idf";
  ASSERT_TRUE(builder.save(path, {.tokens = recipe::tokens_json(learning)}));
  settings.matching.idf_file = path;
  create(settings);
  std::filesystem::remove(path);
  add("a", kText);
  reopen();
  EXPECT_EQ(add("b", edited()).duplicate_of, "a");
}

TEST_F(TextStoreTest, AStoreOfFingerprintsIsNone) {
  ASSERT_TRUE(store::EmbeddedStore::create(folder_, {.num_fingerprints = 1}));
  const auto opened = TextStore::open(folder_);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, Code::kInvalidArgument);
}

}  // namespace
}  // namespace neardup::engine
