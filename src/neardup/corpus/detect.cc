#include "neardup/corpus/detect.h"

#include <algorithm>
#include <array>

#include "neardup/corpus/decompress.h"
#include "neardup/corpus/encoding.h"
#include "neardup/corpus/json_line.h"
#include "neardup/corpus/lines.h"
#include "neardup/corpus/raw_buffer.h"
#include "neardup/corpus/source_file.h"

namespace neardup::corpus {
namespace {

constexpr size_t kPeekBytes = size_t{1} << 16;

constexpr std::array kTextExtensions = {".txt", ".text", ".md",  ".markdown", ".rst", ".adoc", ".org", ".html", ".htm",
                                        ".xml", ".tex",  ".csv", ".tsv",      ".log", ".srt",  ".wet", ".eml"};

/// Kinds of files that a person may well give and that are not read, with the cure.
struct Foreign {
  std::string_view extension;
  std::string_view cure;
};
constexpr std::array kForeign = {
    Foreign{".bz2", "decompress it first: bzcat FILE | neardup ... -"},
    Foreign{".xz", "decompress it first: xzcat FILE | neardup ... -"},
    Foreign{".lz4", "decompress it first: lz4cat FILE | neardup ... -"},
    Foreign{".zip", "unpack it first and give the folder"},
    Foreign{".7z", "unpack it first and give the folder"},
    Foreign{".tar", "unpack it first and give the folder"},
    Foreign{".tgz", "unpack it first and give the folder"},
    Foreign{".parquet", "convert it to JSONL first"},
};

/// The program that makes JSONL of files with an ending; nothing for other files.
std::string_view converter_of(std::string_view ending) {
  if (ending == ".csv") return "mlr --icsv --ojsonl cat";
  if (ending == ".tsv") return "mlr --itsv --ojsonl cat";
  return ending == ".json" ? "jq -c" : "";
}

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

bool is_jsonl_name(std::string_view name) {
  return name.find(".jsonl") != std::string_view::npos || name.ends_with(".ndjson");
}

bool is_text_name(std::string_view name) {
  return std::any_of(kTextExtensions.begin(), kTextExtensions.end(), [&](const char* e) { return name.ends_with(e); });
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

Status check_foreign(const Input& input, std::string_view name) {
  for (const Foreign& foreign : kForeign) {
    if (!input.named || !name.ends_with(foreign.extension)) continue;
    return fail(Code::kUnsupported, "cannot read '" + input.path + "': " + std::string(foreign.extension) +
                                        " files are not supported; " + std::string(foreign.cure));
  }
  return {};
}

/// Lines cannot be cut where a line end is two bytes; a text file is rejected when it is read.
Status check_encoding(const Input& input) {
  if (input.format == Format::kText) return {};
  const std::string why = why_not_utf8(peek(input, 4));
  if (why.empty()) return {};
  return fail(Code::kUnsupported, "cannot read '" + input.path + "': it " + why);
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
  if (ending == ".json") command += begins_object(peek(input, kPeekBytes)) ? " ." : " '.[]'";  // objects, or a list
  if (input.compression == Compression::kNone) return command + " FILE > FILE.jsonl";
  return (input.compression == Compression::kGzip ? "zcat" : "zstdcat") + (" FILE | " + command) + " > FILE.jsonl";
}

std::string peek(const Input& input, size_t size) {
  std::string bytes(size, '\0');
  size_t got = 0;
  if (input.compression == Compression::kNone) {
    SourceFile file;
    if (file.open(input.path) != 0 || file.read_at(0, bytes.data(), size, got) != 0) got = 0;
  } else if (auto stream = Decompressor::open(input)) {
    got = (*stream)->read(bytes.data(), size).value_or(0);
  }
  bytes.resize(got);
  return bytes;
}

Status detect(Input& input, const std::optional<Format>& format) {
  std::string name = lower_case_name(input.path);
  input.compression = strip_compression(name);
  NEARDUP_TRY(check_foreign(input, name));
  const bool is_known = is_jsonl_name(name) || is_text_name(name);
  if (input.compression == Compression::kNone && !(is_known && !is_jsonl_name(name))) {
    input.compression = compression_of_magic(peek(input, 4));
  }
  if (format) {
    input.format = *format;
  } else if (is_jsonl_name(name)) {
    input.format = Format::kJsonl;
  } else if (name.ends_with(".json")) {
    input.format = has_object_lines(peek(input, kPeekBytes)) ? Format::kJsonl : Format::kText;
    if (input.named && input.format == Format::kText) {
      return fail(Code::kInvalidArgument, "'" + input.path +
                                              "' is not made of lines with one JSON object each; convert it first: " +
                                              to_records(input) + ", or say that its format is text");
    }
  } else {
    const bool is_jsonl = input.named && !is_known && begins_object(peek(input, kPeekBytes));
    input.format = is_jsonl ? Format::kJsonl : Format::kText;
  }
  return check_encoding(input);
}

}  // namespace neardup::corpus
