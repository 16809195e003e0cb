#include "neardup/lines/unique_lines.h"

#include <fmt/format.h>
#include <unistd.h>

#include <optional>

#include "neardup/base/disk/file.h"
#include "neardup/base/disk/file_id.h"
#include "neardup/base/disk/stale_temporaries.h"
#include "neardup/base/guard.h"
#include "neardup/lines/run_lines.h"

namespace neardup::lines {
namespace {

Result<std::optional<AtomicFile>> create_one(const LinesOptions& options, const std::string& path, bool overwrite) {
  if (path.empty()) return std::nullopt;
  NEARDUP_TRY(check_is_no_input(options, file_id(path), fmt::format("'{}'", path)));
  const auto there = file_info(path);
  if (there && there->is_regular && !overwrite)
    return fail(Code::kInvalidArgument, fmt::format("'{}' is there already; --overwrite replaces it", path));
  NEARDUP_ASSIGN(AtomicFile file, create_output(path));
  return file;
}

/// Whatever they are called, and whether they are there or not.
bool are_one_file(const std::string& a, const std::string& b) {
  const auto id = file_id(a);
  return (id && id->is_regular && id == file_id(b)) || is_same_place(a, b);
}

}  // namespace

Result<std::optional<SimilarOptions>> similar_options(std::optional<double> share, bool origin) {
  if (share) return SimilarOptions{.share = *share, .origin = origin};
  if (origin) return fail(Code::kInvalidArgument, "--verify is about similar lines: ask for them by --similar");
  return std::nullopt;
}

Result<LinesTotals> unique_lines(const LinesOptions& options, const WriteBytes& write) {
  return guarded([&] { return LinesRun(options, write).run(); });
}

Status check_is_no_input(const LinesOptions& options, const std::optional<FileId>& output, const std::string& name) {
  if (!output || !output->is_regular) return {};
  for (const std::vector<std::string>* files : {&options.inputs, &options.minus}) {
    for (const std::string& input : *files) {
      if ((input == "-" ? file_id(STDIN_FILENO) : file_id(input)) == output)
        return fail(Code::kInvalidArgument, fmt::format("{} is also an input ({}); name another file", name, input));
    }
  }
  return {};
}

Result<LinesTotals> unique_lines_to(const LineOutputs& outputs, const LinesOptions& options, const WriteBytes& write) {
  if (!outputs.duplicates.empty() && !options.similar)
    return fail(Code::kInvalidArgument, "--duplicates tells of similar lines: ask for them by --similar");
  if (!outputs.duplicates.empty() && !outputs.lines.empty() && are_one_file(outputs.lines, outputs.duplicates))
    return fail(Code::kInvalidArgument, fmt::format("'{}' is named for two outputs", outputs.lines));
  NEARDUP_ASSIGN(std::optional<AtomicFile> lines, create_one(options, outputs.lines, outputs.overwrite));
  NEARDUP_ASSIGN(std::optional<AtomicFile> duplicates, create_one(options, outputs.duplicates, outputs.overwrite));
  LinesOptions telling = options;
  if (duplicates) telling.similar->removed = [&](std::string_view line) { return duplicates->write(line); };
  const WriteBytes to_file = [&](std::string_view bytes) { return lines->write(bytes); };
  NEARDUP_ASSIGN(const LinesTotals totals, unique_lines(telling, lines ? to_file : write));
  if (duplicates) NEARDUP_TRY(duplicates->commit());
  if (lines) NEARDUP_TRY(lines->commit());
  return totals;
}

}  // namespace neardup::lines
