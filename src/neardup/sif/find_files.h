// The files of trees, and what in them is not compared.
#pragma once

#include <string>
#include <vector>

#include "neardup/sif/file.h"
#include "neardup/sif/options.h"

namespace neardup::sif {

struct FoundFiles {
  std::vector<FoundFile> files;
  std::vector<SkippedFile> skipped;  // links, pipes and devices in folders, folders that cannot be listed
};

/// Finds all regular files of options.inputs, then of options.references (files and folders, to any depth): in the
/// order of the arguments, in a folder by the bytes of the path below it. A link that is an argument is followed, one
/// in a folder is not: what it leads to is there itself or is not part of the tree. A file that comes twice counts
/// once, and as an input if it is one. Errors: kNotFound, kIo of an argument, also of a file that cannot be opened;
/// kInvalidArgument where one of options.outputs is among them; kCancelled.
[[nodiscard]] Result<FoundFiles> find_files(const SimilarOptions& options);

}  // namespace neardup::sif
