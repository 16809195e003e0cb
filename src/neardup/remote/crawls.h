// Crawls: the tags of a store that are open, and those that ended and left something to be done; as all clients of a
// server share it (Found::shared).
//
// Each time a tag is begun it is another crawl, with a number of its own, its generation, which the records of its
// documents hold. So a tag ends by one change of these few bytes, however many documents it has: those of a crawl that
// was cancelled are gone from then on, those of one that was committed are seen by all, and what they take the place of
// is not. What is left to do then, erasing, anybody may do; once it is done the crawl is forgotten, and its documents
// are as those of none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"

namespace neardup::remote {

/// Threads: as a vector.
class Crawls {
 public:
  struct Open {
    std::string tag;
    uint64_t generation = 0;
    uint64_t nonce = 0;  // of the call that began it, which knows by it that it did
  };
  struct Ended {
    std::string tag;
    uint64_t generation = 0;
    bool keeps = false;  // it was committed, not cancelled
    uint64_t nonce = 0;  // of the call that ended it
  };

  /// Reads what bytes() wrote; of no bytes none are open. Errors: kCorruption.
  [[nodiscard]] static Result<Crawls> parse(std::string_view bytes);
  [[nodiscard]] std::string bytes() const;

  [[nodiscard]] const std::vector<Open>& open() const { return open_; }
  [[nodiscard]] const std::vector<Ended>& ended() const { return ended_; }  // in the order in which they did
  [[nodiscard]] const Open* find(std::string_view tag) const;
  /// Null where it did not end, or is forgotten.
  [[nodiscard]] const Ended* find_ended(uint64_t generation) const;
  /// Returns the generation of a tag that is open; else 0, which is that of no crawl.
  [[nodiscard]] uint64_t scope_of(std::string_view tag) const;
  [[nodiscard]] bool is_open(uint64_t scope) const;
  /// Whether it was cancelled.
  [[nodiscard]] bool is_cancelled(uint64_t scope) const;
  /// Returns where a crawl that was committed, and is not forgotten, stands among those, from 1 on: its documents take
  /// the place of those before. 0: all others that are not open.
  [[nodiscard]] size_t order_of(uint64_t scope) const;
  [[nodiscard]] bool any_committed() const { return num_committed_ > 0; }

  /// Requires: it is not open.
  void begin(std::string_view tag, uint64_t nonce);
  /// Requires: it is open.
  void end(std::string_view tag, bool keeps, uint64_t nonce);
  void forget(uint64_t generation);

  /// Whether another store is copied into this one, which is not whole until that is done.
  [[nodiscard]] bool is_copied_into() const { return is_copied_into_; }
  void set_copied_into(bool is_so) { is_copied_into_ = is_so; }

 private:
  bool is_copied_into_ = false;
  uint64_t next_generation_ = 1;
  size_t num_committed_ = 0;
  std::vector<Open> open_;
  std::vector<Ended> ended_;
};

}  // namespace neardup::remote
