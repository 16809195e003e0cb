// The script by which a server makes changes: each wholly or not at all.
#pragma once

#include <string>
#include <string_view>

namespace neardup::remote::redis {

/// What one step of a change does; the first five fail the change where the list is not as it was seen, and undo what
/// it did. docs/formats/redis.md tells how steps are packed.
enum class StepKind : unsigned char {
  kCheck = 0,         // a string has that length
  kAppend = 1,        // append to a string, which then has that length
  kAppendTrim = 2,    // the same, and give back the room that APPEND takes beyond it
  kCheckSet = 3,      // a set has so many members
  kAddToSet = 4,      // add a member, where it had so many before
  kAppendAlways = 5,  // append, whatever is there
  kSet = 6,
  kRemove = 7,
  kAppendLast = 8,  // append when all records of the call are written
  kAddAlways = 9,   // add a member to a set
};

/// A server without memory refuses it before it begins.
[[nodiscard]] std::string_view commit_script();
/// The same for changes that add nothing, which a server without memory lets through: it is to get some back by them.
[[nodiscard]] std::string_view erase_script();

}  // namespace neardup::remote::redis
