#include "neardup/text/mask.h"

#include <algorithm>
#include <array>

#include "neardup/text/mask_date.h"
#include "neardup/text/mask_url.h"

namespace neardup::text {
namespace {

struct MaskRow {
  std::string_view name;
  uint32_t kind;
  std::string_view word;
};

constexpr std::array<MaskRow, 6> kMaskRows = {{{"dates", kMaskDates, "⟨date⟩"},
                                               {"times", kMaskTimes, "⟨time⟩"},
                                               {"numbers", kMaskNumbers, "⟨number⟩"},
                                               {"urls", kMaskUrls, "⟨url⟩"},
                                               {"emails", kMaskEmails, "⟨email⟩"},
                                               {"tracking", kMaskTracking, ""}}};

std::string_view word_for(uint32_t kind) {
  return std::find_if(kMaskRows.begin(), kMaskRows.end(), [kind](const MaskRow& row) { return row.kind == kind; })
      ->word;
}

constexpr size_t kMaxEmailName = 64;  // RFC 5321, section 4.5.3.1.1

enum class Start : uint8_t { kNone, kLetter, kDigit, kCurrency, kWide };

/// What may begin at a byte.
constexpr std::array<Start, 256> make_starts() {
  std::array<Start, 256> starts{};
  for (size_t c = 'a'; c <= 'z'; ++c) starts[c] = starts[c - 32] = Start::kLetter;
  for (size_t c = 0xC3; c <= 0xD4; ++c) starts[c] = Start::kLetter;
  for (size_t c = '0'; c <= '9'; ++c) starts[c] = Start::kDigit;
  starts['$'] = Start::kCurrency;
  starts[0xC2] = Start::kCurrency;                                 // £ ¥
  for (size_t c = 0xE2; c <= 0xEF; ++c) starts[c] = Start::kWide;  // €, 〇 to 十, full-width forms
  return starts;
}

constexpr std::array<Start, 256> kStarts = make_starts();

/// The bytes of letters and digits, the second ones of letters of two bytes included.
constexpr std::array<bool, 256> make_in_word() {
  std::array<bool, 256> in_word{};
  for (size_t c = 0; c < 256; ++c) {
    in_word[c] = kStarts[c] == Start::kLetter || kStarts[c] == Start::kDigit || (c >= 0x80 && c < 0xC0);
  }
  return in_word;
}

constexpr std::array<bool, 256> kInWord = make_in_word();

constexpr uint32_t three_bytes(char a, char b, char c) {
  return static_cast<uint32_t>(static_cast<uint8_t>(a)) << 16 | static_cast<uint32_t>(static_cast<uint8_t>(b)) << 8 |
         static_cast<uint8_t>(c);
}

/// Whether a date, number or price may begin with the character of three bytes.
bool begins_part(std::string_view rest) {
  if (rest.size() < 3) return false;
  const uint32_t c = three_bytes(rest[0], rest[1], rest[2]);
  switch (c) {
    case three_bytes('\xE3', '\x80', '\x87'):  // 〇
    case three_bytes('\xE4', '\xB8', '\x80'):  // 一
    case three_bytes('\xE4', '\xBA', '\x8C'):  // 二
    case three_bytes('\xE4', '\xB8', '\x89'):  // 三
    case three_bytes('\xE5', '\x9B', '\x9B'):  // 四
    case three_bytes('\xE4', '\xBA', '\x94'):  // 五
    case three_bytes('\xE5', '\x85', '\xAD'):  // 六
    case three_bytes('\xE4', '\xB8', '\x83'):  // 七
    case three_bytes('\xE5', '\x85', '\xAB'):  // 八
    case three_bytes('\xE4', '\xB9', '\x9D'):  // 九
    case three_bytes('\xE5', '\x8D', '\x81'):  // 十
    case three_bytes('\xEF', '\xBF', '\xA5'):  // ￥
      return true;
    default:
      return (c >> 8) == 0xEFBC || (c >> 8) == 0xE282;  // full-width digits; € and its like
  }
}

class MaskRun {
 public:
  MaskRun(std::string_view text, uint32_t kinds, std::string& out, std::vector<MaskedPart>* parts)
      : text_(text), kinds_(kinds), out_(out), parts_(parts) {}

  void run() {
    size_t at = 0;
    while (at < text_.size()) {
      const Start start = kStarts[static_cast<uint8_t>(text_[at])];
      if (start == Start::kNone) {
        ++at;
      } else if (start == Start::kWide) {
        const size_t size = begins_part(text_.substr(at)) ? part(at, start) : 0;
        at += size != 0 ? size : 3;
      } else if (start == Start::kCurrency) {
        const size_t size = part(at, start);
        at += size != 0 ? size : 1;
      } else {
        const size_t size = part(at, start);
        at = size != 0 ? at + size : word_end(at);
      }
    }
    out_.append(text_.substr(copied_));
  }

 private:
  /// One behind the letters and digits that `at` begins.
  [[nodiscard]] size_t word_end(size_t at) const {
    while (at < text_.size() && kInWord[static_cast<uint8_t>(text_[at])]) ++at;
    return at;
  }

  /// Masks what begins at `at`; returns its size, 0 where nothing does.
  size_t part(size_t at, Start start) {
    const std::string_view rest = text_.substr(at);
    const bool word = start == Start::kLetter || start == Start::kDigit;
    if (word && (kinds_ & (kMaskUrls | kMaskTracking)) != 0) {
      if (const size_t size = url_size(rest); size != 0) return url(at, size);
    }
    if (word && (kinds_ & kMaskEmails) != 0 && at_sign_near(at)) {
      if (const size_t size = email_size(rest); size != 0) return replace(kMaskEmails, at, size);
    }
    if (start != Start::kCurrency && (kinds_ & kMaskDates) != 0) {
      if (const size_t size = date_size(rest); size != 0) return replace(kMaskDates, at, size);
    }
    if (start == Start::kLetter) return 0;
    if (start != Start::kCurrency && (kinds_ & kMaskTimes) != 0) {
      if (const size_t size = time_size(rest); size != 0) return replace(kMaskTimes, at, size);
    }
    if ((kinds_ & kMaskNumbers) != 0 && at >= no_number_before_) {
      size_t refused = 0;
      if (const size_t size = number_size(rest, refused); size != 0) return replace(kMaskNumbers, at, size);
      no_number_before_ = at + refused;
    }
    return 0;
  }

  bool at_sign_near(size_t at) {
    if (at_sign_ < at) at_sign_ = std::min(text_.find('@', at), text_.size());
    return at_sign_ < text_.size() && at_sign_ - at < kMaxEmailName;
  }

  size_t replace(uint32_t kind, size_t at, size_t size) {
    out_.append(text_.substr(copied_, at - copied_));
    out_.append(word_for(kind));
    copied_ = at + size;
    if (parts_ != nullptr) parts_->push_back({kind, at, size});
    return size;
  }

  size_t url(size_t at, size_t size) {
    if ((kinds_ & kMaskUrls) != 0) return replace(kMaskUrls, at, size);
    out_.append(text_.substr(copied_, at - copied_));
    copied_ = at + size;
    if (append_without_tracking(text_.substr(at, size), out_) && parts_ != nullptr) {
      parts_->push_back({kMaskTracking, at, size});
    }
    return size;
  }

  std::string_view text_;
  uint32_t kinds_;
  std::string& out_;
  std::vector<MaskedPart>* parts_;
  size_t copied_ = 0;
  size_t no_number_before_ = 0;
  size_t at_sign_ = 0;  // the first at or behind the last place that was looked at
};

}  // namespace

uint32_t mask_kind(std::string_view name) {
  for (const MaskRow& row : kMaskRows) {
    if (row.name == name) return row.kind;
  }
  return 0;
}

std::vector<std::string> mask_names() {
  std::vector<std::string> names;
  for (const MaskRow& row : kMaskRows) names.emplace_back(row.name);
  return names;
}

void mask(std::string_view text, uint32_t kinds, std::string& out, std::vector<MaskedPart>* parts) {
  out.clear();
  if (parts != nullptr) parts->clear();
  MaskRun(text, kinds, out, parts).run();
}

}  // namespace neardup::text
