// Tags of a server that are begun and ended, and what is left to do of those that ended (crawls.h).
#pragma once

#include <cstdint>
#include <string_view>

#include "neardup/remote/backend.h"

namespace neardup::remote {

/// Store::begin_tag(), commit_tag() and cancel_tag().
[[nodiscard]] Result<bool> begin_crawl(Backend& backend, std::string_view tag);
[[nodiscard]] Result<bool> end_crawl(Backend& backend, std::string_view tag, bool keeps);
/// Store::erase_tag().
[[nodiscard]] Result<uint64_t> erase_crawl(Backend& backend, std::string_view tag);

/// Erases what crawls left that ended, and forgets these, oldest first; several may do so at once. Returns how many it
/// erased of documents of `generation`. Errors: those of the backend: the rest is left to whoever comes next.
[[nodiscard]] Result<uint64_t> finish_ended_crawls(Backend& backend, uint64_t generation = 0);

}  // namespace neardup::remote
