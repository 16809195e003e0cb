#include "neardup/text/mask_date.h"

#include <algorithm>

#include "neardup/text/mask_words.h"

namespace neardup::text {
namespace {

bool is_month_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

/// Letters of ASCII, and of two bytes: Latin, Greek, Cyrillic.
size_t letter_size(std::string_view text) {
  if (text.empty()) return 0;
  if (is_month_letter(text[0])) return 1;
  const auto lead = static_cast<uint8_t>(text[0]);
  return lead >= 0xC3 && lead <= 0xD4 && text.size() > 1 ? 2 : 0;
}

constexpr std::string_view kChineseDigits = "〇一二三四五六七八九十";

struct Number {
  uint32_t value = 0;
  uint32_t digits = 0;
};

/// Reads a text from the left; each reader moves behind what it finds, and stays where it finds nothing.
struct Cursor {
  std::string_view rest;

  bool accept(std::string_view part) {
    if (!rest.starts_with(part)) return false;
    rest.remove_prefix(part.size());
    return true;
  }
  bool accept_any(std::initializer_list<std::string_view> parts) {
    return std::any_of(parts.begin(), parts.end(), [this](std::string_view part) { return accept(part); });
  }
  void spaces() {
    for (int i = 0; i < 3 && accept_any({" ", "\xC2\xA0", "\xE3\x80\x80"}); ++i) {
    }
  }
  Number number() {
    Number found;
    while (found.digits < 9) {
      const size_t size = digit_size(rest);
      if (size == 0) break;
      // The last byte of a full-width digit is 0x90 + its value.
      found.value = found.value * 10 + static_cast<uint32_t>(size == 1 ? rest[0] - '0' : (rest[2] & 0x0F));
      ++found.digits;
      rest.remove_prefix(size);
    }
    return found;
  }
  bool chinese_number() {
    bool found = false;
    for (int i = 0; i < 5 && rest.size() >= 3; ++i) {
      const size_t at = kChineseDigits.find(rest.substr(0, 3));
      if (at == std::string_view::npos || at % 3 != 0) break;
      rest.remove_prefix(3);
      found = true;
    }
    return found;
  }
  std::string_view word() {
    const std::string_view from = rest;
    for (size_t size = letter_size(rest); size != 0; size = letter_size(rest)) rest.remove_prefix(size);
    return from.substr(0, from.size() - rest.size());
  }
  bool word_of(MaskWord meaning) {
    const std::string_view from = rest;
    if (mask_word(word()) == meaning) return true;
    rest = from;
    return false;
  }
  [[nodiscard]] bool in_number() const { return digit_size(rest) != 0; }
};

bool is_year(const Number& number) { return number.digits == 4 && number.value >= 1000 && number.value < 3000; }
bool is_month(const Number& number) { return number.digits <= 2 && number.value >= 1 && number.value <= 12; }
bool is_day(const Number& number) { return number.digits <= 2 && number.value >= 1 && number.value <= 31; }

bool ordinal(Cursor& cursor) {
  Cursor ahead = cursor;
  if (!ahead.accept_any({"st", "nd", "rd", "th", "er", "º", "ª", "."})) return false;
  if (letter_size(ahead.rest) != 0 || ahead.in_number()) return false;
  cursor = ahead;
  return true;
}

/// ", 2026", "de 2026", "2026": the year behind day and month, where there is one.
bool year_behind(Cursor& cursor) {
  Cursor ahead = cursor;
  ahead.accept(".");
  ahead.accept(",");
  ahead.spaces();
  if (ahead.word_of(MaskWord::kOf)) ahead.spaces();
  if (!is_year(ahead.number()) || letter_size(ahead.rest) != 0) return false;
  ahead.accept_any({" г.", " года", "г.", "年"});
  cursor = ahead;
  return true;
}

/// 21 November 2026, 21. Nov., 21 de noviembre de 2026
bool day_month(Cursor& cursor) {
  if (!is_day(cursor.number())) return false;
  ordinal(cursor);
  cursor.accept("-");
  cursor.spaces();
  if (cursor.word_of(MaskWord::kOf)) {
    cursor.accept_any({"'", "’"});
    cursor.spaces();
  }
  if (!cursor.word_of(MaskWord::kMonth)) return false;
  if (cursor.accept("-")) return is_year(cursor.number()) || true;
  year_behind(cursor);
  return true;
}

/// November 21, 2026; Nov. 21st; November 2026
bool month_day(Cursor& cursor) {
  if (!cursor.word_of(MaskWord::kMonth)) return false;
  cursor.accept(".");
  if (year_behind(cursor)) return true;
  cursor.spaces();
  if (!is_day(cursor.number()) || cursor.in_number()) return false;
  ordinal(cursor);
  if (letter_size(cursor.rest) != 0) return false;
  year_behind(cursor);
  return true;
}

/// 2026-11-21, 21.11.2026, 11/21/26; with "T10:30:00Z" behind it.
bool numeric(Cursor& cursor) {
  const Number first = cursor.number();
  const std::string_view separator = cursor.rest.substr(0, 1);
  if (separator.empty() || std::string_view("-/.").find(separator[0]) == std::string_view::npos) return false;
  cursor.accept(separator);
  const Number second = cursor.number();
  if (!cursor.accept(separator)) return false;
  const Number third = cursor.number();
  const bool year_last = is_year(third) || (third.digits == 2 && separator != ".");
  const bool year_first = is_year(first) && is_month(second) && is_day(third);
  const bool short_first = is_day(first) && is_day(second) && (is_month(first) || is_month(second));
  if (!year_first && !(short_first && year_last)) return false;
  if (cursor.in_number()) return false;
  Cursor ahead = cursor;
  if (ahead.accept(separator) && ahead.in_number()) return false;  // 1.2.2003.4
  ahead = cursor;
  if (ahead.accept("T")) {
    const size_t time = time_size(ahead.rest);
    if (time != 0) cursor.rest = ahead.rest.substr(time);
  }
  return letter_size(cursor.rest) == 0;
}

bool any_number(Cursor& cursor) { return cursor.number().digits != 0 || cursor.chinese_number(); }

/// 2026年11月21日, 11月21日, 二〇二六年十一月, 2026년 11월 21일
bool east_asian(Cursor& cursor) {
  if (!any_number(cursor)) return false;
  cursor.spaces();
  const bool year = cursor.accept_any({"年", "년"});
  if (year) {
    cursor.spaces();
    if (!any_number(cursor)) return false;
    cursor.spaces();
  }
  if (!cursor.accept_any({"月", "월"})) return false;
  Cursor ahead = cursor;
  ahead.spaces();
  if (any_number(ahead)) {
    ahead.spaces();
    if (ahead.accept_any({"日", "号", "號", "일"})) {
      cursor = ahead;
      return true;
    }
  }
  return year;
}

template <class... Readers>
size_t first_match(std::string_view text, Readers... readers) {
  size_t size = 0;
  const auto attempt = [&](bool (*reader)(Cursor&)) {
    Cursor cursor{text};
    if (size == 0 && reader(cursor)) size = text.size() - cursor.rest.size();
  };
  (attempt(readers), ...);
  return size;
}

bool weekday_date(Cursor& cursor) {
  if (!cursor.word_of(MaskWord::kWeekday)) return false;
  cursor.accept(".");
  cursor.accept(",");
  cursor.spaces();
  if (cursor.word_of(MaskWord::kOf)) cursor.spaces();
  const size_t size = first_match(cursor.rest, &numeric, &east_asian, &day_month, &month_day);
  cursor.rest.remove_prefix(size);
  return size != 0;
}

bool clock_time(Cursor& cursor) {
  const Number hour = cursor.number();
  if (hour.digits == 0 || hour.digits > 2 || hour.value > 24) return false;
  if (!cursor.accept_any({":", "：", "h"})) return false;
  const Number minute = cursor.number();
  if (minute.digits != 2 || minute.value > 59) return false;
  if (Cursor ahead = cursor; ahead.accept_any({":", "："}) && ahead.number().digits == 2) {
    if (Cursor fraction = ahead; fraction.accept(".") && fraction.number().digits != 0) ahead = fraction;
    cursor = ahead;
  }
  if (cursor.in_number()) return false;
  if (Cursor zone = cursor; zone.accept_any({"+", "-"}) && zone.number().digits >= 2) {
    if (Cursor minutes = zone; minutes.accept(":") && minutes.number().digits == 2) zone = minutes;
    cursor = zone;
  }
  for (int i = 0; i < 2; ++i) {
    Cursor ahead = cursor;
    ahead.spaces();
    if (!ahead.accept_any({"a.m.", "p.m."}) && !ahead.word_of(MaskWord::kZone)) break;
    cursor = ahead;
  }
  return letter_size(cursor.rest) == 0;
}

bool hour_am(Cursor& cursor) {
  const Number hour = cursor.number();
  if (hour.digits == 0 || hour.digits > 2 || hour.value > 12) return false;
  cursor.spaces();
  return cursor.accept_any({"am", "pm", "a.m.", "p.m.", "AM", "PM"}) && letter_size(cursor.rest) == 0;
}

/// 10时30分15秒, 10點, 10시 30분
bool east_asian_time(Cursor& cursor) {
  if (!any_number(cursor) || !cursor.accept_any({"时", "時", "点", "點", "시"})) return false;
  Cursor ahead = cursor;
  ahead.spaces();
  if (!any_number(ahead) || !ahead.accept_any({"分", "분"})) return false;
  cursor = ahead;
  ahead.spaces();
  if (any_number(ahead) && ahead.accept_any({"秒", "초"})) cursor = ahead;
  return true;
}

}  // namespace

size_t digit_size(std::string_view text) {
  if (text.empty()) return 0;
  if (text[0] >= '0' && text[0] <= '9') return 1;
  return text.size() >= 3 && text.starts_with("\xEF\xBC") && static_cast<uint8_t>(text[2]) >= 0x90 &&
                 static_cast<uint8_t>(text[2]) <= 0x99
             ? 3
             : 0;
}

size_t currency_size(std::string_view text) {
  for (const std::string_view sign : {"$", "€", "£", "¥", "￥", "₽", "₹", "₩", "₺", "元", "円"}) {
    if (text.starts_with(sign)) return sign.size();
  }
  return 0;
}

namespace {

/// How a number of ASCII digits goes on: enough to tell that most are no dates and times.
struct Shape {
  size_t digits = 0;
  char next = '\0';
};

Shape shape_of(std::string_view text) {
  Shape shape;
  while (shape.digits < text.size() && text[shape.digits] >= '0' && text[shape.digits] <= '9') ++shape.digits;
  if (shape.digits < text.size()) shape.next = text[shape.digits];
  return shape;
}

bool is_wide(char c) { return static_cast<uint8_t>(c) >= 0x80; }

}  // namespace

size_t date_size(std::string_view text) {
  if (text.empty()) return 0;
  if (const Shape shape = shape_of(text); shape.digits != 0) {
    if (shape.digits > 4) return 0;
    if (shape.next == '-' || shape.next == '/') return first_match(text, &numeric, &day_month);
    if (is_wide(shape.next) || shape.next == ' ') return first_match(text, &east_asian, &day_month);
    return shape.digits <= 2 || shape.next == '.' ? first_match(text, &numeric, &day_month) : 0;
  }
  if (letter_size(text) != 0) return may_be_name(text) ? first_match(text, &month_day, &weekday_date) : 0;
  return first_match(text, &numeric, &east_asian, &day_month);
}

size_t time_size(std::string_view text) {
  const Shape shape = shape_of(text);
  if (shape.digits > 2 || (shape.digits != 0 && !is_wide(shape.next) &&
                           std::string_view(": hapAP").find(shape.next) == std::string_view::npos)) {
    return 0;
  }
  return first_match(text, &clock_time, &hour_am, &east_asian_time);
}

size_t number_size(std::string_view text, size_t& refused) {
  refused = 0;
  Cursor cursor{text};
  if (const size_t sign = currency_size(text); sign != 0) {
    cursor.rest.remove_prefix(sign);
    cursor.spaces();
  }
  if (!cursor.in_number()) return 0;
  while (true) {
    while (cursor.number().digits != 0) {
    }
    Cursor ahead = cursor;
    if (!ahead.accept_any({",", ".", "'", "’", "，", "．"}) || !ahead.in_number()) break;
    cursor = ahead;
  }
  const size_t digits_end = text.size() - cursor.rest.size();
  if (!ordinal(cursor) && !cursor.accept_any({"%", "％"})) {
    if (Cursor ahead = cursor; ahead.accept_any({"k", "K", "m", "M", "bn"}) && letter_size(ahead.rest) == 0)
      cursor = ahead;
  } else if (text[text.size() - cursor.rest.size() - 1] == '.') {
    cursor.rest = text.substr(text.size() - cursor.rest.size() - 1);  // the full stop belongs to the sentence
  }
  if (letter_size(cursor.rest) != 0) {
    refused = digits_end;
    return 0;
  }
  Cursor ahead = cursor;
  ahead.spaces();
  if (const size_t sign = currency_size(ahead.rest); sign != 0) cursor.rest = ahead.rest.substr(sign);
  return text.size() - cursor.rest.size();
}

}  // namespace neardup::text
