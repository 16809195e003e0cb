#include "neardup/cluster/star_stream.h"

#include <algorithm>

namespace neardup::cluster {

void StarStream::look_at(const StarRow& row) {
  if (is_placed_) return;
  if (row.is_unseen || std::ranges::binary_search(undecided_, row.better)) {
    is_open_ = true;
    return;
  }
  if (std::ranges::binary_search(removed_, row.better)) return;
  is_placed_ = true;
  current_ = {row.worse, is_open_ ? StarFate::Kind::kFollower : StarFate::Kind::kRemoved, row.better, row.similarity,
              row.distance};
}

void StarStream::add(const StarRow& row, std::vector<StarFate>& fates) {
  if (!current_ || current_->rank != row.worse) {
    finish(fates);
    current_ = {.rank = row.worse, .kind = StarFate::Kind::kUndecided, .kept = row.worse};
  }
  look_at(row);
}

void StarStream::finish(std::vector<StarFate>& fates) {
  if (current_ && (is_placed_ || is_open_)) {
    fates.push_back(*current_);
    (is_placed_ ? removed_ : undecided_).push_back(current_->rank);
  }
  current_.reset();
  is_open_ = is_placed_ = false;
}

}  // namespace neardup::cluster
