#include "neardup/corpus/text_path.h"

#include <algorithm>

#include "neardup/base/trim.h"

namespace neardup::corpus {
namespace {

constexpr std::string_view kBehindName = "|,.";  // what stands behind a name, and before the next
constexpr std::string_view kEach = "[]";

/// Where the name ends that stands in quotes at the front of `rest`; 0 where none does.
size_t quoted_name_size(std::string_view rest) {
  if (!rest.starts_with('"')) return 0;
  size_t end = rest.find('"', 1);
  while (end != std::string_view::npos && rest.substr(end).starts_with("\"\"")) end = rest.find('"', end + 2);
  if (end == std::string_view::npos) return 0;
  const std::string_view behind = trim_blanks(rest.substr(end + 1), " ");
  const bool is_end = behind.empty() || kBehindName.find(behind[0]) != std::string_view::npos;
  return is_end || behind.starts_with(kEach) ? end + 1 : 0;
}

std::vector<std::string_view> cut_at(std::string_view bytes, char separator) {
  std::vector<std::string_view> pieces;
  bool begins_name = true;
  size_t begin = 0;
  for (size_t at = 0; at < bytes.size(); ++at) {
    if (const size_t size = begins_name ? quoted_name_size(bytes.substr(at)) : 0; size > 0) at += size;
    if (at >= bytes.size()) break;
    begins_name = kBehindName.find(bytes[at]) != std::string_view::npos || (begins_name && bytes[at] == ' ');
    if (bytes[at] != separator) continue;
    pieces.push_back(bytes.substr(begin, at - begin));
    begin = at + 1;
  }
  pieces.push_back(bytes.substr(begin));
  return pieces;
}

/// One step of a path, without its quotes.
TextStep parse_step(std::string_view typed) {
  TextStep step;
  step.each = typed.ends_with(kEach);
  if (step.each) typed.remove_suffix(kEach.size());
  const std::string_view name = trim_blanks(typed, " ");
  if (quoted_name_size(name) != name.size() || name.empty()) return {std::string(typed), step.each};
  for (size_t at = 1; at + 1 < name.size(); ++at) {
    step.name += name[at];
    at += name[at] == '"' ? 1 : 0;
  }
  return step;
}

Result<TextPath> parse_path(std::string_view typed) {
  TextPath path;
  typed = trim_blanks(typed, " ");
  bool lacks_name = typed.empty();
  for (const std::string_view name : cut_at(typed, '.')) {
    path.steps.push_back(parse_step(name));
    lacks_name = lacks_name || ((name.empty() || name == kEach) && typed.ends_with(kEach));
    if (path.steps.size() > 1) path.name += '.';
    path.name.append(path.steps.back().name).append(path.steps.back().each ? kEach : "");
  }
  if (lacks_name) return fail(Code::kInvalidArgument, "names a field that has no name");
  if (path.steps.size() > TextKey::kMostSteps)
    return fail(Code::kInvalidArgument, "goes through more than " + std::to_string(TextKey::kMostSteps) + " fields");
  return path;
}

}  // namespace

Result<TextKey> TextKey::parse(std::string_view typed) {
  const auto refuse = [&](const std::string& why) {
    return fail(Code::kInvalidArgument, "the text key '" + std::string(typed) + "' " + why +
                                            "; expected fields such as text, meta.text, messages[].content, "
                                            "title,body (one after the other) or text|content (the first that is "
                                            "there); a name that has such signs in it stands in double quotes: "
                                            "\"a|b\"");
  };
  TextKey key;
  key.name_ = typed;
  for (const std::string_view choice : cut_at(typed, '|')) {
    std::vector<size_t> parts;
    for (const std::string_view part : cut_at(choice, ',')) {
      auto path = parse_path(part);
      if (!path) return refuse(path.error().message);
      const auto same = std::ranges::find(key.paths_, *path);
      parts.push_back(static_cast<size_t>(same - key.paths_.begin()));
      if (same == key.paths_.end()) key.paths_.push_back(std::move(*path));
    }
    if (key.paths_.size() > kMostPaths || parts.size() > kMostPaths)
      return refuse("names more than " + std::to_string(kMostPaths) + " fields");
    key.choices_.push_back(std::move(parts));
  }
  return key;
}

bool TextKey::is_one_field() const {
  const bool is_one = choices_.size() == 1 && choices_[0].size() == 1 && paths_[0].name == name_;
  return is_one && std::ranges::none_of(paths_[0].steps, &TextStep::each);
}

TextKey::Choice TextKey::choose(std::span<const PathText> found) const {
  using Found = PathText::Found;
  Choice best;
  bool is_first = true;
  for (const std::vector<size_t>& parts : choices_) {
    const auto kind = [&](size_t part) { return found[part].found; };
    const auto has = [&](Found wanted) { return std::ranges::find(parts, wanted, kind); };
    Choice choice{Found::kText, parts, parts[0]};
    for (const Found wanted : {Found::kMissing, Found::kOther}) {
      if (choice.found != Found::kText || has(wanted) == parts.end()) continue;
      choice.found = wanted;
      choice.at_fault = *has(wanted);
    }
    if (choice.found == Found::kText && has(Found::kText) == parts.end()) choice.found = Found::kNull;
    const bool has_text = std::ranges::any_of(parts, [&](size_t part) { return !found[part].text.empty(); });
    if (choice.found == Found::kText && has_text) return choice;
    if (is_first || (choice.found == Found::kText && best.found != Found::kText)) best = choice;
    is_first = false;
  }
  return best;
}

std::string text_problem(const TextKey& key, const TextKey::Choice& choice, const std::string& what) {
  const std::string& name = key.paths()[choice.at_fault].name;
  const bool is_one = key.paths().size() == 1;
  const std::string of = is_one ? "" : ", of --text-key '" + key.name() + "'";
  if (choice.found == PathText::Found::kMissing) {
    const std::string cure = is_one ? "" : " (A,B|A takes A alone where there is no B)";
    return "no " + what + " '" + name + "'" + of + cure;
  }
  if (choice.found == PathText::Found::kNull) return what + " '" + name + "' has no text, but is null or empty" + of;
  return what + " '" + name + "' is not a string, nor a list of strings that [] names" + of;
}

std::string list_cure(const std::string& name) {
  return "; of a list '" + name + "[]' takes the strings, and '" + name + "[].FIELD' a field of its objects";
}

std::string_view join_texts(std::span<const size_t> parts, std::span<const PathText> found, Arena& arena) {
  const auto is_there = [&](size_t part) { return !found[part].text.empty(); };
  const auto num_there = std::ranges::count_if(parts, is_there);
  const auto only = std::ranges::find_if(parts, is_there);
  if (num_there == 0) return {};
  const bool is_held = found[*only].is_held;
  if (num_there == 1 && is_held) return found[*only].text;
  std::string text;
  for (const size_t part : parts) append_text(text, found[part].text);
  char* const out = arena.reserve(text.size());
  text.copy(out, text.size());
  arena.use(text.size());
  return {out, text.size()};
}

void append_text(std::string& text, std::string_view piece) {
  if (!text.empty() && !piece.empty()) text += kBetweenTexts;
  text += piece;
}

}  // namespace neardup::corpus
