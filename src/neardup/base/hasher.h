// XXH3-128 piece by piece, and as files hold it.
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "neardup/base/hash.h"

namespace neardup {

/// XXH3-128 of bytes that come piece by piece. Threads: one at a time.
class Hasher128 {
 public:
  Hasher128();
  void add(std::string_view bytes);
  /// Returns hash128() of all bytes so far.
  [[nodiscard]] Hash128 value() const;

 private:
  struct State;
  struct Delete {
    void operator()(State* state) const;
  };
  std::unique_ptr<State, Delete> state_;
};

/// Returns the canonical form of a digest: big endian, upper half first.
[[nodiscard]] std::array<char, 16> canonical_bytes(const Hash128& hash);

}  // namespace neardup
