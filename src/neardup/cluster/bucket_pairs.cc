#include "neardup/cluster/bucket_pairs.h"

namespace neardup::cluster {

void BucketPairs::begin(int64_t bucket) {
  has_begun_ = true;
  current_.bucket = bucket;
  first_.clear();
  has_overflown_ = false;
}

// Those that came before an overflow know all their earlier members, and so does whoever follows none but these.
void BucketPairs::take_first(const BucketMember& member) {
  if (first_.size() < limit_) return first_.push_back(member);
  if (!has_overflown_) {
    first_unseen_ = member.rank;
    num_left_ = first_.size();
  }
  has_overflown_ = true;
}

void BucketPairs::add(const BucketMember& member) {
  if (!has_begun_ || member.bucket != current_.bucket) begin(member.bucket);
  current_ = member;
  partner_ = left_ = num_left_ = 0;
  num_partners_ = member.state == MemberState::kKept ? 0 : first_.size();
  is_unseen_ = member.state != MemberState::kKept && has_overflown_;
  if (member.state != MemberState::kFollower) take_first(member);
  is_left_ = has_overflown_;
}

bool BucketPairs::list(size_t most, BucketFindings& findings) {
  const auto has_room = [&] { return findings.pairs.size() + findings.left.size() < most; };
  for (; partner_ < num_partners_ && has_room(); ++partner_)
    findings.pairs.push_back({first_[partner_].rank, current_.rank});
  for (; left_ < num_left_ && has_room(); ++left_) findings.left.push_back(first_[left_]);
  if (partner_ < num_partners_ || left_ < num_left_) return true;
  if (is_unseen_) findings.unseen.push_back({first_unseen_, current_.rank});
  if (is_left_) findings.left.push_back(current_);
  is_unseen_ = is_left_ = false;
  return false;
}

}  // namespace neardup::cluster
