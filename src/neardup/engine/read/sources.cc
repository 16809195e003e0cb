#include "neardup/engine/read/sources.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "neardup/engine/online/store_place.h"
#include "neardup/engine/output_names.h"

namespace neardup::engine {
namespace {

std::filesystem::path real_path(const std::string& path) {
  std::error_code error;
  const auto absolute = std::filesystem::absolute(path, error);  // else what is not there yet stays relative
  auto real = error ? absolute : std::filesystem::weakly_canonical(absolute, error);
  return error ? std::filesystem::path(path) : real;
}

bool lies_in(const std::filesystem::path& path, const std::filesystem::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

// Results are replaced by --overwrite: what is read must not be among them.
Status check_outside_results(const std::vector<corpus::Input>& inputs, const WorkFolder& folder) {
  std::vector<std::filesystem::path> results = {real_path(folder.root()), real_path(folder.work())};
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

bool is_hidden(const std::filesystem::path& relative) {
  return std::any_of(relative.begin(), relative.end(),
                     [](const auto& part) { return part.string().starts_with('.') && part != "." && part != ".."; });
}

// Whether a run that writes to `relative` of an input folder would make a file that another run then reads there.
bool leaves_inputs(const std::filesystem::path& relative, const Sources& sources,
                   const corpus::DiscoverOptions& options) {
  if (is_hidden(relative)) return false;
  const auto is_chosen = [&](const std::string& name) {
    const std::string path = (relative / name).lexically_normal().string();
    const auto matches = [&](const std::string& pattern) { return corpus::matches_glob(pattern, path); };
    const auto any = [&](const std::vector<std::string>& patterns) {
      return std::any_of(patterns.begin(), patterns.end(), matches);
    };
    return (options.include.empty() || any(options.include)) && !any(options.exclude);
  };
  return is_chosen("clusters.jsonl") || is_chosen("report.json") ||
         std::any_of(sources.inputs.begin(), sources.inputs.end(),
                     [&](const corpus::Input& input) { return is_chosen("kept/" + input.name); });
}

// Results inside an input folder would be documents of the next run.
Status check_outside_inputs(const DedupOptions& options, const Sources& sources) {
  const std::filesystem::path output = real_path(options.output);
  std::error_code error;
  if (std::filesystem::exists(output, error) && !std::filesystem::is_directory(output, error))
    return fail(Code::kInvalidArgument,
                fmt::format("-o wants a folder, but '{}' is a file; name a new folder", options.output));
  for (const auto* list : {&options.inputs, &options.references}) {
    for (const std::string& argument : *list) {
      const std::filesystem::path folder = real_path(argument);
      if (!std::filesystem::is_directory(folder, error) || !lies_in(output, folder)) continue;
      if (!leaves_inputs(output.lexically_relative(folder), sources, options.discover)) continue;
      if (output == folder)
        return fail(Code::kInvalidArgument, fmt::format("the output folder '{}' is the input folder, so the next run "
                                                        "would read its results; choose a new folder outside",
                                                        options.output));
      return fail(Code::kInvalidArgument, fmt::format("the output folder '{}' lies in the input folder '{}', so the "
                                                      "next run would read its results; choose a folder outside, or "
                                                      "leave it out with --exclude",
                                                      options.output, argument));
    }
  }
  return {};
}

// Refuses a folder, read as a whole, that holds the results of a run: lists and reports are no documents.
Status check_no_results(const std::vector<corpus::Input>& inputs) {
  for (const corpus::Input& input : inputs) {
    const std::filesystem::path path = input.path, folder = path.parent_path();
    if (input.named || path.filename() != "clusters.jsonl") continue;
    NEARDUP_ASSIGN(const bool has_report, file_exists(folder / "report.json"));
    NEARDUP_ASSIGN(const bool has_duplicates, file_exists(folder / "duplicates.jsonl"));
    if (!has_report || !has_duplicates) continue;
    return fail(Code::kInvalidArgument, fmt::format("'{0}' holds the results of a run, which are not documents; read "
                                                    "'{0}/kept', or leave them out with --exclude",
                                                    folder.string()));
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
    if (!corpus::sink_of(input.format).takes_notes() && input.fault.empty())
      return fail(Code::kUnsupported,
                  fmt::format("'{}' is not JSONL, CSV or TSV, so nothing can be added to its documents; use "
                              "--mode ids or --mode remove",
                              input.path));
  return {};
}

// A store and the results of a run are folders of their own.
Status check_store_apart(const std::string& store, const DedupOptions& options) {
  if (is_on_server(store)) return {};
  const std::filesystem::path folder = real_path(store), output = real_path(options.output);
  if (!lies_in(output, folder) && !lies_in(folder, output)) return {};
  return fail(Code::kInvalidArgument,
              fmt::format("the output folder '{}' and the store '{}' lie one in the other; choose a folder outside",
                          options.output, store));
}

// Documents of a store are no rows of a file: nobody reads it as an input.
corpus::Input input_of_store(const std::string& store) {
  corpus::Input input;
  input.path = input.name = shown_place(store);
  input.format = corpus::Format::kRows;
  return input;
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
  if (const std::string& store = options.into.empty() ? options.reference_store : options.into; !store.empty()) {
    NEARDUP_TRY(check_store_apart(store, options));
    sources.store = input_of_store(store);
  }
  NEARDUP_ASSIGN(sources.inputs, corpus::discover_files(options.inputs, options.discover));
  if (!options.references.empty()) {
    NEARDUP_ASSIGN(sources.references, corpus::discover(options.references, options.discover));
  }
  NEARDUP_TRY(check_outside_results(sources.all(), folder));
  NEARDUP_TRY(check_outside_inputs(options, sources));
  NEARDUP_TRY(check_no_results(sources.all()));
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
