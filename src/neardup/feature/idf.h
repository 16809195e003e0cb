// IDF dictionaries: how rare a token is, learnt from documents.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "neardup/base/result.h"

namespace neardup::feature {

/// Inverse document frequencies by token hash. Immutable. Threads: share freely.
class Idf {
 public:
  /// Returns ln((1 + N) / (1 + df)) + 1 or the like of the token; the median of all known tokens where it is unknown.
  [[nodiscard]] float weight(uint64_t token_hash) const;
  [[nodiscard]] uint64_t num_documents() const;
  [[nodiscard]] uint64_t num_tokens() const;
  [[nodiscard]] float median() const;
  /// Returns 16 hexadecimal digits that change when any weight does.
  [[nodiscard]] std::string id() const;
  /// A checksummed file, written atomically (docs/formats/idf.md).
  [[nodiscard]] Status save(const std::string& path) const;
  [[nodiscard]] static Result<std::shared_ptr<const Idf>> load(const std::string& path);

  struct Impl;
  explicit Idf(std::unique_ptr<Impl> impl);
  ~Idf();

 private:
  std::unique_ptr<Impl> impl_;
};

/// Counts document frequencies. Threads: one object per thread, then merge(). The result does not depend on the order
/// of documents nor on how they were spread over builders.
class IdfBuilder {
 public:
  IdfBuilder();
  IdfBuilder(IdfBuilder&&) noexcept;
  IdfBuilder& operator=(IdfBuilder&&) noexcept;
  ~IdfBuilder();
  /// Counts one document. `distinct_hashes` holds each token once, any order.
  void add(std::span<const uint64_t> distinct_hashes);
  void merge(const IdfBuilder& other);
  [[nodiscard]] std::shared_ptr<const Idf> build() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace neardup::feature
