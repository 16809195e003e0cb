// Holds JsonLine against the plain reader on one line.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/corpus/formats/json_line.h"
#include "neardup/corpus/formats/unescape.h"
#include "neardup/corpus/formats/utf8_repair.h"
#include "tests/agree/corpus/plain_json.h"

namespace neardup::corpus {

/// Parses lines both ways with the same wanted keys.
class LineCheck {
 public:
  explicit LineCheck(const std::vector<std::string>& names) : names_(names) {
    std::vector<WantedKey> keys(names.begin(), names.end());
    line_ = std::make_unique<JsonLine>(std::make_shared<const std::vector<WantedKey>>(std::move(keys)));
  }

  /// Returns what differs, "" if nothing does. The line is given at the end of its block: one byte too far is seen.
  std::string run(std::string_view bytes) {
    arena_.clear();
    const JsonVerdict verdict = parse(bytes);
    const std::optional<plain::Value> expected = plain::parse(bytes);
    if (!expected) return verdict == JsonVerdict::kInvalid ? "" : "accepted, but is not valid";
    if (verdict == JsonVerdict::kInvalid) return "rejected, but is valid: " + line_->problem();
    if ((verdict == JsonVerdict::kObject) != (expected->kind == '{')) return "an object or not";
    for (size_t k = 0; verdict == JsonVerdict::kObject && k < names_.size(); ++k) {
      const std::string difference = compare(plain::find_field(*expected, names_[k]), line_->field(k));
      if (!difference.empty()) return "field '" + names_[k] + "': " + difference;
    }
    return "";
  }

 private:
  JsonVerdict parse(std::string_view bytes) {
    padded_.assign(bytes).append(kUnescapePadding, 'x');
    const JsonVerdict verdict = line_->parse({padded_.data(), bytes.size()}, arena_);
    if (verdict != JsonVerdict::kInvalidUtf8) return verdict;
    repaired_.resize(repaired_utf8_bound(bytes.size()) + kUnescapePadding);
    const char* end = repair_utf8(bytes, repaired_.data());
    return line_->parse({repaired_.data(), static_cast<size_t>(end - repaired_.data())}, arena_);
  }

  static std::string compare(const plain::Value* expected, const JsonField& field) {
    using Kind = JsonField::Kind;
    if (expected == nullptr) return field.kind == Kind::kMissing ? "" : "found where there is none";
    const bool is_integer = expected->kind == '0' && expected->raw.find_first_of(".eE") == std::string::npos;
    const Kind kind = expected->kind == '"' ? Kind::kString : is_integer ? Kind::kInteger : Kind::kOther;
    if (field.kind != kind) return "of another kind";
    if (field.raw != expected->raw) return "raw '" + std::string(field.raw) + "'";
    if (kind == Kind::kString && field.text != expected->text) return "text '" + std::string(field.text) + "'";
    return "";
  }

  std::vector<std::string> names_;
  std::unique_ptr<JsonLine> line_;
  Arena arena_;
  std::string padded_;
  std::string repaired_;
};

}  // namespace neardup::corpus
