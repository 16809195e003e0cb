#include "neardup/base/json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "neardup/base/hash.h"
#include "neardup/explain/bits.h"
#include "neardup/explain/changed_words.h"
#include "neardup/explain/explain.h"

namespace neardup::explain {
namespace {

/// Appends `"key":` after a comma where one is due.
void key(std::string& out, std::string_view name) {
  if (out.back() != '{' && out.back() != '[') out += ',';
  append_json_string(out, name);
  out += ':';
}

void text_member(std::string& out, std::string_view name, std::string_view text) {
  key(out, name);
  append_json_string(out, text);
}

void number_member(std::string& out, std::string_view name, double number) {
  key(out, name);
  append_json_number(out, number);
}

void bool_member(std::string& out, std::string_view name, bool value) {
  key(out, name);
  out += value ? "true" : "false";
}

void separate(std::string& out) {
  if (out.back() != '[') out += ',';
}

void append_features(std::string& out, const recipe::ExplainedFingerprint& explained_fingerprint) {
  key(out, "features");
  out += '[';
  for (const recipe::ExplainedFeature& feature : explained_fingerprint.features) {
    separate(out);
    out += '{';
    text_member(out, "text", feature.text);
    text_member(out, "hash", to_hex(feature.hash));
    number_member(out, "weight", feature.weight);
    number_member(out, "count", feature.count);
    out += '}';
  }
  out += ']';
}

void append_shares(std::string& out, std::string_view name, const std::vector<BitShare>& shares) {
  key(out, name);
  out += '[';
  for (const BitShare& share : shares) {
    separate(out);
    out += '{';
    text_member(out, "text", share.feature->text);
    number_member(out, "share", share.share);
    out += '}';
  }
  out += ']';
}

void append_bits(std::string& out, const recipe::ExplainedFingerprint& explained_fingerprint) {
  constexpr size_t kTop = 3;
  key(out, "bits");
  out += '[';
  for (int bit = 0; bit < fingerprint::kNumBits; ++bit) {
    const BitVotes votes = explain_bit(explained_fingerprint, bit, kTop);
    separate(out);
    out += '{';
    number_member(out, "for_1", votes.pro);
    number_member(out, "for_0", votes.contra);
    append_shares(out, "top_for_1", votes.top_pro);
    append_shares(out, "top_for_0", votes.top_contra);
    out += '}';
  }
  out += ']';
}

void append_movers(std::string& out, const recipe::ExplainedFingerprint& a, const recipe::ExplainedFingerprint& b) {
  out += ",\"moved_by\":[";
  for (const Mover& mover : find_movers(a, b)) {
    separate(out);
    out += '{';
    text_member(out, "text", mover.feature.text);
    number_member(out, "bits", mover.bits);
    number_member(out, "weight_a", mover.feature.weights[0]);
    number_member(out, "weight_b", mover.feature.weights[1]);
    out += '}';
  }
  out += ']';
}

void append_places(std::string& out, std::string_view name, const std::vector<bool>& marks) {
  key(out, name);
  out += '[';
  for (size_t i = 0; i < marks.size(); ++i) {
    if (!marks[i]) continue;
    separate(out);
    out += std::to_string(i);
  }
  out += ']';
}

void append_match(std::string& out, const engine::SignatureMatch& match, bool of_characters) {
  key(out, "minhash");
  out += '{';
  text_member(out, "of", of_characters ? "characters" : "tokens");
  number_member(out, "equal", static_cast<double>(match.num_equal));
  number_member(out, "values", static_cast<double>(match.equal.size()));
  number_member(out, "jaccard", match.jaccard);
  number_member(out, "jaccard_error", match.error);
  append_places(out, "equal_values", match.equal);
  append_places(out, "equal_bands", match.bands);
  number_member(out, "bands", static_cast<double>(match.bands.size()));
  number_member(out, "probability", match.probability);
  out += '}';
}

void append_signature(std::string& out, const std::vector<uint16_t>& signature) {
  key(out, "signature");
  out += '"';
  for (const uint16_t value : signature) out += fmt::format("{:04x}", value);
  out += '"';
}

void append_fingerprint(std::string& out, const recipe::FingerprintSpec& spec,
                        const recipe::ExplainedFingerprint& explained_fingerprint) {
  separate(out);
  out += '{';
  text_member(out, "spec", spec_text(spec));
  text_member(out, "fingerprint", to_hex(explained_fingerprint.fingerprint));
  key(out, "votes");
  out += '[';
  for (const double vote : explained_fingerprint.counters) {
    separate(out);
    append_json_number(out, vote);
  }
  out += ']';
  append_bits(out, explained_fingerprint);
  append_features(out, explained_fingerprint);
  out += '}';
}

void append_extraction(std::string& out, const recipe::Explanation& explanation) {
  number_member(out, "given_bytes", static_cast<double>(explanation.given_bytes));
  number_member(out, "extracted_bytes", static_cast<double>(explanation.extracted_bytes));
  key(out, "is_page");
  out += explanation.is_page ? "true" : "false";
  if (explanation.is_manual) out += ",\"is_manual\":true";
  text_member(out, "encoding", explanation.encoding);
  if (explanation.preamble_bytes > 0)
    number_member(out, "preamble_bytes", static_cast<double>(explanation.preamble_bytes));
  if (explanation.quoted_lines > 0) number_member(out, "quoted_lines", static_cast<double>(explanation.quoted_lines));
  key(out, "masked");
  out += '[';
  for (const recipe::MaskedText& part : explanation.masked) {
    separate(out);
    out += '{';
    text_member(out, "kind", part.kind);
    text_member(out, "text", part.text);
    out += '}';
  }
  out += ']';
  append_changed_words(out, explanation.normalized, explanation.tokens);
}

void append_document(std::string& out, const recipe::Recipe& recipe, const ExplainedText& text) {
  separate(out);
  out += '{';
  text_member(out, "name", text.source.name);
  number_member(out, "num_tokens", static_cast<double>(text.explanation.num_tokens));
  number_member(out, "size_bytes", static_cast<double>(text.explanation.normalized.size()));
  text_member(out, "checksum", to_hex(text.explanation.checksum));
  append_extraction(out, text.explanation);
  if (!text.signature.empty()) append_signature(out, text.signature);
  key(out, "fingerprints");
  out += '[';
  for (size_t i = 0; i < text.explanation.fingerprints.size(); ++i) {
    append_fingerprint(out, recipe.fingerprints[i], text.explanation.fingerprints[i]);
  }
  out += "]}";
}

void append_distances(std::string& out, const Explained& explained) {
  const auto& a = explained.texts[0].explanation.fingerprints;
  const auto& b = explained.texts[1].explanation.fingerprints;
  key(out, "distances");
  out += '[';
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    separate(out);
    const std::vector<int> bits = differing_bits(a[i].fingerprint, b[i].fingerprint);
    out += fmt::format("{{\"distance\":{},\"differing_bits\":[{}]", bits.size(), fmt::join(bits, ","));
    append_movers(out, a[i], b[i]);
    out += '}';
  }
  out += ']';
}

void append_numbers(std::string& out, const verify::NumberMatch& match) {
  key(out, "numbers");
  out += '{';
  number_member(out, "placed", static_cast<double>(match.placed));
  number_member(out, "same", static_cast<double>(match.same));
  out += '}';
}

void append_verdicts(std::string& out, const Explained& explained) {
  key(out, "verdicts");
  out += '[';
  for (const RuleVerdict& verdict : explained.verdicts) {
    separate(out);
    out += '{';
    text_member(out, "verify", verify::to_string(verdict.rule));
    key(out, "similar");
    out += verdict.verdict.similar ? "true" : "false";
    number_member(out, "similarity", verdict.verdict.similarity);
    if (verdict.by_characters) bool_member(out, "by_characters", true);
    if (verdict.rule.templates) bool_member(out, "other_numbers", verdict.verdict.other_numbers);
    out += '}';
  }
  out += ']';
}

void flag_member(std::string& out, std::string_view name, bool value) {
  key(out, name);
  out += value ? "true" : "false";
}

void append_decision(std::string& out, const Explained& explained) {
  const engine::PairDecision& decision = explained.decision;
  key(out, "decision");
  out += '{';
  text_member(out, "verdict", explained.verdict.name);
  text_member(out, "title", explained.verdict.title);
  key(out, "reasons");
  out += '[';
  for (const std::string& reason : explained.verdict.reasons) separate(out), append_json_string(out, reason);
  out += ']';
  text_member(out, "route", engine::name_of(decision.route));
  flag_member(out, "removed", decision.is_removed);
  const bool compared = decision.route != engine::PairRoute::kExact && decision.route != engine::PairRoute::kTooShort;
  if (compared) {
    flag_member(out, "candidates", decision.is_candidate);
    number_member(out, "similarity", decision.verdict.similarity);
    number_member(out, "asked", decision.asked);
  }
  if (decision.match) {
    number_member(out, "bands_equal", static_cast<double>(decision.match->num_bands_met));
    number_member(out, "probability", decision.match->probability);
  }
  out += '}';
}

void append_diff(std::string& out, const Explained& explained) {
  key(out, "diff");
  out += '[';
  for (const diff::DiffPiece& piece : explained.diff) {
    separate(out);
    const bool equal = piece.kind == diff::DiffKind::kEqual;
    out += '{';
    text_member(out,
                equal                                  ? "equal"
                : piece.kind == diff::DiffKind::kOnlyA ? "only_a"
                                                       : "only_b",
                piece.kind == diff::DiffKind::kOnlyA ? piece.a : piece.b);
    out += '}';
  }
  out += ']';
}

}  // namespace

std::string explain_json(const Explained& explained) {
  std::string out = "{\"recipe\":" + recipe::to_json(explained.recipe);
  text_member(out, "recipe_id", recipe::recipe_id(explained.recipe));
  key(out, "documents");
  out += '[';
  for (const ExplainedText& text : explained.texts) append_document(out, explained.recipe, text);
  out += ']';
  if (explained.texts.size() == 2) {
    append_decision(out, explained);
    if (explained.match) append_match(out, *explained.match, is_by_characters(explained));
    append_distances(out, explained);
    flag_member(out, "exact", explained.decision.route == engine::PairRoute::kExact);
    number_member(out, "jaccard3", explained.jaccard3);
    number_member(out, "jaccard5", explained.jaccard5);
    if (explained.numbers) append_numbers(out, *explained.numbers);
    append_verdicts(out, explained);
    if (explained.content) append_content_json(out, *explained.content);
    append_diff(out, explained);
  }
  return out + "}\n";
}

}  // namespace neardup::explain
