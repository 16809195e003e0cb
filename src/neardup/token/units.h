// Tokens of scripts without spaces: marks units or bigrams of units in the bitmaps.
#pragma once

#include "neardup/token/bitmaps.h"
#include "neardup/token/tokenizer.h"

namespace neardup::token {

/// Takes units in the order of the text. Neighbouring units without a gap form a run.
template <CjkMode kMode>
class Units {
 public:
  explicit Units(Bitmaps& bitmaps) : bitmaps_(bitmaps) {}

  void add(size_t begin, size_t end) {
    if (count_ != 0 && end_ != begin) finish();
    if constexpr (kMode != CjkMode::kBigrams) {
      if (count_ != 0) bitmaps_.mark_end(begin);
      bitmaps_.mark_start(begin);
    } else {
      // The unit before forms a bigram with this one; the bigram of the two before this one has ended.
      if (count_ != 0) bitmaps_.mark_start(begin_);
      if (count_ >= 2) bitmaps_.mark_end(begin);
    }
    ++count_;
    begin_ = begin;
    end_ = end;
  }

  /// A combining mark from `begin` to `end` belongs to the last unit if it follows it.
  void extend(size_t begin, size_t end) {
    if (count_ != 0 && end_ == begin) end_ = end;
  }

  /// Ends the run.
  void finish() {
    if (count_ == 0) return;
    if (kMode == CjkMode::kBigrams && count_ == 1) bitmaps_.mark_start(begin_);
    bitmaps_.mark_end(end_);
    count_ = 0;
  }

 private:
  Bitmaps& bitmaps_;
  size_t count_ = 0;  // units in the run
  size_t begin_ = 0;  // of the last unit
  size_t end_ = 0;
};

}  // namespace neardup::token
