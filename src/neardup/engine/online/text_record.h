// What a store keeps of a text, and who may be near it. Format: docs/formats/store.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/engine/match/decision.h"
#include "neardup/engine/match/side_memory.h"
#include "neardup/engine/online/records_kept.h"
#include "neardup/store/record.h"

namespace neardup::engine {

/// A text as it came.
struct KeptText {
  std::string_view bytes = {};
  bool is_page = false;  // it was said to be one: its main text is what was compared
};

/// Appends the body of a record: what `records` says of `side`, and `text` unless it is empty.
void append_body(std::string& body, const PairSide& side, RecordsKept records, const KeptText& text);

/// Appends the hashes of the bands of `side`: two texts that Decision::meet() takes for candidates by signatures share
/// one.
void append_keys(std::vector<uint64_t>& keys, const Decision& decision, const PairSide& side);

/// Writes the hashes of the selected passages of `side` to `passages`, ascending, each once.
void take_passages(std::vector<uint64_t>& passages, const PairSide& side);

/// Reads records. Threads: one at a time.
class TextRecord {
 public:
  /// Of a document that is a duplicate nothing is kept: it has no features. Errors: kCorruption, naming the document.
  [[nodiscard]] Status read(const store::Record& record);
  /// Returns what is looked at. It is valid until the next read(), and as long as the record.
  [[nodiscard]] const PairSide& side() const { return side_; }
  /// Whether it holds all that comparing takes.
  [[nodiscard]] bool is_whole() const { return is_whole_; }
  /// Returns the text, where texts are kept; of a record that was made before pages were marked, as if it was none.
  [[nodiscard]] const KeptText& text() const { return text_; }

 private:
  PairSide side_;
  SideMemory memory_;
  bool is_whole_ = false;
  KeptText text_;
};

}  // namespace neardup::engine
