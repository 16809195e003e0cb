// What `neardup index` does: one function for each of its actions, which prints what came of it.
#pragma once

#include "neardup/cli/index_arguments.h"
#include "neardup/cli/io.h"

namespace neardup::cli {

[[nodiscard]] Status create_index(const IndexArguments& arguments, Io& io);
[[nodiscard]] Status add_to_index(const IndexArguments& arguments, Io& io);
[[nodiscard]] Status query_index(const IndexArguments& arguments, Io& io);
[[nodiscard]] Status delete_from_index(const IndexArguments& arguments, Io& io);
[[nodiscard]] Status show_index(const IndexArguments& arguments, Io& io);
[[nodiscard]] Status check_index(const IndexArguments& arguments, Io& io);
[[nodiscard]] Status compact_index(const IndexArguments& arguments, Io& io);

}  // namespace neardup::cli
