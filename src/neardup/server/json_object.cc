#include "neardup/server/json_object.h"

#include <fmt/format.h>

#include "neardup/base/sizes.h"
#include "neardup/corpus/formats/unescape.h"
#include "neardup/server/json_pieces.h"

namespace neardup::server {
namespace {

using corpus::JsonField;

/// Returns what a JSON string stands for.
std::string unescaped(std::string_view raw) {
  const std::string_view inside = unquoted(raw);
  std::string padded(inside);
  padded.append(corpus::kUnescapePadding, ' ');
  std::string text(inside.size() + corpus::kUnescapePadding, ' ');
  const char* end = corpus::unescape({padded.data(), inside.size()}, text.data());
  text.resize(static_cast<size_t>(end - text.data()));
  return text;
}

/// Of a value that is valid JSON.
bool is_integer(std::string_view value) { return value.find_first_not_of("-0123456789") == std::string_view::npos; }

}  // namespace

Result<JsonObject> JsonObject::parse(std::string_view json, std::initializer_list<std::string_view> names) {
  auto keys = std::make_shared<std::vector<corpus::WantedKey>>(names.begin(), names.end());
  JsonObject object(std::move(keys));
  if (json.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return fail(Code::kInvalidArgument, "expected a JSON object, found nothing");
  const corpus::JsonVerdict verdict = object.line_->parse(without_mark(json), *object.arena_);
  if (verdict == corpus::JsonVerdict::kObject) return object;
  if (verdict == corpus::JsonVerdict::kInvalidUtf8) return fail(Code::kInvalidArgument, "the JSON is not UTF-8");
  if (verdict == corpus::JsonVerdict::kNotAnObject) return fail(Code::kInvalidArgument, "expected a JSON object");
  return fail(Code::kInvalidArgument, "the JSON is not valid: " + object.line_->problem());
}

bool JsonObject::has(size_t i) const {
  const JsonField& field = line_->field(i);
  return field.kind != JsonField::Kind::kMissing && field.raw != "null";
}

tl::unexpected<Error> JsonObject::wrong(size_t i, std::string_view expected) const {
  return fail(Code::kInvalidArgument,
              fmt::format("\"{}\" {}: expected {}", (*keys_)[i].name, has(i) ? "is wrong" : "is missing", expected));
}

Result<std::string_view> JsonObject::text(size_t i) const {
  if (has(i) && line_->field(i).kind == JsonField::Kind::kString) return line_->field(i).text;
  return wrong(i, "a string");
}

Result<std::string_view> JsonObject::id(size_t i) const {
  if (line_->field(i).kind == JsonField::Kind::kInteger) return line_->field(i).raw;
  return text(i);
}

Result<int64_t> JsonObject::whole(size_t i, int64_t least, int64_t most) const {
  if (const auto number = parse_whole(raw(i), least, most); number) return *number;
  return wrong(i, fmt::format("a whole number between {} and {}", least, most));
}

Result<std::string_view> JsonObject::object(size_t i) const {
  if (raw(i).front() == '{') return raw(i);
  return wrong(i, "an object");
}

Result<std::vector<std::string>> JsonObject::ids(size_t i, size_t most) const {
  constexpr std::string_view kExpected = "an array of strings or integers";
  if (raw(i).front() != '[') return wrong(i, kExpected);
  NEARDUP_ASSIGN(const auto elements, elements_of(raw(i), most));
  std::vector<std::string> texts;
  for (const std::string_view element : elements) {
    if (is_integer(element)) {
      texts.emplace_back(element);
      continue;
    }
    if (element.front() != '"' || !corpus::check_escapes(unquoted(element))) return wrong(i, kExpected);
    texts.push_back(unescaped(element));
  }
  return texts;
}

}  // namespace neardup::server
