// A strict reader of the page: every tag closed in order, and nothing but the tags and attributes that we write.
#pragma once

#include <cctype>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace neardup::report {

struct PageCheck {
  std::string error;  // empty: well formed
  std::map<std::string, int> num_tags;
  std::string text;  // what a reader sees, references resolved, style and script left out
};

class PageChecker {
 public:
  explicit PageChecker(std::string_view page) : page_(page) {}

  PageCheck run() {
    static constexpr std::string_view kDoctype = "<!DOCTYPE html>\n";
    if (!page_.starts_with(kDoctype)) return fail("no doctype");
    position_ = kDoctype.size();
    while (position_ < page_.size() && result_.error.empty()) {
      if (page_[position_] == '<') {
        tag();
      } else {
        character();
      }
    }
    if (result_.error.empty() && !open_.empty()) return fail("not closed: " + open_.back());
    return result_;
  }

 private:
  PageCheck fail(const std::string& what) {
    if (result_.error.empty()) result_.error = what + " near: " + std::string(page_.substr(position_, 60));
    return result_;
  }

  void character() {
    static const std::map<std::string, char> kReferences = {
        {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}};
    auto byte = static_cast<unsigned char>(page_[position_]);
    if (byte < 0x20 && byte != '\n' && byte != '\t') return void(fail("a control character"));
    if (page_[position_] == '>') return void(fail("a bare >"));
    if (page_[position_] != '&') {
      result_.text += page_[position_++];
      return;
    }
    for (const auto& [name, value] : kReferences) {
      if (page_.substr(position_).starts_with(name)) {
        result_.text += value;
        position_ += name.size();
        return;
      }
    }
    fail("a bare &");
  }

  void tag() {
    size_t end = position_ + 1;
    bool quoted = false;
    while (end < page_.size() && (quoted || page_[end] != '>')) quoted ^= page_[end++] == '"';
    if (end == page_.size()) return void(fail("a tag without end"));
    std::string inside(page_.substr(position_ + 1, end - position_ - 1));
    if (inside[0] == '/') return close(inside.substr(1), end + 1);
    bool is_alone = inside.ends_with('/');
    std::string name = inside.substr(0, inside.find_first_of(" /"));
    static const std::set<std::string> kTags = {
        "html",  "head",       "meta",    "title",   "style",    "body",    "main",       "header",
        "p",     "b",          "span",    "time",    "h1",       "h2",      "h3",         "svg",
        "rect",  "dl",         "dt",      "dd",      "div",      "small",   "ul",         "ol",
        "li",    "nav",        "a",       "aside",   "code",     "section", "table",      "thead",
        "tbody", "tfoot",      "tr",      "th",      "td",       "figure",  "figcaption", "g",
        "text",  "line",       "ins",     "del",     "i",        "article", "footer",     "script",
        "pre",   "blockquote", "details", "summary", "polyline", "polygon", "circle",     "br"};
    if (!kTags.contains(name)) return void(fail("unknown tag " + name));
    if (!check_attributes(inside.substr(name.size()))) return void(fail("bad attributes in " + inside));
    ++result_.num_tags[name];
    position_ = end + 1;
    if (name == "style" || name == "script") return skip_raw(name);
    if (!is_alone && name != "meta" && name != "br") open_.push_back(name);
  }

  void close(const std::string& name, size_t after) {
    if (open_.empty() || open_.back() != name) return void(fail("closes " + name));
    open_.pop_back();
    position_ = after;
  }

  void skip_raw(const std::string& name) {
    size_t end = page_.find("</" + name + ">", position_);
    if (end == page_.npos) return void(fail("not closed: " + name));
    position_ = end + name.size() + 3;
  }

  // name="value" or a bare name, each known; none that runs a script.
  static bool check_attributes(std::string_view rest) {
    static const std::set<std::string, std::less<>> kNames = {
        "lang",        "charset", "http-equiv", "content",    "name",       "class",     "id",  "href",   "aria-label",
        "aria-hidden", "width",   "height",     "x",          "y",          "rx",        "x1",  "x2",     "y1",
        "y2",          "role",    "scope",      "data-label", "data-value", "data-kind", "dir", "hidden", "viewBox",
        "points",      "cx",      "cy",         "r",          "tabindex",   "style",     "type"};
    while (true) {
      while (!rest.empty() && (rest[0] == ' ' || rest[0] == '/')) rest.remove_prefix(1);
      if (rest.empty()) return true;
      size_t end = 0;
      while (end < rest.size() && (std::isalnum(static_cast<unsigned char>(rest[end])) || rest[end] == '-')) ++end;
      if (!kNames.contains(rest.substr(0, end))) return false;
      rest.remove_prefix(end);
      if (rest.empty() || rest[0] != '=') continue;
      size_t close = rest.size() > 1 && rest[1] == '"' ? rest.find('"', 2) : rest.npos;
      if (close == rest.npos) return false;
      rest.remove_prefix(close + 1);
    }
  }

  std::string_view page_;
  size_t position_ = 0;
  std::vector<std::string> open_;
  PageCheck result_;
};

inline PageCheck check_page(std::string_view page) { return PageChecker(page).run(); }

}  // namespace neardup::report
