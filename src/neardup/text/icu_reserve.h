// Memory that ICU gets where the system has none.
#pragma once

namespace neardup::text {

/// From now on ICU takes its memory as before, but where the system refuses some, from a reserve of this program: parts
/// of ICU 72, such as its detector of encodings, free what was never made where they are told of a refusal half-way.
/// What they need is little and soon given back; where the reserve has no more ICU is told, as before. Memory that it
/// took earlier may be given back later.
///
/// For a program alone, at its start, before other threads use ICU: the functions are those of the whole process. The
/// library never calls it, as ICU may be in use by who links it, with functions of its own.
void keep_icu_reserve();

}  // namespace neardup::text
