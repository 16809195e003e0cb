#include "neardup/cli/input_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/Option.hpp>

#include "neardup/corpus/formats.h"
#include "neardup/corpus/text_path.h"
#include "neardup/engine/record_limits.h"

namespace neardup::cli {
namespace {

Status check_text_key(bool is_given, const std::string& typed, const InputArguments& arguments) {
  NEARDUP_TRY(corpus::TextKey::parse(typed));
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

std::vector<std::string> format_words() {
  std::vector<std::string> words;
  for (const auto& [word, format] : format_choices()) words.push_back(word);
  return words;
}

bool is_input_word(const std::string& typed) { return std::ranges::count(format_words(), typed) > 0; }

void take_format(InputArguments& arguments, const std::string& typed) {
  const auto choices = format_choices();
  arguments.format = std::ranges::find(choices, typed, [](const auto& choice) { return choice.first; })->second;
}

Status read_format(InputArguments& arguments, const std::string& typed) {
  const bool is_old = arguments.output.knows && arguments.output.knows(typed);
  if (!is_old && !is_input_word(typed)) return fail(Code::kInvalidArgument, expected_one_of(format_words(), typed));
  arguments.format_word = typed;
  return {};
}

/// Says whether --format was meant for the input, or for the output as before.
Status settle_format(InputArguments& arguments, Io& io) {
  const std::string& word = arguments.format_word;
  if (word.empty()) return {};
  const bool is_old = arguments.output.knows && arguments.output.knows(word);
  if (!is_old) return take_format(arguments, word), Status{};
  const bool is_input = is_input_word(word);
  if (arguments.output.flag->count() > 0) {
    if (!is_input) return fail(Code::kInvalidArgument, "--format: " + expected_one_of(format_words(), word));
    return take_format(arguments, word), Status{};
  }
  arguments.output.take(word);
  if (is_input)
    io.say(
        fmt::format("neardup: warning: --format {0} is taken as --output-format {0} in this version; from the next "
                    "on --format is that of the input, and --output-format that of the output\n",
                    word));
  return {};
}

void define_format(Flags& flags, InputArguments& arguments) {
  const std::string words = fmt::format("{}", fmt::join(format_words(), "|"));
  flags.value({"--format", words, "Read all inputs as this; auto looks at names and first bytes"}, "auto",
              [&arguments](const std::string& typed) { return read_format(arguments, typed); });
  flags
      .choice<std::optional<corpus::Format>>({"--input-format", "", "As --format"}, arguments.format, format_choices())
      ->group("");
  flags.before_run([&arguments](Io& io) { return settle_format(arguments, io); });
}

bool is_table(const std::optional<corpus::Format>& format) {
  return !format || *format == corpus::Format::kCsv || *format == corpus::Format::kTsv;
}

void define_table(Flags& flags, InputArguments& arguments, corpus::ReadOptions& read) {
  const CLI::Option* table = flags.value(
      {"--table", "SETTINGS",
       "How CSV and TSV are written: separator=semicolon (comma, tab, pipe, a sign), quotes=none (they are "
       "characters), csv or tsv, escape=backslash (as Postgres, MySQL and ClickHouse write) or quote (as Spark), "
       "spaces=skip (before fields); several with commas between"},
      "", [&read](const std::string& typed) -> Status {
        NEARDUP_ASSIGN(read.table, corpus::parse_dialect(typed));
        return {};
      });
  flags.before_run([table, &arguments](const Io&) -> Status {
    if (table->count() == 0 || (!arguments.lines && is_table(arguments.format))) return {};
    return fail(Code::kInvalidArgument, "--table is of CSV and TSV: leave it or the format out");
  });
}

}  // namespace

void define_input_flags(Flags& flags, InputArguments& arguments, corpus::ReadOptions& read,
                        corpus::DiscoverOptions& discover) {
  read.to_utf8 = engine::to_utf8;
  const CLI::Option* text_key = flags.text(
      {"--text-key", "FIELD",
       "The field or column with the text; a.b is a field of a field, a[] the strings of a list, a[].b a field of each "
       "object of a list, a,b are one after the other, a|b is the first that is there"},
      read.text_key);
  flags.text({"--id-key", "FIELD", "The field, column or WARC header with the id; FILE:LINE where it is missing"},
             read.id_key);
  define_format(flags, arguments);
  define_table(flags, arguments, read);
  flags.before_run([text_key, &read, &arguments](const Io&) {
    return check_text_key(text_key->count() > 0, read.text_key, arguments);
  });
  flags.on({"--lines", "", "Each line is a document: short for --format lines"}, arguments.lines);
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
