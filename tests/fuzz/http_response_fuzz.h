// An answer to the load generator: any bytes, cut anywhere, are read alike and within bounds.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "neardup/bench/serve_response.h"

inline int fuzz_http_response(const uint8_t* data, size_t size) {
  using neardup::bench::ResponseReader;
  using State = ResponseReader::State;
  if (size < 2 || size > 50000) return 0;
  constexpr size_t kMostKept = 16;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const size_t cut = data[0] % bytes.size();
  ResponseReader whole(kMostKept), parts(kMostKept);
  const State expected = whole.take(bytes);
  State found = parts.take(bytes.substr(0, cut));
  if (found == State::kMore) {
    found = parts.take(bytes.substr(cut));
  } else if (found == State::kDone) {  // then what is behind it breaks the whole
    found = State::kBroken;
  }
  if (found != expected) std::abort();
  if (whole.body().size() > kMostKept) std::abort();
  if (expected == State::kDone && (whole.status() != parts.status() || whole.body() != parts.body())) std::abort();
  return 0;
}
