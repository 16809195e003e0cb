// Data for the scripts of a page, in an element <script type="application/json">: nothing of it can end that element.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace neardup::report {

/// Appends `text` as a JSON string that holds no "<": "</script>" and "<!--" begin with it. Bytes that are not valid
/// UTF-8 become U+FFFD.
void append_script_string(std::string& out, std::string_view text);

/// Appends `numbers` in base64, little endian: a script unpacks a hundred thousand of them in no time.
void append_base64(std::string& out, std::span<const uint32_t> numbers);

/// Returns a share of 0..1 in ten thousandths, rounded down: what is just below a threshold stays below it. Floats of
/// hundredths are not. NaN is 0.
[[nodiscard]] uint32_t packed_share(float share);

}  // namespace neardup::report
