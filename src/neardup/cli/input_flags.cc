#include "neardup/cli/input_flags.h"

#include <fmt/format.h>

#include <CLI/Option.hpp>

#include "neardup/corpus/formats.h"
#include "neardup/engine/record_limits.h"

namespace neardup::cli {
namespace {

Status check_text_key(bool is_given, const InputArguments& arguments) {
  const std::optional<corpus::Format> format = arguments.lines ? corpus::Format::kLines : arguments.format;
  if (!is_given || !format || corpus::row_of(*format).has_fields) return {};
  return fail(
      Code::kInvalidArgument,
      "--text-key names a field of JSONL, CSV or TSV, and lines and text files have none: leave it or the format out");
}

std::vector<std::pair<std::string, std::optional<corpus::Format>>> format_choices() {
  std::vector<std::pair<std::string, std::optional<corpus::Format>>> choices = {{"auto", std::nullopt}};
  for (const corpus::FormatRow& row : corpus::formats())
    if (!row.name.empty()) choices.emplace_back(row.name, row.format);
  return choices;
}

}  // namespace

void define_input_flags(Flags& flags, InputArguments& arguments, corpus::ReadOptions& read,
                        corpus::DiscoverOptions& discover, const std::string& format_name) {
  read.to_utf8 = engine::to_utf8;
  const CLI::Option* text_key =
      flags.text({"--text-key", "FIELD", "JSONL, CSV: the field or column with the text; a.b is a field of a field"},
                 read.text_key);
  flags.before_run([text_key, &arguments](const Io&) { return check_text_key(text_key->count() > 0, arguments); });
  flags.text({"--id-key", "FIELD", "Field, column or WARC header with the id; FILE:LINE where it is missing"},
             read.id_key);
  flags.choice<std::optional<corpus::Format>>(
      {format_name, "", "Read all inputs as this; auto looks at names and first bytes"}, arguments.format,
      format_choices());
  flags.on({"--lines", "", "Each line is a document: short for " + format_name + " lines"}, arguments.lines);
  flags.list({"--include", "GLOB", "In folders, only files like this"}, discover.include);
  flags.list({"--exclude", "GLOB", "In folders, no files like this"}, discover.exclude);
  flags.text({"--pre", "COMMAND", "Program that is given the path of a file and writes its text, such as for PDF"},
             discover.pre);
  flags.list({"--pre-glob", "GLOB", "Files for --pre; without it those of formats that are not read"},
             discover.pre_globs);
  flags.before_run([&discover](const Io&) -> Status {
    if (discover.pre_globs.empty() || !discover.pre.empty()) return {};
    return fail(Code::kInvalidArgument, "--pre-glob chooses files for --pre: name the program with --pre COMMAND");
  });
  flags.size({"--max-record-bytes", "SIZE", "Longer documents are rejected"}, read.max_record_bytes);
  flags.size({"--batch-bytes", "SIZE", "Input that a thread takes at once"}, read.batch_bytes)->group("");
}

Status apply_input_flags(const InputArguments& arguments, corpus::DiscoverOptions& discover) {
  discover.format = arguments.format;
  if (!arguments.lines) return {};
  if (arguments.format && *arguments.format != corpus::Format::kLines)
    return fail(Code::kInvalidArgument, "--lines contradicts the format: give one of them");
  discover.format = corpus::Format::kLines;
  return {};
}

Result<ShardArgument> parse_shard(const std::string& typed) {
  const size_t slash = typed.find('/');
  const auto count =
      slash == std::string::npos ? Result<int64_t>(-1) : parse_whole(typed.substr(slash + 1), 1, 1 << 20);
  const auto index = parse_whole(typed.substr(0, slash), 0, count && *count > 0 ? *count - 1 : 0);
  if (!count || *count < 0 || !index) {
    return fail(Code::kInvalidArgument, fmt::format("expected I/N with 0 <= I < N, such as 0/4, found \"{}\"", typed));
  }
  return ShardArgument{static_cast<int>(*index), static_cast<int>(*count)};
}

void define_progress_flag(Flags& flags, ProgressKind& kind) {
  flags.choice<ProgressKind>({"--progress", "", "How progress is shown on standard error"}, kind,
                             {{"auto", ProgressKind::kAuto},
                              {"plain", ProgressKind::kPlain},
                              {"json", ProgressKind::kJson},
                              {"off", ProgressKind::kOff}});
}

}  // namespace neardup::cli
