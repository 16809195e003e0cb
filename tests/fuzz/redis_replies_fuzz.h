// What a Redis server answers: its bytes as hiredis reads them, in pieces, and what is taken out of the replies.
#pragma once

#include <hiredis/read.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "neardup/remote/redis/reply.h"
#include "neardup/remote/redis/reply_reader.h"

inline int fuzz_redis_replies(const uint8_t* data, size_t size) {
  using namespace neardup::remote::redis;
  if (size < 1) return 0;
  const std::unique_ptr<redisReader, void (*)(redisReader*)> reader(redisReaderCreateWithFunctions(&reply_functions),
                                                                    redisReaderFree);
  Replies replies;
  reader->privdata = &replies;
  const size_t piece = 1 + data[0];
  const char* bytes = reinterpret_cast<const char*>(data);
  size_t num_whole = 0;
  for (size_t at = 1; at < size; at += piece) {
    if (redisReaderFeed(reader.get(), bytes + at, std::min(piece, size - at)) != REDIS_OK) break;
    void* value = nullptr;
    while (redisReaderGetReply(reader.get(), &value) == REDIS_OK && value != nullptr) ++num_whole;
    if (reader->err != 0) break;
  }
  if (num_whole > replies.size()) __builtin_trap();
  size_t num_bytes = 0;
  const auto use = [&](const Replies::Node& node) {
    for (const char c : replies.text(node)) num_bytes += c == '1' ? 2 : 1;
  };
  for (size_t reply = 0; reply <= replies.size(); ++reply) {
    use(replies[reply]);
    for (const Shape& shape : {Shape::text(), Shape::integer(), Shape::texts(), Shape::texts(data[0] % 8),
                               Shape::pairs(), Shape::cursor()}) {
      const bool fits = replies.fits(reply, shape);
      if (fits && reply == replies.size()) __builtin_trap();
      if (fits && shape.kind == Shape::Kind::kTexts && shape.count != Shape::kAnyCount &&
          replies[reply].size != shape.count)
        __builtin_trap();
    }
    // As if they had what their first node says, and more.
    for (size_t i = 0; i < std::min<size_t>(replies[reply].size, 1000) + 2; ++i) use(replies.element(reply, i));
  }
  return num_bytes > 2 * size + 64 * replies.size() * size ? 1 : 0;
}
