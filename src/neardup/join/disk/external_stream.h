// A join of a small file, held in memory, with one of any size that is read once: it goes on where it was stopped.
#pragma once

#include <cstdint>

#include "neardup/join/disk/external.h"

namespace neardup::join {

/// Delivers every pair a of `left`, b of `right` within max_distance once, ascending by (a, b). The smaller of the two
/// is held in memory. About every `step_ms`, and at the end of the larger one, how far that has been read and the
/// pairs so far are made durable in options.folder; killed at any moment and called again with the same folder, it
/// goes on there and delivers the same pairs. What it leaves stays until the folder is removed.
/// Memory: 8 bytes for each of the smaller, and cross_join() (stream.h) within the rest. Disk: 24 bytes for each pair,
/// twice. Errors: as external_cross_join().
[[nodiscard]] Status external_stream_join(Source& left, Source& right, const ExternalOptions& options,
                                          const SortedSink& sink, int64_t step_ms = 1000);

}  // namespace neardup::join
