#include "neardup/remote/redis/reply_reader.h"

#include "neardup/remote/redis/reply.h"

namespace neardup::remote::redis {
namespace {

// hiredis calls these for each value; what they return it only passes on.
void* const kValue = &const_cast<char&>("value"[0]);
void begin_if_root(const redisReadTask* task) {
  if (task->parent == nullptr) static_cast<Replies*>(task->privdata)->begin_reply();
}
void* on_text(const redisReadTask* task, char* text, size_t size) {
  begin_if_root(task);
  const ReplyType type = task->type == REDIS_REPLY_ERROR    ? ReplyType::kError
                         : task->type == REDIS_REPLY_STATUS ? ReplyType::kStatus
                                                            : ReplyType::kText;
  static_cast<Replies*>(task->privdata)->add_text(type, {text, size});
  return kValue;
}
void* on_node(const redisReadTask* task, Replies::Node node) {
  begin_if_root(task);
  static_cast<Replies*>(task->privdata)->add(node);
  return kValue;
}
void* on_array(const redisReadTask* task, int size) {
  return on_node(task, {ReplyType::kArray, 0, static_cast<size_t>(size), 0});
}
void* on_integer(const redisReadTask* task, long long value) {
  return on_node(task, {ReplyType::kInteger, 0, 0, value});
}
void* on_nil(const redisReadTask* task) { return on_node(task, {}); }

}  // namespace

redisReplyObjectFunctions reply_functions = {on_text, on_array, on_integer, on_nil, [](void*) {}};

}  // namespace neardup::remote::redis
