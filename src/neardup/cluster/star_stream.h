// Stars from a stream of similar pairs in order of rank: one pass, whatever chains there are.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace neardup::cluster {

/// One row of the stream, about `worse`.
struct StarRow {
  int64_t better = 0;
  int64_t worse = 0;
  bool is_unseen = false;  // no similar pair: from `better` on there may be earlier ones that were not compared
  double similarity = 0;
  int32_t distance = 0;
};

/// What became of a rank.
struct StarFate {
  enum class Kind : uint8_t {
    kRemoved,    // to `kept`, the first kept one that it is similar to
    kFollower,   // removed, but there may be an earlier one than `kept`
    kUndecided,  // that depends on pairs that were not compared
  };
  int64_t rank = 0;
  Kind kind = Kind::kRemoved;
  int64_t kept = 0;  // of kUndecided its own rank
  double similarity = 0;
  int32_t distance = 0;
};

/// Makes the stars of star.h: in order of rank, a document is removed if it is similar to a better one that is kept,
/// and goes to the first such one. Where all pairs were compared (no row is_unseen), every fate is final after one
/// pass: the fate of a rank depends on better ranks only, and these come first. A chain of any length takes no more.
/// Ranks of which nothing is told are kept. Memory: 8 bytes for each rank that is not. Threads: one at a time.
class StarStream {
 public:
  /// Takes the next row, and appends to `fates` that of the rank before, once its rows are over and it is not kept.
  /// A pair may come more than once. Requires: rows in order of (worse, better, is_unseen), better < worse.
  void add(const StarRow& row, std::vector<StarFate>& fates);
  /// Appends the last one. To be called once, at the end.
  void finish(std::vector<StarFate>& fates);

 private:
  void look_at(const StarRow& row);

  std::vector<int64_t> removed_, undecided_;  // ascending
  std::optional<StarFate> current_;
  bool is_open_ = false;    // something before what comes next is not known
  bool is_placed_ = false;  // current_ is removed
};

}  // namespace neardup::cluster
