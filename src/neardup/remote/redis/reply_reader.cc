#include "neardup/remote/redis/reply_reader.h"

#include "neardup/remote/redis/reply.h"

namespace neardup::remote::redis {
namespace {

// hiredis calls these for each value; what they return it only passes on. It is C: nothing may throw through it, and
// where one returns null it ends with REDIS_ERR_OOM.
void* const kValue = &const_cast<char&>("value"[0]);
template <class Add>
void* added(const redisReadTask* task, const Add& add) noexcept {
  auto& replies = *static_cast<Replies*>(task->privdata);
  try {
    if (task->parent == nullptr) replies.begin_reply();
    add(replies);
    return kValue;
  } catch (...) {
    return nullptr;
  }
}
void* on_text(const redisReadTask* task, char* text, size_t size) {
  const ReplyType type = task->type == REDIS_REPLY_ERROR    ? ReplyType::kError
                         : task->type == REDIS_REPLY_STATUS ? ReplyType::kStatus
                                                            : ReplyType::kText;
  return added(task, [&](Replies& replies) { replies.add_text(type, {text, size}); });
}
void* on_node(const redisReadTask* task, Replies::Node node) {
  return added(task, [&](Replies& replies) { replies.add(node); });
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
