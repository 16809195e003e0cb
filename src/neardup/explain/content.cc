#include "neardup/explain/content.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "neardup/base/sizes.h"
#include "neardup/token/numbers.h"
#include "neardup/verify/bridges.h"
#include "neardup/verify/intersect.h"
#include "neardup/verify/lists.h"
#include "neardup/verify/subject.h"
#include "neardup/verify/turned.h"

namespace neardup::explain {
namespace {

constexpr size_t kNgram = verify::kContentNgram;
using Tokens = std::vector<uint32_t>;

// The n-gram hashes of a text by the token that they begin at; of a short text the one that is all of it.
std::vector<uint32_t> hashes_of(const Tokens& tokens) {
  std::vector<uint32_t> hashes;
  verify::hash_ngrams(tokens, kNgram, hashes);
  return hashes;
}

// In how many texts besides `own` ones the corpus has the n-gram.
uint32_t others_of(uint32_t hash, uint32_t own, const verify::Commonness* common) {
  return common == nullptr ? 0 : common->others(common->counted(hash), own);
}

/// One text beside the other.
class Side {
 public:
  Side(const ContentText& text, const verify::Commonness* common)
      : tokens_(text.tokens),
        hashes_(hashes_of(text.tokens)),
        common_(common),
        normalized_(text.explanation.normalized) {
    for (const token::ExplainedToken& token : text.explanation.tokens.tokens) {
      if (token.is_stop_word) continue;
      add_heading_end();
      places_.push_back(token.token);
    }
    add_heading_end();
  }

  [[nodiscard]] verify::ShingleSet set() const {
    verify::ShingleSet set = verify::make_shingle_set(tokens_, kNgram);
    set.weights = std::make_shared<verify::NgramWeights>();
    return set;
  }
  [[nodiscard]] ContentSide missing_in(const std::vector<uint32_t>& other_set, const Tokens& other,
                                       uint64_t all_weight) const {
    ContentSide side;
    add_runs(other_set, all_weight, side);
    add_numbers(other, side);
    return side;
  }

 private:
  // The end of a title or heading is one of `tokens_`, of no bytes.
  void add_heading_end() {
    if (places_.size() >= tokens_.size() || !token::ends_heading(tokens_[places_.size()])) return;
    const size_t end = places_.empty() ? 0 : places_.back().begin + places_.back().size_bytes;
    token::Token place;
    place.begin = static_cast<decltype(place.begin)>(end);
    place.size_bytes = 0;
    places_.push_back(place);
  }

  [[nodiscard]] uint32_t others(uint32_t hash) const { return others_of(hash, 1, common_); }
  [[nodiscard]] size_t end_of(size_t ngram) const { return std::min(ngram + kNgram, tokens_.size()); }
  [[nodiscard]] std::string text_of(size_t begin, size_t end) const {
    if (places_.size() != tokens_.size()) return {};  // cannot be: both are the tokens of one text
    const token::Token &first = places_[begin], &last = places_[end - 1];
    return normalized_.substr(first.begin, last.begin + last.size_bytes - first.begin);
  }

  // Which tokens no n-gram of the other text covers.
  [[nodiscard]] std::vector<char> uncovered(const std::vector<uint32_t>& other_set) const {
    std::vector<char> open(tokens_.size(), 1);
    for (size_t i = 0; i < hashes_.size(); ++i)
      if (std::ranges::binary_search(other_set, hashes_[i]))
        std::fill(open.begin() + static_cast<ptrdiff_t>(i), open.begin() + static_cast<ptrdiff_t>(end_of(i)), 0);
    return open;
  }

  // n-grams that the other text lacks belong to the run of the first open token among theirs.
  void add_runs(const std::vector<uint32_t>& other_set, uint64_t all_weight, ContentSide& side) const {
    const std::vector<char> open = uncovered(other_set);
    std::vector<ContentRun> runs;
    std::unordered_set<uint32_t> counted;
    size_t next = 0;  // n-gram
    for (size_t begin = 0; begin < open.size();) {
      if (open[begin] == 0) {
        ++begin;
        continue;
      }
      const auto end =
          static_cast<size_t>(std::find(open.begin() + static_cast<ptrdiff_t>(begin), open.end(), 0) - open.begin());
      ContentRun run{.text = text_of(begin, end), .num_tokens = end - begin};
      uint64_t weight = 0, num_ngrams = 0, num_frequent = 0;
      for (next = std::max(next, begin < kNgram ? 0 : begin - kNgram + 1); next < hashes_.size() && next < end;
           ++next) {
        const uint32_t hash = hashes_[next];
        if (std::ranges::binary_search(other_set, hash) || !counted.insert(hash).second) continue;
        weight += verify::kCommonWeights[others(hash)];
        ++num_ngrams;
        num_frequent += others(hash) >= kFrequentDocuments;
      }
      run.weight = all_weight == 0 ? 0 : static_cast<double>(weight) / static_cast<double>(all_weight);
      run.is_frequent = num_ngrams > 0 && 2 * num_frequent > num_ngrams;
      if (!run.text.empty()) runs.push_back(std::move(run));
      begin = end;
    }
    side.num_runs = runs.size();
    std::ranges::stable_sort(runs, std::ranges::greater(), &ContentRun::weight);
    runs.resize(std::min(runs.size(), kMostRuns));
    side.runs = std::move(runs);
  }

  void add_numbers(const Tokens& other, ContentSide& side) const {
    std::unordered_map<uint32_t, uint64_t> left;
    for (const uint32_t token : other) left[token] += token::is_marked_number(token);
    for (size_t i = 0; i < tokens_.size(); ++i) {
      if (!token::is_marked_number(tokens_[i])) continue;
      const auto found = left.find(tokens_[i]);
      if (found != left.end() && found->second > 0) {
        --found->second;
        continue;
      }
      if (side.num_numbers++ < kMostNumbers) side.numbers.push_back(text_of(i, i + 1));
    }
  }

  const Tokens& tokens_;
  const std::vector<uint32_t> hashes_;
  const verify::Commonness* common_;
  const std::string& normalized_;
  std::vector<token::Token> places_;
};

double share_of(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// Returns the n-grams of both.
std::vector<uint32_t> count_common(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b,
                                   const verify::Commonness* common, ContentMatch& match) {
  std::vector<uint32_t> both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  match.num_common = both.size();
  match.jaccard3 = share_of(both.size(), a.size() + b.size() - both.size());
  match.num_frequent = static_cast<uint64_t>(std::ranges::count_if(
      both, [common](uint32_t hash) { return others_of(hash, 2, common) >= kFrequentDocuments; }));
  return both;
}

std::string percent_of(double share) { return fmt::format("{:.0f} %", 100 * share); }

// Rounded to the side of the bar that it is on.
std::string beside(double value, double bar) {
  const double shown = value < bar ? std::min(value, bar - 0.001) : value;
  return fmt::format("{:.3f}", std::max(shown, 0.0));
}

bool is_frame(const ContentMatch& match) { return match.has_corpus && 2 * match.num_frequent > match.num_common; }

std::string weight_sentence(const ContentMatch& match) {
  const std::string share = percent_of(match.share), plain = percent_of(match.jaccard3);
  if (match.has_corpus)
    return fmt::format(
        "Of all word 3-grams of the two, each weighed by its rarity in {} texts, {} of the weight is in both; counted "
        "alike it is {}.",
        human_count(match.num_texts), share, plain);
  return fmt::format(
      "Of all word 3-grams of the two, {} are in both. They weigh the same here, as no corpus says which are "
      "common.",
      plain);
}

std::string numbers_sentence(const ContentMatch& match) {
  const auto& [fewer, common] = match.numbers;
  if (match.only[0].num_numbers + match.only[1].num_numbers + fewer == 0) return {};
  if (fewer == 0) return "Only one of them has numbers, so these say nothing.";
  if (common == fewer)
    return fewer == 1
               ? "The one number of the text that has fewer is in the other, too."
               : fmt::format("All {} numbers of the one that has fewer are in the other, too.", human_count(fewer));
  const double lost = 1 - verify::left_by_numbers(match.numbers);
  if (fewer == 1)
    return fmt::format("The one number of the text that has fewer is not in the other: that takes {} off.",
                       percent_of(lost));
  return fmt::format("Of the {} numbers of the one that has fewer, {} {} in the other: that takes {} off.",
                     human_count(fewer), human_count(common), common == 1 ? "is" : "are", percent_of(lost));
}

std::string frame_sentence(const ContentMatch& match) {
  if (!match.has_corpus || match.num_common == 0) return {};
  return fmt::format("Of the {} that both have, {} also stand in {} or more other documents{}.",
                     human_count(match.num_common), percent_of(share_of(match.num_frequent, match.num_common)),
                     kFrequentDocuments,
                     is_frame(match) ? ": a frame that many fill in, or further copies" : "; the rest is their own");
}

bool is_bridged(const ContentMatch& match) { return match.bridged && match.similarity >= verify::kBridgedThreshold; }

std::string bridges_sentence(const ContentMatch& match) {
  return fmt::format(
      "Single words differ all over, between runs that both have one behind the other and few other documents have: "
      "with these, {} of each is the same, and it takes {}.",
      percent_of(match.similarity), percent_of(verify::kBridgedThreshold));
}

bool is_similar(const ContentMatch& match) {
  return is_bridged(match) ||
         (match.similarity >= verify::kContentThreshold && match.jaccard3 >= verify::kContentJaccard);
}

// Returns what is left of the similarity.
double look_at_what_differs(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b, ContentMatch& match) {
  if (!is_similar(match)) return match.similarity;
  match.turned = verify::are_turned(a, b);
  if (match.turned) return verify::kTurnedLeft * match.similarity;
  const uint64_t missing =
      verify::is_list(b) ? verify::count_missing(b, verify::make_shingle_set(a, kNgram).hashes) : 0;
  if (verify::is_much_missing(missing, b.size())) {
    match.missing = missing;
    match.goes_for_b = !verify::lists_more(b, a) && !verify::are_other_subjects(a, b);
    return verify::kMissingItemsLeft * match.similarity;
  }
  match.other_subjects = verify::are_other_subjects(a, b);
  return match.other_subjects ? verify::left_by_subjects(match.similarity) : match.similarity;
}

std::string missing_sentence(const ContentMatch& match, double lost) {
  return fmt::format(
      "But B is a page that lists others, and {} of its words stand in items that A lacks: a list goes only for a page "
      "that has nearly all of them. That takes {} off.{}",
      human_count(match.missing), percent_of(lost), match.goes_for_b ? " If B came first, A would go for it." : "");
}

std::string difference_sentence(const ContentMatch& match, double lost) {
  if (match.missing != 0) return missing_sentence(match, lost);
  return fmt::format("{} That takes {} off.",
                     match.turned ? "But where they say the same words, one says the opposite or another quantity: one "
                                    "word for another, and hardly any other exchange."
                                  : "But they are about two things: each begins with a name of its own, says it again "
                                    "and again, and the other one has another name there.",
                     percent_of(lost));
}

std::string reason_sentence(const ContentMatch& match) {
  if (is_bridged(match)) return bridges_sentence(match);
  const bool enough = match.similarity >= verify::kContentThreshold, alike = match.jaccard3 >= verify::kContentJaccard;
  if (enough && alike && match.share < verify::kContentThreshold)
    return "Copies of nearly the whole: neither says much that few others do, so it does not count how "
           "many others have what they share.";
  if (enough && alike)
    return "What they share weighs enough beside what only one of them has: the rule calls that the same.";
  if (!alike)
    return fmt::format("Other substance: counted alike, {} of their 3-grams are in both, and it takes {:.2f}.",
                       beside(match.jaccard3, verify::kContentJaccard), verify::kContentJaccard);
  if (match.share >= verify::kContentThreshold)
    return "Other substance: their words would do, but the numbers in them are others.";
  if (is_frame(match)) return "Other substance: they share a frame, and what each of them says in it is its own.";
  return "Other substance: what only one of them has outweighs what they share.";
}

void add_sentences(ContentMatch& match) {
  for (std::string sentence :
       {weight_sentence(match), frame_sentence(match), numbers_sentence(match), reason_sentence(match)})
    if (!sentence.empty()) match.why.push_back(std::move(sentence));
}

}  // namespace

ContentMatch match_content(const ContentText& a, const ContentText& b, const verify::Commonness* common) {
  const Side side_a(a, common), side_b(b, common);
  const verify::ShingleSet set_a = side_a.set(), set_b = side_b.set();
  std::vector<uint32_t> places;
  verify::find_common(set_a.hashes, set_b.hashes, 0, places);
  const verify::CommonSums sums = verify::sum_weights(set_a, set_b, places, common);
  std::vector<uint64_t> numbers_a, numbers_b;
  verify::collect_numbers(a.tokens, numbers_a);
  verify::collect_numbers(b.tokens, numbers_b);
  ContentMatch match;
  match.numbers = verify::count_numbers(numbers_a, numbers_b);
  match.share = share_of(sums.both, sums.all());
  match.has_corpus = common != nullptr;
  match.num_texts = common == nullptr ? 0 : common->num_texts();
  const std::vector<uint32_t> both = count_common(set_a.hashes, set_b.hashes, common, match);
  const verify::ContentVerdict found = verify::verdict_of(sums, match.numbers, match.jaccard3);
  match.similarity = verify::content_similarity(sums, match.numbers, match.jaccard3);
  if (found.is_almost) {
    match.bridged = verify::bridged_share(a.tokens, b.tokens, both, common);
    const verify::Verdict verdict = verify::look_again(found.verdict, *match.bridged, match.numbers);
    if (verdict.similar) match.similarity = verdict.similarity;
  }
  const double left = look_at_what_differs(a.tokens, b.tokens, match);
  match.only[0] = side_a.missing_in(set_b.hashes, b.tokens, sums.all());
  match.only[1] = side_b.missing_in(set_a.hashes, a.tokens, sums.all());
  add_sentences(match);
  if (match.turned || match.missing != 0 || match.other_subjects)
    match.why.push_back(difference_sentence(match, match.similarity - left));
  match.similarity = left;
  return match;
}

}  // namespace neardup::explain
