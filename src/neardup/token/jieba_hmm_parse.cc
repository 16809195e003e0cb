// prob_start.py, prob_trans.py, prob_emit.py: one Python dictionary each, "P = {...}".
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "neardup/base/white_space.h"
#include "neardup/text/utf8.h"
#include "neardup/token/jieba_model.h"

namespace neardup::token {
namespace {

/// Reads the literals that these files are made of: strings of one character, numbers, dictionaries of such.
class Literals {
 public:
  Literals(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {}

  /// Goes behind "P =" at the start of a line.
  Status find_table() {
    for (at_ = 0; at_ < text_.size(); ++at_) {
      if ((at_ == 0 || text_[at_ - 1] == '\n') && text_[at_] == 'P') {
        ++at_;
        if (take('=')) return {};
      }
    }
    return wrong("a line that begins with 'P ='");
  }

  [[nodiscard]] tl::unexpected<Error> wrong(std::string_view expected) const {
    return fail(Code::kInvalidArgument,
                fmt::format("{} is not a table of jieba's: expected {} at byte {}", name_, expected, at_));
  }

  /// Takes `c` and the white space before it.
  bool take(char c) {
    while (at_ < text_.size() && is_white_space(text_[at_])) ++at_;
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  Result<char32_t> key() {
    if (!take('\'')) return wrong("a key in single quotes");
    std::optional<char32_t> c = text_.substr(at_, 2) == "\\u" ? escaped() : plain();
    if (!c || at_ == text_.size() || text_[at_++] != '\'') return wrong("a key of one character");
    if (!take(':')) return wrong("':'");
    return *c;
  }

  Result<double> number() {
    take('\0');  // white space
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc() || !std::isfinite(value)) return wrong("a number");
    at_ = static_cast<size_t>(end - text_.data());
    return value;
  }

  /// Calls entry(key) for each key of a dictionary; entry takes the value.
  template <class Entry>
  Status dictionary(const Entry& entry) {
    if (!take('{')) return wrong("'{'");
    while (!take('}')) {
      NEARDUP_ASSIGN(const char32_t c, key());
      NEARDUP_TRY(entry(c));
      if (take('}')) return {};
      if (!take(',')) return wrong("',' or '}'");
    }
    return {};
  }

 private:
  std::optional<char32_t> escaped() {
    uint32_t value = 0;
    const char* from = text_.data() + at_ + 2;
    const char* end = text_.data() + std::min(at_ + 6, text_.size());
    const auto result = std::from_chars(from, end, value, 16);
    if (result.ec != std::errc() || result.ptr - from != 4) return std::nullopt;
    at_ += 6;
    return value;
  }

  std::optional<char32_t> plain() {
    if (at_ == text_.size() || text_[at_] == '\\') return std::nullopt;
    const text::Decoded c = text::decode(text_.data() + at_, text_.data() + text_.size());
    at_ += c.size_bytes;
    return c.valid ? std::optional(c.code_point) : std::nullopt;
  }

  std::string_view text_;
  std::string name_;
  size_t at_ = 0;
};

Result<size_t> state_of(const Literals& literals, char32_t c) {
  const size_t state = std::u32string_view(U"BMES").find(c);
  if (state == std::u32string_view::npos) return literals.wrong("one of the states B, M, E, S");
  return state;
}

/// Reads a dictionary of states; value(state) takes the value.
template <class Value>
Status states(Literals& literals, const Value& value) {
  return literals.dictionary([&](char32_t c) -> Status {
    NEARDUP_ASSIGN(const size_t state, state_of(literals, c));
    return value(state);
  });
}

Status read_number(Literals& literals, double& out) {
  NEARDUP_ASSIGN(out, literals.number());
  return {};
}

Status read_emission(Literals& literals, size_t state, HmmModel& model) {
  return literals.dictionary([&](char32_t c) -> Status {
    NEARDUP_ASSIGN(const double value, literals.number());
    const auto [at, is_new] = model.emission.try_emplace(c);
    if (is_new) at->second.fill(kNever);
    at->second[state] = value;
    return {};
  });
}

}  // namespace

Result<HmmModel> parse_hmm(const HmmTexts& texts) {
  const auto named = [&texts](const char* file) {
    return texts.folder.empty() ? std::string(file) : fmt::format("'{}/{}'", texts.folder, file);
  };
  HmmModel model;
  model.start.fill(kNever);
  for (auto& row : model.transition) row.fill(kNever);
  Literals start(texts.start, named("prob_start.py"));
  NEARDUP_TRY(start.find_table());
  NEARDUP_TRY(states(start, [&](size_t state) { return read_number(start, model.start[state]); }));
  Literals transition(texts.transition, named("prob_trans.py"));
  NEARDUP_TRY(transition.find_table());
  NEARDUP_TRY(states(transition, [&](size_t from) {
    return states(transition, [&](size_t to) { return read_number(transition, model.transition[from][to]); });
  }));
  Literals emission(texts.emission, named("prob_emit.py"));
  NEARDUP_TRY(emission.find_table());
  NEARDUP_TRY(states(emission, [&](size_t state) { return read_emission(emission, state, model); }));
  return model;
}

}  // namespace neardup::token
