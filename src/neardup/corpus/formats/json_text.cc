#include "neardup/corpus/formats/json_text.h"

#include <algorithm>
#include <span>

#include "neardup/corpus/formats/json_space.h"
#include "neardup/corpus/formats/unescape.h"

namespace neardup::corpus {
namespace {

/// Members of an object, or items of a list, of valid JSON.
class JsonItems {
 public:
  explicit JsonItems(std::string_view value) : json_(value), is_object_(value.starts_with('{')) {}

  /// Returns whether there is one more. `name` stands in quotes, escapes and all.
  bool next(std::string_view& name, std::string_view& value) {
    skip_space();
    if (at_ >= json_.size() || json_[at_] == (is_object_ ? '}' : ']')) return false;
    if (is_object_) {
      name = take_value();
      skip_space();
    }
    value = take_value();
    return true;
  }

 private:
  /// White space, commas and colons, which stand where they may.
  void skip_space() {
    while (at_ < json_.size() && (is_json_space(json_[at_]) || json_[at_] == ',' || json_[at_] == ':')) ++at_;
  }

  void skip_string() {
    for (++at_; at_ < json_.size() && json_[at_] != '"'; ++at_) at_ += json_[at_] == '\\' ? 1 : 0;
    at_ = std::min(at_ + 1, json_.size());
  }

  std::string_view take_value() {
    const size_t begin = at_;
    size_t depth = 0;
    do {
      if (at_ >= json_.size()) break;
      const char c = json_[at_];
      if (c == '"') {
        skip_string();
        continue;
      }
      if (depth == 0 && (c == ',' || c == ':' || c == '}' || c == ']' || is_json_space(c))) break;
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') --depth;
      ++at_;
      const bool is_word = depth == 0 && c != '}' && c != ']';
      if (is_word) skip_word();
    } while (depth > 0);
    return json_.substr(begin, at_ - begin);
  }

  void skip_word() {
    while (at_ < json_.size() && !is_json_space(json_[at_]) && std::string_view(",:]}").find(json_[at_]) > 3) ++at_;
  }

  const std::string_view json_;
  const bool is_object_;
  size_t at_ = 1;
};

std::string_view unquoted(std::string_view raw, Arena& arena) {
  const std::string_view inside = raw.substr(1, raw.size() - 2);
  if (inside.find('\\') == std::string_view::npos) return inside;
  char* const out = arena.reserve(inside.size() + kUnescapePadding);
  const auto size = static_cast<size_t>(unescape(inside, out) - out);
  arena.use(size);
  return {out, size};
}

bool has_member(std::string_view object, std::string_view wanted, std::string_view& value, Arena& arena) {
  JsonItems items(object);
  for (std::string_view name; items.next(name, value);)
    if (unquoted(name, arena) == wanted) return true;
  return false;
}

/// Follows one path.
class PathWalk {
 public:
  PathWalk(Arena& arena, std::string& joined) : arena_(arena), joined_(joined) {}

  PathText run(std::string_view object, const TextPath& path) {
    if (std::string_view literal; path.steps.size() > 1 && has_member(object, path.name, literal, arena_)) {
      follow(literal, {}, false);
    } else {
      follow(object, path.steps, false);
    }
    return {found_, num_pieces_ > 1 ? std::string_view(joined_) : piece_, num_pieces_ <= 1};
  }

 private:
  /// kText outranks all but kOther: one value that is no string is told, one that is missing in a list is not.
  void note(PathText::Found found) {
    if (found_ != PathText::Found::kOther && (found == PathText::Found::kOther || found > found_)) found_ = found;
  }

  void take(std::string_view piece) {
    note(PathText::Found::kText);
    if (piece.empty()) return;
    if (++num_pieces_ == 2) joined_ = piece_;
    if (num_pieces_ > 1) append_text(joined_, piece);
    piece_ = piece;
  }

  void follow(std::string_view value, std::span<const TextStep> steps, bool is_item) {
    if (value == "null") return note(PathText::Found::kNull);
    if (steps.empty()) return value.starts_with('"') ? take(unquoted(value, arena_)) : note(PathText::Found::kOther);
    if (is_item && !value.starts_with('{')) return note(PathText::Found::kOther);
    std::string_view member;
    if (!value.starts_with('{') || !has_member(value, steps[0].name, member, arena_))
      return note(PathText::Found::kMissing);
    if (!steps[0].each || member == "null") return follow(member, steps.subspan(1), false);
    // Chats have the content of one message as a string, and that of the next as a list of parts.
    const bool stands_for_list = steps.size() > 1 && member.starts_with('"');
    if (stands_for_list) return take(unquoted(member, arena_));
    if (!member.starts_with('[')) return note(PathText::Found::kOther);
    note(PathText::Found::kNull);
    JsonItems items(member);
    std::string_view name;
    for (std::string_view item; items.next(name, item);) follow(item, steps.subspan(1), true);
  }

  Arena& arena_;
  std::string& joined_;
  std::string_view piece_;
  size_t num_pieces_ = 0;
  PathText::Found found_ = PathText::Found::kMissing;
};

/// Whether `path` leads to a list that its last step does not name as one, in one item at least.
bool ends_in_list(std::string_view value, std::span<const TextStep> steps, Arena& arena) {
  if (steps.empty()) return value.starts_with('[');
  std::string_view member;
  if (!value.starts_with('{') || !has_member(value, steps[0].name, member, arena)) return false;
  if (!steps[0].each) return ends_in_list(member, steps.subspan(1), arena);
  if (!member.starts_with('[')) return false;
  JsonItems items(member);
  std::string_view name;
  for (std::string_view item; items.next(name, item);)
    if (ends_in_list(item, steps.subspan(1), arena)) return true;
  return false;
}

/// The name of `path` with "[]" where it leads into a list; empty where it leads to nothing then, or lacks none. Of a
/// list the first item is looked at.
std::string with_brackets(std::string_view value, const TextPath& path, Arena& arena) {
  std::string name;
  bool lacks_one = false;
  for (size_t i = 0; i < path.steps.size(); ++i) {
    std::string_view member;
    if (!value.starts_with('{') || !has_member(value, path.steps[i].name, member, arena)) return {};
    const bool is_last = i + 1 == path.steps.size();
    const bool is_list = member.starts_with('[') && !is_last;
    lacks_one = lacks_one || (is_list && !path.steps[i].each);
    name += (i == 0 ? "" : ".") + path.steps[i].name + (is_list || path.steps[i].each ? "[]" : "");
    value = member;
    if (std::string_view none; is_list && !JsonItems(member).next(none, value)) return {};
  }
  return lacks_one ? name : "";
}

}  // namespace

TextKey::Choice JsonText::find(std::string_view object, Arena& arena) {
  object.remove_prefix(std::min(object.find('{'), object.size()));
  for (size_t i = 0; i < found_.size(); ++i) {
    texts_[i].clear();
    found_[i] = PathWalk(arena, texts_[i]).run(object, key_.paths()[i]);
  }
  const TextKey::Choice choice = key_.choose(found_);
  if (choice.found == PathText::Found::kText) text_ = join_texts(choice.parts, found_, arena);
  return choice;
}

std::string list_hint(const TextKey& key, std::string_view object, Arena& arena) {
  object.remove_prefix(std::min(object.find('{'), object.size()));
  for (const TextPath& path : key.paths())
    if (const std::string name = with_brackets(object, path, arena); !name.empty())
      return "; it is in a list, of which '" + name + "' takes that of each item";
  return {};
}

std::string leaf_hint(const TextPath& path, std::string_view object, Arena& arena) {
  object.remove_prefix(std::min(object.find('{'), object.size()));
  return ends_in_list(object, path.steps, arena) ? list_cure(path.name) : "";
}

}  // namespace neardup::corpus
