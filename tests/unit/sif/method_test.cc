#include <gtest/gtest.h>

#include <random>
#include <string>

#include "neardup/base/hash.h"
#include "neardup/sif/fingerprint_file.h"
#include "neardup/sif/fold_code.h"
#include "neardup/sif/fold_space.h"
#include "neardup/sif/index_format.h"
#include "neardup/sif/languages.h"

namespace neardup::sif {
namespace {

void append_language(std::string& out, const Language& language) {
  for (const std::string_view list :
       {language.endings, language.line_marks, language.block_marks, language.keywords, language.word_signs})
    out.append(list).append("\n");
  for (const int number : {static_cast<int>(language.apostrophe), static_cast<int>(language.backtick),
                           static_cast<int>(language.raw_string)})
    out += static_cast<char>('0' + number);
  for (const bool is : {language.has_triple_quotes, language.has_docstrings, language.has_regex,
                        language.marks_follow_blanks, language.any_case})
    out += is ? '1' : '0';
}

// Signs, quotes, marks and words in any order.
std::string mixed_source(size_t size) {
  constexpr const char* kPieces[] = {"/",      "*",     "//",    "/*",   "*/",     "#",     "--",
                                     ";",      "\"",    "'",     "`",    "\"\"\"", "\\",    "\n",
                                     " ",      "(",     ")",     "[",    "]",      "=",     "<",
                                     ">",      "R\"x(", ")x\"",  "r#\"", "\"#",    "{-",    "-}",
                                     "return", "if",    "count", "x1",   "17",     "1.5e3", "+",
                                     "++",     ",",     "$",     "IF",   "tion",   "the ",  "gr\xc3\xb6\xc3\x9f"};
  std::mt19937 random(5);
  std::string source;
  while (source.size() < size) source += kPieces[random() % std::size(kPieces)];
  return source;
}

void append_fingerprints(std::string& out, const SimilarOptions& options) {
  Fingerprinter fingerprinter(options);
  FileFingerprints fingerprints;
  for (const size_t size : {70, 400, 3000, 30000}) {
    fingerprinter.fingerprint(mixed_source(size), size, nullptr, fingerprints);
    out += record_bytes(fingerprints);
  }
}

// What an index keeps must be what another version would make, or the method another one.
TEST(Method, IsRaisedWithEachChangeOfFingerprints) {
  std::string all, folded;
  for (const Language& language : languages()) append_language(all, language);
  const std::string source = mixed_source(20000);
  for (uint32_t language = 1; language <= languages().size(); ++language) {
    fold_code(source, language, folded);
    all += folded;
  }
  fold_space(source, folded);
  all += folded;
  SimilarOptions options;
  for (const auto kind : {SelectionKind::kWinnow, SelectionKind::kSample, SelectionKind::kAnchors}) {
    options.selection.kind = kind;
    append_fingerprints(all, options);
  }
  EXPECT_EQ(kMethod, 2U);
  EXPECT_EQ(hash64(all), 5376152269902924295U)
      << "the same bytes have other fingerprints now: raise the method (kMethod), and put the "
         "new hash here";
}

}  // namespace
}  // namespace neardup::sif
