// Merging IDF dictionary files, however large.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "neardup/base/context.h"
#include "neardup/base/result.h"

namespace neardup::feature {

struct IdfMergeOptions {
  uint32_t min_documents = 1;  // tokens of fewer documents of the whole are left out
  Context context = {};
};

/// Adds the documents of the dictionaries `inputs` up in the new dictionary `output`: the file that one builder of all
/// their documents would save. The order of inputs does not matter. Memory: the inputs are mapped, nothing else grows
/// with them. Cost: three passes over the inputs, a comparison tree of log2(inputs) each.
/// Requires: at least one input. Errors: kNotFound, kIo, kCorruption; kMismatch where their tokens are not the same;
/// kUnsupported where several are given and one has left tokens out, or the one input has left out more than asked for;
/// kDiskFull; kCancelled.
[[nodiscard]] Status merge_idf_files(std::span<const std::string> inputs, const std::string& output,
                                     const IdfMergeOptions& options = {});

/// What a dictionary file says of itself.
struct IdfFigures {
  uint64_t num_documents = 0, num_tokens = 0, num_entries = 0;  // as the functions of Idf of these names
};

/// Reads the head of the file alone, so that its size does not matter. Errors: kNotFound, kIo, kCorruption (magic,
/// version, size).
[[nodiscard]] Result<IdfFigures> idf_file_figures(const std::string& path);

}  // namespace neardup::feature
