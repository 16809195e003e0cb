// Snowball stemming with a memory of what has been stemmed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/token/hash_map.h"

struct sb_stemmer;

namespace neardup::token {

/// Maps the hash of a token to that of its stem. Threads: one object per thread.
class Stemmer {
 public:
  static constexpr size_t kRemembered = size_t{1} << 17;  // 6 MiB at most; a language's common words fit

  /// Remembers up to `max_remembered` words. Returns nothing where libstemmer knows no algorithm `name`.
  static std::optional<Stemmer> create(const std::string& name, uint64_t hash_seed,
                                       size_t max_remembered = kRemembered);

  /// Returns the stem of `token`, which is the token itself where it is too long for a word. Valid until the next call.
  [[nodiscard]] std::string_view stem(std::string_view token);

  /// Returns the hash of the stem of `token`, whose own hash is `hash`. Cost: a look-up for a token seen before.
  uint64_t stem_hash(uint64_t hash, std::string_view token);

 private:
  struct Delete {
    void operator()(sb_stemmer* stemmer) const;
  };
  Stemmer(sb_stemmer* stemmer, uint64_t hash_seed, size_t max_remembered);

  std::unique_ptr<sb_stemmer, Delete> stemmer_;
  uint64_t hash_seed_;
  size_t max_remembered_;
  HashMap stems_;
};

}  // namespace neardup::token
