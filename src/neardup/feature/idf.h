// IDF dictionaries: how rare a token is, learnt from documents.
//
//   feature::IdfBuilder builder;                 // one per thread, then merge()
//   builder.add(distinct_token_hashes);          // once per document
//   std::shared_ptr<const feature::Idf> idf = builder.build();
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/feature/feature_spec.h"

namespace neardup::feature {

/// Inverse document frequencies by token hash. Immutable. Threads: share freely.
///
/// A token found in df of N documents weighs ln((1 + N) / (1 + df)) + 1, computed in double and rounded to float. A
/// token that is not known weighs the median of all known ones (index n / 2 in ascending order of weight).
/// Memory: 13.3 bytes for each token whose weight is not the median, and 12 for each where counts are kept.
/// Look-up compares 32 bits of the hash beside its place: an unknown token is taken for a known one with a chance of
/// about 2^-29.
class Idf {
 public:
  [[nodiscard]] float weight(uint64_t token_hash) const;
  /// Multiplies weights[i] by the weight of token_hashes[i]. Cost: one cache line each, fetched ahead.
  /// Requires: both of one length.
  void multiply_weights(std::span<const uint64_t> token_hashes, std::span<float> weights) const;
  [[nodiscard]] uint64_t num_documents() const;
  /// Returns the number of distinct tokens counted, left out ones (IdfOptions::min_documents) included.
  [[nodiscard]] uint64_t num_tokens() const;
  [[nodiscard]] float median() const;
  /// Returns IdfOptions::tokens and min_documents as they were when it was counted.
  [[nodiscard]] const std::string& tokens() const;
  [[nodiscard]] uint32_t min_documents() const;
  /// Returns the number of tokens whose counts are known: those in fewer than min_documents() documents are not.
  [[nodiscard]] uint64_t num_entries() const;
  /// Returns 16 hexadecimal digits that change when any weight does: the start of the file's checksum.
  [[nodiscard]] std::string id() const;
  /// Writes a checksummed file, whole or not at all (docs/formats/idf.md).
  /// Errors: kUnsupported where the counts were not kept (IdfOptions::keep_counts), kIo, kDiskFull.
  [[nodiscard]] Status save(const std::string& path) const;
  /// Memory: four times the file while it is loaded, at most. Errors: kNotFound, kIo, kCorruption (magic, version,
  /// size, checksum, or contents that no builder makes); kMemory where that is more than a quarter of `memory_bytes`.
  [[nodiscard]] static Result<std::shared_ptr<const Idf>> load(const std::string& path,
                                                               uint64_t memory_bytes = ~uint64_t{0});
  /// The same for the bytes of such a file.
  [[nodiscard]] static Result<std::shared_ptr<const Idf>> from_bytes(std::string_view bytes);

  /// Returns a dictionary of given weights, which cannot be saved: num_documents() is 0. Of equal hashes the first
  /// counts. Requires: all weights and the median are above 0.
  [[nodiscard]] static std::shared_ptr<const Idf> from_weights(std::vector<Feature> weights, float median);

  struct Impl;
  explicit Idf(std::unique_ptr<Impl> impl);
  ~Idf();

 private:
  friend class IdfBuilder;
  std::unique_ptr<Impl> impl_;
};

struct IdfOptions {
  /// Tokens of fewer documents are left out of the dictionary; they then weigh the median (which counts them).
  uint32_t min_documents = 1;
  /// False saves 12 bytes per token, but the dictionary can then not be saved.
  bool keep_counts = true;
  /// How texts were cut into tokens, in words of the caller: dictionaries of different tokens must not be mixed. At
  /// most 64 KiB; stored with the dictionary.
  std::string tokens = {};
};

/// Counts document frequencies exactly. Threads: one object per thread, then merge(). The result does not depend on the
/// order of documents nor on how they were spread over builders. Memory: 15 to 24 bytes per distinct token.
/// Requires: at most 2.8 * 10^9 distinct tokens.
class IdfBuilder {
 public:
  IdfBuilder();
  IdfBuilder(IdfBuilder&&) noexcept;
  IdfBuilder& operator=(IdfBuilder&&) noexcept;
  ~IdfBuilder();

  /// Counts one document. `distinct_hashes` holds each token once, any order.
  void add(std::span<const uint64_t> distinct_hashes);
  /// Counts each hash as a document of its own: num_documents() then counts hashes, and a hash counts how often it
  /// came.
  void add_each(std::span<const uint64_t> hashes);
  /// Adds the documents of `other`.
  void merge(const IdfBuilder& other);
  /// Adds the documents of a saved dictionary. Errors: kUnsupported where its counts were not kept.
  [[nodiscard]] Status merge(const Idf& other);

  [[nodiscard]] uint64_t num_documents() const;
  [[nodiscard]] uint64_t num_tokens() const;
  [[nodiscard]] uint64_t memory_bytes() const;

  [[nodiscard]] std::shared_ptr<const Idf> build(const IdfOptions& options = {}) const;
  /// Writes the file that build(options)->save(path) would write, with a 64th of the memory beside the table.
  /// Errors: kIo, kDiskFull, kInvalidArgument where options.tokens is too long.
  [[nodiscard]] Status save(const std::string& path, const IdfOptions& options = {}) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace neardup::feature
