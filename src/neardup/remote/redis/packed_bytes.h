// Bytes compressed by zstd where that makes them fewer. docs/formats/redis.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "neardup/base/bytes.h"
#include "neardup/base/result.h"

namespace neardup::remote::redis {

/// Threads: any.
void append_packed(std::string& out, std::string_view raw);
/// Returns the bytes of which append_packed() made what `reader` is at, in its bytes or in `room`. Errors: kCorruption,
/// also where they would be more than `most_bytes`. Threads: any.
[[nodiscard]] Result<std::string_view> take_packed(ByteReader& reader, uint64_t most_bytes, std::string& room);

/// Of records of a server that make no sense. `what`: about them.
[[nodiscard]] tl::unexpected<Error> damaged_record(std::string_view what);

}  // namespace neardup::remote::redis
