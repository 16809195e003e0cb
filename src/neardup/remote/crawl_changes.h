// What all clients share of a store, changed: tags that are begun and ended, and what is left to do of those that ended
// (crawls.h); whether a copy is made into it.
#pragma once

#include <cstdint>
#include <string_view>

#include "neardup/remote/backend.h"

namespace neardup::remote {

/// Store::begin_tag(), commit_tag() and cancel_tag().
// Errors, also: kIo where a connection was lost and nobody knows any more which call ended the tag.
[[nodiscard]] Result<bool> begin_crawl(Backend& backend, std::string_view tag);
[[nodiscard]] Result<bool> end_crawl(Backend& backend, std::string_view tag, bool keeps);
/// Store::erase_tag().
[[nodiscard]] Result<uint64_t> erase_crawl(Backend& backend, std::string_view tag);

/// Erases what crawls left that ended, and forgets these, oldest first; several may do so at once. Returns how many it
/// erased of documents of `generation`. Errors: those of the backend: the rest is left to whoever comes next.
[[nodiscard]] Result<uint64_t> finish_ended_crawls(Backend& backend, uint64_t generation = 0);

/// Store::set_copied_into().
[[nodiscard]] Status set_copied_into(Backend& backend, bool is_so);
/// Errors: kInvalidArgument with the cure where a copy into the store is under way, or was not made to its end, also
/// where the store was made for one (copy_mark.h) that had not begun; those of the backend. `shown`: the store.
[[nodiscard]] Status check_whole(Backend& backend, std::string_view shown);

}  // namespace neardup::remote
