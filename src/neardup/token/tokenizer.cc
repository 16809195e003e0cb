#include "neardup/token/tokenizer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "neardup/text/normalizer.h"
#include "neardup/token/bitmaps.h"
#include "neardup/token/code.h"
#include "neardup/token/emit.h"
#include "neardup/token/hash_map.h"
#include "neardup/token/language.h"
#include "neardup/token/one_token.h"
#include "neardup/token/stemmer.h"
#include "neardup/token/stop_words.h"
#include "neardup/token/uax29.h"
#include "neardup/token/words.h"

namespace neardup::token {
namespace {

// From here on tokens are counted first: a vector that grows by itself may take three times what it holds.
constexpr size_t kLongBytes = size_t{1} << 18;

enum class Kind { kChars, kCode, kJieba, kUax29, kWords };

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Status check_name(std::string_view what, const std::string& name, const std::vector<std::string>& names) {
  if (contains(names, name)) return {};
  return fail(Code::kInvalidArgument,
              fmt::format("unknown {} '{}'; there are: {}", what, name, fmt::join(names, ", ")));
}

Kind kind_of(const std::string& name) {
  if (name == "chars") return Kind::kChars;
  if (name == "code") return Kind::kCode;
  if (name == "jieba") return Kind::kJieba;
  return name == "uax29" ? Kind::kUax29 : Kind::kWords;
}

/// What one language does to tokens.
struct LanguageTools {
  std::optional<HashMap> stop_words;
  std::optional<Stemmer> stemmer;
};

// A stemmer remembers less where there may be one for each language.
constexpr size_t kRememberedOfOne = size_t{1} << 14;

/// Nothing where there is no list of that name.
std::optional<HashMap> stop_word_set(const std::string& language, uint64_t seed, bool folded_letters) {
  const std::vector<std::string_view> words = stop_words(language);
  if (words.empty()) return std::nullopt;
  HashMap set(words.size());
  text::Normalizer normalizer({.normalization = text::Normalization::kFolded});
  std::string folded;
  for (const std::string_view word : words) {
    if (folded_letters) normalizer.normalize(word, folded);
    set.insert(token_hash(folded_letters ? folded : word, seed), 1);
  }
  return set;
}

}  // namespace

struct Tokenizer::Impl {
  Kind kind = Kind::kWords;
  CjkMode cjk = CjkMode::kBigrams;
  uint64_t seed = 0;
  bool folded_letters = false;
  std::string stop_words;  // "none", a language, or "auto"
  std::string stemmer;
  std::array<std::optional<LanguageTools>, kLanguages.size()> of_language;  // made when a text asks for them
  LanguageTools of_all;                                                     // what the language does not choose
  std::optional<JiebaWords> jieba;
  Bitmaps bitmaps;
  std::vector<Token> scratch;

  [[nodiscard]] bool changes_tokens() const { return stop_words != "none" || stemmer != "none"; }
  [[nodiscard]] bool asks_for_language() const { return stop_words == kAutoLanguage || stemmer == kAutoLanguage; }

  LanguageTools& tools_for(std::string_view text) {
    if (!asks_for_language()) return of_all;
    const size_t language = language_of(text);
    if (language == kUnknownLanguage) return of_all;
    std::optional<LanguageTools>& tools = of_language[language];
    if (!tools) tools = make_tools(language);
    return *tools;
  }

  [[nodiscard]] LanguageTools make_tools(size_t language) const {
    const std::string name(kLanguages[language]);
    LanguageTools tools;
    tools.stop_words = stop_word_set(stop_words == kAutoLanguage ? name : stop_words, seed, folded_letters);
    tools.stemmer = Stemmer::create(stemmer == kAutoLanguage ? name : stemmer, seed, kRememberedOfOne);
    return tools;
  }

  void mark(std::string_view text, std::string_view cut_as) {
    assert(cut_as.empty() || cut_as.size() == text.size());
    if (!cut_as.empty()) text = cut_as;
    assert(text.size() < std::numeric_limits<uint32_t>::max());
    switch (kind) {
      case Kind::kChars:
        return mark_chars(text, bitmaps);
      case Kind::kCode:
        return mark_code(text, cjk, bitmaps);
      case Kind::kUax29:
        return mark_uax29(text, cjk, bitmaps);
      case Kind::kJieba:
        return mark_jieba(text, cjk, *jieba, bitmaps);
      case Kind::kWords:
        return mark_words(text, cjk, bitmaps);
    }
  }

  [[nodiscard]] size_t num_tokens() const {
    return std::transform_reduce(bitmaps.ends.begin(), bitmaps.ends.end(), size_t{0}, std::plus<>(),
                                 [](uint64_t word) { return static_cast<size_t>(std::popcount(word)); });
  }

  [[nodiscard]] ExplainedTokens explain(std::string_view text, const std::vector<Token>& tokens) {
    ExplainedTokens explained;
    const size_t language = asks_for_language() ? language_of(text) : kUnknownLanguage;
    if (language != kUnknownLanguage) explained.language = kLanguages[language];
    LanguageTools& tools = tools_for(text);
    for (const Token& token : tokens) {
      ExplainedToken& added = explained.tokens.emplace_back(ExplainedToken{token});
      added.is_stop_word = tools.stop_words && tools.stop_words->find(token.hash) != nullptr;
      if (added.is_stop_word || !tools.stemmer) continue;
      const std::string_view bytes = text.substr(token.begin, token.size_bytes);
      if (const std::string_view stem = tools.stemmer->stem(bytes); stem != bytes) added.stem = stem;
      added.token.hash = tools.stemmer->stem_hash(token.hash, bytes);
    }
    return explained;
  }

  void change(std::string_view text, std::vector<Token>& tokens) {
    LanguageTools& tools = tools_for(text);
    if (tools.stop_words)
      std::erase_if(tokens, [&](const Token& token) { return tools.stop_words->find(token.hash) != nullptr; });
    if (!tools.stemmer) return;
    for (Token& token : tokens)
      token.hash = tools.stemmer->stem_hash(token.hash, text.substr(token.begin, token.size_bytes));
  }
};

Result<Tokenizer> Tokenizer::create(const TokenizerOptions& options) {
  NEARDUP_TRY(check_name("tokenizer", options.tokenizer, tokenizer_names()));
  NEARDUP_TRY(check_name("stop word list", options.stop_words, stop_word_languages()));
  NEARDUP_TRY(check_name("stemmer", options.stemmer, stemmer_names()));
  auto impl = std::make_unique<Impl>();
  impl->kind = kind_of(options.tokenizer);
  impl->cjk = options.cjk;
  impl->seed = options.hash_seed;
  impl->stop_words = options.stop_words;
  impl->folded_letters = options.folded_letters;
  impl->stemmer = options.stemmer;
  impl->of_all.stop_words = stop_word_set(options.stop_words, options.hash_seed, options.folded_letters);
  impl->of_all.stemmer = Stemmer::create(options.stemmer, options.hash_seed);
  if (impl->kind == Kind::kJieba) {
    if (options.dictionary == nullptr)
      return fail(Code::kNotFound, "the tokenizer 'jieba' needs a dictionary, and none is given");
    impl->jieba.emplace(options.dictionary);
  }
  return Tokenizer(std::move(impl));
}

Tokenizer::Tokenizer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;
Tokenizer::~Tokenizer() = default;

void Tokenizer::tokenize(std::string_view normalized, std::vector<Token>& out, std::string_view cut_as) {
  impl_->mark(normalized, cut_as);
  if (normalized.size() > kLongBytes) out.reserve(impl_->num_tokens());
  emit_tokens(normalized, impl_->bitmaps, impl_->seed, out);
  if (impl_->changes_tokens()) impl_->change(normalized, out);
}

void Tokenizer::hashes(std::string_view normalized, std::vector<uint64_t>& out, std::string_view cut_as) {
  if (!impl_->changes_tokens()) {
    impl_->mark(normalized, cut_as);
    if (normalized.size() > kLongBytes) out.reserve(impl_->num_tokens());
    return emit_hashes(normalized, impl_->bitmaps, impl_->seed, out);
  }
  tokenize(normalized, impl_->scratch, cut_as);
  out.clear();
  out.reserve(impl_->scratch.size());
  for (const Token& token : impl_->scratch) out.push_back(token.hash);
}

ExplainedTokens Tokenizer::explain(std::string_view normalized, std::string_view cut_as) {
  impl_->mark(normalized, cut_as);
  emit_tokens(normalized, impl_->bitmaps, impl_->seed, impl_->scratch);
  return impl_->explain(normalized, impl_->scratch);
}

std::vector<std::string> tokenizer_names() { return {"chars", "code", "jieba", "uax29", "words"}; }

std::vector<std::string> stop_word_languages() {
  std::vector<std::string> names = {"none", std::string(kAutoLanguage)};
  for (const StopWordList& list : stop_word_lists()) names.emplace_back(list.language);
  return names;
}

}  // namespace neardup::token
