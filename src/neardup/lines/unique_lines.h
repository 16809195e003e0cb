// Duplicate lines removed.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/disk/file_id.h"
#include "neardup/lines/options.h"

namespace neardup::lines {

/// What a face was asked for: nothing without a share. Errors: kInvalidArgument where similar lines are to be verified,
/// and are not asked for.
[[nodiscard]] Result<std::optional<SimilarOptions>> similar_options(std::optional<double> share, bool origin);

/// Gives each different line of options.inputs to `write` once, as `options` say, byte for byte as it first came. The
/// last line of an input gets an end where it has none, if another line follows it, a count stands before it or lines
/// are sorted. The output is the same for any number of threads and any memory.
///
/// A byte order mark of UTF-8 before an input is no part of its first line; one of the first input begins the output.
///
/// Memory: options.memory_bytes, however long lines are. What does not fit is compared on disk, in the place for
/// temporary files: about as many bytes as the inputs have; inputs are then read twice, streams are copied there. Cost:
/// one pass while it fits. With options.similar all lines that are left by bytes are held in memory; kMemory where they
/// do not fit.
///
/// Errors: kInvalidArgument (options), kNotFound, kIo, kDiskFull, kCancelled, those of `write`; kUnsupported for a
/// folder, and for UTF-16 and UTF-32 with a byte order mark; kCorruption where an input is damaged; kMismatch where it
/// was changed meanwhile; kMemory, also for a line that is too long for options.key.pattern. What was given to `write`
/// before an error is the begin of the output.
[[nodiscard]] Result<LinesTotals> unique_lines(const LinesOptions& options, const WriteBytes& write);

/// Refuses an output, called `name` in the message, that is one of the inputs. Errors: kInvalidArgument.
[[nodiscard]] Status check_is_no_input(const LinesOptions& options, const std::optional<FileId>& output,
                                       const std::string& name);

/// Files that are there whole or not at all.
struct LineOutputs {
  std::string lines = {};       // empty: none
  std::string duplicates = {};  // what options.similar->removed is told; empty: none
  bool overwrite = false;       // replace what is there
};

/// unique_lines() into files; the lines go to `write` where no file is named. Errors also: kInvalidArgument where a
/// file is one of the inputs, or is there already and not to be replaced, or both are one, or duplicates are asked for
/// without options.similar; kNotFound where a folder is not there.
[[nodiscard]] Result<LinesTotals> unique_lines_to(const LineOutputs& outputs, const LinesOptions& options,
                                                  const WriteBytes& write = {});

/// Returns which of `lines` are left, any bytes without an end of their own; those that `minus` has, too, are not.
/// Options that are about files and their ends count for nothing; counts are always there. Order: by options.order.
/// options.similar->removed is not called. Memory: the keys of all different lines, and what they are compared by where
/// similar ones go; kMemory where either is more than options.memory_bytes. Errors: kInvalidArgument, kCancelled.
[[nodiscard]] Result<KeptLines> unique_lines_of(std::span<const std::string_view> lines,
                                                std::span<const std::string_view> minus, const LinesOptions& options);

}  // namespace neardup::lines
