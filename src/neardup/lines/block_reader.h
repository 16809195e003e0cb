// Inputs as blocks of whole lines.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <future>
#include <optional>
#include <span>
#include <string>

#include "neardup/base/context.h"
#include "neardup/corpus/raw_buffer.h"
#include "neardup/lines/line_input.h"
#include "neardup/lines/long_key.h"

namespace neardup::lines {

/// A byte of the inputs, after decompression.
struct Place {
  size_t input = 0;
  uint64_t offset = 0;
};

struct LineBlock {
  std::string_view text;  // whole lines, each with its end
  bool stays = false;     // `text` is where the input is mapped; else it is `bytes`
  corpus::RawBuffer bytes;
  Place place;                               // of the first byte
  uint64_t consumed = 0;                     // bytes of the files, up to the end of this block
  bool lacks_end = false;                    // the last line, the last of all inputs, had no end; it was added
  uint64_t hidden_bytes = 0;                 // that a line has more than what stands for it in `text`
  std::optional<std::string> long_key = {};  // of that line; nothing where it has none
};

/// What becomes of lines that are too long for memory: each goes to `lines`, and what stands for it is the last line of
/// its block, or the last one of its input.
struct LongLineMeans {
  LongLines* lines = nullptr;
  uint64_t most_bytes = ~uint64_t{0};     // longer lines are: at least LongLines::kStandInBytes
  std::optional<LongKeyMeans> keys = {};  // nothing where keys are not asked for
};

/// Byte order marks before first lines are left out. Reads one block ahead on a thread of its own; of an input that is
/// mapped it has the system bring it into memory. The last line of each input gets an end where it had none. Blocks
/// have about block_bytes, and more only where one line is longer, up to the long ones. Threads: one at a time.
class BlockReader {
 public:
  /// `inputs` must outlive the reader.
  BlockReader(std::span<const LineInput> inputs, Place from, char line_end, size_t block_bytes, const Context& context,
              LongLineMeans long_lines = {})
      : inputs_(inputs),
        place_(from),
        line_end_(line_end),
        block_bytes_(block_bytes),
        context_(context),
        long_(long_lines) {
    skip_mark();
  }
  ~BlockReader();
  BlockReader(const BlockReader&) = delete;
  BlockReader& operator=(const BlockReader&) = delete;

  /// Puts the next block in the place of `block`, whose memory is used again; false at the end. Errors: as
  /// ByteStream::read(); kMemory.
  [[nodiscard]] Result<bool> next(LineBlock& block);

 private:
  Result<bool> fill(LineBlock& block);
  Status read_bytes(LineBlock& block);
  Status fill_bytes(LineBlock& block);
  Result<bool> take_mapped(LineBlock& block);
  Result<size_t> read_some(corpus::RawBuffer& bytes, size_t size);
  void set_aside(corpus::RawBuffer& bytes, size_t from);
  [[nodiscard]] size_t behind_last_end(std::string_view bytes) const;
  Status take_long_line(LineBlock& block);
  Result<bool> append_rest_of_line(corpus::RawBuffer& bytes);
  [[nodiscard]] bool at_begin_of_mapped() const {
    return place_.input < inputs_.size() && inputs_[place_.input].mapped != nullptr &&
           place_.offset == inputs_[place_.input].mark_bytes;
  }
  void skip_mark() {
    if (place_.input < inputs_.size()) place_.offset = std::max(place_.offset, inputs_[place_.input].mark_bytes);
  }
  void begin_reading();

  std::span<const LineInput> inputs_;
  Place place_;  // of the next byte to be read
  char line_end_;
  size_t block_bytes_;
  Context context_;
  LongLineMeans long_;
  std::atomic<bool> stop_ = false;  // nobody waits for more
  std::optional<ByteStream> stream_;
  uint64_t consumed_before_ = 0;  // by the inputs that are done
  std::string rest_;              // of a line whose end is not read yet
  LineBlock ahead_;
  std::future<Result<bool>> reading_;
};

}  // namespace neardup::lines
