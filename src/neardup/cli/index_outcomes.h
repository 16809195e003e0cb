// What `neardup index` says of its actions, the same for indexes and stores.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "neardup/cli/index_arguments.h"
#include "neardup/cli/io.h"
#include "neardup/engine/index/actions.h"

namespace neardup::cli {

/// Returns "1 document", "2,000 documents".
[[nodiscard]] std::string documents_text(uint64_t count);

/// Returns "11.4 MB".
[[nodiscard]] std::string bytes_text(uint64_t bytes);
/// Returns them as a JSON array.
[[nodiscard]] std::string json_list(const std::vector<std::string>& texts);

/// Returns the ids that are typed, and those of --ids. Errors: kInvalidArgument where there are none; of reading.
[[nodiscard]] Result<std::vector<std::string>> ids_to_delete(const IndexArguments& arguments);
/// `noun`: what it was deleted from, "index" or "store".
void tell_deleted(const engine::IndexDeletion& deletion, std::string_view noun, const IndexArguments& arguments,
                  Io& io);

/// What came of reading every byte. Errors: `size`'s.
[[nodiscard]] Status tell_checked(const Result<engine::IndexSize>& size, const IndexArguments& arguments, Io& io);
void tell_compacted(const engine::IndexCompaction& done, const IndexArguments& arguments, Io& io);

}  // namespace neardup::cli
