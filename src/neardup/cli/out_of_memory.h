// What the program says and does where the system gives it no more memory.
#pragma once

#include <string>
#include <string_view>

namespace neardup::cli {

/// From here on a lack of memory that no one can hand on as an Error (in a destructor, a thread of a library) ends the
/// program with a message and kExitFailed, not with "terminate called". A reserve is kept back, and given up at the
/// first lack, so that Errors can still be made and shown.
void prepare_for_lack_of_memory();

/// Says what is being done, for the message: the name of a stage or a command. Allocates nothing. Threads: any.
void note_work(std::string_view name);

/// Returns what note_work() was told last; empty where nothing.
[[nodiscard]] std::string noted_work();

}  // namespace neardup::cli
