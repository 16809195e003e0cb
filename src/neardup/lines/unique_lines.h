// Duplicate lines removed.
#pragma once

#include "neardup/lines/options.h"

namespace neardup::lines {

/// Gives each different line of options.inputs to `write` once, as `options` say, byte for byte as it first came. The
/// last line of an input gets an end where it has none, if another line follows it, a count stands before it or lines
/// are sorted. The output is the same for any number of threads and any memory.
///
/// Memory: options.memory_bytes, but for lines that are longer than that: twice the longest line must fit. What does
/// not fit is compared on disk, in the place for temporary files: about as many bytes as the inputs have; inputs are
/// then read twice, streams are copied there. Cost: one pass while it fits.
///
/// Errors: kInvalidArgument (options), kNotFound, kIo, kDiskFull, kCancelled, those of `write`; kUnsupported for a
/// folder; kCorruption where an input is damaged; kMismatch where it was changed meanwhile; kMemory. What was given to
/// `write` before an error is the begin of the output.
[[nodiscard]] Result<LinesTotals> unique_lines(const LinesOptions& options, const WriteBytes& write);

}  // namespace neardup::lines
