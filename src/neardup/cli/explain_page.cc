#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "neardup/base/hash.h"
#include "neardup/cli/explain.h"
#include "neardup/cli/sizes.h"

namespace neardup::cli {
namespace {

using simhash::ExplainedFingerprint;

struct Style {
  size_t top;
  bool color;
  [[nodiscard]] std::string bold(const std::string& text) const { return color ? "\x1b[1m" + text + "\x1b[0m" : text; }
};

std::string letter(size_t index) { return std::string(1, static_cast<char>('A' + index)); }

/// Text of a feature, with everything that would break the table made visible.
std::string shown(const std::string& text) {
  std::string out;
  for (const char c : text.substr(0, 60)) out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  while (!out.empty() && text.size() > 60 && (static_cast<unsigned char>(text[out.size()]) & 0xC0) == 0x80)
    out.pop_back();
  return out.size() < text.size() ? out + "..." : out;
}

std::string header(const Explained& explained, const Style& style) {
  std::string out;
  for (size_t i = 0; i < explained.texts.size(); ++i) {
    const ExplainedText& text = explained.texts[i];
    out += fmt::format("{}  {}\n   {} tokens, {} bytes normalised, checksum {}\n", style.bold(letter(i)),
                       text.source.name, human_count(text.explanation.num_tokens),
                       human_count(text.explanation.normalized.size()), to_hex(text.explanation.checksum));
    if (!text.explanation.has_features)
      out += "   too few tokens: no fingerprint, only an exact copy can be a duplicate\n";
  }
  return out;
}

/// The weights of one feature in both texts; 0 = not there.
struct FeatureRow {
  std::string text;
  double weights[2] = {0, 0};
  uint32_t counts[2] = {0, 0};
  uint64_t begin = 0;
};

std::vector<FeatureRow> merge_features(const std::vector<const ExplainedFingerprint*>& prints) {
  std::map<uint64_t, FeatureRow> by_hash;
  for (size_t i = 0; i < prints.size(); ++i) {
    for (const simhash::ExplainedFeature& feature : prints[i]->features) {
      FeatureRow& row = by_hash[feature.hash];
      if (row.text.empty()) row.text = feature.text, row.begin = feature.begin;
      row.weights[i] = feature.weight;
      row.counts[i] = feature.count;
    }
  }
  std::vector<FeatureRow> rows;
  for (auto& [hash, row] : by_hash) rows.push_back(std::move(row));
  std::stable_sort(rows.begin(), rows.end(), [](const FeatureRow& x, const FeatureRow& y) {
    const double x_weight = std::max(x.weights[0], x.weights[1]);
    const double y_weight = std::max(y.weights[0], y.weights[1]);
    return x_weight != y_weight ? x_weight > y_weight : x.begin < y.begin;
  });
  return rows;
}

/// At most two decimals, none where they are zero.
std::string short_number(double number) { return fmt::format("{:.9g}", std::round(number * 100) / 100 + 0.0); }

std::string weight_cell(double weight, uint32_t count) {
  if (count == 0) return fmt::format("{:>9} {:>4}", "-", "");
  return fmt::format("{:>9} {:>4}", short_number(weight), count > 1 ? fmt::format("x{}", count) : "");
}

std::string feature_table(const std::vector<const ExplainedFingerprint*>& prints, const Style& style) {
  std::vector<FeatureRow> rows = merge_features(prints);
  const bool two = prints.size() == 2;
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
std::string vote_table(const std::vector<const ExplainedFingerprint*>& prints) {
  const bool two = prints.size() == 2;
  const uint64_t differing = two ? prints[0]->fingerprint ^ prints[1]->fingerprint : 0;
  std::string out = "\n  votes per bit (a bit is 1 where its votes are above 0";
  out += two ? "; * = the bits differ)\n" : ")\n";
  for (int row = 7; row >= 0; --row) {
    out += fmt::format("  bits {:>2}..{:<2}", row * 8 + 7, row * 8);
    for (size_t i = 0; i < prints.size(); ++i) {
      if (i > 0) out += fmt::format("  {:<10}", "");
      out += two ? " " + letter(i) : "";
      for (int bit = row * 8 + 7; bit >= row * 8; --bit) {
        const char mark = (differing >> bit & 1) != 0 ? '*' : ' ';
        out += fmt::format(" {:>7}{}", short_number(prints[i]->counters[static_cast<size_t>(bit)]), mark);
      }
      while (out.back() == ' ') out.pop_back();
      out += '\n';
    }
  }
  return out;
}

std::string fingerprint_section(const Explained& explained, size_t index, const Style& style) {
  std::vector<const ExplainedFingerprint*> prints;
  for (const ExplainedText& text : explained.texts) {
    if (text.explanation.has_features) prints.push_back(&text.explanation.fingerprints[index]);
  }
  if (prints.size() < explained.texts.size()) return "";
  std::string out = "\n" +
                    style.bold(fmt::format("Fingerprint {} of {}", index + 1, explained.recipe.fingerprints.size())) +
                    fmt::format(": {}\n", spec_text(explained.recipe.fingerprints[index]));
  for (size_t i = 0; i < prints.size(); ++i)
    out += fmt::format("  {}  {}\n", letter(i), to_hex(prints[i]->fingerprint));
  if (prints.size() == 2) {
    const std::vector<int> bits = differing_bits(prints[0]->fingerprint, prints[1]->fingerprint);
    out += fmt::format("  distance {} of {}", bits.size(), fingerprint::kNumBits);
    out += bits.empty() ? "\n" : fmt::format("; differing bits: {}\n", fmt::join(bits, ", "));
  }
  return out + feature_table(prints, style) + vote_table(prints);
}

std::string signature_section(const Explained& explained, const Style& style) {
  const std::optional<SignatureMatch> match = match_signatures(explained);
  if (!match) return "";
  const simhash::MinHashSpec& spec = explained.recipe.minhash;
  std::string out = "\n" + style.bold("MinHash signatures") +
                    fmt::format(": {} values of token {}-grams\n", spec.num_values, spec.ngram);
  out += fmt::format("  {} values are equal: the Jaccard similarity of the {}-grams is {:.3f} +- {:.3f}\n",
                     match->num_equal, spec.ngram, match->similarity, match->standard_error);
  return out + fmt::format("  {} of {} bands of {} values are equal: {}\n", match->bands_met, match->num_bands,
                           spec.rows, match->bands_met > 0 ? "candidates" : "no candidates");
}

std::string comparison_section(const Explained& explained, const Style& style) {
  std::string out =
      "\n" + style.bold("Similarity") + (explained.exact ? ": exact duplicates (equal checksums)\n" : "\n");
  out += fmt::format("  Jaccard of 3-grams {:.3f}, of 5-grams {:.3f}\n", explained.jaccard3, explained.jaccard5);
  for (const RuleVerdict& verdict : explained.verdicts) {
    out += fmt::format("  --verify {:<12} {}\n", verify::to_string(verdict.rule),
                       verdict.verdict.similar ? "similar" : "not similar");
  }
  return out + "\n" + style.bold("Difference") + "\n" + diff_page(explained.diff, style.color);
}

}  // namespace

std::string explain_page(const Explained& explained, size_t top, bool color) {
  const Style style{top, color};
  std::string out = header(explained, style);
  out += fmt::format("   recipe {} ({})\n", explained.recipe.name, simhash::recipe_id(explained.recipe));
  for (size_t i = 0; i < explained.recipe.num_fingerprints(); ++i) out += fingerprint_section(explained, i, style);
  out += signature_section(explained, style);
  if (explained.texts.size() == 2) out += comparison_section(explained, style);
  return out;
}

}  // namespace neardup::cli
