#include "neardup/text/charset.h"

#include <simdjson.h>
#include <unicode/ucnv.h>
#include <unicode/ucsdet.h>

#include <algorithm>
#include <vector>

#include "neardup/base/wide_text.h"
#include "neardup/text/charset_meta.h"
#include "neardup/text/cyrillic.h"
#include "neardup/text/johab.h"
#include "neardup/text/refused.h"
#include "neardup/text/seven_bits.h"
#include "neardup/text/utf8.h"
#include "neardup/text/western.h"

namespace neardup::text {
namespace {

constexpr size_t kProbeBytes = size_t{64} << 10;
constexpr size_t kPivotUnits = 4096;
constexpr size_t kZerosWithin = 4096;
constexpr size_t kPercent = 100;
constexpr uint64_t kHighBits = 0x8080808080808080;

struct Utf8Count {
  size_t other = 0;  // bytes beyond ASCII
  size_t bad = 0;    // of them not valid
};

Utf8Count count_utf8(std::string_view bytes) {
  Utf8Count count;
  const char* const end = bytes.data() + bytes.size();
  for (const char* at = bytes.data(); at < end;) {
    if (end - at >= 8 && (load64(at) & kHighBits) == 0) {
      at += 8;
    } else if (static_cast<uint8_t>(*at) < 0x80) {
      ++at;
    } else {
      const Decoded next = neardup::text::decode(at, end);
      count.other += next.size_bytes;
      count.bad += next.valid ? 0 : next.size_bytes;
      at += next.size_bytes;
    }
  }
  return count;
}

/// Whether it is valid UTF-8, and not one of the encodings that shift by escapes. Nearly every text is, so it has to be
/// fast.
bool is_utf8_text(std::string_view bytes) {
  if (!simdjson::validate_utf8(bytes.data(), bytes.size())) return false;
  const auto is_other = [](char c) { return static_cast<uint8_t>(c) >= 0x80; };
  return bytes.find('\x1B') == std::string_view::npos || std::any_of(bytes.begin(), bytes.end(), is_other);
}

bool is_ascii(std::string_view bytes) {
  return std::none_of(bytes.begin(), bytes.end(), [](char c) { return static_cast<uint8_t>(c) >= 0x80; });
}

WideMark byte_order_mark(std::string_view bytes) {
  return bytes.starts_with("\xEF\xBB\xBF") ? WideMark{"UTF-8", 3} : wide_mark(bytes);
}

/// Whether the text is UTF-16 without a mark: every other byte of its beginning is NUL.
std::string_view utf16_by_zeros(std::string_view bytes) {
  const std::string_view probe = bytes.substr(0, 256);
  if (probe.size() < 4) return {};
  size_t zeros[2] = {0, 0};
  for (size_t i = 0; i < probe.size(); ++i) zeros[i % 2] += probe[i] == '\0' ? 1 : 0;
  if (zeros[1] * 5 >= probe.size() * 2 && zeros[0] == 0) return "UTF-16LE";
  if (zeros[0] * 5 >= probe.size() * 2 && zeros[1] == 0) return "UTF-16BE";
  return {};
}

/// A part of the text with what is beyond ASCII in it.
std::string_view telling_part(std::string_view bytes) {
  const auto other = std::find_if(bytes.begin(), bytes.end(), [](char c) { return static_cast<uint8_t>(c) >= 0x80; });
  const auto at = static_cast<size_t>(other - bytes.begin());
  return bytes.substr(at > 1024 ? at - 1024 : 0, kProbeBytes);
}

constexpr std::string_view kJohab = "Johab";

std::string_view detect(std::string_view bytes) {
  if (is_surely_johab(telling_part(bytes))) return kJohab;
  UErrorCode error = U_ZERO_ERROR;
  UCharsetDetector* const detector = ucsdet_open(&error);
  throw_if_refused(error);
  if (U_FAILURE(error)) return "windows-1252";  // which fits any bytes
  const std::string_view part = telling_part(bytes);
  ucsdet_setText(detector, part.data(), static_cast<int32_t>(part.size()), &error);
  ucsdet_enableInputFilter(detector, part.find('<') != std::string_view::npos);
  const UCharsetMatch* const match = ucsdet_detect(detector, &error);
  const char* const name = match == nullptr ? nullptr : ucsdet_getName(match, &error);
  const std::string_view found = U_SUCCESS(error) && name != nullptr ? encoding_of_label(name) : std::string_view();
  ucsdet_close(detector);
  throw_if_refused(error);
  // What is hardly UTF-8 is not, and without zeros it is not UTF-16.
  const std::string_view likely = found.empty() || found.starts_with("UTF-") ? "windows-1252" : found;
  return western_encoding(part, cyrillic_encoding(part, likely));
}

/// What ICU calls the converter that browsers use for an encoding.
std::string_view icu_name(std::string_view encoding) {
  if (encoding == "Shift_JIS") return "ibm-943_P15A-2003";
  if (encoding == "EUC-KR") return "windows-949";
  if (encoding == "Big5") return "ibm-1375_P100-2008";
  return encoding;
}

}  // namespace

struct Decoder::Impl {
  UConverter* from = nullptr;
  UConverter* to = nullptr;
  std::string from_name;
  std::string encoding = "UTF-8";
  bool failed = false;
  std::vector<UChar> pivot = std::vector<UChar>(kPivotUnits);

  Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    ucnv_close(from);
    ucnv_close(to);
  }

  bool open(std::string_view name) {
    UErrorCode error = U_ZERO_ERROR;
    if (to == nullptr) to = ucnv_open("UTF-8", &error);
    throw_if_refused(error);
    if (from_name != name) {
      ucnv_close(from);
      from = nullptr;
      from_name.clear();
      from = ucnv_open(std::string(icu_name(name)).c_str(), &error);  // null where it fails
      throw_if_refused(error);
      from_name = name;
    }
    return U_SUCCESS(error) && from != nullptr && to != nullptr;
  }

  bool convert(std::string_view bytes, std::string& out) {
    ucnv_reset(from);
    ucnv_reset(to);
    out.resize(bytes.size() + bytes.size() / 2 + 64);
    const char* source = bytes.data();
    char* target = out.data();
    UChar* pivot_from = pivot.data();
    UChar* pivot_to = pivot.data();
    while (true) {
      UErrorCode error = U_ZERO_ERROR;
      ucnv_convertEx(to, from, &target, out.data() + out.size(), &source, bytes.data() + bytes.size(), pivot.data(),
                     &pivot_from, &pivot_to, pivot.data() + pivot.size(), 0, 1, &error);
      const auto written = static_cast<size_t>(target - out.data());
      if (error != U_BUFFER_OVERFLOW_ERROR) {
        out.resize(written);
        throw_if_refused(error);
        return U_SUCCESS(error);
      }
      out.resize(out.size() * 2);
      target = out.data() + written;
    }
  }

  /// Whether the text is in an encoding of ASCII bytes alone; then `out` is what it says.
  bool decode_seven_bits(std::string_view bytes, std::string& out) {
    const std::string_view sign = seven_bit_encoding(bytes);
    if (sign.empty() || !is_ascii(bytes) || !open(sign) || !convert(bytes, out) || !is_proven(out)) return false;
    encoding = sign;
    return true;
  }

  /// The encoding of a text without a byte order mark.
  static std::string_view find(std::string_view bytes, std::string_view declared) {
    if (const std::string_view wide = utf16_by_zeros(bytes); !wide.empty()) return wide;
    const bool has_zeros = bytes.substr(0, kZerosWithin).find('\0') != std::string_view::npos;
    if (!has_zeros && is_utf8_text(bytes)) return "UTF-8";
    if (const std::string_view wide = wide_without_mark(bytes); !wide.empty()) return wide;
    if (has_zeros && is_utf8_text(bytes)) return "UTF-8";
    const Utf8Count count = count_utf8(bytes);
    for (const std::string_view label : {encoding_of_label(declared), encoding_in_html(bytes)}) {
      if (!label.empty() && !label.starts_with("UTF-")) return label;
    }
    return count.bad * kPercent <= bytes.size() && count.bad * 4 <= count.other ? "UTF-8" : detect(bytes);
  }
};

Decoder::Decoder() : impl_(std::make_unique<Impl>()) {}
Decoder::Decoder(Decoder&&) noexcept = default;
Decoder& Decoder::operator=(Decoder&&) noexcept = default;
Decoder::~Decoder() = default;

std::string_view Decoder::encoding() const { return impl_->encoding; }

bool Decoder::has_failed() const { return impl_->failed; }

std::string_view Decoder::decode(std::string_view bytes, std::string_view declared, std::string& out) {
  const WideMark mark = byte_order_mark(bytes);
  bytes.remove_prefix(mark.size_bytes);
  impl_->failed = false;
  if (mark.encoding.empty() && impl_->decode_seven_bits(bytes, out)) return out;
  impl_->encoding = mark.encoding.empty() ? Impl::find(bytes, declared) : mark.encoding;
  if (impl_->encoding == "UTF-8") return bytes;
  if (impl_->encoding == kJohab) return out = utf8_of_johab(bytes);
  impl_->failed = !impl_->open(impl_->encoding) || !impl_->convert(bytes, out);
  return impl_->failed ? bytes : out;
}

}  // namespace neardup::text
