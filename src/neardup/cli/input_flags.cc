#include "neardup/cli/input_flags.h"

#include <fmt/format.h>

#include <CLI/Option.hpp>

namespace neardup::cli {
namespace {

Status check_text_key(bool is_given, const InputArguments& arguments) {
  const bool has_fields =
      !arguments.lines && (arguments.format == FormatChoice::kAuto || arguments.format == FormatChoice::kJsonl);
  if (!is_given || has_fields) return {};
  return fail(Code::kInvalidArgument,
              "--text-key names a field of JSONL, and lines and text files have none: leave it or the format out");
}

}  // namespace

void define_input_flags(Flags& flags, InputArguments& arguments, corpus::ReadOptions& read,
                        corpus::DiscoverOptions& discover, const std::string& format_name) {
  const CLI::Option* text_key =
      flags.text({"--text-key", "FIELD", "JSONL: the field with the text; a.b is a field of a field"}, read.text_key);
  flags.before_run([text_key, &arguments](const Io&) { return check_text_key(text_key->count() > 0, arguments); });
  flags.text({"--id-key", "FIELD", "JSONL: the field with the id; FILE:LINE where it is missing"}, read.id_key);
  flags.choice<FormatChoice>({format_name, "", "Read all inputs as this; auto looks at names and first bytes"},
                             arguments.format,
                             {{"auto", FormatChoice::kAuto},
                              {"jsonl", FormatChoice::kJsonl},
                              {"lines", FormatChoice::kLines},
                              {"text", FormatChoice::kText}});
  flags.on({"--lines", "", "Each line is a document: short for " + format_name + " lines"}, arguments.lines);
  flags.list({"--include", "GLOB", "In folders, only files like this"}, discover.include);
  flags.list({"--exclude", "GLOB", "In folders, no files like this"}, discover.exclude);
  flags.size({"--max-record-bytes", "SIZE", "Longer documents are rejected"}, read.max_record_bytes);
  flags.size({"--batch-bytes", "SIZE", "Input that a thread takes at once"}, read.batch_bytes)->group("");
}

Status apply_input_flags(const InputArguments& arguments, corpus::DiscoverOptions& discover) {
  FormatChoice format = arguments.format;
  if (arguments.lines) {
    if (format != FormatChoice::kAuto && format != FormatChoice::kLines) {
      return fail(Code::kInvalidArgument, "--lines contradicts the format: give one of them");
    }
    format = FormatChoice::kLines;
  }
  if (format == FormatChoice::kJsonl) discover.format = corpus::Format::kJsonl;
  if (format == FormatChoice::kLines) discover.format = corpus::Format::kLines;
  if (format == FormatChoice::kText) discover.format = corpus::Format::kText;
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
