#include "neardup/text/han_fold.h"

#include <unicode/translit.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <mutex>

#include "neardup/text/pages.h"

namespace neardup::text {
namespace {

const icu::Transliterator* simplifier() {
  static const std::unique_ptr<icu::Transliterator> instance = [] {
    UErrorCode error = U_ZERO_ERROR;
    std::unique_ptr<icu::Transliterator> made(
        icu::Transliterator::createInstance("Traditional-Simplified", UTRANS_FORWARD, error));
    // ICU's own data file holds the rules; without it nothing else of ICU works either.
    if (U_FAILURE(error) != 0) std::abort();
    return made;
  }();
  return instance.get();
}

bool is_han(char32_t c) {
  UErrorCode error = U_ZERO_ERROR;
  return uscript_getScript(static_cast<UChar32>(c), &error) == USCRIPT_HAN;
}

char32_t simplified_once(char32_t c) {
  icu::UnicodeString text(static_cast<UChar32>(c));
  simplifier()->transliterate(text);
  return text.countChar32() == 1 ? static_cast<char32_t>(text.char32At(0)) : c;
}

/// Three characters turn into each other (U+85B4 > U+82E7, U+82E7 > U+82CE, U+82CE > U+82E7): folding goes on to where
/// nothing changes, or to the lowest of two that change places, so that a text and its simplified form fold alike.
char32_t simplified(char32_t c) {
  for (;;) {
    const char32_t next = simplified_once(c);
    if (next == c) return c;
    if (simplified_once(next) == c) return std::min(c, next);
    c = next;
  }
}

using FoldPage = std::array<char32_t, 256>;

std::unique_ptr<FoldPage> build_page(char32_t first) {
  static std::mutex mutex;  // a transliterator is not safe to share
  const std::lock_guard lock(mutex);
  auto page = std::make_unique<FoldPage>();
  for (char32_t i = 0; i < 256; ++i) (*page)[i] = is_han(first + i) ? simplified(first + i) : first + i;
  return page;
}

}  // namespace

char32_t fold_han(char32_t c) {
  static Pages<FoldPage, decltype(&build_page)> pages(&build_page);
  return pages.page_of(c)[c & 0xFF];
}

}  // namespace neardup::text
