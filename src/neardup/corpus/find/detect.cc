#include "neardup/corpus/find/detect.h"

#include <algorithm>
#include <array>

#include "neardup/corpus/decompress.h"
#include "neardup/corpus/find/encoding.h"
#include "neardup/corpus/find/foreign.h"
#include "neardup/corpus/find/glob.h"
#include "neardup/corpus/formats.h"
#include "neardup/corpus/formats/json_line.h"
#include "neardup/corpus/formats/lines.h"
#include "neardup/corpus/parquet/find_module.h"
#include "neardup/corpus/raw_buffer.h"
#include "neardup/corpus/source_file.h"

namespace neardup::corpus {
namespace {

constexpr size_t kPeekBytes = size_t{1} << 16;

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

/// The format that tells itself by its first bytes; else one object a line, or text.
Format format_of_bytes(std::string_view head) {
  const auto row = std::ranges::find_if(formats(), [&](const FormatRow& r) { return r.signs.has_magic(head); });
  if (row != formats().end()) return row->format;
  return begins_object(head) ? Format::kJsonl : Format::kText;
}

/// Whether a .json file, of which `head` are the first bytes, has an object a line: its first line is a whole object,
/// or too long to be looked at whole. Nothing at all is no line that is wrong.
bool has_object_lines(std::string_view head) {
  head = without_byte_order_mark(head);
  const size_t begin = head.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return true;
  head.remove_prefix(begin);
  const size_t line_end = head.find('\n');
  if (head[0] != '{' || (line_end == std::string_view::npos && head.size() + begin + 3 >= kPeekBytes)) {
    return head[0] == '{';
  }
  Arena arena;
  JsonLine line(std::make_shared<const std::vector<WantedKey>>());
  const JsonVerdict verdict = line.parse(head.substr(0, line_end), arena);
  return verdict == JsonVerdict::kObject || verdict == JsonVerdict::kInvalidUtf8;
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
Status check_foreign(Input& input, std::string_view name) {
  if (!input.named && input.format == Format::kText) return {};
  if (input.format == Format::kParquet) return check_parquet(input);
  NEARDUP_ASSIGN(const std::string head, peek(input, kForeignProbeBytes));
  std::string why = input.format == Format::kText ? why_no_text_format(head, name) : why_other_format(head, name);
  const bool is_refused_as_text = !why.empty();
  if (why.empty() && input.named && (is_packed_name(name) || !why_no_text(head, true).empty()))
    why = why_foreign_name(name);
  // Lines cannot be cut where a line end is two bytes.
  if (why.empty() && input.format != Format::kText) why = why_not_utf8(head);
  if (why.empty()) return {};
  const bool is_table = input.format == Format::kCsv || input.format == Format::kTsv;
  if ((is_table || is_refused_as_text) &&
      !input.named) {  // rejected when it is read, as whatever else of a folder is no text
    input.format = Format::kText;
    return {};
  }
  return fail(Code::kUnsupported, "cannot read '" + input.path + "': it " + why);
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

Status detect(Input& input, const DiscoverOptions& options) {
  const std::optional<Format>& format = options.format;
  std::string name = lower_case_name(input.path);
  input.compression = strip_compression(name);
  const FormatRow* known = format_of_name(name);
  if (input.compression == Compression::kNone && (known == nullptr || known->format != Format::kText)) {
    NEARDUP_ASSIGN(const std::string magic, peek(input, 4));
    input.compression = compression_of_magic(magic);
  }
  NEARDUP_ASSIGN(const bool has_pre, takes_pre(input, options, name));
  if (has_pre) {
    input.pre = options.pre;
    input.compression = Compression::kNone;
    input.format = format.value_or(Format::kText);
    return {};
  }
  if (format) {
    input.format = *format;
  } else if (known != nullptr && known->format != Format::kText) {
    input.format = known->format;
  } else if (name.ends_with(".json")) {
    NEARDUP_ASSIGN(const std::string head, peek(input, kPeekBytes));
    input.format = has_object_lines(head) ? Format::kJsonl : Format::kText;
    if (input.named && input.format == Format::kText) {
      return fail(Code::kUnsupported, "'" + input.path +
                                          "' is not made of lines with one JSON object each; convert it first: " +
                                          to_records(input) + ", or say that its format is text");
    }
  } else {
    const bool asks_bytes = input.named && known == nullptr;
    NEARDUP_ASSIGN(const std::string head, peek(input, asks_bytes ? kPeekBytes : 0));
    input.format = asks_bytes ? format_of_bytes(head) : Format::kText;
  }
  return check_foreign(input, name);
}

}  // namespace neardup::corpus
