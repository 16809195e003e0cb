#include "neardup/fingerprint/text_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "neardup/base/json.h"
#include "neardup/fingerprint/file.h"

namespace neardup::fingerprint {
namespace {

constexpr size_t kFingerprintDigits = 16;
constexpr size_t kValueDigits = 4;
constexpr std::string_view kRecipeMark = "recipe:";
constexpr size_t kRecipeIdDigits = 12;

void append_signature(std::string& out, std::span<const SignatureValue> signature) {
  for (const SignatureValue value : signature) fmt::format_to(std::back_inserter(out), "{:04x}", value);
}

/// Returns whether `list` is one number of as many digits as a signature has, which are more than a fingerprint's.
bool has_signature_size(std::string_view list) {
  return list.find(',') == std::string_view::npos && list.size() <= kValueDigits * kMaxSignatureValues &&
         list.size() % kValueDigits == 0 && is_signature_size(static_cast<int>(list.size() / kValueDigits));
}

Result<std::vector<SignatureValue>> parse_signature(std::string_view digits) {
  std::vector<SignatureValue> signature;
  for (size_t at = 0; at < digits.size(); at += kValueDigits) {
    const char* begin = digits.data() + at;
    const char* end = begin + kValueDigits;
    SignatureValue& value = signature.emplace_back();
    const auto [stop, error] = std::from_chars(begin, end, value, 16);
    if (error != std::errc() || stop != end) {
      return fail(Code::kCorruption, fmt::format("expected a signature of hexadecimal digits, found \"{}\"",
                                                 digits.substr(at, kValueDigits)));
    }
  }
  return signature;
}

void append_fingerprints(std::string& out, std::span<const Fingerprint> fingerprints) {
  out += ",\"fingerprints\":[";
  for (size_t i = 0; i < fingerprints.size(); ++i) out += (i > 0 ? ",\"" : "\"") + to_hex(fingerprints[i]) + '"';
  out += ']';
}

/// Whether it is a number of more bits than a fingerprint has: some other hash.
bool is_wide_number(std::string_view digits) {
  return digits.size() > kFingerprintDigits && digits.find_first_not_of("0123456789abcdefABCDEF") == digits.npos;
}

/// Whether `rest`, what stands behind the fingerprints, begins with a column that is a checksum. Nothing but this and
/// the recipe tells a signature from the hash of another program.
bool begins_with_checksum(std::string_view rest) {
  constexpr size_t kChecksumDigits = 32;
  if (rest.empty()) return false;
  const std::string_view column = rest.substr(1, rest.find_first_of("\t\r", 1) - 1);
  return column.size() == kChecksumDigits && column.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// Why a hash of more bits is not taken. PDQ and SHA-256 have as many digits as a signature of 16 values.
tl::unexpected<Error> wide_hash(std::string_view digits) {
  return fail(Code::kUnsupported,
              fmt::format("expected a fingerprint of {} hexadecimal digits (64 bits), found a hash of {} bits, and no "
                          "column that begins with \"{}\"; hashes of other programs, such as PDQ or SHA-256, cannot be "
                          "compared here; of MinHash signatures give whole lines, as neardup fingerprint writes them",
                          kFingerprintDigits, 4 * digits.size(), kRecipeMark));
}

/// Whether it is a fingerprint as Python's simhash and databases print it; one of fewer digits is taken for
/// hexadecimal.
bool is_decimal(std::string_view digits) {
  uint64_t value = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return digits.size() > kFingerprintDigits && error == std::errc() && stop == digits.data() + digits.size();
}

Result<Fingerprint> parse_hex(std::string_view digits) {
  if (is_decimal(digits))
    return fail(Code::kUnsupported, fmt::format("expected a fingerprint of {} hexadecimal digits, found a decimal "
                                                "number; Python writes them as f\"{{value:016x}}\"",
                                                kFingerprintDigits));
  if (is_wide_number(digits)) return wide_hash(digits);
  Fingerprint value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value, 16);
  if (digits.size() != kFingerprintDigits || error != std::errc() || stop != end) {
    return fail(Code::kCorruption, fmt::format("expected a fingerprint of {} hexadecimal digits, found \"{}\"",
                                               kFingerprintDigits, digits.substr(0, 40)));
  }
  return value;
}

/// Returns the id of the recipe that one of the columns `rest` names, "" where none does.
Result<std::string> parse_recipe(std::string_view rest) {
  while (!rest.empty()) {
    const size_t end = std::min(rest.find_first_of("\t\r"), rest.size());
    const std::string_view column = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!column.starts_with(kRecipeMark)) continue;
    const std::string_view id = column.substr(kRecipeMark.size());
    if (id.size() == kRecipeIdDigits && id.find_first_not_of("0123456789abcdef") == std::string_view::npos)
      return std::string(id);
    return fail(Code::kCorruption, fmt::format("expected {} and the {} hexadecimal digits of a recipe's id, found "
                                               "\"{}\"",
                                               kRecipeMark, kRecipeIdDigits, column.substr(0, 40)));
  }
  return std::string();
}

/// Why a line without a tab is none of ours.
tl::unexpected<Error> no_tab(std::string_view line) {
  if (is_fingerprint_file(line))
    return fail(Code::kUnsupported, "the binary form of fingerprints cannot be read from a pipe; give the file itself");
  if (line.starts_with('{'))
    return fail(Code::kUnsupported,
                "expected fingerprints as neardup fingerprint writes them with --output-format tsv or bin, found JSON");
  return fail(Code::kCorruption,
              "expected an id, a tab and fingerprints, found no tab; neardup fingerprint makes such lines");
}

}  // namespace

std::string unescaped_id(std::string_view text) {
  std::string id;
  for (size_t i = 0; i < text.size(); ++i) {
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    const char meant = next == 't' ? '\t' : next == 'n' ? '\n' : next == 'r' ? '\r' : next == '\\' ? '\\' : '\0';
    if (text[i] == '\\' && meant != '\0') {
      id += meant;
      ++i;
    } else {
      id += text[i];
    }
  }
  return id;
}

void append_escaped_id(std::string& out, std::string_view id) {
  for (const char c : id) {
    switch (c) {
      case '\t':
        out += "\\t";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\\':
        out += "\\\\";
        break;
      default:
        out += c;
    }
  }
}

void append_tsv_line(std::string& out, const Record& document, std::string_view recipe_id) {
  append_escaped_id(out, document.id);
  char separator = '\t';
  for (const Fingerprint value : document.fingerprints) {
    out += separator + to_hex(value);
    separator = ',';
  }
  if (!document.signature.empty()) out += '\t';
  append_signature(out, document.signature);
  if (document.fingerprints.empty() && document.signature.empty()) out += "\t-";
  fmt::format_to(std::back_inserter(out), "\t{}\t{}{}\n", to_hex(document.checksum), kRecipeMark, recipe_id);
}

void append_json_line(std::string& out, const Record& document, std::string_view recipe_id, bool signatures) {
  out += "{\"id\":";
  append_json_string(out, document.id);
  if (signatures) {
    out += document.signature.empty() ? ",\"signature\":null" : ",\"signature\":\"";
    append_signature(out, document.signature);
    if (!document.signature.empty()) out += '"';
  } else {
    append_fingerprints(out, document.fingerprints);
  }
  fmt::format_to(std::back_inserter(out),
                 ",\"checksum\":\"{}\",\"size_bytes\":{},\"num_tokens\":{},\"recipe_id\":\"{}\"}}\n",
                 to_hex(document.checksum), document.size_bytes, document.num_tokens, recipe_id);
}

Record TextLine::record() const {
  Record record;
  record.id = id;
  record.fingerprints = fingerprints;
  record.signature = signature;
  return record;
}

Result<TextLine> parse_tsv_line(std::string_view line) {
  const size_t tab = line.find('\t');
  if (tab == std::string_view::npos || is_fingerprint_file(line)) return no_tab(line);
  TextLine parsed{unescaped_id(line.substr(0, tab)), {}, {}, {}};
  const std::string_view columns = line.substr(tab + 1);
  std::string_view list = columns.substr(0, columns.find('\t'));
  NEARDUP_ASSIGN(parsed.recipe_id, parse_recipe(columns.substr(list.size())));
  if (list == "-") return parsed;
  const bool is_ours = !parsed.recipe_id.empty() || begins_with_checksum(columns.substr(list.size()));
  if (has_signature_size(list) && is_ours) {
    NEARDUP_ASSIGN(parsed.signature, parse_signature(list));
    return parsed;
  }
  while (true) {
    const size_t comma = list.find(',');
    NEARDUP_ASSIGN(const Fingerprint value, parse_hex(list.substr(0, comma)));
    parsed.fingerprints.push_back(value);
    if (comma == std::string_view::npos) return parsed;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace neardup::fingerprint
