// Words of --text-key, and the JSON in which they find a text. The first line is the key, the rest an object.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/corpus/formats/json_line.h"
#include "neardup/corpus/formats/json_text.h"
#include "neardup/corpus/formats/unescape.h"

inline int fuzz_text_path(const uint8_t* data, size_t size) {
  using namespace neardup::corpus;
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const size_t newline = std::min(all.find('\n'), all.size());
  const auto key = TextKey::parse(all.substr(0, newline));
  if (!key) return 0;
  if (key->name() != all.substr(0, newline) || key->paths().empty()) std::abort();
  if (key->paths().size() > TextKey::kMostPaths) std::abort();
  std::string line(all.substr(std::min(newline + 1, all.size())));
  const size_t length = line.size();
  line.resize(length + kUnescapePadding);
  const std::string_view object = std::string_view(line).substr(0, length);
  JsonLine json(std::make_shared<const std::vector<WantedKey>>(std::vector{WantedKey(key->name())}));
  Arena arena;
  if (json.parse(object, arena) != JsonVerdict::kObject) return 0;
  JsonText text(*key);
  const TextKey::Choice choice = text.find(object, arena);
  if (choice.found != PathText::Found::kText) return text_problem(*key, choice, "field").empty() ? std::abort(), 0 : 0;
  const size_t most = TextKey::kMostPaths * (2 * length + kBetweenTexts.size());
  if (choice.parts.empty() || text.text().size() > most) std::abort();
  const bool finds_one = key->is_one_field() && json.field(0).kind == JsonField::Kind::kString;
  if (finds_one && json.field(0).text != text.text()) std::abort();
  return 0;
}
