#include "neardup/token/language.h"

#include <cld2/public/compact_lang_det.h>

#include <algorithm>
#include <array>
#include <string>

#include "neardup/base/utf8.h"

namespace neardup::token {
namespace {

struct LanguageCode {
  CLD2::Language language;
  std::string_view name;
};

// Norwegian, Indonesian and Serbian include their near relatives: the same words end in the same ways.
constexpr LanguageCode kCodes[] = {
    {CLD2::ARABIC, "arabic"},         {CLD2::ARMENIAN, "armenian"},     {CLD2::BASQUE, "basque"},
    {CLD2::CATALAN, "catalan"},       {CLD2::CHINESE, "chinese"},       {CLD2::CHINESE_T, "chinese"},
    {CLD2::DANISH, "danish"},         {CLD2::DUTCH, "dutch"},           {CLD2::ENGLISH, "english"},
    {CLD2::FINNISH, "finnish"},       {CLD2::FRENCH, "french"},         {CLD2::GERMAN, "german"},
    {CLD2::GREEK, "greek"},           {CLD2::HINDI, "hindi"},           {CLD2::HUNGARIAN, "hungarian"},
    {CLD2::INDONESIAN, "indonesian"}, {CLD2::MALAY, "indonesian"},      {CLD2::IRISH, "irish"},
    {CLD2::ITALIAN, "italian"},       {CLD2::LITHUANIAN, "lithuanian"}, {CLD2::NEPALI, "nepali"},
    {CLD2::NORWEGIAN, "norwegian"},   {CLD2::NORWEGIAN_N, "norwegian"}, {CLD2::PORTUGUESE, "portuguese"},
    {CLD2::ROMANIAN, "romanian"},     {CLD2::RUSSIAN, "russian"},       {CLD2::SERBIAN, "serbian"},
    {CLD2::CROATIAN, "serbian"},      {CLD2::BOSNIAN, "serbian"},       {CLD2::SPANISH, "spanish"},
    {CLD2::SWEDISH, "swedish"},       {CLD2::TAMIL, "tamil"},           {CLD2::TURKISH, "turkish"},
    {CLD2::YIDDISH, "yiddish"}};

constexpr bool all_are_known() {
  return std::all_of(std::begin(kCodes), std::end(kCodes), [](const LanguageCode& code) {
    return std::find(kLanguages.begin(), kLanguages.end(), code.name) != kLanguages.end();
  });
}
static_assert(all_are_known());

size_t index_of(CLD2::Language language) {
  const auto code = std::find_if(std::begin(kCodes), std::end(kCodes),
                                 [language](const LanguageCode& known) { return known.language == language; });
  if (code == std::end(kCodes)) return kUnknownLanguage;
  return static_cast<size_t>(std::find(kLanguages.begin(), kLanguages.end(), code->name) - kLanguages.begin());
}

size_t language_of_piece(std::string_view text) {
  bool is_reliable = false;
  const CLD2::Language language =
      CLD2::DetectLanguage(text.data(), static_cast<int>(text.size()), /*is_plain_text=*/true, &is_reliable);
  return is_reliable ? index_of(language) : kUnknownLanguage;
}

}  // namespace

// Places vote, as CLD2 takes English that a little of another language stands in for the other language.
size_t language_of(std::string_view text) {
  if (text.size() <= kLanguageBytes) return language_of_piece(text);
  constexpr size_t kPieceBytes = kLanguageBytes / kLanguagePlaces;
  const size_t step = (text.size() - kPieceBytes) / (kLanguagePlaces - 1);
  std::array<int, kUnknownLanguage + 1> votes{};
  for (size_t i = 0; i < kLanguagePlaces; ++i) {
    const size_t begin = character_begin(text, i * step);
    ++votes[language_of_piece(text.substr(begin, character_begin(text, begin + kPieceBytes) - begin))];
  }
  votes[kUnknownLanguage] = 0;
  const auto most = std::max_element(votes.begin(), votes.end());
  return *most > 0 ? static_cast<size_t>(most - votes.begin()) : kUnknownLanguage;
}

std::string_view language_detector_version() {
  static const std::string version = std::string("cld2 ") + CLD2::DetectLanguageVersion() + ", " +
                                     std::to_string(kLanguagePlaces) + " places of " +
                                     std::to_string(kLanguageBytes / kLanguagePlaces) + " bytes";
  return version;
}

}  // namespace neardup::token
