// What `neardup index` does to a store of texts as a whole: check, compact, copy, drop. Each prints what came of it.
#pragma once

#include "neardup/cli/index_arguments.h"
#include "neardup/cli/io.h"

namespace neardup::cli {

[[nodiscard]] Status check_store(const IndexArguments& arguments, Io& io);
[[nodiscard]] Status compact_store(const IndexArguments& arguments, Io& io);
/// To another folder or server, and makes sure that the copy is one.
[[nodiscard]] Status copy_store(const IndexArguments& arguments, Io& io);
/// Removes one that a server keeps; a folder is the owner's to remove.
[[nodiscard]] Status drop_store(const IndexArguments& arguments, Io& io);

}  // namespace neardup::cli
