#include "neardup/engine/sources.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "neardup/engine/run_identity.h"

namespace neardup::engine {
namespace {

std::filesystem::path real_path(const std::string& path) {
  std::error_code error;
  auto real = std::filesystem::weakly_canonical(path, error);
  return error ? std::filesystem::path(path) : real;
}

bool lies_in(const std::filesystem::path& path, const std::filesystem::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

// Results are replaced by --overwrite: what is read must not be among them.
Status check_outside_results(const std::vector<corpus::Input>& inputs, const WorkFolder& folder) {
  std::vector<std::filesystem::path> results = {real_path(folder.root())};
  for (const std::string& name : output_names()) results.push_back(real_path(folder.output()) / name);
  for (const corpus::Input& input : inputs) {
    const std::filesystem::path path = real_path(input.path);
    for (const auto& result : results)
      if (lies_in(path, result))
        return fail(Code::kInvalidArgument, fmt::format("'{}' lies among the results in '{}', where this run writes; "
                                                        "choose another output folder",
                                                        input.path, folder.output()));
  }
  return {};
}

Status check_apart(const Sources& sources) {
  std::set<std::filesystem::path> references;
  for (const corpus::Input& reference : sources.references) references.insert(real_path(reference.path));
  for (const corpus::Input& input : sources.inputs)
    if (references.contains(real_path(input.path)))
      return fail(
          Code::kInvalidArgument,
          fmt::format("'{}' is both an input and a reference: all of it would be removed; name it once", input.path));
  return {};
}

Status check_notes(const Sources& sources, const DedupOptions& options) {
  if (options.mode != Mode::kAnnotate) return {};
  for (const corpus::Input& input : sources.inputs)
    if (input.format != corpus::Format::kJsonl)
      return fail(Code::kUnsupported, fmt::format("'{}' is not JSONL, so nothing can be added to its documents; use "
                                                  "--mode ids or --mode remove",
                                                  input.path));
  return {};
}

Status check_standard_input(const DedupOptions& options) {
  if (options.shard_index || options.merge_shards || options.resume)
    return fail(Code::kInvalidArgument,
                "standard input can be read only once: not with --shard, --merge-shards or --resume");
  return {};
}

}  // namespace

std::vector<corpus::Input> Sources::all() const {
  std::vector<corpus::Input> result = references;
  result.insert(result.end(), inputs.begin(), inputs.end());
  return result;
}

bool reads_standard_input(const DedupOptions& options) { return corpus::names_standard_input(options.inputs); }

Result<Sources> find_sources(const DedupOptions& options, const WorkFolder& folder, const Context& context) {
  Sources sources;
  NEARDUP_ASSIGN(sources.inputs, corpus::discover_files(options.inputs, options.discover));
  if (!options.references.empty()) {
    NEARDUP_ASSIGN(sources.references, corpus::discover(options.references, options.discover));
  }
  NEARDUP_TRY(check_outside_results(sources.all(), folder));
  NEARDUP_TRY(check_apart(sources));
  if (reads_standard_input(options)) {
    NEARDUP_TRY(check_standard_input(options));
    NEARDUP_TRY(
        corpus::add_standard_input(sources.inputs, STDIN_FILENO, folder.stdin_copy(), options.discover, context));
  }
  NEARDUP_TRY(check_notes(sources, options));
  return sources;
}

}  // namespace neardup::engine
