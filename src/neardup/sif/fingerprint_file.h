// One file: its bytes to its checksum and its weighed fingerprints.
#pragma once

#include <string>
#include <vector>

#include "neardup/sif/entries.h"
#include "neardup/sif/file.h"
#include "neardup/sif/options.h"
#include "neardup/sif/selector.h"

namespace neardup::sif {

/// Files of at most so many substrings are small. A few fingerprints say too little of them, so they keep
/// kSmallSamples, evenly spread, and all substrings of all files are held against those: what a small file shares is as
/// good as counted. kWinnow alone.
inline constexpr uint64_t kSmallSubstrings = 4096;
inline constexpr uint64_t kSmallSamples = 128;

/// Returns where the samples of a small file begin. Requires: num_substrings > 0.
[[nodiscard]] inline uint64_t sample_step(uint64_t num_substrings) {
  return (num_substrings + kSmallSamples - 1) / kSmallSamples;
}

/// What one thread needs to read files. Threads: one at a time.
class FileReader {
 public:
  explicit FileReader(const SimilarOptions& options) : options_(options), selector_(options.selection) {}

  /// Reads the file; the bytes stay until the next one. Errors: kNotFound, kIo, kMemory.
  [[nodiscard]] Status load(const std::string& path);
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

  /// Appends the polynomials of the samples of what was loaded, if it is small.
  void append_samples(const std::string& path, std::vector<uint32_t>& polynomials);

  /// Returns the entries of what was loaded, each value once, ascending, with the number of `file`, whose facts are
  /// set. `filter`: the samples of all small files.
  [[nodiscard]] const std::vector<Entry>& entries(File& file, uint32_t number, const HashFilter& filter);

 private:
  [[nodiscard]] std::string_view folded(const std::string& path);
  [[nodiscard]] bool is_small(std::string_view text) const;
  void weigh(std::string_view text, uint32_t number);
  void sample(std::string_view text, uint32_t number);

  const SimilarOptions& options_;
  Selector selector_;
  std::string bytes_, folded_;
  std::vector<Fingerprint> fingerprints_, hits_;
  std::vector<Entry> entries_;
};

}  // namespace neardup::sif
