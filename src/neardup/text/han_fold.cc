#include "neardup/text/han_fold.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <string>

#include "neardup/base/hash.h"
#include "neardup/text/pages.h"
#include "neardup/text/utf8.h"

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

// Those that simplified texts write, too: characters of the Table of General Standard Chinese Characters (2013; kTGH of
// Unihan) that the tables fold.
constexpr std::u32string_view kStandard = U"乾俱僇剋吒垵夥姊徵於昇榖氾爇甦甯瞭祕脩苧著蒐薳薹藉跤釐阪陞麽";

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

namespace {

/// Writes `c` to `at` where it takes `size_bytes`; else returns false.
bool put_in_place(char32_t c, uint32_t size_bytes, char* at) {
  uint32_t folded_size_bytes = 0;
  const uint32_t bytes = encode(c, folded_size_bytes);
  if (folded_size_bytes != size_bytes) return false;
  std::memcpy(at, &bytes, size_bytes);
  return true;
}

}  // namespace

bool folds_in_place(char32_t c) {
  const char32_t folded = fold_han(c);
  return folded != c && c >= 0x800 && c < 0x10000 && folded >= 0x800 && folded < 0x10000;
}

HanFolded fold_han_in_place(std::string& text) {
  HanFolded found;
  const char* const end = text.data() + text.size();
  for (char* at = text.data(); at < end;) {
    const Decoded c = decode_valid(at, end);
    if (c.size_bytes == 3) {
      found.num_han += c.code_point - 0x4E00 <= 0x9FFF - 0x4E00 ? 1 : 0;
      const char32_t folded = fold_han(c.code_point);
      if (folded != c.code_point && put_in_place(folded, c.size_bytes, at)) {
        found.num_traditional += kStandard.find(c.code_point) == kStandard.npos ? 1 : 0;
      }
    }
    at += c.size_bytes;
  }
  return found;
}

std::string_view han_table_id() {
  static const std::string id =
      to_hex(hash128({reinterpret_cast<const char*>(std::data(kFolds)), sizeof(kFolds)}).high);
  return id;
}

}  // namespace neardup::text
