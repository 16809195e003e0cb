// Windows code page 1252, as browsers read it: what the bytes 80 to 9F stand for. All others are Latin-1.
#pragma once

#include <array>
#include <cstdint>

namespace neardup::text {

/// Entry i is the character of the byte 0x80 + i; bytes that the code page leaves open are C1 controls (WHATWG
/// Encoding).
inline constexpr std::array<char16_t, 32> kCp1252 = {0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                                     0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D, 0x017D, 0x008F,
                                                     0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                                     0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

}  // namespace neardup::text
