// What `neardup index` does to a store of texts: one function for each of its actions, which prints what came of it.
#pragma once

#include "neardup/cli/index_arguments.h"
#include "neardup/cli/io.h"

namespace neardup::cli {

[[nodiscard]] Status create_store(const IndexArguments& arguments, Io& io);
[[nodiscard]] Status add_to_store(const IndexArguments& arguments, Io& io);
[[nodiscard]] Status query_store(const IndexArguments& arguments, Io& io);
[[nodiscard]] Status delete_from_store(const IndexArguments& arguments, Io& io);
[[nodiscard]] Status show_store(const IndexArguments& arguments, Io& io);
[[nodiscard]] Status export_store(const IndexArguments& arguments, Io& io);

}  // namespace neardup::cli
