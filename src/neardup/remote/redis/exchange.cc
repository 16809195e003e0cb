#include "neardup/remote/redis/exchange.h"

#include <fmt/format.h>

namespace neardup::remote::redis {
namespace {

std::string text_of(const Shape& shape) {
  switch (shape.kind) {
    case Shape::Kind::kAny:
      return "any reply";
    case Shape::Kind::kText:
      return "a text";
    case Shape::Kind::kInteger:
      return "a number";
    case Shape::Kind::kTexts:
      return shape.count == Shape::kAnyCount ? "a list of texts" : fmt::format("a list of {} texts", shape.count);
    case Shape::Kind::kPairs:
      return "a list of pairs of texts";
    case Shape::Kind::kCursor:
      return "a text and a list of texts";
  }
  return {};
}

std::string text_of(const Replies::Node& node) {
  switch (node.type) {
    case ReplyType::kText:
    case ReplyType::kStatus:
      return fmt::format("a text of {} bytes", node.size);
    case ReplyType::kArray:
      return fmt::format("a list of {} values", node.size);
    case ReplyType::kInteger:
      return fmt::format("the number {}", node.integer);
    case ReplyType::kNil:
      return "nothing";
    case ReplyType::kError:
      return "an error";
  }
  return {};
}

}  // namespace

Status check_shapes(const RemoteUri& uri, const Request& request, const Replies& replies) {
  for (size_t i = 0; i < request.shapes().size(); ++i) {
    const Shape& shape = request.shapes()[i];
    if (replies.fits(i, shape)) continue;
    return fail(Code::kCorruption, fmt::format("{}: the server does not answer as Redis does (found {}, expected {}); "
                                               "give the address of a Redis server, and see what stands between",
                                               uri.shown(), text_of(replies[i]), text_of(shape)));
  }
  return {};
}

Result<Replies> ask(ConnectionPool& pool, const Request& request) {
  NEARDUP_ASSIGN(Replies replies, pool.ask(request));
  NEARDUP_TRY(check_shapes(pool.uri(), request, replies));
  return replies;
}

}  // namespace neardup::remote::redis
