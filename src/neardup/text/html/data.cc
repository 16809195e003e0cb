#include "neardup/text/html/data.h"

#include <simdjson.h>

#include <algorithm>

namespace neardup::text {
namespace {

using simdjson::dom::element;

constexpr std::string_view kScript = "<script";
constexpr std::string_view kType = "application/ld+json";
constexpr int kMaxDepth = 16;
constexpr size_t kLeastBody = 250;  // bytes of bodies that make descriptions needless

bool is_body(std::string_view key) {
  for (const std::string_view body : {"articleBody", "text", "reviewBody", "recipeIngredient", "recipeInstructions"}) {
    if (key == body) return true;
  }
  return false;
}

void append_paragraph(std::string_view text, std::string& out) { out.append("<p>").append(text).append("</p>"); }

struct Found {
  std::string bodies;
  std::string descriptions;

  /// `key` is that of the member, or of the array, that the value stands in. Not deeper than kMaxDepth.
  void walk(element value, std::string_view key, int depth) {
    if (depth > kMaxDepth) return;
    simdjson::dom::object object;
    simdjson::dom::array array;
    std::string_view text;
    if (value.get(object) == simdjson::SUCCESS) {
      for (const auto [name, member] : object) walk(member, name, depth + 1);
    } else if (value.get(array) == simdjson::SUCCESS) {
      for (const element item : array) walk(item, key, depth + 1);
    } else if (value.get(text) == simdjson::SUCCESS) {
      add(text, key);
    }
  }

  void add(std::string_view text, std::string_view key) {
    if (text.empty()) return;
    if (is_body(key)) append_paragraph(text, bodies);
    if (key == "description") append_paragraph(text, descriptions);
  }
};

/// Takes the next block of JSON-LD away from `html` and returns what stands in it; one with no data() where there is
/// none.
std::string_view next_block(std::string_view& html) {
  while (true) {
    const size_t type = html.find(kType);
    if (type == std::string_view::npos) return {};
    const size_t open = html.rfind('<', type);
    const size_t begin = html.find('>', type);
    const bool is_script = open != std::string_view::npos && html.substr(open).starts_with(kScript);
    html.remove_prefix(begin == std::string_view::npos ? html.size() : begin + 1);
    if (!is_script) continue;
    const size_t end = html.find("</script");
    const std::string_view block = html.substr(0, end);
    html.remove_prefix(block.size());
    return block;
  }
}

}  // namespace

void read_linked_data(std::string_view html, std::string& out) {
  Found found;
  simdjson::dom::parser parser;
  for (std::string_view block = next_block(html); block.data() != nullptr; block = next_block(html)) {
    element root;
    if (parser.parse(block.data(), block.size()).get(root) == simdjson::SUCCESS) found.walk(root, {}, 0);
  }
  out = found.bodies.size() >= kLeastBody ? std::move(found.bodies) : std::move(found.descriptions);
}

}  // namespace neardup::text
