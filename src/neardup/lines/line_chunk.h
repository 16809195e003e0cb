// A run of lines that one thread works on: where each ends, its key, and whether it is written.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/corpus/raw_buffer.h"
#include "neardup/lines/key_maker.h"
#include "neardup/lines/line_key.h"
#include "neardup/lines/line_set.h"
#include "neardup/lines/long_lines.h"

namespace neardup::lines {

struct LineChunk {
  std::string_view bytes;                              // whole lines, each with its end; owned by a block
  bool keys_stay = false;                              // where they are, to the end of the run
  uint64_t first = 0;                                  // the number of the first one among all that are read
  std::vector<uint64_t> ends = {};                     // behind each line's end, from the begin of `bytes` on
  std::array<std::vector<LineKey>, kNumParts> keys{};  // by the parts of their hashes
  std::vector<uint64_t> without_key = {};              // indices of lines
  std::vector<uint8_t> writes = {};                    // a 1 for each line that is written
  std::vector<uint64_t> counts = {};                   // how often each line comes, where that is shown
  corpus::Arena made;                                  // keys that are no pieces of their lines
  std::string out;

  [[nodiscard]] size_t num_lines() const { return ends.size(); }
  [[nodiscard]] std::string_view line(size_t i) const {  // with its end
    const uint64_t begin = i == 0 ? 0 : ends[i - 1];
    return bytes.substr(begin, ends[i] - begin);
  }
};

/// Forgets ends, keys and counts.
void reset(LineChunk& chunk);

/// Cuts `bytes`, whole lines, into about `count` chunks or more, so that none has more lines than a LineKey can number.
void cut_into_chunks(std::string_view bytes, char line_end, size_t count, std::vector<LineChunk>& chunks);

/// Sets chunk.ends; all lines are to be written.
void find_line_ends(char line_end, LineChunk& chunk);

/// How lines become keys.
struct Keying {
  const KeyMaker* maker = nullptr;
  Hold hold = Hold::kBytes;
  bool fast = false;
  char line_end = '\n';
  uint64_t seed = 0;                                // of the hashes
  const LongLines* long_lines = nullptr;            // whose stand-ins are among the lines
  const std::optional<std::string>* long_key = {};  // of the one that is
};

/// Returns the key of one line, or its digest, in memory of the line or of `room`; nothing where it has none. `made` is
/// memory for the making.
[[nodiscard]] std::optional<LineKey> key_of_line(const Keying& keying, std::string_view line, size_t index,
                                                 std::string& made, corpus::Arena& room);

/// Sets chunk.ends, keys and without_key; all lines are to be written.
void find_keys(const Keying& keying, LineChunk& chunk);

/// Sets chunk.out to the lines that are written, with their counts if there are any.
void gather_lines(LineChunk& chunk);

}  // namespace neardup::lines
