// The part of the tokenizer "jieba" that cuts runs of Han characters.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "neardup/token/bitmaps.h"
#include "neardup/token/jieba.h"
#include "neardup/token/jieba_blocks.h"
#include "neardup/token/jieba_cutter.h"

namespace neardup::token {

/// Finds the words of runs of Han characters and keeps their borders in bitmaps of its own, since a run reaches into
/// blocks that its caller has not read yet. Threads: one object per thread.
class JiebaWords {
 public:
  explicit JiebaWords(std::shared_ptr<const JiebaDictionary> dictionary);

  /// Begins a text.
  void begin(size_t size_bytes) { borders_.clear(size_bytes); }
  /// Cuts the run of characters U+4E00..U+9FD5 that begins at `at` and returns its end.
  /// Requires: there is such a character; `text` is valid UTF-8.
  size_t take_run(std::string_view text, size_t at);
  [[nodiscard]] const Bitmaps& borders() const { return borders_; }

 private:
  std::shared_ptr<const JiebaDictionary> dictionary_;
  const JiebaView& view_;
  JiebaCutter cutter_;
  std::vector<uint16_t> codes_;
  Bitmaps borders_;
};

}  // namespace neardup::token
