#include "neardup/engine/index/actions.h"

#include <fmt/format.h>

#include <algorithm>

#include "neardup/base/disk/file.h"
#include "neardup/base/disk/folders.h"
#include "neardup/base/threads.h"
#include "neardup/engine/fingerprints/stream.h"
#include "neardup/fingerprint/text_line.h"
#include "neardup/recipe/recipe_words.h"

namespace neardup::engine {
namespace {

// With few entries in memory a large addition would be merged many times.
constexpr uint32_t kMemCapacity = 1 << 20;

tl::unexpected<Error> of_file(const std::string& path, const Error& error) {
  return fail(error.code, error.code == Code::kMismatch ? fmt::format("{}: {}", path, error.message) : error.message);
}

Status add_file(FingerprintIndex& index, const std::string& path, const store::DirectoryOptions& options,
                IndexAddition& added) {
  const Context& context = options.context;
  const auto take = [&](std::span<const fingerprint::Record> records) -> Status {
    NEARDUP_TRY(join_file(index, path, {}, records));
    for (const fingerprint::Record& record : records) {
      NEARDUP_ASSIGN(const bool replaced, index.put(record.id, record.fingerprints));
      ++added.documents;
      added.replaced += replaced ? 1 : 0;
    }
    if (context.progress != nullptr) context.progress->advance(0, added.documents);
    return {};
  };
  const auto begin = [&](const fingerprint::FileHeader& header) { return join_file(index, path, header, {}); };
  return read_fingerprints(path, context, {begin, take}, options.memory_bytes);
}

Result<IndexAddition> add_files(FingerprintIndex& index, const std::vector<std::string>& files,
                                const store::DirectoryOptions& options) {
  const Context& context = options.context;
  IndexAddition added;
  if (context.progress != nullptr) context.progress->begin_stage("add", "documents", 0, 0);
  for (const std::string& path : files) NEARDUP_TRY(add_file(index, path, options, added));
  if (context.progress != nullptr) context.progress->end_stage();
  NEARDUP_TRY(index.settle());
  added.held = index.figures().documents;
  return added;
}

}  // namespace

store::DirectoryOptions index_options(int num_threads, uint64_t memory_bytes, const Context& context) {
  store::DirectoryOptions options;
  options.num_threads = resolve_num_threads(num_threads);
  options.memory_bytes = memory_bytes;
  options.mem_capacity = kMemCapacity;
  options.context = context;
  return options;
}

// Indexes made from text files know their recipe by its id alone.
Result<recipe::Recipe> recipe_of(const store::IndexSettings& settings) {
  if (!settings.recipe_json.empty()) return recipe::recipe_from_json(settings.recipe_json);
  for (const std::string& name : recipe::recipe_names()) {
    NEARDUP_ASSIGN(recipe::Recipe named, recipe::find_recipe(name));
    if (recipe::take_family(named, recipe::Family::kSimHash) && recipe::recipe_id(named) == settings.recipe_id)
      return named;
  }
  return fail(
      Code::kMismatch,
      fmt::format("the index was made under the recipe {}, and does not say which one that is; add fingerprints "
                  "to it with neardup index, or make it anew",
                  settings.recipe_id));
}

Status join_file(FingerprintIndex& index, const std::string& path, const fingerprint::FileHeader& header,
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

Result<IndexAddition> create_index(const std::string& folder, const store::IndexSettings& settings,
                                   const std::vector<std::string>& files, const store::DirectoryOptions& options) {
  for (const std::string& path : files)
    if (path != "-") NEARDUP_TRY(file_info(path));
  NEARDUP_ASSIGN(FingerprintIndex index, FingerprintIndex::create(folder, settings, options));
  if (!files.empty()) return add_files(index, files, options);
  NEARDUP_TRY(index.flush());
  return IndexAddition{};
}

Result<IndexAddition> add_to_index(const std::string& folder, const std::vector<std::string>& files,
                                   const store::DirectoryOptions& options) {
  NEARDUP_ASSIGN(FingerprintIndex index, FingerprintIndex::open_to_write(folder, options));
  return add_files(index, files, options);
}

Result<IndexDeletion> delete_from_index(const std::string& folder, const std::vector<std::string>& ids,
                                        const store::DirectoryOptions& options) {
  NEARDUP_ASSIGN(FingerprintIndex index, FingerprintIndex::open_to_write(folder, options));
  IndexDeletion deletion;
  for (const std::string& id : ids) {
    NEARDUP_TRY(options.context.check_cancel());
    NEARDUP_ASSIGN(const bool was_there, index.erase(id));
    deletion.deleted += was_there ? 1 : 0;
    if (!was_there) deletion.missing.push_back(id);
  }
  NEARDUP_TRY(index.settle());
  deletion.held = index.figures().documents;
  return deletion;
}

Result<std::vector<std::string>> read_ids(const std::string& path) {
  NEARDUP_ASSIGN(const std::string bytes, read_file(path));
  std::vector<std::string> ids;
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    if (!line.empty()) ids.push_back(fingerprint::unescaped_id(line.substr(0, line.find('\t'))));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return ids;
}

IndexSize size_of_files(const std::string& folder, uint64_t documents) {
  IndexSize size{.documents = documents};
  std::vector<std::string> names;
  static_cast<void>(read_names(folder, names));
  for (const std::string& name : names) {
    const auto info = file_info(folder + "/" + name);
    if (info && !info->is_directory) size.bytes += info->size_bytes;
    ++size.num_files;
  }
  return size;
}

Result<IndexSize> check_index(const std::string& folder, const store::DirectoryOptions& options) {
  NEARDUP_ASSIGN(const FingerprintIndex index, FingerprintIndex::open_to_read(folder, options));
  NEARDUP_TRY(index.check());
  return IndexSize{index.figures().documents, size_of_files(folder, 0).bytes,
                   index.manifest().segments.size() + index.manifest().ids.size() + 1};
}

Result<IndexCompaction> compact_index(const std::string& folder, const store::DirectoryOptions& options) {
  NEARDUP_ASSIGN(FingerprintIndex index, FingerprintIndex::open_to_write(folder, options));
  const uint64_t before = size_of_files(folder, 0).bytes;
  NEARDUP_TRY(index.compact());
  return IndexCompaction{index.figures().documents, before, size_of_files(folder, 0).bytes};
}

double IndexFacts::bytes_per_fingerprint() const {
  const uint64_t count = figures.index.sealed_entries;
  return count == 0 ? 0 : static_cast<double>(segment_bytes) / static_cast<double>(count);
}

Result<IndexFacts> index_facts(const std::string& folder, store::DirectoryOptions options) {
  options.verify = false;
  NEARDUP_ASSIGN(const FingerprintIndex index, FingerprintIndex::open_to_read(folder, options));
  IndexFacts facts{index.figures(), index.settings(), index.manifest().commit, 0, ""};
  uint64_t most = 0;
  for (const store::SegmentFiles& segment : index.manifest().segments) facts.segment_bytes += segment.index_bytes;
  for (const auto& segment : index.segments()) {
    if (segment.index.size() < most) continue;
    most = segment.index.size();
    facts.plan = segment.index.plan().name;
  }
  return facts;
}

}  // namespace neardup::engine
