#include "neardup/sif/posting_bundles.h"

#include <algorithm>
#include <iterator>

#include "neardup/base/hash.h"

namespace neardup::sif {
namespace {

uint64_t hash_of(std::span<const Posting> members) {
  uint64_t hash = members.size();
  for (const Posting& member : members) hash = mix64(hash ^ member.rank);
  return hash;
}

}  // namespace

void PostingBundles::add(std::span<const Posting> list) {
  const auto large = std::ranges::lower_bound(list, num_small_, {}, &Posting::rank);
  if (large != list.begin()) add_members(list);
  members_.clear();
  std::copy_if(large, list.end(), std::back_inserter(members_),
               [](const Posting& posting) { return posting.weight > 0; });
  add_members(members_);
}

void PostingBundles::begin_part() {
  table_.assign(kLeastTable, {});
  num_known_ = 0;
}

void PostingBundles::add_members(std::span<const Posting> members) {
  if (members.size() < 2) return;
  if (2 * (num_known_ + 1) > table_.size()) grow();
  const uint64_t hash = hash_of(members), most_weight = std::ranges::max_element(members, {}, &Posting::weight)->weight;
  size_t at = hash & (table_.size() - 1);
  for (; table_[at].list != 0; at = (at + 1) & (table_.size() - 1))
    if (table_[at].hash == hash && join(table_[at], members, most_weight)) return;
  postings_.insert(postings_.end(), members.begin(), members.end());
  ends_.push_back(postings_.size());
  table_[at] = {hash, static_cast<uint32_t>(ends_.size()), most_weight};
  ++num_known_;
}

// False where it is another list, or weights would be too great for a sum.
bool PostingBundles::join(Known& known, std::span<const Posting> members, uint64_t most_weight) {
  const uint64_t begin = known.list == 1 ? 0 : ends_[known.list - 2], size = ends_[known.list - 1] - begin;
  const std::span<Posting> sums = std::span(postings_).subspan(begin, size);
  if (known.most_weight + most_weight > UINT32_MAX) return false;
  if (!std::ranges::equal(sums, members, {}, &Posting::rank, &Posting::rank)) return false;
  for (size_t i = 0; i < size; ++i) sums[i].weight += members[i].weight;
  known.most_weight += most_weight;
  return true;
}

void PostingBundles::grow() {
  std::vector<Known> before(2 * table_.size());
  before.swap(table_);
  for (const Known& known : before) {
    if (known.list == 0) continue;
    size_t at = known.hash & (table_.size() - 1);
    while (table_[at].list != 0) at = (at + 1) & (table_.size() - 1);
    table_[at] = known;
  }
}

}  // namespace neardup::sif
