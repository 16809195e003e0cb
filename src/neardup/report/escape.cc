#include "neardup/report/escape.h"

#include <vector>

#include "neardup/diff/characters.h"

namespace neardup::report {
namespace {

// Calls body(character, position) for each character.
template <class Body>
void for_each_character(std::string_view text, Body body) {
  for (size_t i = 0; i < text.size();) {
    diff::Character character = diff::character_at(text, i);
    body(character, i);
    i += character.length;
  }
}

std::string_view reference_for(char32_t code_point) {
  switch (code_point) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

bool is_return_before_feed(std::string_view text, size_t position) {
  return text[position] == '\r' && position + 1 < text.size() && text[position + 1] == '\n';
}

std::string escape(std::string_view text, std::string_view before_hidden, std::string_view after_hidden) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for_each_character(text, [&](const diff::Character& character, size_t position) {
    if (is_return_before_feed(text, position)) return;
    if (std::string_view reference = reference_for(character.code_point); !reference.empty()) {
      out += reference;
    } else if (diff::is_hidden(character.code_point)) {
      out.append(before_hidden).append(diff::code_point_name(character.code_point)).append(after_hidden);
    } else {
      diff::append_utf8(out, character.code_point);
    }
  });
  return out;
}

// One piece of a terminal line with its width.
struct Cell {
  std::string bytes;
  size_t columns = 0;
};

Cell terminal_cell(char32_t code_point) {
  if (diff::character_class(code_point) == diff::CharacterClass::kSpace && code_point != 0xFEFF) return {" ", 1};
  if (diff::is_hidden(code_point)) {
    std::string name = "[" + diff::code_point_name(code_point) + "]";
    return {name, name.size()};
  }
  Cell cell;
  diff::append_utf8(cell.bytes, code_point);
  cell.columns = static_cast<size_t>(diff::terminal_width(code_point));
  return cell;
}

}  // namespace

std::string escape_html(std::string_view text) { return escape(text, "<b class=\"hidden\">", "</b>"); }

std::string escape_attribute(std::string_view text) { return escape(text, "[", "]"); }

std::string terminal_line(std::string_view text, size_t max_columns) {
  std::vector<Cell> cells;
  size_t columns = 0;
  for_each_character(text, [&](const diff::Character& character, size_t) {
    cells.push_back(terminal_cell(character.code_point));
    columns += cells.back().columns;
  });
  size_t begin = 0, end = cells.size();  // what is left out
  if (columns <= max_columns) {
    begin = end;
  } else {
    size_t left = (max_columns - 1) / 2, right = max_columns - 1 - left;
    for (begin = 0; cells[begin].columns <= left; ++begin) left -= cells[begin].columns;
    for (; end > begin && cells[end - 1].columns <= right; --end) right -= cells[end - 1].columns;
  }
  std::string out;
  for (size_t i = 0; i < begin; ++i) out += cells[i].bytes;
  if (begin < end) out += "\u2026";
  for (size_t i = end; i < cells.size(); ++i) out += cells[i].bytes;
  return out;
}

std::string terminal_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for_each_character(text, [&](const diff::Character& character, size_t position) {
    if (is_return_before_feed(text, position)) return;
    const bool stays = character.code_point == '\n' || character.code_point == '\t';
    out += stays ? std::string(1, static_cast<char>(character.code_point)) : terminal_cell(character.code_point).bytes;
  });
  return out;
}

size_t terminal_columns(std::string_view text) {
  size_t columns = 0;
  for_each_character(text, [&](const diff::Character& character, size_t) {
    columns += static_cast<size_t>(diff::terminal_width(character.code_point));
  });
  return columns;
}

}  // namespace neardup::report
