// The service without sockets: what is admitted, gathered, refused.
#include "neardup/server/service.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "tests/comes_true.h"
#include "tests/cpu_seconds.h"
#include "tests/unit/server/service_fixture.h"

namespace neardup::server {
namespace {

TEST_F(ServiceTest, WhatComesAtOnceGoesIntoOneCallOfTheStore) {
  start_held();
  std::vector<std::unique_ptr<Asked>> all;
  bring_each(all, 0, 1, "same");
  backend_->wait_until_held(1);
  bring_each(all, 1, 50, "same");
  backend_->set_open(true);
  int num_new = 0;
  for (auto& asked : all) num_new += answer(*asked).body.find("\"new\"") != std::string::npos ? 1 : 0;
  EXPECT_EQ(num_new, 1);
  EXPECT_EQ(backend_->calls, (std::vector<size_t>{1, 49}));
}

TEST_F(ServiceTest, ALongRequestGoesAlone) {
  start_held();
  std::vector<std::unique_ptr<Asked>> all;
  bring_each(all, 0, 10, "short");
  bring_each(all, 10, 13, std::string(100000, 'x'));
  backend_->set_open(true);
  for (auto& asked : all) EXPECT_EQ(answer(*asked).status, 200);
  EXPECT_GE(std::count(backend_->calls.begin(), backend_->calls.end(), 1U), 3);
}

TEST_F(ServiceTest, WhoIsWrongIsAloneInIt) {
  start_held();
  backend_->refused_id = "7";
  std::vector<std::unique_ptr<Asked>> all;
  for (int i = 0; i < 20; ++i) all.push_back(bring("POST", kInsert, document(i, std::to_string(i))));
  all.push_back(bring("POST", kInsert, "{\"id\":\"x\"}"));
  backend_->set_open(true);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(answer(*all[static_cast<size_t>(i)]).status, i == 7 ? 400 : 200) << i;
  EXPECT_EQ(answer(*all.back()).status, 400);
}

TEST_F(ServiceTest, ALineThatTheStoreRefusesIsNoFaultOfTheOthers) {
  start();
  backend_->refused_id = "2";
  const std::string lines = document(1, "a") + "\n" + document(2, "b") + "\n" + document(3, "c") + "\n";
  const Response response = ask("POST", kInsert, lines, kLines);
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(std::count(response.body.begin(), response.body.end(), '\n'), 3);
  EXPECT_NE(response.body.find("\"error\""), std::string::npos);
  EXPECT_NE(response.body.find("{\"id\":\"3\",\"verdict\":\"new\""), std::string::npos);
}

TEST_F(ServiceTest, WhoDoesNotSayLinesIsToldByTheStatusWhereTheStoreTakesNone) {
  start();
  backend_->refused_id = "2";
  const std::string refused = document(2, "a") + "\n", taken = document(1, "b") + "\n";
  for (const std::string& lines : {refused, refused + refused, "\n" + refused + refused}) {
    EXPECT_EQ(ask("POST", kInsert, lines, {}).status, 400) << lines;
    EXPECT_EQ(ask("POST", kInsert, lines, kLines).status, 200) << lines;
  }
  EXPECT_EQ(ask("POST", kInsert, refused + taken, {}).status, 200);
  const Response first = ask("POST", kInsert, "{bad\n" + refused + refused, {});
  EXPECT_EQ(first.status, 400);
  EXPECT_NE(first.body.find("JSON"), std::string::npos) << first.body;
}

// Each of them is a part of its own, behind one that was answered.
TEST_F(ServiceTest, APartOfAStreamThatIsRefusedDoesNotEndIt) {
  start();
  backend_->refused_id = "2";
  std::string lines;
  for (int i = 0; i < 4096; ++i) lines += document(1, "b") + "\n";
  const Response response = ask("POST", kInsert, lines + document(2, "a") + "\n", {}, 100'000);
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(std::count(response.body.begin(), response.body.end(), '\n'), 4097);
  EXPECT_EQ(response.body.find("\"truncated\""), std::string::npos);
}

TEST_F(ServiceTest, StreamsAnswerTheSameHoweverTheyAreCut) {
  std::string lines;
  for (int i = 0; i < 3000; ++i)
    lines += i % 7 == 3 ? "{bad}\n" : document(i, std::string(700, 'x') + std::to_string(i % 50)) + "\n";
  lines.pop_back();  // the last line needs no end
  std::string expected;
  for (const size_t piece : {size_t{1} << 30, size_t{32768}, size_t{1000}, size_t{17}}) {
    start();
    const Response response = ask("POST", kInsert, lines, kLines, piece);
    EXPECT_EQ(std::count(response.body.begin(), response.body.end(), '\n'), 3000);
    if (expected.empty()) expected = response.body;
    EXPECT_EQ(response.body, expected) << piece;
    service_.reset();
  }
}

TEST_F(ServiceTest, ALongLineIsReadOnce) {
  start();
  const std::string line = document(1, std::string(size_t{8} << 20, 'x'));
  const double begun = cpu_seconds();
  EXPECT_EQ(ask("POST", kInsert, document(0, "a") + "\n" + line, kLines, 100).status, 200);
  // Looking through all that is held for each of 80,000 pieces takes half a minute and more.
  EXPECT_LT(cpu_seconds() - begun, 10);
}

TEST_F(ServiceTest, AFailureOfTheStoreHasItsStatus) {
  start();
  backend_->failure = Error{Code::kDiskFull, "no space"};
  EXPECT_EQ(ask("POST", kInsert, document(1, "a")).status, 507);
  EXPECT_EQ(ask("POST", kInsert, document(1, "a") + "\n", kLines).status, 507);
  EXPECT_NE(logged_.find("\"status\":507"), std::string::npos);
}

TEST_F(ServiceTest, MoreThanMayWaitIsRefused) {
  ServerOptions options;
  options.limits.waiting = 2;
  start_held(options);
  std::vector<std::unique_ptr<Asked>> all;
  bring_each(all, 0, 1, "a");
  backend_->wait_until_held(1);
  bring_each(all, 1, 10, "a");
  for (size_t i = 3; i < all.size(); ++i) EXPECT_EQ(answer(*all[i]).status, 429) << i;
  backend_->set_open(true);
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(answer(*all[i]).status, 200) << i;
  EXPECT_EQ(state_->metrics.totals().refused, 7U);
}

TEST_F(ServiceTest, MoreBytesThanMayBeHeldAreRefused) {
  ServerOptions options;
  options.limits.waiting_bytes = 5000;
  start(options);
  EXPECT_EQ(ask("POST", kInsert, document(1, std::string(6000, 'x'))).status, 429);
  EXPECT_EQ(state_->budget.held(), 0U);
  EXPECT_EQ(ask("POST", kInsert, document(1, std::string(600, 'x'))).status, 200);
}

TEST_F(ServiceTest, AnAnswerCountsAmongWhatIsHeldAndIsGivenWhereItTellsOfAChange) {
  ServerOptions options;
  options.limits.waiting_bytes = 4000;
  start(options);
  std::string batch = "{\"documents\":[";
  for (int i = 0; i < 40; ++i) batch += (i > 0 ? "," : "") + document(i, "a");
  batch += "]}";
  ASSERT_LT(batch.size(), 2000U);
  EXPECT_EQ(ask("POST", "/v1/check", batch).status, 429);
  auto asked = bring("POST", kInsert, batch);
  EXPECT_EQ(answer(*asked).status, 200);
  EXPECT_EQ(state_->budget.held(), batch.size() + asked->exchange->response.body.size());
  asked.reset();
  EXPECT_EQ(state_->budget.held(), 0U);
}

TEST_F(ServiceTest, AnAnnouncedLengthTakesNoBytes) {
  ServerOptions options;
  options.limits.waiting_bytes = 5000;
  start(options);
  const Headers announced = {{"Content-Type", "application/json"}, {"Content-Length", "4000"}};
  TestWaiter waiter;
  const auto exchange = service_->open("/v1/check", waiter);
  const Head head{"POST", [&](const char* name) {
                    const auto found = announced.find(name);
                    return found == announced.end() ? std::string_view() : std::string_view(found->second);
                  }};
  EXPECT_EQ(service_->begin(*exchange, head), Step::kRead);
  EXPECT_EQ(state_->budget.held(), 0U);
  const Headers more = {{"Content-Type", "application/json"}, {"Content-Length", "5001"}};
  EXPECT_EQ(ask("POST", "/v1/check", document(1, "a"), more).status, 429);
}

TEST_F(ServiceTest, AStreamThatIsRefusedLaterKeepsTheAnswersOfWhatWasDone) {
  ServerOptions options;
  options.limits.waiting_bytes = uint64_t{2} << 20;
  start(options);
  std::string lines;
  for (int i = 0; i < 1600; ++i) lines += document(i, std::string(700, 'x')) + "\n";
  lines += document(1600, std::string(size_t{3} << 20, 'x'));
  const Response response = ask("POST", kInsert, lines, kLines);
  EXPECT_EQ(response.status, 200);
  EXPECT_TRUE(response.body.starts_with("{\"id\":\"0\",\"verdict\":\"new\""));
  EXPECT_TRUE(response.body.ends_with(",\"truncated\":true}\n"));
  EXPECT_NE(response.body.find("\"busy\""), std::string::npos);
}

TEST_F(ServiceTest, AQueryLeavesOutTheDocumentItself) {
  start();
  for (const char* id : {"b", "a", "c", "d"}) backend_->neighbours.found.push_back({.id = id, .likeness = {}});
  const Response response = ask("POST", "/v1/query?limit=2", "{\"id\":\"a\",\"text\":\"x\"}");
  EXPECT_EQ(response.body.find("{\"id\":\"a\",\"sim"), std::string::npos);
  EXPECT_NE(response.body.find("{\"id\":\"c\",\"sim"), std::string::npos) << response.body;
  EXPECT_EQ(response.body.find("{\"id\":\"d\",\"sim"), std::string::npos);
}

TEST_F(ServiceTest, ABatchIsTruncatedWhereAResultIs) {
  start();
  const auto ends_with = [this](const char* path, const std::string& documents, const std::string& end) {
    const std::string body = ask("POST", path, "{\"documents\":[" + documents + "]}").body;
    EXPECT_TRUE(body.ends_with(end)) << body;
  };
  backend_->truncated_id = "2";
  ends_with(kInsert, document(1, "a"), "}],\"truncated\":false}\n");
  ends_with(kInsert, document(2, "b") + "," + document(3, "c"), "}],\"truncated\":true}\n");
  backend_->neighbours.found = {{.id = "a", .likeness = {}}, {.id = "b", .likeness = {}}};
  ends_with("/v1/query?limit=2", "{\"text\":\"a\"},{\"text\":\"b\"}", "}],\"truncated\":false}\n");
  ends_with("/v1/query?limit=1", "{\"text\":\"a\"}", "}],\"truncated\":true}\n");
}

TEST_F(ServiceTest, TagsAreTextOfLimitedLength) {
  start();
  const std::string long_tag(1025, 't');
  for (const std::string& tag : {long_tag, std::string("%FF"), std::string("a%00b")}) {
    EXPECT_EQ(ask("POST", kInsert + ("?tag=" + tag), document(1, "a")).status, 400) << tag;
    EXPECT_EQ(ask("POST", "/v1/tags/" + tag + "/begin").status, 400) << tag;
    EXPECT_EQ(ask("DELETE", "/v1/tags/" + tag).status, 400) << tag;
  }
  EXPECT_EQ(ask("POST", "/v1/tags/%C3%A9/begin").status, 200);
}

TEST_F(ServiceTest, WhoAsksAgainWhileATagEndsIsToldTheSame) {
  start();
  for (const std::string end : {"/commit", "/cancel"}) {
    const std::string tag = "/v1/tags/t";
    ASSERT_EQ(ask("POST", tag + "/begin").status, 200);
    backend_->set_open(false);
    std::vector<std::unique_ptr<Asked>> all;
    for (int i = 0; i < 3; ++i) all.push_back(bring("POST", tag + end, {}));
    backend_->wait_until_held(1);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // another asks of the tag that ends
    backend_->set_open(true);
    int num_changed = 0;
    for (auto& asked : all) {
      EXPECT_EQ(answer(*asked).status, 200) << answer(*asked).body;
      num_changed += answer(*asked).body.find("\"changed\":true") != std::string::npos ? 1 : 0;
    }
    EXPECT_EQ(num_changed, 1);
  }
}

TEST_F(ServiceTest, DocumentsThatCameWithACancelledTagMakeItACommittedOne) {
  start();
  ASSERT_EQ(ask("POST", "/v1/tags/w/begin").status, 200);
  ASSERT_EQ(ask("POST", "/v1/tags/w/cancel").status, 200);
  EXPECT_EQ(ask("POST", "/v1/tags/w/cancel").status, 200);
  EXPECT_EQ(ask("POST", "/v1/tags/w/commit").status, 409);
  backend_->tag_counts = {{.tag = "w", .documents = 1, .is_open = false}};
  const Response committed = ask("POST", "/v1/tags/w/commit");
  EXPECT_EQ(committed.status, 200) << committed.body;
  EXPECT_NE(committed.body.find("\"changed\":false"), std::string::npos) << committed.body;
  const Response cancelled = ask("POST", "/v1/tags/w/cancel");
  EXPECT_EQ(cancelled.status, 409);
  EXPECT_NE(cancelled.body.find("DELETE /v1/tags/w erases"), std::string::npos) << cancelled.body;
}

TEST_F(ServiceTest, BeforeItIsReadyOnlyWhatNeedsNoStoreIsAnswered) {
  start();
  state_->phase = Phase::kStarting;
  EXPECT_EQ(ask("GET", "/healthz").status, 200);
  EXPECT_EQ(ask("GET", "/metrics").status, 200);
  EXPECT_EQ(ask("GET", "/readyz").status, 503);
  EXPECT_EQ(ask("POST", "/v1/check", document(1, "a")).status, 503);
  state_->phase = Phase::kStopping;
  auto asked = bring("POST", "/v1/check", document(1, "a"));
  EXPECT_EQ(answer(*asked).status, 503);
  EXPECT_TRUE(asked->exchange->closes);
}

TEST_F(ServiceTest, AServerBehindTheStoreThatIsGoneIsTold) {
  start();
  state_->store_watch = std::make_unique<StoreWatch>(*backend_, log_);
  EXPECT_EQ(ask("GET", "/healthz").status, 200);
  backend_->set_reached(fail(Code::kIo, "no connection to there"));
  for (const char* path : {"/healthz", "/readyz"}) {
    const Response gone = ask_until(path, 503);
    EXPECT_EQ(gone.status, 503);
    EXPECT_NE(gone.body.find("no connection to there"), std::string::npos) << gone.body;
  }
  EXPECT_EQ(ask("GET", "/livez").status, 200) << "the process is well";
  EXPECT_EQ(ask("GET", "/v1/stats").status, 503);
  const Response metrics = ask("GET", "/metrics");
  EXPECT_EQ(metrics.status, 200);
  EXPECT_NE(metrics.body.find("neardup_store_reached{kind=\"folder\"} 0"), std::string::npos) << metrics.body;
  backend_->set_reached({});
  EXPECT_EQ(ask_until("/healthz", 200).status, 200) << "it recovers by itself";
  EXPECT_NE(ask("GET", "/metrics").body.find("neardup_store_reached{kind=\"folder\"} 1"), std::string::npos);
  state_->store_watch.reset();
  const size_t gone = logged_.find("store_gone"), back = logged_.find("store_back");
  EXPECT_NE(gone, std::string::npos) << logged_;
  EXPECT_LT(gone, back) << logged_;
}

// One who stops ends the question that is under way; one who has no memory for the answer does not know it.
TEST_F(ServiceTest, AQuestionThatHasNoAnswerSaysNothingOfTheServer) {
  for (const Error& error : {Error{Code::kCancelled, "stopped on request"}, Error{Code::kMemory, "no memory"}}) {
    start();
    backend_->set_reached(fail(error.code, error.message));
    state_->store_watch = std::make_unique<StoreWatch>(*backend_, log_);
    comes_true([&] { return backend_->times_asked >= 2; }, std::chrono::seconds(30));
    EXPECT_GE(backend_->times_asked, 2) << "so the first one was heard";
    EXPECT_EQ(state_->store_watch->why_gone(), std::nullopt);
    state_->store_watch.reset();
    EXPECT_EQ(logged_.find("store_gone"), std::string::npos) << logged_;
    service_.reset();
  }
}

TEST_F(ServiceTest, AServerBehindTheStoreThatIsSilentIsToldBeforeItsCallsEnd) {
  start();
  state_->store_watch = std::make_unique<StoreWatch>(*backend_, log_);
  backend_->set_answers_reach(false);
  const Response gone = ask_until("/readyz", 503);
  EXPECT_EQ(gone.status, 503);
  EXPECT_NE(gone.body.find("has not answered"), std::string::npos) << gone.body;
  backend_->set_answers_reach(true);
  EXPECT_EQ(ask_until("/readyz", 200).status, 200);
  state_->store_watch.reset();
}

// One wait is enough for all that came together.
TEST_F(ServiceTest, WhatCameTogetherIsNotTriedOneByOneWhereTheServerFails) {
  start_held();
  std::vector<std::unique_ptr<Asked>> all;
  bring_each(all, 0, 6, "a");
  backend_->failure = Error{Code::kIo, "no connection to there"};
  backend_->set_open(true);
  for (const auto& asked : all) EXPECT_NE(answer(*asked).status, 200);
  EXPECT_LE(backend_->calls.size(), 2U) << "the first may have come alone";
}

TEST_F(ServiceTest, WhatAServerBehindTheStoreDidNotTakeMayBeSentAgain) {
  start();
  backend_->failure = Error{Code::kIo, "no connection to there"};
  EXPECT_EQ(ask("POST", kInsert, document(1, "a")).status, 500) << "a folder that fails is a fault";
  state_->store_watch = std::make_unique<StoreWatch>(*backend_, log_);
  const Response response = ask("POST", kInsert, document(1, "a"));
  EXPECT_EQ(response.status, 503);
  ASSERT_FALSE(response.headers.empty());
  EXPECT_EQ(response.headers.back().first, "Retry-After");
  backend_->failure = Error{Code::kCorruption, "damaged"};
  EXPECT_EQ(ask("POST", kInsert, document(1, "a")).status, 500);
}

TEST_F(ServiceTest, WhatTheServerOfAStoreSaysIsShown) {
  start();
  backend_->told.facts = {{"conflicts", "17"}, {"persistence", "appendonly, fsync every second"}};
  const Response stats = ask("GET", "/v1/stats");
  EXPECT_NE(stats.body.find(R"("facts":{"conflicts":"17","persistence":"appendonly, fsync every second"})"),
            std::string::npos)
      << stats.body;
  const Response metrics = ask("GET", "/metrics");
  EXPECT_NE(metrics.body.find("neardup_store_fact{name=\"conflicts\"} 17"), std::string::npos) << metrics.body;
  EXPECT_EQ(metrics.body.find("persistence"), std::string::npos) << "no number";
}

TEST_F(ServiceTest, ABodyThatIsRefusedEarlyIsDroppedUpToABound) {
  start();
  const Headers wrong = {{"Content-Type", "image/png"}, {"Content-Length", "5000"}};
  EXPECT_EQ(ask("POST", "/v1/check", std::string(5000, 'x'), wrong).status, 415);
  const Headers large = {{"Content-Type", "application/json"}, {"Content-Length", "99999999999"}};
  auto asked = bring("POST", "/v1/check", "x", large);
  EXPECT_EQ(answer(*asked).status, 413);
  EXPECT_TRUE(asked->exchange->closes);
}

TEST_F(ServiceTest, EveryRouteAnswers) {
  start();
  for (const Route& route : routes()) {
    std::string path = shown_path(route);
    if (const size_t place = path.find('{'); place != std::string::npos)
      path.replace(place, path.find('}') - place + 1, "x");
    const Response response = ask(std::string(method_name(route.method)), path, "{}");
    EXPECT_NE(response.status, 405) << path;
    EXPECT_EQ(response.body.find("no such path"), std::string::npos) << path;
    EXPECT_NE(openapi_document().find("\"" + std::string(route.name) + "\""), std::string::npos);
  }
}

}  // namespace
}  // namespace neardup::server
