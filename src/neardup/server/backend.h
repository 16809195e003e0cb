// What the service asks of a store of texts: engine::TextStore behind it (text_backend.h), or a test's.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/engine/online/text_store.h"

namespace neardup::server {

/// How many values stand for a document under the recipe; one of the two is 0.
struct ValueCounts {
  size_t fingerprints = 0;
  size_t signature = 0;
};

/// A kept document and those that repeat it.
struct KeptCluster {
  std::string kept;
  std::vector<store::Member> duplicates;  // in the order of their arrival, the first of them
  bool truncated = false;                 // there are more
};

struct ClusterPage {
  std::vector<KeptCluster> clusters;
  std::optional<uint64_t> next;  // where the next page begins
};

/// Which clusters are asked for.
struct ClusterQuery {
  uint64_t first = 0;  // number of the first document that is looked at
  size_t most_clusters = 50;
  size_t most_members = 100;             // of each
  std::optional<std::string> kept = {};  // id: this one alone
};

/// One of two texts to be explained: a stored document where `id` is there, else `text`.
struct ExplainedSide {
  std::optional<std::string> id = {};
  std::string text = {};
  bool is_html = false;
};

struct ExplainedPiece {
  std::string_view kind;  // "equal", "only_a", "only_b"
  std::string a, b;
};

struct Explanation {
  std::string_view verdict;  // "exact", "near", "contained", "different"
  std::optional<double> similarity = {};
  std::optional<double> distance = {};
  std::vector<std::string> why = {};
  std::vector<ExplainedPiece> pieces = {};
  bool truncated = false;
};

/// What of the store does not change and is shown.
struct BackendFacts {
  std::string recipe_id = {}, recipe_json = {};
  std::string family = {};               // "minhash" or "simhash"
  std::string records = {};              // "tokens", "signature" or "none"
  std::optional<double> contained = {};  // the share by which it tells who is; empty: it does not
  bool keeps_texts = false;
  ValueCounts values = {};
  std::string store_kind = "folder";  // "redis" or "hbase" where a server keeps it
};

/// Threads: any member from any number at once.
class Backend {
 public:
  virtual ~Backend() = default;
  [[nodiscard]] virtual const BackendFacts& facts() const = 0;
  /// Whether the server that keeps the store answers; of a folder it always does. Errors: why not.
  [[nodiscard]] virtual Status reach() const = 0;

  /// As in engine::TextStore.
  [[nodiscard]] virtual Result<std::vector<engine::TextVerdict>> check_and_insert(
      std::span<const engine::ArrivingText> arriving) = 0;
  [[nodiscard]] virtual Result<std::vector<engine::TextVerdict>> check(
      std::span<const engine::ArrivingText> arriving) const = 0;
  [[nodiscard]] virtual Status put(std::span<const engine::ArrivingText> arriving) = 0;
  [[nodiscard]] virtual Result<store::StoredNeighbours> query(const engine::ArrivingText& document,
                                                              size_t limit) const = 0;
  /// As in store::Store.
  [[nodiscard]] virtual Result<bool> find(std::string_view id, const store::Store::Visitor& visit) const = 0;
  /// Returns the id of the document of that number; empty where it is not there.
  [[nodiscard]] virtual Result<std::string> id_of(uint64_t number) const = 0;
  [[nodiscard]] virtual Result<uint64_t> erase(std::span<const std::string_view> ids) = 0;
  [[nodiscard]] virtual Result<uint64_t> erase_tag(std::string_view tag) = 0;
  [[nodiscard]] virtual Result<store::Statistics> statistics() const = 0;
  /// As in engine::TextStore.
  [[nodiscard]] virtual engine::Comparisons comparisons() const = 0;

  [[nodiscard]] virtual Result<std::vector<store::TagCount>> tags() const = 0;
  [[nodiscard]] virtual Result<bool> begin_tag(std::string_view tag) = 0;
  [[nodiscard]] virtual Result<bool> commit_tag(std::string_view tag) = 0;
  [[nodiscard]] virtual Result<bool> cancel_tag(std::string_view tag) = 0;
  [[nodiscard]] virtual Result<uint64_t> expire(int64_t before) = 0;
  /// Copies the store into a folder that is not there yet.
  [[nodiscard]] virtual Status snapshot(const std::string& folder) = 0;

  [[nodiscard]] virtual Result<ClusterPage> clusters(const ClusterQuery& query) const = 0;
  /// Errors: kNotFound; kUnsupported where a text is not kept.
  [[nodiscard]] virtual Result<Explanation> explain(const ExplainedSide& a, const ExplainedSide& b) const = 0;
  /// Returns the text that was kept, if any.
  [[nodiscard]] virtual Result<std::optional<engine::StoredText>> text_of(const store::Record& record) const = 0;
};

}  // namespace neardup::server
