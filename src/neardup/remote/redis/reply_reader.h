// The part of hiredis that reads replies, writing into Replies.
#pragma once

#include <hiredis/read.h>

namespace neardup::remote::redis {

/// For a redisReader whose privdata is a Replies.
extern redisReplyObjectFunctions reply_functions;

}  // namespace neardup::remote::redis
