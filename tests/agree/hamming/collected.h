// What a kernel hands over, in order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "neardup/match/match.h"

namespace neardup::hamming {

using Hits = std::vector<std::pair<uint64_t, uint64_t>>;

class Collected {
 public:
  match::HitBuffer& buffer() { return buffer_; }
  Hits sorted() {
    buffer_.flush();
    std::sort(hits_.begin(), hits_.end());
    return hits_;
  }

 private:
  static void drain(void* self, std::span<const match::Hit> hits) {
    for (const match::Hit& hit : hits) static_cast<Collected*>(self)->hits_.emplace_back(hit.a, hit.b);
  }
  Hits hits_;
  match::HitBuffer buffer_{&Collected::drain, this};
};

}  // namespace neardup::hamming
