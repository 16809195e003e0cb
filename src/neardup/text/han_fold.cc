#include "neardup/text/han_fold.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <string>

#include "neardup/base/hash.h"
#include "neardup/text/pages.h"

namespace neardup::text {
namespace {

struct Fold {
  char32_t from;
  char32_t to;
};

// Ascending; made by tools/han_table.cc.
constexpr Fold kFolds[] = {
#include "neardup/text/han_table.inc"
};

using FoldPage = std::array<char32_t, 256>;

std::unique_ptr<FoldPage> build_page(char32_t first) {
  auto page = std::make_unique<FoldPage>();
  for (char32_t i = 0; i < page->size(); ++i) (*page)[i] = first + i;
  const Fold* fold = std::lower_bound(std::begin(kFolds), std::end(kFolds), first,
                                      [](const Fold& entry, char32_t c) { return entry.from < c; });
  for (; fold != std::end(kFolds) && fold->from < first + page->size(); ++fold) (*page)[fold->from - first] = fold->to;
  return page;
}

}  // namespace

char32_t fold_han(char32_t c) {
  static Pages<FoldPage, decltype(&build_page)> pages(&build_page);
  return pages.page_of(c)[c & 0xFF];
}

std::string_view han_table_id() {
  static const std::string id =
      to_hex(hash128({reinterpret_cast<const char*>(std::data(kFolds)), sizeof(kFolds)}).high);
  return id;
}

}  // namespace neardup::text
