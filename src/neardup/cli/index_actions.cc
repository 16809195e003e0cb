#include "neardup/cli/index_actions.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "neardup/base/file.h"
#include "neardup/base/sizes.h"
#include "neardup/base/threads.h"
#include "neardup/engine/fingerprints/stream.h"
#include "neardup/fingerprint/text_line.h"
#include "neardup/recipe/recipe_words.h"

namespace neardup::cli {

namespace {

// With few entries in memory a large addition would be merged many times.
constexpr uint32_t kMemCapacity = 1 << 20;
constexpr size_t kNamedIds = 5;

std::string documents_text(uint64_t count) { return human_count(count) + (count == 1 ? " document" : " documents"); }

struct Added {
  uint64_t documents = 0;
  uint64_t replaced = 0;
};

tl::unexpected<Error> of_file(const std::string& path, const Error& error) {
  return fail(error.code, error.code == Code::kMismatch ? fmt::format("{}: {}", path, error.message) : error.message);
}

Status add_file(Index& index, const std::string& path, const Context& context, Added& added) {
  const auto take = [&](std::span<const fingerprint::Record> records) -> Status {
    NEARDUP_TRY(join_file(index, path, {}, records));
    for (const fingerprint::Record& record : records) {
      NEARDUP_ASSIGN(const bool replaced, index.put(record.id, record.fingerprints));
      ++added.documents;
      added.replaced += replaced ? 1 : 0;
    }
    return {};
  };
  return engine::read_fingerprints(
      path, context, {[&](const fingerprint::FileHeader& header) { return join_file(index, path, header, {}); }, take});
}

Status add_files(Index& index, const std::vector<std::string>& files, Io& io) {
  Added added;
  for (const std::string& path : files) NEARDUP_TRY(add_file(index, path, {nullptr, io.cancel}, added));
  NEARDUP_TRY(index.settle());
  io.say(fmt::format("{} added, {} of them in the place of others; the index holds {}\n",
                     documents_text(added.documents), human_count(added.replaced),
                     human_count(index.figures().documents)));
  return {};
}

Status need_files(const IndexArguments& arguments) {
  if (!arguments.rest.empty()) return {};
  return fail(Code::kInvalidArgument, "FILE is missing: fingerprints, as neardup fingerprint writes them");
}

// One id a line, written as in the first column of the files that were added.
Status append_ids_of_file(const std::string& path, std::vector<std::string>& ids) {
  NEARDUP_ASSIGN(const std::string bytes, read_file(path));
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    if (!line.empty()) ids.push_back(fingerprint::unescaped_id(line.substr(0, line.find('\t'))));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

uint64_t bytes_of_files(const IndexArguments& arguments) {
  uint64_t sum = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(arguments.folder, error)) sum += entry.file_size(error);
  return sum;
}

}  // namespace

store::DirectoryOptions directory_options(const IndexArguments& arguments, const Io& io) {
  store::DirectoryOptions options;
  options.num_threads = resolve_num_threads(arguments.num_threads);
  options.memory_bytes = arguments.memory_bytes;
  options.mem_capacity = kMemCapacity;
  options.context.cancel = io.cancel;
  return options;
}

Status join_file(Index& index, const std::string& path, const fingerprint::FileHeader& header,
                 std::span<const fingerprint::Record> records) {
  const std::string& of_index = index.settings().recipe_id;
  if (!header.recipe_id.empty() && !of_index.empty() && header.recipe_id != of_index)
    return recipe::recipes_differ({fmt::format("'{}'", path), header.recipe_id}, {"the index", of_index});
  if (const Status status = index.join_recipe(header.recipe_id, header.recipe_json, header.num_columns); !status)
    return of_file(path, status.error());
  for (const fingerprint::Record& record : records) {
    const auto columns = static_cast<uint32_t>(record.fingerprints.size());
    if (columns == 0 || columns == index.settings().num_columns) continue;
    if (const Status status = index.join_recipe("", "", columns); !status) return of_file(path, status.error());
  }
  return {};
}

Status create_index(const IndexArguments& arguments, Io& io) {
  store::IndexSettings settings;
  if (arguments.max_distance >= 0) settings.max_distance = arguments.max_distance;
  settings.codec = arguments.codec;
  settings.plan = arguments.plan;
  for (const std::string& path : arguments.rest)
    if (path != "-") NEARDUP_TRY(file_info(path));
  NEARDUP_ASSIGN(Index index, Index::create(arguments.folder, settings, directory_options(arguments, io)));
  return arguments.rest.empty() ? index.flush() : add_files(index, arguments.rest, io);
}

Status add_to_index(const IndexArguments& arguments, Io& io) {
  NEARDUP_TRY(need_files(arguments));
  NEARDUP_ASSIGN(Index index, Index::open_to_write(arguments.folder, directory_options(arguments, io)));
  return add_files(index, arguments.rest, io);
}

Status delete_from_index(const IndexArguments& arguments, Io& io) {
  std::vector<std::string> ids = arguments.rest;
  if (!arguments.ids_file.empty()) NEARDUP_TRY(append_ids_of_file(arguments.ids_file, ids));
  if (ids.empty()) return fail(Code::kInvalidArgument, "ID is missing: which documents? Name them, or --ids FILE");
  NEARDUP_ASSIGN(Index index, Index::open_to_write(arguments.folder, directory_options(arguments, io)));
  uint64_t deleted = 0;
  std::vector<std::string> missing;
  for (const std::string& id : ids) {
    NEARDUP_TRY((Context{nullptr, io.cancel}.check_cancel()));
    NEARDUP_ASSIGN(const bool was_there, index.erase(id));
    deleted += was_there ? 1 : 0;
    if (!was_there) missing.push_back(id);
  }
  NEARDUP_TRY(index.settle());
  for (size_t i = 0; i < std::min(missing.size(), kNamedIds); ++i)
    io.say(fmt::format("warning: no document \"{}\"\n", missing[i]));
  io.say(fmt::format("{} deleted, {} not there; the index holds {}\n", documents_text(deleted),
                     human_count(missing.size()), human_count(index.figures().documents)));
  return {};
}

Status check_index(const IndexArguments& arguments, Io& io) {
  NEARDUP_ASSIGN(const Index index, Index::open_to_read(arguments.folder, directory_options(arguments, io)));
  NEARDUP_TRY(index.check());
  io.say(fmt::format("{} is in order: {}, {} in {} files\n", arguments.folder,
                     documents_text(index.figures().documents),
                     human_bytes(static_cast<double>(bytes_of_files(arguments))),
                     index.manifest().segments.size() + index.manifest().ids.size() + 1));
  return {};
}

Status compact_index(const IndexArguments& arguments, Io& io) {
  NEARDUP_ASSIGN(Index index, Index::open_to_write(arguments.folder, directory_options(arguments, io)));
  const uint64_t before = bytes_of_files(arguments);
  NEARDUP_TRY(index.compact());
  io.say(fmt::format("{}, {} before, {} now\n", documents_text(index.figures().documents),
                     human_bytes(static_cast<double>(before)),
                     human_bytes(static_cast<double>(bytes_of_files(arguments)))));
  return {};
}

}  // namespace neardup::cli
