#include "neardup/explain/verdict.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "neardup/base/sizes.h"
#include "neardup/engine/match/short_texts.h"
#include "neardup/engine/match/shown_pair.h"
#include "neardup/report/numbers.h"
#include "neardup/verify/content_rule.h"

namespace neardup::explain {
namespace {

using engine::PairDecision;
using engine::PairRoute;

std::string too_short_reason(const recipe::Recipe& recipe, const recipe::Explanation& a, const recipe::Explanation& b) {
  if (a.cut || b.cut)
    return fmt::format("{} not read to {} end: only an equal text would be a duplicate.",
                       !a.cut   ? "B was"
                       : !b.cut ? "A was"
                                : "Both were",
                       a.cut != b.cut ? "its" : "their");
  if (!a.whole || !b.whole)
    return fmt::format("{} hardly any text: only an equal text would be a duplicate.", a.whole ? "B is a page with"
                                                                                       : b.whole
                                                                                           ? "A is a page with"
                                                                                           : "Both are pages with");
  const char* who = a.has_features ? "B has" : b.has_features ? "A has" : "Both have";
  const std::string needed = recipe.min_tokens > 1 ? fmt::format("fewer than {} words", recipe.min_tokens) : "no words";
  return fmt::format("{} {}: only an equal text would be a duplicate.", who, needed);
}

const char* name_of(verify::ShortDifference difference) {
  using verify::ShortDifference;
  switch (difference) {
    case ShortDifference::kNone:
      break;
    case ShortDifference::kDigits:
      return "their numbers differ";
    case ShortDifference::kMarks:
      return "their signs, negations or Roman numerals differ";
    case ShortDifference::kPictures:
      return "their emoji differ";
    case ShortDifference::kWords:
      return "they differ in a word of meaning";
  }
  return nullptr;
}

// Rounded down where it falls short: .6997 does not look like the .70 that is asked for.
std::string shown_similarity(const PairDecision& decision) {
  double value = decision.verdict.similarity;
  if (value < decision.asked) value = std::min(value, decision.asked - 0.001);
  return fmt::format("{:.3f}", std::max(value, 0.0));
}

// Rounded down, so that it does not look like what it takes.
std::string few_ngrams(double jaccard3) {
  return fmt::format(", but of all their 3-grams, weighed alike, only {:.3f} are in both, and {:.2f} must be",
                     std::min(jaccard3, verify::kContentJaccard - 0.001), verify::kContentJaccard);
}

std::string difference_reason(verify::ShortDifference difference, bool enough) {
  const char* what = name_of(difference);
  if (what == nullptr) return {};
  return fmt::format("{} {}{}", enough ? ", but" : ";", what, enough ? "" : ", too");
}

// Reasons are read by users of the service and the library, too: they name no flags.
std::string rule_name(const verify::Rule& rule) {
  verify::Rule plain = rule;
  plain.templates = false;
  return verify::to_string(plain) + (rule.templates ? " with templates" : "");
}

// What keeps a pair from being similar whose similarity is enough.
std::string refusal_reason(const PairDecision& decision) {
  if (decision.verdict.other_numbers) return ", but their numbers differ";
  if (!decision.verdict.held) return few_ngrams(decision.jaccard3);
  const char *shorter = decision.held->a_is_shorter ? "A" : "B", *longer = decision.held->a_is_shorter ? "B" : "A";
  return fmt::format(", but {} holds {}, and a text is never removed for a shorter one that it holds", longer, shorter);
}

std::string similarity_reason(const PairDecision& decision, const engine::DedupOptions& options) {
  const bool enough = decision.verdict.similarity >= decision.asked;
  if (decision.route == PairRoute::kCharacters)
    return fmt::format(
        "Both have fewer than {} words, so their characters are compared: similarity {}, {} the {:.2f} that it "
        "takes{}.",
        options.recipe.short_tokens, shown_similarity(decision), enough ? "at least" : "less than", decision.asked,
        difference_reason(decision.difference, enough));
  if (options.verify.kind == verify::Rule::Kind::kNone && !decision.verdict.held)
    return "The rule none takes every two candidates as similar.";
  return fmt::format(
      "Their similarity by the rule {} is {}, {} the {:.2f} that it takes{}.", rule_name(options.verify),
      shown_similarity(decision), enough ? "at least" : "less than", decision.asked,
      decision.verdict.other_numbers || (enough && !decision.verdict.similar) ? refusal_reason(decision) : "");
}

// Bands share values, so what is next to certain is not told to the last digit.
std::string probability_text(double probability) {
  return probability > 0.99 ? "over 0.99" : fmt::format("about {:.2f}", probability);
}

std::string bands_reason(const PairDecision& decision) {
  const engine::SignatureMatch& match = *decision.match;
  const std::string bands = fmt::format("{} of {} bands are equal", match.num_bands_met, match.bands.size());
  if (decision.is_candidate) return fmt::format("They are candidates, as {}.", bands);
  if (match.num_bands_met > 0)
    return fmt::format("They are not candidates: {}, but only {} of {} values, and it takes {}.", bands,
                       match.num_equal, match.equal.size(), decision.least_equal);
  return fmt::format(
      "They are not candidates, as none of {} bands is equal; pairs with so many common n-grams meet with a "
      "probability "
      "of {}.",
      match.bands.size(), probability_text(match.probability));
}

std::string shown_distance(const PairDecision& decision) {
  if (!decision.num_documents) return fmt::format("{} may", decision.max_distance);
  return fmt::format("{} may (the distance for {}{} documents)", decision.max_distance,
                     *decision.num_documents > 2 ? "about " : "", human_count(*decision.num_documents));
}

std::string distance_reason(const PairDecision& decision) {
  return fmt::format("They are {}candidates: their fingerprints differ in {} of 64 bits, and {}at most {}.",
                     decision.is_candidate ? "" : "not ", fmt::join(decision.distances, " and "),
                     decision.distances.size() > 1 ? "in one of them " : "", shown_distance(decision));
}

// What is in another category or of another size is kept apart; what is said without them comes behind.
VerdictText kept_apart(const PairDecision& decision, const engine::DedupOptions& options, const VerdictText& without) {
  const std::string why =
      decision.apart == engine::KeptApart::kByField
          ? fmt::format("Their values of \"{}\" differ: only documents of one value are compared.",
                        options.read.within_key)
          : fmt::format(
                "Their sizes differ by {:.1f} % of the larger: only texts that differ by at most {:.4g} % are "
                "compared.",
                decision.size_difference * 100, *options.size_within * 100);
  VerdictText text{"kept_apart", "Kept apart: dedup would keep both", {why}};
  text.reasons.insert(text.reasons.end(), without.reasons.begin(), without.reasons.end());
  return text;
}

std::string held_reason(const engine::PairContainment& held, double asked) {
  const char *shorter = held.a_is_shorter ? "A" : "B", *longer = held.a_is_shorter ? "B" : "A";
  const std::string share =
      fmt::format("{} holds {} of the {} tokens of {} in runs of {} and more, which is {:.3f}", longer, held.held.held,
                  held.held.tokens, shorter, verify::kHeldRun, held.held.share());
  if (held.held.tokens < verify::kLeastContained)
    return fmt::format("{}; a text of fewer than {} tokens counts as contained in none.", share,
                       verify::kLeastContained);
  if (!held.is_longer_enough)
    return fmt::format("{}; {} is not 1 / {:.2f} times as long, which it takes to contain the other.", share, longer,
                       asked);
  const bool reaches = held.held.reaches(held.asked);
  if (!reaches && held.held.share() >= static_cast<float>(held.asked))
    return fmt::format(
        "{}; but {} repeats itself: of the {} tokens that it says once, {} holds {}, and it takes {:.2f} of them, {} "
        "at "
        "least.",
        share, shorter, held.held.own_tokens, longer, held.held.own_held, held.asked, verify::kLeastOwn);
  return fmt::format("{}, {} the {:.2f} that it takes{}.", share, reaches ? "at least" : "less than", held.asked,
                     held.asked == asked ? "" : fmt::format(" where {} is not twice as long", longer));
}

// A run may see common passages, which no pair shows.
VerdictText contained(const engine::PairContainment& held, VerdictText text, double asked) {
  if (held.is_contained) {
    text.name = "contained";
    text.title = fmt::format("Contained: dedup would keep {}, the longer one", held.a_is_shorter ? "B" : "A");
    text.reasons.insert(text.reasons.begin(), held_reason(held, asked));
    text.reasons.emplace_back("Among many documents that have these runs, too, they would count for nothing.");
  } else {
    text.reasons.push_back(held_reason(held, asked));
  }
  return text;
}

VerdictText verdict_without_filters(const PairDecision& decision, const engine::DedupOptions& options,
                                    const recipe::Explanation& a, const recipe::Explanation& b) {
  if (decision.route == PairRoute::kExact)
    return {"exact",
            "Equal texts: dedup would keep one of the two",
            {"Their checksums are equal: once normalised (case, accents, width, white space, as the recipe says), they "
             "are one text."}};
  if (decision.route == PairRoute::kTooShort)
    return {"too_short",
            a.whole && b.whole ? "Too short to compare: dedup would keep both"
                               : "Known in part only: dedup would keep both",
            {too_short_reason(options.recipe, a, b)}};
  VerdictText text;
  text.reasons = {similarity_reason(decision, options),
                  decision.match ? bands_reason(decision) : distance_reason(decision)};
  if (decision.is_removed) {
    text.name = "near", text.title = "Near-duplicates: dedup would keep one of the two";
  } else if (decision.verdict.similar) {
    text.name = "missed";
    text.title = options.verify.kind == verify::Rule::Kind::kNone
                     ? "Never compared: dedup would keep both"
                     : "Similar, but never compared: dedup would keep both";
    std::swap(text.reasons[0], text.reasons[1]);
  } else {
    text.name = "not_similar", text.title = "Not similar: dedup would keep both";
  }
  return text;
}

}  // namespace

VerdictText verdict_text(const PairDecision& decision, const engine::DedupOptions& options,
                         const recipe::Explanation& a, const recipe::Explanation& b) {
  VerdictText text = verdict_without_filters(decision, options, a, b);
  if (decision.held && !decision.is_removed) text = contained(*decision.held, std::move(text), *options.contained);
  return decision.apart == engine::KeptApart::kNo ? text : kept_apart(decision, options, text);
}

std::string_view finding_of(const VerdictText& verdict) {
  return std::string_view(verdict.title).substr(0, verdict.title.find(": dedup would"));
}

}  // namespace neardup::explain
