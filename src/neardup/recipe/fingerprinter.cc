// The order of steps is fixed, as each sees what the one before has made: extraction with masks and quotes,
// normalisation, cutting, phrases, n-grams, fingerprints. From the tokens on everything is hashes, so no strings are
// built.
// Buffers stay from text to text, so a thread allocates nothing once they have grown. working_bytes() says from above
// what they may take, so that a run can hold to its memory limit: a step that takes more must be counted there.
// The checksum is of the text before it is cut, with its quoted lines and markup, and of all that a page shows: whether
// two texts are equal does not depend on what is compared of them (docs/design/quotes.md, docs/html.md).
#include "neardup/recipe/fingerprinter.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "neardup/base/utf8.h"
#include "neardup/feature/extractor.h"
#include "neardup/feature/ngrams.h"
#include "neardup/feature/phrases.h"
#include "neardup/feature/scratch.h"
#include "neardup/fingerprint/checksum.h"
#include "neardup/minhash/signer.h"
#include "neardup/recipe/explain_features.h"
#include "neardup/recipe/extract_options.h"
#include "neardup/recipe/normalize_options.h"
#include "neardup/recipe/recipe_tokens.h"
#include "neardup/recipe/short_text.h"
#include "neardup/recipe/token_signs.h"
#include "neardup/simhash/counters.h"
#include "neardup/simhash/kernel.h"
#include "neardup/text/extract.h"
#include "neardup/text/han_fold.h"
#include "neardup/text/mask.h"
#include "neardup/text/normalizer.h"
#include "neardup/token/code_class.h"
#include "neardup/token/numbers.h"
#include "neardup/token/one_token.h"
#include "neardup/token/tokenizer.h"

namespace neardup::recipe {
namespace {

// One in so many Han characters is traditional in texts of that script, at the least: usually one in three.
constexpr uint64_t kLeastTraditional = 20;

constexpr size_t kMaxTokenizedBytes = (size_t{1} << 32) - 1;

token::CjkMode cjk_mode(const Recipe& recipe) {
  if (recipe.cjk == "syllables") return token::CjkMode::kSyllables;
  return recipe.cjk == "characters" ? token::CjkMode::kCharacters : token::CjkMode::kBigrams;
}

token::TokenizerOptions tokenizer_options(const Recipe& recipe) {
  return {.tokenizer = recipe.tokenizer,
          .cjk = cjk_mode(recipe),
          .stop_words = recipe.stop_words,
          .folded_letters = recipe.normalization == "folded",
          .stemmer = recipe.stemmer,
          .hash_seed = recipe.hash_seed,
          .dictionary = recipe.dictionary.object};
}

// Signatures of three kinds of n-grams take no more: these in place of the last five.
// For each token: its hash, its part of the TextFingerprint, an n-gram's hash, weight and
// fixed-point value; a distinct hash and its count; without sparing a table of at most 32 + 16 bytes; with TOP N a
// rank.
constexpr uint64_t kTokenBytes = 8 + 4 + 8 + 4 + 4 + 8 + 4;
constexpr uint64_t kFastTokenBytes = kTokenBytes + 32 + 16;
constexpr uint64_t kRankBytes = 16;
// Of signatures of one kind of n-grams: tokens, which are gone before n-grams are made, hashes and the TextFingerprint;
// without sparing room for n-grams that earlier documents left.
constexpr uint64_t kSignedTokenBytes = sizeof(token::Token) + 8 + 4;

uint64_t bytes_per_token(const Recipe& recipe, bool spares_memory) {
  const bool is_signed = recipe.num_fingerprints() == 0 && recipe.minhash.long_ngram == 0 &&
                         recipe.minhash.blind_ngram == 0 && recipe.phrases == "none";
  if (is_signed) return kSignedTokenBytes + (spares_memory ? 0 : 8);
  return spares_memory ? kTokenBytes : kFastTokenBytes;
}

/// Returns the tokens with each phrase as one token that reaches from its first to its second word.
std::vector<token::Token> with_phrases(const feature::Phrases& phrases, const std::vector<token::Token>& tokens) {
  std::vector<uint64_t> hashes;
  for (const token::Token& token : tokens) hashes.push_back(token.hash);
  std::vector<token::Token> joined;
  phrases.visit_joined(hashes, [&](size_t i, size_t length) {
    joined.push_back(tokens[i]);
    if (length == 1) return;
    joined.back().size_bytes = tokens[i + 1].begin + tokens[i + 1].size_bytes - tokens[i].begin;
    joined.back().hash = feature::phrase_hash(tokens[i].hash, tokens[i + 1].hash);
  });
  return joined;
}

std::string_view name_of_mask(uint32_t kind) {
  static const std::vector<std::string> names = text::mask_names();
  for (const std::string& name : names)
    if (text::mask_kind(name) == kind) return name;
  return {};
}

/// Tells what of the bytes was looked at, and what of that was masked.
void explain_extraction(const Recipe& recipe, std::string_view bytes, Explanation& out) {
  text::ExtractOptions options = extract_options(recipe);
  const uint32_t kinds = std::exchange(options.mask, 0);
  text::Extract extract(options);
  const text::Extracted extracted = extract.from(bytes);
  out.given_bytes = bytes.size();
  out.extracted_bytes = extracted.text.size();
  out.quoted_lines = extracted.num_quoted_lines;
  out.is_page = extracted.is_page;
  out.preamble_bytes = extracted.preamble_bytes;
  out.is_manual = extracted.is_manual;
  out.encoding = extracted.encoding;
  if (kinds == 0) return;
  std::string masked;
  std::vector<text::MaskedPart> parts;
  text::mask(extracted.text, kinds, masked, &parts);
  for (const text::MaskedPart& part : parts)
    out.masked.push_back({name_of_mask(part.kind), std::string(extracted.text.substr(part.begin, part.size))});
}

/// Cuts between two characters. Only texts that are larger than any document of a corpus are cut.
std::string_view tokenized_part(std::string_view normalized) {
  return cut_at_character(normalized, kMaxTokenizedBytes);
}

}  // namespace

uint64_t working_bytes(const Recipe& recipe, uint64_t text_bytes, uint64_t tree_bytes, bool spares_memory) {
  const bool ranks = std::any_of(recipe.fingerprints.begin(), recipe.fingerprints.end(),
                                 [](const FingerprintSpec& spec) { return spec.top_n > 0; });
  const bool is_code = recipe.tokenizer == "code";
  // Tokens that are only marked are gone before n-grams are made of them, which take more; those of earlier documents
  // stay, unless memory is spared.
  const bool marks_tokens = recipe.mark_numbers || is_code;
  const bool holds_tokens = recipe.stop_words != "none" || recipe.stemmer != "none" || (marks_tokens && !spares_memory);
  const uint64_t per_token =
      bytes_per_token(recipe, spares_memory) + (ranks ? kRankBytes : 0) + (holds_tokens ? sizeof(token::Token) : 0);
  const uint64_t num_tokens = recipe.tokenizer == "chars" || is_code ? text_bytes : text_bytes / 2;
  // jieba: the text before folding, three more bits a byte; a code, a route and a border for each character of a block,
  // all in vectors that may have doubled.
  const uint64_t jieba_bytes =
      recipe.tokenizer == "jieba" ? text_bytes * 3 / 2 + uint64_t{token::kMaxJiebaBlock} * 44 : 0;
  const uint64_t work =
      num_tokens * per_token + text_bytes * (is_code ? 9 : 5) / 4 + jieba_bytes;  // two bits a byte for borders
  // With letters folded, two at a time: the text without references, repaired, or with mixed words in one script.
  const uint64_t folded_copies = recipe.normalization == "folded" ? 2 * text_bytes : 0;
  // A byte of a page is one of a tag, which makes nodes, or one of text, which makes tokens; but what earlier documents
  // took is kept, unless memory is spared.
  return text::extracted_copies_bytes(extract_options(recipe), text_bytes) + folded_copies +
         (spares_memory ? std::max(tree_bytes, work) : tree_bytes + work);
}

uint64_t page_tree_bytes(const Recipe& recipe, std::string_view text) {
  const bool is_page = text::may_be_page(extract_options(recipe).extraction, text);
  return is_page ? text::page_tree_bytes(text.size()) : 0;
}

struct Fingerprinter::Impl {
  Recipe recipe;
  fingerprint::Checksum checksum;
  size_t min_tokens;
  text::Extract extract;
  text::Normalizer normalizer;
  text::Normalizer line_normalizer;  // leaves lines as they are
  token::Tokenizer tokenizer;
  feature::Extractor extractor;
  std::string normalized;
  std::string unfolded;   // the same before Han characters were folded, where that is what is cut; else empty
  std::string canonical;  // of code: without its lines, which tokens need and checksums do not see
  std::vector<uint64_t> hashes;
  feature::Scratch<uint32_t> units;
  minhash::Signer signer;
  feature::Scratch<uint64_t> ngrams;
  std::vector<token::Token> tokens;  // of short texts, and where numbers are marked
  bool whole = true;                 // whether tokens stand for all of the text
  bool cut = false;                  // whether a part of it was not read
  Hash128 title = {};                // checksum of a page's title
  bool is_list = false;              // text::Extracted::is_list
  std::string heading = {};          // with which the normalised text begins: text::Extracted::heading_bytes
  Hash128 shown_sum = {};            // checksum of all that a page shows
  Hash128 whole_sum = {};            // checksum of the canonical text with what was left out
  uint64_t whole_bytes = 0;          // size of it
  bool leaves_out = false;           // whether the two are set: the text that is cut is without quotes, or markup

  std::string_view normalize(std::string_view text) {
    const text::Extracted extracted = extract.from(text);
    keep_whole(extracted);
    keep_shown(extracted);
    if (is_code()) {
      normalizer.normalize(extracted.text, canonical);
      line_normalizer.normalize(extracted.text, normalized);
    } else {
      normalizer.normalize(extracted.text, normalized);
    }
    unfolded.clear();
    if (cuts_before_folding(recipe)) fold_han();
    title = extracted.title.empty() ? Hash128{} : fingerprint::checksum_of(checksum, extracted.title);
    is_list = extracted.is_list;
    keep_heading(extracted.text.substr(0, extracted.heading_bytes));
    cut = extracted.cut || normalized.size() > kMaxTokenizedBytes;
    whole = extracted.complete && !cut;
    return tokenized_part(normalized);
  }

  void keep_heading(std::string_view as_it_stands) {
    heading.clear();
    if (as_it_stands.empty() || !is_marked() || is_code()) return;
    normalizer.normalize(as_it_stands, heading);
    if (cuts_before_folding(recipe)) text::fold_han_in_place(heading);
    if (!normalized.starts_with(heading)) heading.clear();
  }

  /// Answers that differ in what they quote alone are not equal, nor manual pages in what man does not show: what tells
  /// equal texts is the whole one.
  void keep_whole(const text::Extracted& extracted) {
    leaves_out = extracted.leaves_out();
    if (!leaves_out) return;
    whole_sum = checksum_of_whole(extracted);
    whole_bytes = normalized.size();
  }

  /// Pages of one main text that show something else besides are not equal.
  void keep_shown(const text::Extracted& extracted) {
    shown_sum = extracted.is_page ? checksum_of_whole(extracted) : Hash128{};
  }

  /// Leaves the whole text in `normalized`.
  Hash128 checksum_of_whole(const text::Extracted& extracted) {
    normalizer.normalize(extracted.whole_text, normalized);
    if (cuts_before_folding(recipe)) text::fold_han_in_place(normalized);
    return fingerprint::checksum_of(checksum, normalized);
  }

  /// Of the text that was normalised last, what was left out included.
  [[nodiscard]] uint64_t canonical_bytes() const { return leaves_out ? whole_bytes : canonical_text().size(); }

  /// Words of a dictionary of simplified Chinese are found in simplified texts as they stand, in others when folded.
  void fold_han() {
    unfolded = normalized;
    const text::HanFolded folded = text::fold_han_in_place(normalized);
    if (folded.num_traditional * kLeastTraditional > folded.num_han) unfolded.clear();
  }

  /// What Tokenizer takes the borders of tokens from; empty for the text itself.
  [[nodiscard]] std::string_view cut_as() const { return tokenized_part(unfolded); }
  [[nodiscard]] bool is_code() const { return recipe.tokenizer == "code"; }
  [[nodiscard]] const std::string& canonical_text() const { return is_code() ? canonical : normalized; }

  /// Equal beginnings tell nothing of what was not read, so a part of a text has no features.
  [[nodiscard]] bool has_features(size_t num_tokens) const { return whole && num_tokens >= min_tokens; }

  /// Of the text that was normalised last; of a page with its title, which main texts leave out ("Ulm", "Bonn"), and
  /// with all that it shows, where that is more than its main text.
  /// Different pages of which no text, or only a part, is known are not equal.
  [[nodiscard]] Hash128 checksum_of_text(std::string_view text) const {
    Hash128 sum = leaves_out ? whole_sum : fingerprint::checksum_of(checksum, canonical_text());
    const bool shows_more = shown_sum != Hash128{} && shown_sum != sum;
    if (title != Hash128{}) sum = {sum.low ^ mix64(title.low), sum.high ^ mix64(title.high)};
    if (shows_more) sum = {mix64(sum.low) ^ shown_sum.low, mix64(sum.high) ^ shown_sum.high};
    if (whole) return sum;
    const Hash128 bytes = fingerprint::checksum_of(checksum, text);
    return {mix64(sum.low) ^ bytes.low, mix64(sum.high) ^ bytes.high};
  }

  [[nodiscard]] bool is_marked() const { return recipe.mark_numbers || is_code(); }

  /// Fills `hashes`, and `tokens` where these are marked.
  void tokenize(std::string_view part) {
    if (!is_marked()) return tokenizer.hashes(part, hashes, cut_as());
    tokenizer.tokenize(part, tokens, cut_as());
    hashes.resize(tokens.size());
    std::ranges::transform(tokens, hashes.begin(), &token::Token::hash);
  }

  /// Fills `marked` with the low halves of `hashes`, marked where verification asks for it.
  void mark(std::vector<uint32_t>& marked) {
    marked.resize(hashes.size());
    if (!is_marked()) {
      std::ranges::transform(hashes, marked.begin(), [](uint64_t hash) { return static_cast<uint32_t>(hash); });
      return;
    }
    for (size_t i = 0; i < tokens.size(); ++i) {
      const std::string_view bytes(normalized.data() + tokens[i].begin, tokens[i].size_bytes);
      marked[i] = is_code() ? token::marked_code_hash(tokens[i].hash, token::code_class(bytes))
                            : token::marked_hash(tokens[i].hash, token::is_number(bytes));
    }
    if (!is_code()) add_signs(tokenized_part(normalized), tokens, marked);
    if (!is_code() && (is_list || !heading.empty())) mark_heading(marked);
    constexpr size_t kKeep = size_t{1} << 16;
    if (tokens.capacity() > kKeep) std::vector<token::Token>().swap(tokens);
  }

  void mark_heading(std::vector<uint32_t>& marked) const {
    const auto behind =
        std::ranges::find_if(tokens, [this](const token::Token& token) { return token.begin >= heading.size(); });
    if (tokens.empty() || (!is_list && behind == tokens.begin())) return;
    marked.insert(marked.begin() + (behind - tokens.begin()), is_list ? token::kListHeadingEnd : token::kHeadingEnd);
  }

  /// Makes `hashes` those of blinded tokens: names and literals become what their class is, signs stay.
  void blind_hashes(std::span<const uint32_t> marked) {
    for (size_t i = 0; i < hashes.size(); ++i)
      if (token::blinded(marked[i]) != marked[i]) hashes[i] = token::blinded(marked[i]);
  }

  /// Whether the text is compared by its characters with others of its kind; `tokens` are its own then.
  [[nodiscard]] bool is_short() {
    const auto most = static_cast<size_t>(recipe.short_tokens);
    if (hashes.size() >= most * kMostTokensPerWord) return false;
    tokenizer.tokenize(tokenized_part(normalized), tokens, cut_as());
    return has_fewer_words(normalized, tokens, cjk_mode(recipe), most);
  }

  void join_phrases() {
    if (recipe.phrase_set.object != nullptr) recipe.phrase_set.object->join(hashes);
  }

  fingerprint::Fingerprint fingerprint_of(const FingerprintSpec& spec) {
    const feature::FeatureSet set = extractor.extract(spec, hashes);
    if (set.weights.empty()) return simhash::simhash_unit(set.hashes);
    uint32_t* const fixed = units.reserve(set.weights.size());
    simhash::to_fixed_point(set.weights, fixed);
    return simhash::simhash_weighted(set.hashes, {fixed, set.weights.size()});
  }

  /// Of longer n-grams a shorter text has none.
  [[nodiscard]] static size_t num_further(std::span<const uint64_t> tokens, int n) {
    return n == 0 || tokens.size() < static_cast<size_t>(n) ? 0 : feature::num_ngrams(tokens.size(), n);
  }

  /// `marked`: TextFingerprint::tokens. Spoils `hashes` where n-grams of blinded tokens are asked for.
  void sign(std::span<const uint32_t> marked, std::span<fingerprint::SignatureValue> signature) {
    const MinHashSpec& spec = recipe.minhash;
    const size_t count = feature::num_ngrams(hashes.size(), spec.ngram);
    const size_t count_long = num_further(hashes, spec.long_ngram);
    const size_t count_blind = num_further(hashes, spec.blind_ngram);
    uint64_t* const out = ngrams.reserve(count + count_long + count_blind);
    feature::ngram_hashes(hashes, spec.ngram, spec.seed, out);
    if (count_long > 0) feature::ngram_hashes(hashes, spec.long_ngram, spec.seed, out + count);
    if (count_blind > 0) {
      blind_hashes(marked);
      feature::ngram_hashes(hashes, spec.blind_ngram, ~spec.seed, out + count + count_long);
    }
    signer.sign({out, count + count_long + count_blind}, signature);
  }
};

Fingerprinter::Fingerprinter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Fingerprinter::Fingerprinter(Fingerprinter&&) noexcept = default;
Fingerprinter& Fingerprinter::operator=(Fingerprinter&&) noexcept = default;
Fingerprinter::~Fingerprinter() = default;

Result<Fingerprinter> Fingerprinter::create(const Recipe& recipe, std::shared_ptr<const feature::Idf> idf) {
  NEARDUP_TRY(validate(recipe));
  if (recipe.needs_idf() && idf == nullptr) {
    return fail(Code::kInvalidArgument,
                fmt::format("recipe '{}' weighs words by IDF, but no dictionary is given; learn one from the input or "
                            "load one",
                            recipe.name));
  }
  if (recipe.phrases != "none" && recipe.phrase_set.object == nullptr) {
    return fail(
        Code::kInvalidArgument,
        fmt::format("recipe '{}' joins phrases, and no file of them is given; give one with --recipe NAME,phrases=FILE",
                    recipe.name));
  }
  if (idf != nullptr && !idf->tokens().empty()) NEARDUP_TRY(check_tokens(recipe, idf->tokens(), "the IDF dictionary"));
  NEARDUP_ASSIGN(token::Tokenizer tokenizer, token::Tokenizer::create(tokenizer_options(recipe)));
  return Fingerprinter(std::unique_ptr<Impl>(
      new Impl{.recipe = recipe,
               .checksum = recipe.checksum == "md5" ? fingerprint::Checksum::kMd5 : fingerprint::Checksum::kXxh3,
               .min_tokens = static_cast<size_t>(std::max(1, recipe.min_tokens)),
               .extract = text::Extract(extract_options(recipe)),
               .normalizer = text::Normalizer(normalize_options_before_cutting(recipe)),
               .line_normalizer = text::Normalizer(normalize_options(recipe, false)),
               .tokenizer = std::move(tokenizer),
               .extractor = feature::Extractor(std::move(idf)),
               .normalized = {},
               .unfolded = {},
               .canonical = {},
               .hashes = {},
               .units = {},
               .signer = minhash::Signer({recipe.minhash.num_values, recipe.minhash.seed}),
               .ngrams = {},
               .tokens = {}}));
}

void Fingerprinter::fingerprint(std::string_view text, TextFingerprint& text_fingerprint) {
  Impl& impl = *impl_;
  impl.tokenize(impl.normalize(text));
  text_fingerprint.checksum = impl.checksum_of_text(text);
  text_fingerprint.whole = impl.whole;
  text_fingerprint.cut = impl.cut;
  text_fingerprint.size_bytes = impl.canonical_bytes();
  impl.mark(text_fingerprint.tokens);
  text_fingerprint.has_features = impl.has_features(impl.hashes.size());
  text_fingerprint.fingerprints.assign(impl.recipe.num_fingerprints(), 0);
  text_fingerprint.signature.assign(impl.recipe.num_signature_values(), 0);
  text_fingerprint.short_text.clear();
  if (!text_fingerprint.has_features) return;
  if (impl.is_short()) {
    short_text_features(impl.normalized, impl.tokens, cjk_mode(impl.recipe), text_fingerprint.short_text);
  }
  impl.join_phrases();
  if (!text_fingerprint.signature.empty()) impl.sign(text_fingerprint.tokens, text_fingerprint.signature);
  for (size_t i = 0; i < text_fingerprint.fingerprints.size(); ++i) {
    text_fingerprint.fingerprints[i] = impl.fingerprint_of(impl.recipe.fingerprints[i]);
  }
}

void Fingerprinter::limit_pages(uint64_t page_memory_bytes) { impl_->extract.limit_pages(page_memory_bytes); }

void Fingerprinter::spare_memory() { impl_->extractor.spare_memory(); }

void Fingerprinter::count_tokens(std::string_view text, feature::IdfBuilder& builder) {
  builder.add(impl_->extractor.distinct_tokens(token_hashes(text)));
}

std::span<const uint64_t> Fingerprinter::token_hashes(std::string_view text) {
  const std::string_view normalized = impl_->normalize(text);
  impl_->tokenizer.hashes(normalized, impl_->hashes, impl_->cut_as());
  impl_->join_phrases();
  return impl_->hashes;
}

CutText Fingerprinter::cut(std::string_view text) {
  CutText cut{std::string(impl_->normalize(text)), {}};
  cut.tokens = impl_->tokenizer.explain(cut.normalized, impl_->cut_as());
  return cut;
}

Explanation Fingerprinter::explain(std::string_view text) {
  Explanation explanation;
  std::vector<token::Token> tokens;
  explain_extraction(impl_->recipe, text, explanation);
  explanation.normalized = impl_->normalize(text);
  explanation.checksum = impl_->checksum_of_text(text);
  impl_->tokenizer.tokenize(explanation.normalized, tokens, impl_->cut_as());
  explanation.num_tokens = tokens.size();
  explanation.tokens = impl_->tokenizer.explain(explanation.normalized, impl_->cut_as());
  explanation.whole = impl_->whole;
  explanation.cut = impl_->cut;
  explanation.has_features = impl_->has_features(tokens.size());
  if (!explanation.has_features) return explanation;
  if (impl_->recipe.family != Family::kSimHash) return explanation;
  if (impl_->recipe.phrase_set.object != nullptr) tokens = with_phrases(*impl_->recipe.phrase_set.object, tokens);
  for (const FingerprintSpec& spec : impl_->recipe.fingerprints) {
    explanation.fingerprints.push_back(explain_features(spec, explanation.normalized, tokens, impl_->extractor));
  }
  return explanation;
}

}  // namespace neardup::recipe
