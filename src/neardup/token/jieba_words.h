// The part of the tokenizer "jieba" that cuts runs of Han characters.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
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
  void begin(size_t size_bytes) {
    borders_.clear(size_bytes);
    runs_.clear();
    next_run_ = 0;
  }
  /// Cuts the run of characters U+4E00..U+9FD5 that begins at `at` and returns its end.
  /// Requires: there is such a character, and none between the end of the run that was cut last (or the begin of the
  /// text) and `at`; `text` is that of begin(), valid UTF-8.
  size_t take_run(std::string_view text, size_t at);
  [[nodiscard]] const Bitmaps& borders() const { return borders_; }

 private:
  struct Run {
    size_t begin;  // in the text
    uint32_t first_code, size;
  };

  void cut_ahead(std::string_view text, size_t at);
  uint32_t find_runs(std::string_view text, size_t at);
  Run take_codes(std::string_view text, size_t at, uint32_t first_code);
  void mark(const Run& run, std::span<const uint32_t> word_ends);
  [[nodiscard]] Block block_of(const Run& run) const { return {codes_.data() + run.first_code, nullptr, run.size}; }

  std::shared_ptr<const JiebaDictionary> dictionary_;
  const JiebaView& view_;
  JiebaCutter cutter_;
  std::vector<uint16_t> codes_;  // of all runs_, a zero behind each
  std::vector<Run> runs_;        // that have been cut
  size_t next_run_ = 0;          // of them, the next one that is asked for
  Bitmaps borders_;
};

}  // namespace neardup::token
