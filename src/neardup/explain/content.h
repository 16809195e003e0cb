// What the rule content looks at in two texts, and why it decides as it does: figures, and words for people.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "neardup/recipe/explain.h"
#include "neardup/verify/content_rule.h"

namespace neardup::explain {

/// A run of words that only one of the texts has: no 3-gram that both have covers them.
struct ContentRun {
  std::string text;  // of the normalised text
  uint64_t num_tokens = 0;
  double weight = 0;         // 0..1: of all that is weighed in both texts
  bool is_frequent = false;  // most of its 3-grams also stand in kFrequentDocuments others
};

/// What the other document does not have.
struct ContentSide {
  std::vector<ContentRun> runs;      // heaviest first; at most kMostRuns
  uint64_t num_runs = 0;             // of all
  std::vector<std::string> numbers;  // in order of the text; at most kMostNumbers
  uint64_t num_numbers = 0;          // of all
};

struct ContentMatch {
  double similarity = 0;  // what the rule looks at: content_similarity(), or by bridges what is more, less where they
                          // are turned or about two things
  double share = 0;       // of the weight of all 3-grams, of those in both
  double jaccard3 = 0;    // the same where all weigh as much
  std::optional<double> bridged;  // bridged_share(), where the rule looked again
  bool turned = false;            // is_turned(), of texts that are similar otherwise;
  uint64_t missing = 0;           // or lists_more(): so many words of B are missing in A,
  bool goes_for_b = false;        // while A would go for B;
  bool other_subjects = false;    // or are_other_subjects()
  verify::NumberCounts numbers;
  bool has_corpus = false;       // whether a corpus says how common n-grams are
  uint64_t num_texts = 0;        // of that corpus
  uint64_t num_common = 0;       // different 3-grams that both have
  uint64_t num_frequent = 0;     // of them also in kFrequentDocuments others or more
  ContentSide only[2];           // of A and B
  std::vector<std::string> why;  // whole sentences: what was looked at, and what that makes of the two
};

inline constexpr uint32_t kFrequentDocuments = 5;
inline constexpr size_t kMostRuns = 6, kMostNumbers = 12;

/// What is compared of a text.
struct ContentText {
  const recipe::Explanation& explanation;
  const std::vector<uint32_t>& tokens;  // token::marked_hash() of each
};

/// `common`: of the corpus of both, or null: then all n-grams weigh the same. Slow (microseconds a token).
[[nodiscard]] ContentMatch match_content(const ContentText& a, const ContentText& b, const verify::Commonness* common);

/// Returns a page of text about it, indented by two, of about a dozen lines without `details`; harmless to the
/// terminal.
[[nodiscard]] std::string content_page(const ContentMatch& match, bool details);
/// Appends `,"content":{...}`.
void append_content_json(std::string& json, const ContentMatch& match);
/// Returns a section of an HTML page.
[[nodiscard]] std::string content_html(const ContentMatch& match);

}  // namespace neardup::explain
