#include "neardup/cluster/bucket_pairs.h"

namespace neardup::cluster {

void BucketPairs::begin(int64_t bucket) {
  has_begun_ = true;
  bucket_ = bucket;
  first_.clear();
  has_overflown_ = false;
}

// Those that came before know all their earlier members, and so does whoever follows none but these.
void BucketPairs::begin_overflow(int64_t rank, BucketFindings& findings) {
  has_overflown_ = true;
  first_unseen_ = rank;
  findings.left.insert(findings.left.end(), first_.begin(), first_.end());
}

void BucketPairs::pair(const BucketMember& member, BucketFindings& findings) const {
  for (const BucketMember& earlier : first_) findings.pairs.push_back({earlier.rank, member.rank});
  if (has_overflown_) findings.unseen.push_back({first_unseen_, member.rank});
}

void BucketPairs::add(const BucketMember& member, BucketFindings& findings) {
  if (!has_begun_ || member.bucket != bucket_) begin(member.bucket);
  if (member.state != MemberState::kKept) pair(member, findings);
  if (member.state != MemberState::kFollower) {
    if (first_.size() < limit_) return first_.push_back(member);
    if (!has_overflown_) begin_overflow(member.rank, findings);
  }
  if (has_overflown_) findings.left.push_back(member);
}

}  // namespace neardup::cluster
