// Made-up texts for speed measurements.
#pragma once

#include <cstdint>
#include <string>

namespace neardup::bench {

/// Returns a text of about `size_bytes` bytes of ASCII words whose frequencies fall like those of a natural language
/// (Zipf). The same for the same arguments on every machine.
[[nodiscard]] std::string make_text(uint64_t seed, size_t size_bytes);

}  // namespace neardup::bench
