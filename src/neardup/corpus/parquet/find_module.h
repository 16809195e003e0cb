// Finding and opening the module that reads Parquet.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/corpus/parquet/module.h"

namespace neardup::corpus::parquet {

/// Returns the module of this build, opened at the first call: libneardup_parquet.so beside the program or library that
/// this code is part of, or in ../lib/neardup of that. Errors: kNotFound where it is not there, with the command that
/// adds it; kMismatch where it is of another build, or the process holds another version of Arrow; kUnsupported where
/// the system does not open it. Threads: any.
[[nodiscard]] Result<const Module*> find_module();

/// Returns the module in the file `path`. Errors: as find_module().
[[nodiscard]] Result<const Module*> open_module(const std::string& path);

/// Returns the folders in which it is looked for.
[[nodiscard]] std::vector<std::string> module_folders();

/// Returns the first name of a library "libarrow.so.NUMBER" in `bytes`, such as a module's; empty where there is none.
[[nodiscard]] std::string find_arrow_name(std::string_view bytes);

}  // namespace neardup::corpus::parquet
