// A set of (fingerprint, document number) that does not change: all within k bits of a query, by the tables of a plan.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/fingerprint/wide.h"
#include "neardup/hamming/plan.h"

namespace neardup::hamming {

/// A stored document within reach of a query.
template <fingerprint::AnyFingerprint F>
struct Match {
  uint64_t document = 0;
  F fingerprint = 0;
  int distance = 0;
  auto operator<=>(const Match&) const = default;
};

/// How the tables of an index are stored. All give the same matches.
enum class Codec {
  kPacked,  // quotient and remainder: a directory of the leading bits, 24 or 32 of the next bits; smallest and fastest
            // in memory
  kPlain,   // whole keys, sorted: simplest
  kDelta,   // the paper's blocks of differences: for media where bytes cost more than steps
};

struct BuildOptions {
  Codec codec = Codec::kPacked;
  int num_threads = 0;        // 0 = all cores
  uint64_t memory_bytes = 0;  // for the keys that are sorted at once, beyond input and result; 0 = no limit
  Context context;
  int word_bits = 0;  // of each key of a packed table but the first, 24 or 32; 0 = 24 where that costs no time
};

/// How a file is brought to memory.
enum class Access {
  kMap,   // pages come when they are read
  kLoad,  // read whole, to huge pages where the system gives them: faster queries
};

class IndexFile;

/// Immutable. Threads: any number of readers.
template <fingerprint::AnyFingerprint F>
class StaticIndex {
 public:
  /// Indexes fingerprints[i] under documents[i], under i where `documents` is empty. Documents may share a fingerprint.
  /// Errors: kInvalidArgument (sizes differ, plan not complete or of other width), kMemory, kCancelled.
  [[nodiscard]] static Result<StaticIndex> build(std::span<const F> fingerprints, std::span<const uint64_t> documents,
                                                 const Plan& plan, const BuildOptions& options);

  /// Opens a file that write() made. Checks header and lengths; `verify` also checks the checksums of all sections.
  /// Errors: kNotFound, kIo, kCorruption (damaged, another version), kMemory.
  [[nodiscard]] static Result<StaticIndex> open(const std::string& path, Access access, bool verify);
  /// The same for a file that is open (index_file.h). Errors: kCorruption, kMismatch (of another width), kMemory.
  [[nodiscard]] static Result<StaticIndex> open(IndexFile file);
  /// Writes the index; the file appears whole. `note` is kept for the caller (a recipe, a segment's number: JSON).
  [[nodiscard]] Status write(const std::string& path, std::string_view note) const;

  [[nodiscard]] uint64_t size() const;          // documents
  [[nodiscard]] uint64_t num_distinct() const;  // fingerprints
  [[nodiscard]] uint64_t bytes() const;         // of all tables and records
  [[nodiscard]] const Plan& plan() const;
  [[nodiscard]] const std::string& note() const;

  /// Appends every stored document within max_distance (<= the plan's) of `query`, each once, in no fixed order.
  void query(F query, int max_distance, std::vector<Match<F>>& matches) const;
  /// Receives the matches of queries[i].
  using Sink = std::function<void(size_t i, std::span<const Match<F>> matches)>;
  /// The same for many: calls `sink` once for each query that has matches, in order. Several times faster than one at a
  /// time, for their waits for memory overlap.
  void query_batch(std::span<const F> queries, int max_distance, const Sink& sink) const;

  /// Returns whether `document` is stored under `fingerprint`. Cost: logarithmic, also where many share a fingerprint.
  [[nodiscard]] bool contains(F fingerprint, uint64_t document) const;
  /// Calls `visit` with every (fingerprint, document), by the order of the first table.
  void for_each(const std::function<void(F fingerprint, uint64_t document)>& visit) const;

 private:
  struct State;
  explicit StaticIndex(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

}  // namespace neardup::hamming
