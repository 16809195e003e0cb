#include "neardup/corpus/find/detect.h"

#include <algorithm>
#include <array>

#include "neardup/corpus/decompress.h"
#include "neardup/corpus/find/encoding.h"
#include "neardup/corpus/find/foreign.h"
#include "neardup/corpus/find/glob.h"
#include "neardup/corpus/find/object_lines.h"
#include "neardup/corpus/formats.h"
#include "neardup/corpus/formats/arc_line.h"
#include "neardup/corpus/formats/lines.h"
#include "neardup/corpus/parquet/find_module.h"
#include "neardup/corpus/source_file.h"

namespace neardup::corpus {
namespace {

constexpr size_t kPeekBytes = size_t{1} << 16;
constexpr size_t kLongPeekBytes = size_t{1} << 22;  // where a line is longer
constexpr size_t kAllLines = ~size_t{0};

/// The program that makes JSONL of files with an ending that are no JSONL yet; nothing for other files.
std::string_view converter_of(std::string_view ending) { return ending == ".json" ? "jq -c" : ""; }

std::string lower_case_name(const std::string& path) {
  std::string name = path.substr(path.rfind('/') + 1);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
  return name;
}

/// Takes the ending of a compressed file off `name`.
Compression strip_compression(std::string& name) {
  constexpr std::array endings = {std::pair{".gz", Compression::kGzip}, std::pair{".gzip", Compression::kGzip},
                                  std::pair{".zst", Compression::kZstd}, std::pair{".zstd", Compression::kZstd}};
  for (const auto& [ending, compression] : endings) {
    if (!name.ends_with(ending)) continue;
    name.resize(name.size() - std::string_view(ending).size());
    return compression;
  }
  return Compression::kNone;
}

/// The format whose ending the name has. JSONL that was cut in pieces has its ending inside: "a.jsonl.00".
const FormatRow* format_of_name(std::string_view name) {
  if (name.find(".jsonl") != std::string_view::npos) return &row_of(Format::kJsonl);
  const auto row = std::ranges::find_if(formats(), [&](const FormatRow& r) { return r.signs.has_ending(name); });
  return row != formats().end() ? &*row : nullptr;
}

/// Whether a file with such a name, without the ending of a compression, may be anything: it has no ending, or that of
/// a piece ("part-00000", "x.00"), or one that Scrapy's lines of JSON share with programs in Julia.
bool may_be_anything(std::string_view name) {
  const size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || name.starts_with("part-") || name.ends_with(".jl")) return true;
  return name.find_first_not_of("0123456789", dot + 1) == std::string_view::npos;
}

/// What the first bytes of a file are, also where it is UTF-16 or UTF-32: whose records are to be told from a text.
Result<std::string> peek_narrow(const Input& input, size_t size) {
  NEARDUP_ASSIGN(std::string head, peek(input, size));
  return narrow(std::move(head));
}

/// Whether a file that begins an object has one a line: its first line is a whole object, or too long to be looked at
/// whole. Nothing at all is no line that is wrong.
Result<bool> has_object_lines(const Input& input) {
  NEARDUP_ASSIGN(const std::string head, peek_narrow(input, kPeekBytes));
  const ObjectLines lines = look_for_object_lines(head, head.size() < kPeekBytes, 1);
  return lines.num_whole == 1 || !lines.is_other;
}

/// Looks as far into a file as its lines are long.
Result<ObjectLines> peek_object_lines(const Input& input, size_t most_lines) {
  ObjectLines lines;
  for (const size_t size : {kPeekBytes, kLongPeekBytes}) {
    NEARDUP_ASSIGN(const std::string head, peek_narrow(input, size));
    lines = look_for_object_lines(head, head.size() < size, most_lines);
    if (!lines.is_cut || lines.num_whole > 1) break;
  }
  return lines;
}

/// Whether a file that begins like an object is JSONL, though neither its name nor who gave it says so. A page, a
/// program or a setting that is made of one object stays a text: so a single line is enough only where the name may be
/// anything, else there must be two, and all others be objects, too.
Result<bool> holds_object_lines(const Input& input, std::string_view name, bool is_text_name, Doubt& doubt) {
  NEARDUP_ASSIGN(const ObjectLines lines, peek_object_lines(input, may_be_anything(name) ? 2 : kAllLines));
  if (lines.is_other) return false;
  doubt.may_be_objects = lines.is_single();
  const bool has_member = lines.has_member || lines.num_whole == 0;
  const bool is_enough = lines.num_whole > 1 || (!is_text_name && may_be_anything(name)) ||
                         (!is_text_name && lines.num_whole == 1 && lines.is_cut);
  return has_member && is_enough;
}

/// The format of a file whose name tells none, or that of a text (`is_text_name`), and that begins with `head`.
Result<Format> format_of_bytes(const Input& input, const DiscoverOptions& options, std::string_view name,
                               bool is_text_name, std::string_view head, Doubt& doubt) {
  doubt.is_empty = head.empty();
  if (const auto format = format_of_magic(head); format && !is_text_name) return *format;
  if (name.ends_with(".arc") && read_arc_line(head)) return Format::kWarc;  // without its first record
  if (!begins_object(narrow(std::string(head)))) return Format::kText;
  NEARDUP_ASSIGN(const bool is_text, is_one_object(input, options));
  if (input.named && !is_text_name) return is_text ? Format::kText : Format::kJsonl;
  NEARDUP_ASSIGN(const bool is_jsonl, holds_object_lines(input, name, is_text_name, doubt));
  return is_jsonl ? Format::kJsonl : Format::kText;
}

Result<Format> format_of_json(const Input& input, const DiscoverOptions& options) {
  NEARDUP_ASSIGN(const bool has_lines, has_object_lines(input));
  if (has_lines) return Format::kJsonl;
  NEARDUP_ASSIGN(const std::string head, peek(input, kPeekBytes));
  if (!input.named || (options.object_is_text && begins_object(head))) return Format::kText;
  return fail(Code::kUnsupported, "'" + input.path +
                                      "' is not made of lines with one JSON object each; convert it first: " +
                                      to_records(input) + ", or say that its format is text");
}

/// A file that was given itself cannot be read without the module; one of a folder is rejected when it is read.
Status check_parquet(const Input& input) {
  if (!input.named || input.is_packed()) return {};
  const auto module = parquet::find_module();
  if (module) return {};
  return fail(Code::kUnsupported, "cannot read '" + input.path + "': " + module.error().message);
}

/// Of a file that was given itself, and of one that is read by lines: a text file of a folder is rejected when it is
/// read.
Status check_foreign(Input& input, std::string_view name, std::string_view head) {
  if (!input.named && input.format == Format::kText) return {};
  if (input.format == Format::kParquet) return check_parquet(input);
  std::string why = input.format == Format::kText ? why_no_text_format(head, name) : why_other_format(head, name);
  const bool is_refused_as_text = !why.empty();
  if (why.empty() && input.named && (is_packed_name(name) || !why_no_text(head, true).empty()))
    why = why_foreign_name(name);
  // Lines cannot be cut where a line end is two bytes.
  const std::string why_no_lines = input.format == Format::kText ? "" : why_wide(head);
  if (why.empty()) why = why_no_lines;
  if (why.empty()) return {};
  if (input.named) return fail(Code::kUnsupported, "cannot read '" + input.path + "': it " + why);
  if (!is_refused_as_text) {  // as one text it would be read
    input.fault = "it " + why;
    input.is_wide = true;
  }
  input.format = Format::kText;  // rejected when it is read
  return {};
}

/// Whether options.pre makes the text of `input`, whose compression is known.
Result<bool> takes_pre(const Input& input, const DiscoverOptions& options, std::string_view name) {
  if (options.pre.empty()) return false;
  if (!options.pre_globs.empty())
    return std::ranges::any_of(options.pre_globs, [&](const auto& glob) { return matches_glob(glob, input.name); });
  if (options.format == Format::kParquet) return false;
  NEARDUP_ASSIGN(const std::string head, peek(input, kForeignProbeBytes));
  if (!why_other_format(head, name).empty()) return true;
  return !why_foreign_name(name).empty() && (is_packed_name(name) || !why_no_text(head, true).empty());
}

}  // namespace

bool begins_object(std::string_view bytes) {
  bytes = without_byte_order_mark(bytes);
  const size_t first = bytes.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && bytes[first] == '{';
}

Result<bool> is_one_object(const Input& input, const DiscoverOptions& options) {
  if (!options.object_is_text) return false;
  NEARDUP_ASSIGN(const bool has_lines, has_object_lines(input));
  return !has_lines;
}

Compression compression_of_magic(std::string_view bytes) {
  if (bytes.starts_with("\x1F\x8B")) return Compression::kGzip;
  if (bytes.starts_with("\x28\xB5\x2F\xFD")) return Compression::kZstd;
  return Compression::kNone;
}

Compression compression_of_name(const std::string& path) {
  std::string name = lower_case_name(path);
  return strip_compression(name);
}

std::string_view compression_extension(Compression compression) {
  if (compression == Compression::kGzip) return ".gz";
  return compression == Compression::kZstd ? ".zst" : "";
}

std::string ending_of(const std::string& path) {
  std::string name = lower_case_name(path);
  strip_compression(name);
  const size_t dot = name.rfind('.');
  return dot == std::string::npos ? std::string() : name.substr(dot);
}

bool has_records(const Input& input) { return !converter_of(ending_of(input.path)).empty(); }

std::string to_records(const Input& input) {
  const std::string ending = ending_of(input.path);
  std::string command(converter_of(ending));
  if (ending == ".json")
    command += begins_object(peek(input, kPeekBytes).value_or("")) ? " ." : " '.[]'";  // objects, or a list
  if (input.compression == Compression::kNone) return command + " FILE > FILE.jsonl";
  return (input.compression == Compression::kGzip ? "zcat" : "zstdcat") + (" FILE | " + command) + " > FILE.jsonl";
}

Result<std::string> peek(const Input& input, size_t size) {
  std::string bytes(size, '\0');
  size_t got = 0;
  if (input.compression == Compression::kNone) {
    SourceFile file;
    int error = file.open(input.path);
    if (error == 0) error = file.read_at(0, bytes.data(), size, got);
    if (error != 0) NEARDUP_TRY(check_failure(input.path, error));
  } else {
    NEARDUP_ASSIGN(const auto stream, Decompressor::open(input));
    NEARDUP_ASSIGN(got, stream->read(bytes.data(), size));
  }
  bytes.resize(got);
  return bytes;
}

std::optional<Format> format_of_magic(std::string_view head) {
  const auto row = std::ranges::find_if(formats(), [&](const FormatRow& r) { return r.signs.has_magic(head); });
  return row != formats().end() ? std::optional(row->format) : std::nullopt;
}

Result<Doubt> detect(Input& input, const DiscoverOptions& options) {
  Doubt doubt;
  std::string name = lower_case_name(input.path);
  input.compression = strip_compression(name);
  const FormatRow* known = format_of_name(name);
  const bool is_text_name = known != nullptr && known->format == Format::kText;
  NEARDUP_ASSIGN(std::string head, peek(input, kForeignProbeBytes));
  if (input.compression == Compression::kNone) {
    input.compression = compression_of_magic(head);
    if (input.compression != Compression::kNone) {
      NEARDUP_ASSIGN(head, peek(input, kForeignProbeBytes));
    }
  }
  NEARDUP_ASSIGN(const bool has_pre, takes_pre(input, options, name));
  if (has_pre) {
    input.pre = options.pre;
    input.compression = Compression::kNone;
    input.format = options.format.value_or(Format::kText);
    return doubt;
  }
  if (options.format) {
    input.format = *options.format;
  } else if (known != nullptr && !is_text_name) {
    input.format = known->format;
  } else if (name.ends_with(".json")) {
    NEARDUP_ASSIGN(input.format, format_of_json(input, options));
  } else {
    NEARDUP_ASSIGN(input.format, format_of_bytes(input, options, name, is_text_name, head, doubt));
  }
  NEARDUP_TRY(check_foreign(input, name, head));
  return doubt;
}

}  // namespace neardup::corpus
