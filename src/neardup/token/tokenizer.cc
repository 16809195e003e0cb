#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "neardup/token/bitmaps.h"
#include "neardup/token/emit.h"
#include "neardup/token/hash_map.h"
#include "neardup/token/stemmer.h"
#include "neardup/token/stop_words.h"
#include "neardup/token/token.h"
#include "neardup/token/uax29.h"
#include "neardup/token/words.h"

namespace neardup::token {
namespace {

// From here on tokens are counted first: a vector that grows by itself may take three times what it holds.
constexpr size_t kLongBytes = size_t{1} << 18;

enum class Kind { kChars, kJieba, kUax29, kWords };

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
  if (name == "jieba") return Kind::kJieba;
  return name == "uax29" ? Kind::kUax29 : Kind::kWords;
}

}  // namespace

struct Tokenizer::Impl {
  Kind kind;
  CjkMode cjk;
  uint64_t seed;
  std::optional<HashMap> stop_words;
  std::optional<Stemmer> stemmer;
  std::optional<JiebaWords> jieba;
  Bitmaps bitmaps;
  std::vector<Token> scratch;

  [[nodiscard]] bool changes_tokens() const { return stop_words.has_value() || stemmer.has_value(); }

  void mark(std::string_view text) {
    assert(text.size() < std::numeric_limits<uint32_t>::max());
    switch (kind) {
      case Kind::kChars:
        return mark_chars(text, bitmaps);
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

  void remove_stop_words(std::vector<Token>& tokens) const {
    std::erase_if(tokens, [this](const Token& token) { return stop_words->find(token.hash) != nullptr; });
  }

  void stem(std::string_view text, std::vector<Token>& tokens) {
    for (Token& token : tokens) token.hash = stemmer->stem_hash(token.hash, text.substr(token.begin, token.size_bytes));
  }
};

Result<Tokenizer> Tokenizer::create(const TokenizerOptions& options) {
  NEARDUP_TRY(check_name("tokenizer", options.tokenizer, tokenizer_names()));
  NEARDUP_TRY(check_name("stop word list", options.stop_words, stop_word_languages()));
  NEARDUP_TRY(check_name("stemmer", options.stemmer, stemmer_names()));
  auto impl =
      std::make_unique<Impl>(Impl{kind_of(options.tokenizer), options.cjk, options.hash_seed, {}, {}, {}, {}, {}});
  if (impl->kind == Kind::kJieba) {
    if (options.dictionary == nullptr) {
      return fail(Code::kNotFound, "the tokenizer 'jieba' needs a dictionary, and none is given");
    }
    impl->jieba.emplace(options.dictionary);
  }
  if (options.stop_words != "none") {
    impl->stop_words.emplace();
    for (const std::string_view word : token::stop_words(options.stop_words)) {
      impl->stop_words->insert(token_hash(word, options.hash_seed), 1);
    }
  }
  if (options.stemmer != "none") impl->stemmer = Stemmer::create(options.stemmer, options.hash_seed);
  return Tokenizer(std::move(impl));
}

Tokenizer::Tokenizer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;
Tokenizer::~Tokenizer() = default;

void Tokenizer::tokenize(std::string_view normalized, std::vector<Token>& out) {
  impl_->mark(normalized);
  if (normalized.size() > kLongBytes) out.reserve(impl_->num_tokens());
  emit_tokens(normalized, impl_->bitmaps, impl_->seed, out);
  if (impl_->stop_words) impl_->remove_stop_words(out);
  if (impl_->stemmer) impl_->stem(normalized, out);
}

void Tokenizer::hashes(std::string_view normalized, std::vector<uint64_t>& out) {
  if (!impl_->changes_tokens()) {
    impl_->mark(normalized);
    if (normalized.size() > kLongBytes) out.reserve(impl_->num_tokens());
    return emit_hashes(normalized, impl_->bitmaps, impl_->seed, out);
  }
  tokenize(normalized, impl_->scratch);
  out.clear();
  out.reserve(impl_->scratch.size());
  for (const Token& token : impl_->scratch) out.push_back(token.hash);
}

std::vector<std::string> tokenizer_names() { return {"chars", "jieba", "uax29", "words"}; }

std::vector<std::string> stop_word_languages() {
  std::vector<std::string> names = {"none"};
  for (const StopWordList& list : stop_word_lists()) names.emplace_back(list.language);
  return names;
}

}  // namespace neardup::token
