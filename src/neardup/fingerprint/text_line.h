// Fingerprints as text, a line a document: docs/formats/fingerprints.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/fingerprint/file.h"

namespace neardup::fingerprint {

/// Appends "id <tab> fingerprint,fingerprint <tab> checksum <tab> recipe:ID \n": 16 hexadecimal digits each, "-" for a
/// document without features; of a signature its values, 4 hexadecimal digits each, side by side. Tab, line feed,
/// carriage return and backslash in an id become \t, \n, \r and \\.
void append_tsv_line(std::string& out, const Record& document, std::string_view recipe_id);

/// Appends {"id","fingerprints","checksum","size_bytes","num_tokens","recipe_id"} and a line feed; for signatures, as
/// `signatures` says, "signature" instead of "fingerprints": null where there are no features.
void append_json_line(std::string& out, const Record& document, std::string_view recipe_id, bool signatures);

/// Appends `id` with its tabs, line ends and backslashes escaped as in append_tsv_line.
void append_escaped_id(std::string& out, std::string_view id);

/// Returns the id that append_escaped_id() has written.
[[nodiscard]] std::string unescaped_id(std::string_view text);

/// What a line says.
struct TextLine {
  std::string id;
  std::vector<Fingerprint> fingerprints;
  std::vector<SignatureValue> signature;
  std::string recipe_id;  // empty where the line does not say

  /// Returns the document without checksum and sizes, which are not looked at. Valid as long as the line is.
  [[nodiscard]] Record record() const;
};

/// Reads what append_tsv_line has written. Columns behind the fingerprints may be missing or others: one that begins
/// with "recipe:" names the recipe, the rest is not looked at. A signature counts as one where its line names the
/// recipe or has the checksum behind it: hashes of other programs look the same. Errors: kCorruption, naming the fault;
/// kUnsupported, with the cure, where it is a hash of more than 64 bits, or the begin of another form of fingerprints
/// (JSON, binary).
[[nodiscard]] Result<TextLine> parse_tsv_line(std::string_view line);

}  // namespace neardup::fingerprint
