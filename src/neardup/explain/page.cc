#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "neardup/base/hash.h"
#include "neardup/base/sizes.h"
#include "neardup/explain/bits.h"
#include "neardup/explain/explain.h"
#include "neardup/report/escape.h"

namespace neardup::explain {
namespace {

using recipe::ExplainedFingerprint;

constexpr size_t kNameColumns = 100;
constexpr size_t kLineColumns = 200;
constexpr size_t kFewMovers = 3;  // without --details

std::string bold(const std::string& text, const Style& style) {
  return style.color ? "\x1b[1m" + text + "\x1b[0m" : text;
}

std::string side_letter(size_t index) { return std::string(1, static_cast<char>('A' + index)); }

/// Text of a feature on one line, harmless to the terminal.
std::string shown(std::string_view text) { return report::terminal_line(text, 60); }

std::string header(const Explained& explained, const Style& style) {
  std::string out;
  for (size_t i = 0; i < explained.texts.size(); ++i) {
    const ExplainedText& text = explained.texts[i];
    out += fmt::format("{}  {}\n   {} tokens, {} bytes normalised, checksum {}\n", bold(side_letter(i), style),
                       report::terminal_line(text.source.name, kNameColumns), human_count(text.explanation.num_tokens),
                       human_count(text.explanation.normalized.size()), to_hex(text.explanation.checksum));
    for (const std::string& line : extraction_lines(text.explanation))
      out += "   " + report::terminal_line(line, kLineColumns) + "\n";
    if (!text.explanation.has_features)
      out += fmt::format("   {}: no fingerprint, only an equal text can be a duplicate\n",
                         text.explanation.cut     ? "not read to its end"
                         : text.explanation.whole ? "too few tokens"
                                                  : "a page with hardly any text");
  }
  return out;
}

/// At most two decimals, none where they are zero.
std::string short_number(double number) { return fmt::format("{:.9g}", std::round(number * 100) / 100 + 0.0); }

std::string weight_cell(double weight, uint32_t count) {
  if (count == 0) return fmt::format("{:>9} {:>4}", "-", "");
  return fmt::format("{:>9} {:>4}", short_number(weight), count > 1 ? fmt::format("x{}", count) : "");
}

std::string feature_table(const std::vector<const ExplainedFingerprint*>& fingerprints, const Style& style) {
  std::vector<FeatureRow> rows = merge_features(fingerprints);
  const bool two = fingerprints.size() == 2;
  const auto only = [&](size_t i) {
    return std::count_if(rows.begin(), rows.end(), [i](const FeatureRow& row) { return row.counts[1 - i] == 0; });
  };
  std::string out = fmt::format("\n  {} features", human_count(rows.size()));
  if (two) out += fmt::format(", {} only in A, {} only in B", only(0), only(1));
  const size_t limit = style.top == 0 ? rows.size() : std::min(style.top, rows.size());
  out += limit < rows.size() ? fmt::format("; the {} heaviest:\n", limit) : ":\n";
  out += two ? fmt::format("  {:>9} {:>4}  {:>9} {:>4}  feature\n", "A", "", "B", "")
             : fmt::format("  {:>9} {:>4}  feature\n", "weight", "");
  for (size_t r = 0; r < limit; ++r) {
    out += "  " + weight_cell(rows[r].weights[0], rows[r].counts[0]);
    if (two) out += "  " + weight_cell(rows[r].weights[1], rows[r].counts[1]);
    out += "  " + shown(rows[r].text) + "\n";
  }
  return out;
}

/// The counters, eight bits a row, the most significant first; a star marks bits that differ.
std::string vote_table(const std::vector<const ExplainedFingerprint*>& fingerprints) {
  const bool two = fingerprints.size() == 2;
  const uint64_t differing = two ? fingerprints[0]->fingerprint ^ fingerprints[1]->fingerprint : 0;
  std::string out = "\n  votes per bit (a bit is 1 where its votes are above 0";
  out += two ? "; * = the bits differ)\n" : ")\n";
  for (int row = 7; row >= 0; --row) {
    out += fmt::format("  bits {:>2}..{:<2}", row * 8 + 7, row * 8);
    for (size_t i = 0; i < fingerprints.size(); ++i) {
      if (i > 0) out += fmt::format("  {:<10}", "");
      out += two ? " " + side_letter(i) : "";
      for (int bit = row * 8 + 7; bit >= row * 8; --bit) {
        const char mark = (differing >> bit & 1) != 0 ? '*' : ' ';
        out += fmt::format(" {:>7}{}", short_number(fingerprints[i]->counters[static_cast<size_t>(bit)]), mark);
      }
      while (out.back() == ' ') out.pop_back();
      out += '\n';
    }
  }
  return out;
}

/// Which features made the differing bits differ.
std::string mover_table(const ExplainedFingerprint& a, const ExplainedFingerprint& b, const Style& style) {
  const std::vector<Mover> movers = find_movers(a, b);
  if (movers.empty()) return "";
  std::string out =
      "\n  what made the bits differ (a feature's share of the push, in bits; all add up to the distance)\n";
  out += fmt::format("  {:>9} {:>9}  {:>9}       feature\n", "bits", "A", "B");
  const size_t most = style.top == 0 ? movers.size() : style.top;
  const size_t limit = std::min(movers.size(), style.details ? most : std::min(most, kFewMovers));
  double rest = 0;
  for (size_t i = 0; i < movers.size(); ++i) {
    const FeatureRow& row = movers[i].feature;
    if (i < limit) {
      out += fmt::format("  {:>9} {:>9}  {:>9}       {}\n", short_number(movers[i].bits),
                         row.counts[0] == 0 ? "-" : short_number(row.weights[0]),
                         row.counts[1] == 0 ? "-" : short_number(row.weights[1]), shown(row.text));
    } else {
      rest += movers[i].bits;
    }
  }
  if (limit < movers.size())
    out += fmt::format("  {:>9} {:>9}  {:>9}       {} more\n", short_number(rest), "", "",
                       human_count(movers.size() - limit));
  return out;
}

std::string share_list(const std::vector<BitShare>& shares) {
  std::string out;
  for (const BitShare& share : shares)
    out += fmt::format("{}{} ({:.1f} %)", out.empty() ? "" : ", ", shown(share.feature->text), share.share * 100);
  return out.empty() ? "-" : out;
}

/// What speaks for and against each bit, by each feature's share of all weights.
std::string bit_table(const std::vector<const ExplainedFingerprint*>& fingerprints) {
  constexpr size_t kTop = 3;
  std::string out = "\n  what made each bit (shares of all weights)\n";
  const bool two = fingerprints.size() == 2;
  for (int bit = fingerprint::kNumBits - 1; bit >= 0; --bit) {
    const bool differs = two && ((fingerprints[0]->fingerprint ^ fingerprints[1]->fingerprint) >> bit & 1) != 0;
    for (size_t i = 0; i < fingerprints.size(); ++i) {
      const BitVotes votes = explain_bit(*fingerprints[i], bit, kTop);
      const char value = (fingerprints[i]->fingerprint >> bit & 1) != 0 ? '1' : '0';
      out += fmt::format("  bit {:>2} {}= {}{}  for 1: {:>7}  {}\n", bit, two ? side_letter(i) + " " : "", value,
                         differs ? '*' : ' ', short_number(votes.pro), share_list(votes.top_pro));
      out += fmt::format("  {:<{}}for 0: {:>7}  {}\n", "", two ? 15 : 13, short_number(votes.contra),
                         share_list(votes.top_contra));
    }
  }
  return out;
}

/// Returns marks in groups of eight, 64 a line.
std::string mark_lines(const std::vector<bool>& marks) {
  std::string out;
  for (size_t i = 0; i < marks.size(); ++i) {
    if (i % 64 == 0)
      out += i == 0 ? "    " : "\n    ";
    else if (i % 8 == 0)
      out += ' ';
    out += marks[i] ? '=' : '.';
  }
  return out + '\n';
}

/// "3-grams", or all kinds that a signature of source code is of.
std::string ngrams_text(const recipe::MinHashSpec& spec) {
  std::string text = fmt::format("{}-", spec.ngram);
  if (spec.long_ngram != 0) text += fmt::format(", {}-", spec.long_ngram);
  if (spec.blind_ngram != 0) text += fmt::format(" and blinded {}-", spec.blind_ngram);
  return text + "grams";
}

/// "3-grams": what the signatures of explained.match are of.
std::string ngrams_of_match(const Explained& explained) {
  return is_by_characters(explained) ? "character n-grams" : ngrams_text(explained.recipe.minhash);
}

/// The values and bands in which two signatures agree.
std::string match_section(const engine::SignatureMatch& match, const recipe::MinHashSpec& spec,
                          const std::string& ngrams) {
  std::string out = fmt::format("  {} of {} values are equal: Jaccard of {} about {:.2f} +- {:.2f}\n", match.num_equal,
                                spec.num_values, ngrams, match.jaccard, match.error);
  out += mark_lines(match.equal);
  out += fmt::format("  {} of {} bands are equal: {}\n", match.num_bands_met, spec.bands,
                     match.num_bands_met > 0 ? "candidates" : "no candidates");
  out += mark_lines(match.bands);
  return out +
         fmt::format("  texts of that similarity become candidates with a probability of {:.3f}\n", match.probability);
}

std::string signature_section(const Explained& explained, const Style& style) {
  const recipe::MinHashSpec spec = signed_as(explained);
  if (explained.texts[0].signature.empty()) return "";
  std::string out =
      "\n" + bold("MinHash", style) +
      fmt::format(": {} values of {}, {} bands of {}\n", spec.num_values,
                  is_by_characters(explained) ? "character n-grams" : fmt::format("{}-grams of tokens", spec.ngram),
                  spec.bands, spec.rows);
  return explained.match ? out + match_section(*explained.match, spec, ngrams_of_match(explained)) : out;
}

std::string fingerprint_section(const Explained& explained, size_t index, const Style& style) {
  const bool two = explained.texts.size() == 2;
  std::vector<const ExplainedFingerprint*> fingerprints;
  for (const ExplainedText& text : explained.texts) {
    if (text.explanation.has_features) fingerprints.push_back(&text.explanation.fingerprints[index]);
  }
  if (fingerprints.size() < explained.texts.size()) return "";
  std::string out = "\n" +
                    bold(fmt::format("Fingerprint {} of {}", index + 1, explained.recipe.fingerprints.size()), style) +
                    fmt::format(": {}\n", spec_text(explained.recipe.fingerprints[index]));
  for (size_t i = 0; i < fingerprints.size() && (!two || style.details); ++i)
    out += fmt::format("  {}  {}\n", side_letter(i), to_hex(fingerprints[i]->fingerprint));
  if (two) {
    const std::vector<int> bits = differing_bits(fingerprints[0]->fingerprint, fingerprints[1]->fingerprint);
    out += fmt::format("  distance {} of {}", bits.size(), fingerprint::kNumBits);
    out += bits.empty() ? "\n" : fmt::format("; differing bits: {}\n", fmt::join(bits, ", "));
  }
  if (!two || style.details) out += feature_table(fingerprints, style);
  if (two) out += mover_table(*fingerprints[0], *fingerprints[1], style);
  if (style.details) out += vote_table(fingerprints);
  return style.bits ? out + bit_table(fingerprints) : out;
}

std::string verdict_section(const VerdictText& verdict, const Style& style) {
  std::string out = bold(verdict.title + ".", style) + "\n";
  for (const std::string& reason : verdict.reasons) out += reason + "\n";
  return out + "\n";
}

/// One line for each way of comparing the two.
std::string summary_table(const Explained& explained) {
  std::string out;
  const int width = explained.numbers ? 27 : 20;
  const auto row = [&out, width](std::string_view name, const std::string& value) {
    out += fmt::format("  {:<{}}  {}\n", name, width, value);
  };
  const auto verdict = [](const verify::Verdict& found) {
    return fmt::format("{:.3f}  {}", found.similarity, verdict_text(found));
  };
  row("equal texts", explained.decision.route == engine::PairRoute::kExact ? "yes: equal checksums" : "no");
  const bool by_characters = is_by_characters(explained);
  if (by_characters) row("characters", verdict(explained.decision.verdict) + "; decides, as both texts are short");
  const bool is_asked = explained.decision.route != engine::PairRoute::kTooShort;
  for (const RuleVerdict& rule : explained.verdicts)
    row("--verify " + verify::to_string(rule.rule),
        is_asked ? verdict(rule.verdict) + (rule.by_characters ? ", by characters" : "")
                 : "not asked: only an equal text would do");
  if (explained.numbers) row("numbers", numbers_line(*explained.numbers));
  const recipe::MinHashSpec spec = signed_as(explained);
  if (explained.match)
    row("MinHash", fmt::format("{} of {} values, {} of {} bands are equal: Jaccard of {} about {:.2f} +- {:.2f}",
                               explained.match->num_equal, spec.num_values, explained.match->num_bands_met, spec.bands,
                               ngrams_of_match(explained), explained.match->jaccard, explained.match->error));
  if (by_characters) return out;  // fingerprints take no part
  const auto &a = explained.texts[0].explanation.fingerprints, &b = explained.texts[1].explanation.fingerprints;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    row(fmt::format("SimHash {}", i + 1),
        fmt::format("{} of {} bits differ; {}", differing_bits(a[i].fingerprint, b[i].fingerprint).size(),
                    fingerprint::kNumBits, spec_text(explained.recipe.fingerprints[i])));
  return out;
}

/// What the rule looked at, and why that makes the two what they are.
std::string content_section(const Explained& explained, const Style& style) {
  if (!explained.content) return "";
  return "\n" + bold("What counts", style) + "\n" + content_page(*explained.content, style.details);
}

/// What dedup takes first; the other family where it was asked for, by name or with --details.
std::string family_sections(const Explained& explained, const Style& style) {
  const bool two = explained.texts.size() == 2;
  const bool minhash_first = explained.family == recipe::Family::kMinHash;
  std::string signatures, fingerprints;
  if (!two || style.details) signatures = signature_section(explained, style);
  if (!two || style.details || style.bits || !minhash_first)
    for (size_t i = 0; i < explained.recipe.fingerprints.size(); ++i)
      fingerprints += fingerprint_section(explained, i, style);
  return minhash_first ? signatures + fingerprints : fingerprints + signatures;
}

}  // namespace

std::string explain_page(const Explained& explained, const Style& style) {
  const bool two = explained.texts.size() == 2;
  std::string out = two ? verdict_section(explained.verdict, style) : "";
  out += header(explained, style);
  out += fmt::format("   recipe {} ({})\n", explained.recipe.name, recipe::recipe_id(explained.recipe));
  if (two)
    out += "\n" + summary_table(explained) + content_section(explained, style) + "\n" + bold("Difference", style) +
           (style.color ? "" : " [-only in A-] {+only in B+}") + "\n" + diff_page(explained.diff, style);
  out += family_sections(explained, style);
  if (explained.content && !explained.content->has_corpus)
    out += "\n--input or --commonness FILE says which n-grams are common.\n";
  if (!style.details)
    out += two ? "\n--details shows the whole difference, features, votes and signatures.\n"
               : "\n--details shows the votes of each bit, too.\n";
  return out;
}

}  // namespace neardup::explain
