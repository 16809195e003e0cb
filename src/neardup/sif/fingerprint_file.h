// One file: its bytes to its checksum and its weighed fingerprints.
#pragma once

#include <string>
#include <vector>

#include "neardup/sif/entries.h"
#include "neardup/sif/file.h"
#include "neardup/sif/options.h"
#include "neardup/sif/selector.h"

namespace neardup::sif {

/// Files of at most so many substrings are small. A few fingerprints say too little of them, so they keep about
/// kSmallSamples, evenly spread over their different substrings, and all substrings of all files are held against
/// those: what a small file shares is as good as counted. kWinnow alone.
inline constexpr uint64_t kSmallSubstrings = 4096;
inline constexpr uint64_t kSmallSamples = 128;

/// Substrings of a small file. Each stands for `step` different ones of it, the last for `last_step`.
struct Samples {
  std::vector<uint64_t> positions;
  std::vector<uint32_t> polynomials;
  uint32_t step = 1, last_step = 1;
};

/// Finds the samples of one text after the other. Threads: one at a time.
class Sampler {
 public:
  /// Returns those of `text`, until the next call. Requires: length <= text.size() < length + kSmallSubstrings.
  [[nodiscard]] const Samples& samples(std::string_view text, size_t length);

 private:
  bool is_new(uint32_t polynomial);

  Samples samples_;
  std::vector<uint64_t> seen_;  // open addressing: the polynomial, and the text that it is of
  uint64_t turn_ = 0;
  std::vector<uint32_t> polynomials_;
  std::vector<uint64_t> positions_;
};

/// What one thread needs to read files. Threads: one at a time.
class FileReader {
 public:
  explicit FileReader(const SimilarOptions& options) : options_(options), selector_(options.selection) {}

  /// Reads the file; the bytes stay until the next one. Errors: kNotFound, kIo, kMemory.
  [[nodiscard]] Status load(const std::string& path);
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

  /// Gives back what a large file took; its bytes are gone.
  void release();

  /// Appends the polynomials of the samples of what was loaded, if it is small.
  void append_samples(std::vector<uint32_t>& polynomials);

  /// Returns the entries of what was loaded, each value once, ascending, with the number of `file`, whose facts are
  /// set. `filter`: the samples of all small files.
  [[nodiscard]] const std::vector<Entry>& entries(File& file, uint32_t number, const HashFilter& filter);

 private:
  [[nodiscard]] bool is_small(std::string_view text) const;
  void weigh(std::string_view text, uint32_t number);
  void sample(std::string_view text, uint32_t number);

  const SimilarOptions& options_;
  Selector selector_;
  Sampler sampler_;
  std::string bytes_;
  std::vector<Fingerprint> fingerprints_, hits_;
  std::vector<Entry> entries_;
};

}  // namespace neardup::sif
