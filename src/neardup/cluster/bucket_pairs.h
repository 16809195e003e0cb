// Candidate pairs of buckets that come as one sorted stream: memory holds the first members of one bucket, and findings
// are handed over in batches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace neardup::cluster {

/// What is known of a member before its bucket is looked at.
enum class MemberState : uint8_t {
  kUndecided,
  kKept,      // for good; references, too
  kFollower,  // removed, but it may belong to an earlier kept one than the one that is known
};

/// One row of the stream: a rank in a bucket. Ranks are any numbers, the smaller the better.
struct BucketMember {
  int64_t bucket = 0;
  int64_t rank = 0;
  MemberState state = MemberState::kUndecided;
};

/// What was found, in the order of the stream.
struct BucketFindings {
  struct Pair {
    int64_t better, worse;
    bool operator==(const Pair&) const = default;
  };
  std::vector<Pair> pairs;         // candidates; a pair that shares several buckets is there several times
  std::vector<Pair> unseen;        // `worse` has earlier members that it was not paired with: the first is `better`
  std::vector<BucketMember> left;  // of buckets with more than `limit`: what must be looked at once more
};

/// Pairs each member with those of the first `limit` members of its bucket that come before it and may be kept. So a
/// bucket of m members gives at most limit * m pairs, and memory holds `limit` members (24 bytes each) whatever m is.
/// What that leaves out is told as `unseen`; StarStream takes it into account, and a further round over `left`, with a
/// greater limit, makes up for it. Members that are kept for good are not paired with earlier ones. A bucket of m
/// different texts, which are all kept, gives m * m / 2 pairs in the end. Threads: one at a time.
class BucketPairs {
 public:
  /// Requires: limit >= 1.
  explicit BucketPairs(uint32_t limit) : limit_(limit) {}

  /// Takes the next row, whose findings list() tells. Requires: rows come in order of (bucket, rank); list() returned
  /// false for the row before.
  void add(const BucketMember& member);
  /// Appends what was found of the last row to `findings`, until these hold `most` pairs and rows of `left` (and two
  /// rows more at most). Returns whether there is more: call it again, with room. Requires: most >= 1.
  [[nodiscard]] bool list(size_t most, BucketFindings& findings);

 private:
  void begin(int64_t bucket);
  void take_first(const BucketMember& member);

  const uint32_t limit_;
  bool has_begun_ = false;
  std::vector<BucketMember> first_;  // at most limit_ members that may be kept
  bool has_overflown_ = false;
  int64_t first_unseen_ = 0;  // the first member behind those
  BucketMember current_;
  size_t partner_ = 0, num_partners_ = 0;     // of first_: those that are paired with current_, from the next one on
  size_t left_ = 0, num_left_ = 0;            // of first_: those that go into `left`, likewise
  bool is_unseen_ = false, is_left_ = false;  // current_ is told as such when these are over
};

}  // namespace neardup::cluster
