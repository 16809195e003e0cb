// Which language a text is written in, told by CLD2.
#pragma once

#include <array>
#include <string_view>

namespace neardup::token {

/// The name for a choice by the language of each text: of stop words, or of a stemmer.
inline constexpr std::string_view kAutoLanguage = "auto";

/// Bytes of a text that are looked at: more change nothing in texts of one language.
inline constexpr size_t kLanguageBytes = 1024;
/// Longer texts are looked at in as many places, from the start to the end: what a publisher puts above or below a text
/// does not decide.
inline constexpr size_t kLanguagePlaces = 4;

/// Names of languages, as libstemmer and the stop word lists call them, at their index.
inline constexpr std::array<std::string_view, 29> kLanguages = {
    "arabic",  "armenian",   "basque", "catalan",   "chinese",    "danish",    "dutch",      "english",
    "finnish", "french",     "german", "greek",     "hindi",      "hungarian", "indonesian", "irish",
    "italian", "lithuanian", "nepali", "norwegian", "portuguese", "romanian",  "russian",    "serbian",
    "spanish", "swedish",    "tamil",  "turkish",   "yiddish"};
inline constexpr size_t kUnknownLanguage = kLanguages.size();

/// Returns the index in kLanguages of the language that `text` is written in, of long texts that of most places, or
/// kUnknownLanguage where it is another one, or CLD2 is not sure (texts of a few words). A function of the text and of
/// language_detector_version() alone. Cost: some 30 us. Requires: valid UTF-8. Threads: any.
[[nodiscard]] size_t language_of(std::string_view text);

/// Returns what names the detector and its tables: another one may see another language.
[[nodiscard]] std::string_view language_detector_version();

}  // namespace neardup::token
