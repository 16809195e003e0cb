#include "neardup/token/stemmer.h"

#include <libstemmer.h>

#include <algorithm>

#include "neardup/token/language.h"
#include "neardup/token/one_token.h"
#include "neardup/token/tokenizer.h"

namespace neardup::token {
namespace {

constexpr size_t kMaxSize = 255;  // bytes; what is longer is no word, and stemming is not linear in it

}  // namespace

void Stemmer::Delete::operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }

Stemmer::Stemmer(sb_stemmer* stemmer, uint64_t hash_seed, size_t max_remembered)
    : stemmer_(stemmer), hash_seed_(hash_seed), max_remembered_(max_remembered) {}

std::optional<Stemmer> Stemmer::create(const std::string& name, uint64_t hash_seed, size_t max_remembered) {
  sb_stemmer* stemmer = sb_stemmer_new(name.c_str(), "UTF_8");
  if (stemmer == nullptr) return std::nullopt;
  return Stemmer(stemmer, hash_seed, max_remembered);
}

std::string_view Stemmer::stem(std::string_view token) {
  if (token.size() > kMaxSize) return token;
  const auto* word = reinterpret_cast<const sb_symbol*>(token.data());
  const sb_symbol* stem = sb_stemmer_stem(stemmer_.get(), word, static_cast<int>(token.size()));
  if (stem == nullptr) return token;  // out of memory inside the library: the word stays whole
  return {reinterpret_cast<const char*>(stem), static_cast<size_t>(sb_stemmer_length(stemmer_.get()))};
}

uint64_t Stemmer::stem_hash(uint64_t hash, std::string_view token) {
  if (token.size() > kMaxSize) return hash;
  if (const uint64_t* known = stems_.find(hash)) return *known;
  const uint64_t result = token_hash(stem(token), hash_seed_);
  if (stems_.size() >= max_remembered_) stems_.clear();
  stems_.insert(hash, result);
  return result;
}

std::vector<std::string> stemmer_names() {
  std::vector<std::string> names;
  for (const char** name = sb_stemmer_list(); *name != nullptr; ++name) names.emplace_back(*name);
  std::sort(names.begin(), names.end());
  names.insert(names.begin(), {"none", std::string(kAutoLanguage)});
  return names;
}

}  // namespace neardup::token
