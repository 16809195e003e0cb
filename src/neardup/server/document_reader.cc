#include "neardup/server/document_reader.h"

#include <fmt/format.h>

#include <charconv>

#include "neardup/base/sizes.h"
#include "neardup/corpus/formats/utf8_repair.h"
#include "neardup/server/json_pieces.h"

namespace neardup::server {
namespace {

enum DocumentKey {
  kIdKey,
  kTextKey,
  kHtmlKey,
  kFingerprintsKey,
  kSignatureKey,
  kWithinKey,
  kTagKey,
  kTimeKey,
  kDocumentsKey
};
constexpr const char* kDocumentKeys[] = {"id",     "text", "html", "fingerprints", "signature",
                                         "within", "tag",  "time", "documents"};

corpus::JsonLine::Keys document_keys() {
  static const auto keys =
      std::make_shared<const std::vector<corpus::WantedKey>>(std::begin(kDocumentKeys), std::end(kDocumentKeys));
  return keys;
}

bool is_there(const corpus::JsonField& field) {
  return field.kind != corpus::JsonField::Kind::kMissing && field.raw != "null";
}

tl::unexpected<Error> wrong(std::string_view what) { return fail(Code::kInvalidArgument, std::string(what)); }

/// Reads `digits`, all of them hexadecimal.
template <class T>
bool read_hex(std::string_view digits, T& value) {
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  return error == std::errc() && end == digits.data() + digits.size();
}

Status check_count(std::string_view what, size_t found, size_t expected) {
  if (expected == 0)
    return fail(Code::kUnsupported, fmt::format("the store's recipe makes no {}: send \"text\" or \"html\"", what));
  if (found == expected) return {};
  return fail(Code::kInvalidArgument, fmt::format("expected {} {}, found {}", expected, what, found));
}

}  // namespace

Status check_label(std::string_view name, std::string_view label) {
  if (label.size() > kMostIdBytes)
    return fail(Code::kInvalidArgument,
                fmt::format("\"{}\" has {} bytes, more than {}", name, label.size(), kMostIdBytes));
  if (label.find('\0') == std::string_view::npos && corpus::count_bad_utf8(label) == 0) return {};
  return fail(Code::kInvalidArgument, fmt::format("\"{}\" must be UTF-8 without a zero byte", name));
}

Status check_id(std::string_view id) {
  if (id.empty()) return wrong("\"id\" is missing: name the document, or send the header Idempotency-Key");
  if (id.size() <= kMostIdBytes) return {};
  return fail(Code::kInvalidArgument, fmt::format("\"id\" has {} bytes, more than {}", id.size(), kMostIdBytes));
}

DocumentReader::DocumentReader(ValueCounts values) : values_(values), line_(document_keys()) {}

void DocumentReader::clear() {
  arena_.clear();
  fingerprints_.clear();
  signatures_.clear();
}

Status DocumentReader::parse(std::string_view json) {
  if (json.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return wrong("expected a JSON object, found nothing");
  switch (line_.parse(json, arena_)) {
    case corpus::JsonVerdict::kObject:
      return {};
    case corpus::JsonVerdict::kNotAnObject:
      return wrong("expected a JSON object");
    case corpus::JsonVerdict::kInvalidUtf8:
      return wrong("the JSON is not UTF-8");
    case corpus::JsonVerdict::kInvalid:
      break;
  }
  return fail(Code::kInvalidArgument, "the JSON is not valid: " + line_.problem());
}

Result<DocumentReader::Documents> DocumentReader::documents(std::string_view json, size_t most) {
  NEARDUP_TRY(parse(json));
  if (!is_there(field(kDocumentsKey))) return Documents{{json}, false};
  const std::string_view raw = field(kDocumentsKey).raw;
  if (raw.front() != '[') return wrong("\"documents\" must be an array");
  auto each = elements_of(raw, most);
  if (!each) return Documents{{}, true, true};
  return Documents{std::move(*each), true};
}

Result<std::string_view> DocumentReader::text_of(int key) const {
  if (!is_there(field(key))) return std::string_view();
  if (field(key).kind == Field::Kind::kString) return field(key).text;
  return fail(Code::kInvalidArgument, fmt::format("\"{}\" must be a string", kDocumentKeys[key]));
}

Result<std::string_view> DocumentReader::id_of() const {
  const Field& id = field(kIdKey);
  return id.kind == Field::Kind::kInteger ? Result<std::string_view>(id.raw) : text_of(kIdKey);
}

Result<engine::ArrivingText> DocumentReader::document(std::string_view json, const DocumentDefaults& defaults,
                                                      std::string_view id) {
  NEARDUP_TRY(parse(json));
  engine::ArrivingText document;
  NEARDUP_ASSIGN(document.id, id_of());
  if (document.id.empty()) document.id = id;
  if (defaults.needs_id || document.id.size() > kMostIdBytes) NEARDUP_TRY(check_id(document.id));
  NEARDUP_ASSIGN(document.within, text_of(kWithinKey));
  NEARDUP_ASSIGN(document.tag, text_of(kTagKey));
  NEARDUP_TRY(check_label("within", document.within));
  NEARDUP_TRY(check_label("tag", document.tag));
  if (document.within.empty()) document.within = defaults.within;
  if (document.tag.empty()) document.tag = defaults.tag;
  document.time = defaults.time;
  if (is_there(field(kTimeKey))) {
    const auto time = parse_whole(field(kTimeKey).raw, 0, int64_t{1} << 53);
    if (!time) return wrong("\"time\" must be a whole number of seconds since 1970-01-01");
    document.time = *time;
  }
  NEARDUP_TRY(read_content(document));
  return document;
}

Status DocumentReader::read_content(engine::ArrivingText& document) {
  int given = -1;
  for (const int key : {kTextKey, kHtmlKey, kFingerprintsKey, kSignatureKey}) {
    if (!is_there(field(key))) continue;
    if (given >= 0)
      return wrong(fmt::format("give \"{}\" or \"{}\", not both", kDocumentKeys[given], kDocumentKeys[key]));
    given = key;
  }
  if (given < 0) return wrong("one of \"text\", \"html\", \"fingerprints\" and \"signature\" must be there");
  if (given == kFingerprintsKey) return read_fingerprints(document);
  if (given == kSignatureKey) return read_signature(document);
  NEARDUP_ASSIGN(document.text, text_of(given));
  document.is_html = given == kHtmlKey;
  return {};
}

Status DocumentReader::read_fingerprints(engine::ArrivingText& document) {
  const std::string_view raw = field(kFingerprintsKey).raw;
  if (raw.front() != '[') return wrong("\"fingerprints\" must be an array");
  constexpr size_t kMost = 64;
  NEARDUP_ASSIGN(const auto each, elements_of(raw, kMost));
  NEARDUP_TRY(check_count("fingerprints", each.size(), values_.fingerprints));
  auto& values = fingerprints_.emplace_back(each.size());
  for (size_t i = 0; i < each.size(); ++i) {
    constexpr size_t kQuotedDigits = 18;
    if (each[i].size() != kQuotedDigits || each[i].front() != '"' || !read_hex(unquoted(each[i]), values[i]))
      return wrong("each of \"fingerprints\" must be a string of 16 hexadecimal digits");
  }
  document.fingerprints = values;
  return {};
}

Status DocumentReader::read_signature(engine::ArrivingText& document) {
  NEARDUP_ASSIGN(const std::string_view digits, text_of(kSignatureKey));
  constexpr size_t kDigits = 4;
  if (digits.empty() || digits.size() % kDigits != 0)
    return wrong("\"signature\" must hold 4 hexadecimal digits a value");
  NEARDUP_TRY(check_count("signature values", digits.size() / kDigits, values_.signature));
  auto& values = signatures_.emplace_back(digits.size() / kDigits);
  for (size_t i = 0; i < values.size(); ++i) {
    if (!read_hex(digits.substr(i * kDigits, kDigits), values[i]))
      return wrong("\"signature\" holds no hexadecimal digits");
  }
  document.signature = values;
  return {};
}

}  // namespace neardup::server
