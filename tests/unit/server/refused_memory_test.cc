// Memory that is refused anywhere in the service: each request has its answer, or one of status 503, and the next its
// own.
#include "tests/refused_memory.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "neardup/base/tried.h"
#include "tests/unit/server/service_fixture.h"

namespace neardup::server::refused_memory_test {
namespace {

struct Asking {
  std::string method, uri, body;
  Headers headers = {{"Content-Type", "application/json"}};
};

const std::vector<Asking>& askings() {
  static const std::vector<Asking> all = {
      {"POST", kInsert, document(1, "a")},
      {"POST", kInsert, R"({"documents":[{"id":"1","text":"a"},{"id":"2","text":"a"},{"text":"no id"}]})"},
      {"POST", kInsert, document(1, "a") + "\n{bad\n" + document(2, "a") + "\n", kLines},
      {"POST", kInsert, "{bad", {}},
      {"POST", "/v1/query?limit=2", document(1, "a")},
      {"POST", "/v1/query", document(1, "a") + "\n" + document(2, "a") + "\n", kLines},
      {"POST", "/v1/tags/a-tag-with-a-long-name/commit", {}},
      {"POST", "/v1/delete", R"({"ids":["a-long-name-of-a-document",2]})"},
      {"GET", "/v1/clusters?limit=7", {}},
      {"GET", "/v1/documents/a%2Flong%2Fname%2Fthat%2Fis%2Fnot%2Fthere", {}},
      {"GET", "/there/is/nothing/at/this/path", {}},
      {"GET", "/readyz", {}},
  };
  return all;
}

class RefusedMemoryServiceTest : public ServiceTest {
 protected:
  /// As the transport does it: what throws before a request waits is answered with 503. Nothing where memory was
  /// refused to no piece.
  std::optional<Response> ask_without_piece(int64_t n, const Asking& one) {
    std::unique_ptr<Asked> asked;
    bool is_answered = false;
    std::optional<RefusedMemory> refused(n);
    is_answered = tried([&] {
      asked = bring(one.method, one.uri, one.body, one.headers);
      static_cast<void>(answer(*asked));
    });
    const bool was_refused = refused->was_refused();
    refused.reset();
    if (!was_refused) return {};
    return is_answered ? asked->exchange->response : Response{.status = 503};
  }
};

void expect_whole_or_refused(const Response& found, const Response& whole, const std::string& where) {
  if (found.status == 503) return;
  ASSERT_EQ(found.status, whole.status) << where;
  if (found.body == whole.body) return;
  // Lines: some answers, and that the others are missing.
  ASSERT_TRUE(found.body.ends_with(",\"truncated\":true}\n")) << where << found.body;
  const size_t last = found.body.rfind('\n', found.body.size() - 2);
  ASSERT_TRUE(whole.body.starts_with(found.body.substr(0, last + 1))) << where << found.body;
}

TEST_F(RefusedMemoryServiceTest, EachRequestIsAnsweredAndSoIsTheNext) {
  ServerOptions options;
  options.work_threads = 1;
  const int64_t step = torture_seed() ? 1 : 5;
  for (const Asking& one : askings()) {
    start(options);
    ASSERT_EQ(ask("POST", "/v1/tags/a-tag-with-a-long-name/begin").status, 200);
    const Response whole = ask(one.method, one.uri, one.body, one.headers);
    const int64_t pieces = refuse_each(step, [&](int64_t n) {
      service_.reset();
      start(options);
      EXPECT_EQ(ask("POST", "/v1/tags/a-tag-with-a-long-name/begin").status, 200);
      const auto found = ask_without_piece(n, one);
      const std::string where = one.uri + " without piece " + std::to_string(n) + ": ";
      if (found) expect_whole_or_refused(*found, whole, where);
      EXPECT_EQ(ask("POST", kInsert, document(9, "next")).status, 200) << where;
      EXPECT_EQ(state_->budget.held(), 0U) << where;
      return found.has_value() && !HasFailure();
    });
    EXPECT_GT(pieces, step) << one.uri;
    service_.reset();
  }
}

TEST_F(RefusedMemoryServiceTest, WhoFindsTheQueueFullIsNotLeftWaiting) {
  ServerOptions options;
  options.limits.waiting = 1;
  start_held(options);
  std::vector<std::unique_ptr<Asked>> held;
  bring_each(held, 0, 1, "a");
  backend_->wait_until_held(1);
  bring_each(held, 1, 2, "a");
  const int64_t pieces = refuse_each(1, [&](int64_t n) {
    const auto found = ask_without_piece(n, {"POST", kInsert, document(3, "a")});
    EXPECT_TRUE(!found || found->status == 429 || found->status == 503) << n;
    return found.has_value() && !HasFailure();
  });
  EXPECT_GT(pieces, 5);
  backend_->set_open(true);
  for (auto& asked : held) EXPECT_EQ(answer(*asked).status, 200);
}

// A tag that was ended is known as ended, whatever became of the answer.
TEST_F(RefusedMemoryServiceTest, AnEndThatIsAskedForAgainIsTold) {
  start();
  const int64_t pieces = refuse_each(1, [&](int64_t n) {
    const std::string tag = "/v1/tags/a-tag-with-the-long-number-" + std::to_string(n);
    EXPECT_EQ(ask("POST", tag + "/begin").status, 200);
    const auto found = ask_without_piece(n, {"POST", tag + "/commit", {}});
    EXPECT_EQ(ask("POST", tag + "/commit").status, 200) << n;
    return found.has_value() && !HasFailure();
  });
  EXPECT_GT(pieces, 5);
}

}  // namespace
}  // namespace neardup::server::refused_memory_test
