#include "neardup/text/licence_comments.h"

#include <algorithm>
#include <array>
#include <vector>

#include "neardup/base/trim.h"
#include "neardup/text/text_lines.h"

namespace neardup::text {
namespace {

constexpr size_t kMostCommentBytes = size_t{32} << 10;  // of comments that are looked at
// Notices have 300 to 3,000 bytes; a whole licence may be what a file is kept for.
constexpr size_t kMostLicenceBytes = size_t{4} << 10;

constexpr std::string_view kLineBlanks = " \t\r\n";

struct CommentMarks {
  std::string_view open, close;
};
constexpr CommentMarks kCommentMarks[] = {{"/*", "*/"}, {"<!--", "-->"}, {"(*", "*)"}, {"{-", "-}"}};
constexpr std::string_view kLineMarks[] = {"//", "#", "--", ";", "%", "!", "dnl ", "REM ", "@rem "};
// Lines that stand before the first comment.
constexpr std::string_view kBeforeComments[] = {"#!", "<?php", "<?xml", "<?hh", "<!DOCTYPE"};

// One of these words makes a paragraph one of a licence.
constexpr std::string_view kCertainMarks[] = {"copyright", "spdx-license", "all rights reserved", "\xC2\xA9"};
// Two of these do, or one behind such a paragraph.
constexpr std::string_view kLicenceMarks[] = {"licens",        "licenc",     "warrant",   "redistribut",   "permission",
                                              "permitted",     "conditions", "liab",      "free software", "as is",
                                              "public domain", "distribut",  "foundation"};

bool is_on_licence(std::string_view paragraph, bool goes_on) {
  const std::string small = in_small_letters(paragraph);
  const auto holds = [&](std::string_view word) { return small.find(word) != std::string::npos; };
  if (std::ranges::any_of(kCertainMarks, holds)) return true;
  return std::ranges::count_if(kLicenceMarks, holds) >= (goes_on ? 1 : 2);
}

auto begins(std::string_view words) {
  return [words](std::string_view mark) { return words.starts_with(mark); };
}

/// Of "#include" the sign is no mark of a comment.
bool is_comment(std::string_view line, std::string_view mark) {
  if (!line.starts_with(mark)) return false;
  const bool is_sign = mark.size() == 1;
  return !is_sign || line.size() == 1 || !is_letter_byte(line[1]);
}

/// Where the comments at the front of a text end, and whether there are any.
class FrontComments {
 public:
  explicit FrontComments(std::string_view text) : text_(text) {}

  /// Returns the size of the comments with all lines before and between them; 0 where there are none.
  size_t size() {
    while (at_ < std::min(text_.size(), kMostCommentBytes)) {
      const std::string_view line = line_at(at_);
      const std::string_view words = trim_blanks(line, kLineBlanks);
      const bool is_before = num_comments_ == 0 && std::ranges::any_of(kBeforeComments, begins(words));
      if (words.empty() || is_before) {
        at_ += line.size();
      } else if (!take_block(words) && !take_lines(words)) {
        break;
      }
    }
    return num_comments_ == 0 ? 0 : end_;
  }

 private:
  /// With its end.
  [[nodiscard]] std::string_view line_at(size_t at) const {
    const size_t end = text_.find('\n', at);
    return text_.substr(at, end == std::string_view::npos ? end : end + 1 - at);
  }

  bool take_block(std::string_view words) {
    const auto* const block =
        std::ranges::find_if(kCommentMarks, [&](const CommentMarks& one) { return words.starts_with(one.open); });
    if (block == std::end(kCommentMarks)) return false;
    const size_t close = text_.substr(0, kMostCommentBytes).find(block->close, at_ + block->open.size());
    if (close == std::string_view::npos) return false;
    const std::string_view behind = line_at(close + block->close.size());
    if (!trim_blanks(behind, kLineBlanks).empty()) return false;
    took(close + block->close.size() + behind.size());
    return true;
  }

  bool take_lines(std::string_view words) {
    const auto* const mark = std::ranges::find_if(kLineMarks, begins(words));
    if (mark == std::end(kLineMarks)) return false;
    size_t num_lines = 0, end = at_;
    while (end < text_.size() && is_comment(trim_blanks(line_at(end), kLineBlanks), *mark)) {
      end += line_at(end).size();
      ++num_lines;
    }
    if (num_lines < 2) return false;
    took(end);
    return true;
  }

  void took(size_t end) {
    ++num_comments_;
    at_ = end_ = end;
  }

  const std::string_view text_;
  size_t at_ = 0, end_ = 0;
  size_t num_comments_ = 0;
};

bool has_letters(std::string_view line) { return std::ranges::any_of(line, is_letter_byte); }

/// Appends `comments` without their paragraphs on licences; returns how many bytes these have.
size_t append_others(std::string_view comments, std::string& out) {
  size_t left_out = 0;
  while (!comments.empty()) {
    std::string_view rest = comments;
    while (!rest.empty()) {
      std::string_view behind = rest;
      if (!has_letters(take_line(behind))) break;
      rest = behind;
    }
    const std::string_view paragraph = comments.substr(0, comments.size() - rest.size());
    if (!paragraph.empty() && is_on_licence(paragraph, left_out > 0)) {
      left_out += paragraph.size();
    } else {
      out += paragraph;
    }
    comments = rest;
    std::string_view behind = comments;
    static_cast<void>(take_line(behind));
    out += comments.substr(0, comments.size() - behind.size());
    comments = behind;
  }
  return left_out;
}

}  // namespace

bool leave_out_licence(std::string_view text, std::string& out) {
  const size_t first = std::min(text.find_first_not_of(kLineBlanks), text.size());
  const std::string_view begin = text.substr(first, 6);
  const auto starts = [&](std::string_view mark) { return begin.starts_with(mark.substr(0, begin.size())); };
  const bool may_begin =
      !begin.empty() && (std::ranges::any_of(kLineMarks, starts) || begin.starts_with("<") ||
                         std::ranges::any_of(kCommentMarks, [&](const CommentMarks& one) { return starts(one.open); }));
  if (!may_begin) return false;
  const size_t size = FrontComments(text).size();
  if (size == 0 || trim_blanks(text.substr(size), kLineBlanks).empty()) return false;
  out.clear();
  const size_t left_out = append_others(text.substr(0, size), out);
  if (left_out == 0 || left_out > kMostLicenceBytes) return false;
  out += text.substr(size);
  return true;
}

}  // namespace neardup::text
