// Fingerprinter: a text -> its fingerprints, signature and checksum.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/api/matching.h"

namespace neardup {

/// What stands for a text.
struct TextPrint {
  std::vector<uint64_t> fingerprints = {};  // of SimHash, in the order of the recipe
  std::vector<uint16_t> signature = {};     // of MinHash
  std::string checksum = {};  // 32 hexadecimal digits; equal ones: one text but for case, width, white space
  uint64_t num_tokens = 0;
  bool has_features = false;  // false: too few words to be compared; the values above mean nothing then
};

/// Fingerprints texts under one recipe. The same text gives the same values on every machine.
/// Threads: one object per thread. Memory: a few megabytes, and some 20 bytes for each byte of the longest text.
class Fingerprinter {
 public:
  /// `matching`: recipe, family and idf_file are looked at. Errors: kInvalidArgument where the recipe is not set, or
  /// learns from its input and no idf_file is given (find_recipe("grams") learns nothing); those of reading the file.
  [[nodiscard]] static Result<Fingerprinter> create(const Matching& matching = {});
  /// The same of a recipe alone.
  [[nodiscard]] static Result<Fingerprinter> create(const Recipe& recipe);
  Fingerprinter(Fingerprinter&&) noexcept;
  Fingerprinter& operator=(Fingerprinter&&) noexcept;
  ~Fingerprinter();

  /// `text` may be any bytes; what is no UTF-8 is repaired. Cost: 250 to 500 MB/s. Requires: not moved from.
  [[nodiscard]] TextPrint fingerprint(std::string_view text);

 private:
  struct Impl;
  explicit Fingerprinter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Returns in how many bits two fingerprints differ, 0 to 64.
[[nodiscard]] int distance(uint64_t a, uint64_t b);
/// Returns the estimated Jaccard similarity of the texts of two signatures of one recipe, 0 to 1.
[[nodiscard]] double similarity(const std::vector<uint16_t>& a, const std::vector<uint16_t>& b);

}  // namespace neardup
