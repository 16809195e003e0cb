// Where kernels put the pairs that they find: a small buffer that hands itself on when it is full.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "neardup/fingerprint/value.h"

namespace neardup::match {

/// Two fingerprints (values, not positions) within the distance asked for.
struct Hit {
  fingerprint::Fingerprint a = 0;
  fingerprint::Fingerprint b = 0;
  bool operator==(const Hit&) const = default;
};

/// A buffer of hits. Threads: one at a time.
class HitBuffer {
 public:
  /// Called with each full buffer. A plain function: it runs once for hundreds of hits.
  using Drain = void (*)(void* context, std::span<const Hit> hits);

  HitBuffer(Drain drain, void* context) : drain_(drain), context_(context) {}
  HitBuffer(const HitBuffer&) = delete;
  HitBuffer& operator=(const HitBuffer&) = delete;

  void push(fingerprint::Fingerprint a, fingerprint::Fingerprint b) {
    hits_[size_++] = {a, b};
    if (size_ == hits_.size()) flush();
  }
  /// Hands on what is there. To be called before the rules of the receiver change.
  void flush() {
    if (size_ > 0) drain_(context_, std::span<const Hit>(hits_.data(), size_));
    size_ = 0;
  }

 private:
  Drain drain_;
  void* context_;
  size_t size_ = 0;
  std::array<Hit, 512> hits_;  // 8 KB: stays in the first cache
};

}  // namespace neardup::match
