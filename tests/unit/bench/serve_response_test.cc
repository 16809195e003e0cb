#include "neardup/bench/serve_response.h"

#include <gtest/gtest.h>

namespace neardup::bench {
namespace {

using State = ResponseReader::State;

constexpr std::string_view kAnswer =
    "HTTP/1.1 429 Too Many Requests\r\ncontent-length: 5\r\nConnection: Close\r\n\r\nhello";

TEST(ResponseReader, ReadsAnAnswerHoweverItComes) {
  for (size_t cut = 0; cut <= kAnswer.size(); ++cut) {
    ResponseReader reader(100);
    const State first = reader.take(kAnswer.substr(0, cut));
    if (cut < kAnswer.size()) {
      EXPECT_EQ(first, State::kMore) << cut;
      EXPECT_EQ(reader.take(kAnswer.substr(cut)), State::kDone) << cut;
    }
    EXPECT_EQ(reader.status(), 429);
    EXPECT_EQ(reader.body(), "hello");
    EXPECT_TRUE(reader.closes());
  }
}

TEST(ResponseReader, KeepsTheBeginningOfABody) {
  ResponseReader reader(2);
  EXPECT_EQ(reader.take(kAnswer), State::kDone);
  EXPECT_EQ(reader.body(), "he");
  reader.clear();
  EXPECT_EQ(reader.take("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), State::kDone);
  EXPECT_EQ(reader.status(), 200);
  EXPECT_FALSE(reader.closes());
  EXPECT_TRUE(reader.body().empty());
}

TEST(ResponseReader, RefusesWhatItCannotMeasure) {
  for (const std::string_view bytes : {
           "HTTP/1.1 200 OK\r\n\r\n",
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: 3x\r\n\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: -3\r\n\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxx",
           "HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n",
           "HTTP/1.1 100 Continue\r\nContent-Length: 0\r\n\r\n",
           "HTTP/1.1 200 OK\r\nno colon\r\nContent-Length: 0\r\n\r\n",
           "FTP\r\nContent-Length: 0\r\n\r\n",
           "\r\n\r\n",
       }) {
    EXPECT_EQ(ResponseReader(10).take(bytes), State::kBroken) << bytes;
  }
  ResponseReader endless(10);
  EXPECT_EQ(endless.take(std::string(70'000, 'x')), State::kMore) << "no more than is looked at";
  EXPECT_EQ(endless.take("x"), State::kBroken);
}

}  // namespace
}  // namespace neardup::bench
