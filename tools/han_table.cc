// Writes the table of traditional Chinese characters and their simplified forms that is compiled into neardup.
//
//   han_table OUT: one line "{0xFROM, 0xTO}," for each character that folds, ascending.
//
// Each character goes where OpenCC's character table sends it, or where that leaves it alone ICU's rules
// "Traditional-Simplified" (variants such as U+8457 > U+7740), and so on to where nothing changes. Of characters that
// turn into each other (U+85B4 > U+82E7 > U+82CE > U+82E7) the lowest stands for all.
#include <opencc/opencc.h>
#include <unicode/translit.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace {

[[noreturn]] void stop(const std::string& message) {
  std::fprintf(stderr, "han_table: %s\n", message.c_str());
  std::exit(2);
}

bool is_han(char32_t c) {
  UErrorCode error = U_ZERO_ERROR;
  return uscript_getScript(static_cast<UChar32>(c), &error) == USCRIPT_HAN;
}

char32_t only_character(const icu::UnicodeString& text, char32_t otherwise) {
  return text.countChar32() == 1 ? static_cast<char32_t>(text.char32At(0)) : otherwise;
}

class OpenCc {
 public:
  OpenCc() : handle_(opencc_open(OPENCC_DEFAULT_CONFIG_TRAD_TO_SIMP)) {
    // The C interface's way to say that it failed.
    if (reinterpret_cast<intptr_t>(handle_) == -1) stop("OpenCC's t2s.json is missing; install libopencc-data");
  }
  OpenCc(const OpenCc&) = delete;
  OpenCc& operator=(const OpenCc&) = delete;
  ~OpenCc() { opencc_close(handle_); }

  char32_t simplified(char32_t c) const {
    std::string utf8;
    icu::UnicodeString(static_cast<UChar32>(c)).toUTF8String(utf8);
    char* const converted = opencc_convert_utf8(handle_, utf8.data(), utf8.size());
    if (converted == nullptr) stop("OpenCC cannot convert U+" + std::to_string(static_cast<uint32_t>(c)));
    const icu::UnicodeString text = icu::UnicodeString::fromUTF8(converted);
    opencc_convert_utf8_free(converted);
    return only_character(text, c);
  }

 private:
  opencc_t handle_;
};

class Icu {
 public:
  Icu() {
    UErrorCode error = U_ZERO_ERROR;
    rules_.reset(icu::Transliterator::createInstance("Traditional-Simplified", UTRANS_FORWARD, error));
    if (U_FAILURE(error) != 0) stop("ICU has no rules Traditional-Simplified");
  }

  char32_t simplified(char32_t c) const {
    icu::UnicodeString text(static_cast<UChar32>(c));
    rules_->transliterate(text);
    return only_character(text, c);
  }

 private:
  std::unique_ptr<icu::Transliterator> rules_;
};

// Follows `next` from `c` to its end: a character that stays, or the lowest of those that turn into each other.
template <class Next>
char32_t end_of_chain(char32_t c, Next next) {
  std::vector<char32_t> seen;
  while (std::find(seen.begin(), seen.end(), c) == seen.end()) {
    seen.push_back(c);
    c = next(c);
  }
  return *std::min_element(std::find(seen.begin(), seen.end(), c), seen.end());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) stop("usage: han_table OUT");
  const OpenCc opencc;
  const Icu icu;
  const auto next = [&](char32_t c) {
    const char32_t simplified = opencc.simplified(c);
    return simplified != c ? simplified : icu.simplified(c);
  };
  std::FILE* const out = std::fopen(argv[1], "w");
  if (out == nullptr) stop(std::string("cannot write ") + argv[1]);
  for (char32_t c = 0x80; c <= 0x10FFFF; ++c) {
    if (!is_han(c)) continue;
    const char32_t folded = end_of_chain(c, next);
    if (folded == c) continue;
    std::fprintf(out, "{0x%X, 0x%X},\n", static_cast<unsigned>(c), static_cast<unsigned>(folded));
  }
  if (std::fclose(out) != 0) stop(std::string("cannot write ") + argv[1]);
  return 0;
}
