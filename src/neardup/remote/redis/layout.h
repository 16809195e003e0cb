// Layout: which lists a store on Redis has, fixed when it is made. docs/formats/redis.md.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/hash.h"
#include "neardup/base/result.h"
#include "neardup/remote/redis/bit_runs.h"
#include "neardup/remote/remote_uri.h"
#include "neardup/store/settings.h"

namespace neardup::remote::redis {

enum class LayoutKind : uint8_t { kCompact, kSets };

/// Numbers of which everything else follows.
struct LayoutNumbers {
  LayoutKind kind = LayoutKind::kCompact;
  uint64_t expected = 0;         // documents; of no meaning but to be told
  uint32_t choose = 1;           // tables are (max_distance + choose choose choose)
  uint32_t bucket_bits = 16;     // that choose the list in a table, or fewer
  uint32_t extra_bits = 8;       // of a value in tables but the first, beside the list in the first
  uint32_t key_bits = 16;        // that choose the list of a key
  uint32_t key_value_bytes = 2;  // of a key's other bits that are kept
  bool operator==(const LayoutNumbers&) const = default;
};

struct FingerprintTable {
  BitRuns bucket;          // which list
  BitRuns value;           // what stands in it
  size_t value_bytes = 0;  // that this takes
};

/// Threads: const members from any.
class Layout {
 public:
  /// Requires: check() of the same.
  Layout(const store::StoreSettings& settings, const LayoutNumbers& numbers);
  /// Errors: kInvalidArgument where an option of the URI is none.
  [[nodiscard]] static Status check_options(const RemoteUri& uri);
  /// Errors: those, and kInvalidArgument where one does not fit the settings.
  [[nodiscard]] static Result<LayoutNumbers> choose(const store::StoreSettings& settings, const RemoteUri& uri);
  /// Returns whether numbers from outside can be used.
  [[nodiscard]] static bool check(const store::StoreSettings& settings, const LayoutNumbers& numbers);

  [[nodiscard]] const LayoutNumbers& numbers() const { return numbers_; }
  [[nodiscard]] bool is_sets() const { return numbers_.kind == LayoutKind::kSets; }
  /// Of each place. The first one tells a fingerprint whole and whose it is; a value of the others tells the list of
  /// the first one where that is.
  [[nodiscard]] std::span<const FingerprintTable> tables() const { return tables_; }
  [[nodiscard]] uint32_t num_places() const { return num_places_; }
  [[nodiscard]] size_t words_each() const { return words_each_; }
  /// Words of all fingerprints of a document.
  [[nodiscard]] size_t num_words() const { return words_each_ * num_places_; }
  [[nodiscard]] int max_distance() const { return max_distance_; }
  [[nodiscard]] Wide fingerprint(const uint64_t* words, size_t place) const {
    return words_each_ == 1 ? Wide{words[place]} : Wide{words[2 * place + 1]} << 64 | words[2 * place];
  }
  /// Returns the list of the first table that a value of another one tells.
  [[nodiscard]] uint64_t home_of(Wide value) const { return static_cast<uint64_t>(value >> numbers_.extra_bits); }
  /// That the number of a list of a table takes.
  [[nodiscard]] size_t home_bytes() const { return (numbers_.bucket_bits + 7) / 8; }
  /// That those of all places take.
  [[nodiscard]] size_t homes_bytes() const { return home_bytes() * num_places_; }

  // Keys are mixed once more, whatever they were made by.
  [[nodiscard]] uint64_t key_bucket(uint64_t key) const { return mix64(key) >> (64 - numbers_.key_bits); }
  [[nodiscard]] uint64_t key_value(uint64_t key) const {
    const uint64_t rest = mix64(key) << numbers_.key_bits;
    return rest >> (64 - 8 * numbers_.key_value_bytes);
  }
  /// Returns the key under which those are found who have a fingerprint, where tables do not tell.
  [[nodiscard]] static uint64_t fingerprint_key(Wide fingerprint, size_t place);

 private:
  LayoutNumbers numbers_;
  uint32_t num_places_;
  size_t words_each_;
  int max_distance_;
  std::vector<FingerprintTable> tables_;
};

}  // namespace neardup::remote::redis
