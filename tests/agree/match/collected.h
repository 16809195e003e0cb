// What a kernel hands over, in order.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "neardup/match/hits.h"

namespace neardup::match {

using Hits = std::vector<std::pair<uint64_t, uint64_t>>;

class Collected {
 public:
  HitBuffer& buffer() { return buffer_; }
  Hits sorted() {
    buffer_.flush();
    std::sort(hits_.begin(), hits_.end());
    return hits_;
  }

 private:
  static void drain(void* self, std::span<const Hit> hits) {
    for (const Hit& hit : hits) static_cast<Collected*>(self)->hits_.emplace_back(hit.a, hit.b);
  }
  Hits hits_;
  HitBuffer buffer_{&Collected::drain, this};
};

}  // namespace neardup::match
