// The page of similar files: what was found, put into the words of report/.
#pragma once

#include <string>

#include "neardup/sif/similar.h"

namespace neardup::cli {

/// Writes the page of `found` to `path`, whole or not at all; files of pairs are read again for their texts, those that
/// are gone or have changed do without. Errors: kCancelled, kMemory, kDiskFull, kIo.
[[nodiscard]] Status write_similar_html(const sif::SimilarFiles& found, const sif::SimilarOptions& options,
                                        const std::string& path);

}  // namespace neardup::cli
