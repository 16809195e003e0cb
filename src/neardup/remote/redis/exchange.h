// An exchange whose replies are what the commands give.
#pragma once

#include "neardup/base/result.h"
#include "neardup/remote/redis/connection.h"

namespace neardup::remote::redis {

/// As ConnectionPool::ask(). Errors: those, and kCorruption where a reply is not what request.shapes() says.
[[nodiscard]] Result<Replies> ask(ConnectionPool& pool, const Request& request);
[[nodiscard]] Status check_shapes(const RemoteUri& uri, const Request& request, const Replies& replies);

}  // namespace neardup::remote::redis
