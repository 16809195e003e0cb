#include "neardup/bench/serve_response.h"

#include <algorithm>
#include <charconv>

#include "neardup/base/trim.h"

namespace neardup::bench {
namespace {

constexpr size_t kMostHeadBytes = size_t{64} << 10;
constexpr uint64_t kMostBodyBytes = uint64_t{1} << 40;
constexpr std::string_view kLineEnd = "\r\n", kHeadEnd = "\r\n\r\n";

/// Reads `digits`, all of them.
template <class T>
bool read_decimal(std::string_view digits, T& value) {
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc() && end == digits.data() + digits.size();
}

bool equals_ignoring_case(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b; });
}

}  // namespace

void ResponseReader::clear() {
  head_.clear();
  body_.clear();
  has_head_ = closes_ = has_length_ = false;
  status_ = 0;
  body_left_ = 0;
}

ResponseReader::State ResponseReader::take(std::string_view bytes) {
  if (has_head_) return take_body(bytes);
  const size_t looked_at = head_.size() < kHeadEnd.size() ? 0 : head_.size() - kHeadEnd.size() + 1;
  const size_t before = head_.size();
  head_ += bytes.substr(0, kMostHeadBytes);
  const size_t end = head_.find(kHeadEnd, looked_at);
  if (end == std::string::npos) return head_.size() > kMostHeadBytes ? State::kBroken : State::kMore;
  const size_t head_size = end + kHeadEnd.size();
  head_.resize(head_size);
  has_head_ = true;
  if (!read_head()) return State::kBroken;
  return take_body(bytes.substr(head_size - before));
}

ResponseReader::State ResponseReader::take_body(std::string_view bytes) {
  if (bytes.size() > body_left_) return State::kBroken;
  body_ += bytes.substr(0, most_kept_ - std::min(body_.size(), most_kept_));
  body_left_ -= bytes.size();
  return body_left_ == 0 ? State::kDone : State::kMore;
}

bool ResponseReader::read_head() {
  std::string_view left = head_;
  left.remove_suffix(kLineEnd.size());
  bool is_first = true;
  while (!left.empty()) {
    const size_t end = left.find(kLineEnd);
    const std::string_view line = left.substr(0, end);
    if (!(is_first ? read_status(line) : read_header(line))) return false;
    is_first = false;
    left.remove_prefix(end + kLineEnd.size());
  }
  return has_length_;
}

/// "HTTP/1.1 200 OK"
bool ResponseReader::read_status(std::string_view line) {
  constexpr std::string_view kVersion = "HTTP/1.1 ";
  constexpr size_t kDigits = 3;
  if (!line.starts_with(kVersion)) return false;
  line.remove_prefix(kVersion.size());
  if (line.size() > kDigits && line[kDigits] != ' ') return false;
  return read_decimal(line.substr(0, kDigits), status_) && status_ >= 200 && status_ < 600;
}

bool ResponseReader::read_header(std::string_view line) {
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view name = line.substr(0, colon), value = trim_blanks(line.substr(colon + 1));
  if (equals_ignoring_case(name, "transfer-encoding")) return false;
  if (equals_ignoring_case(name, "connection")) closes_ = equals_ignoring_case(value, "close");
  if (!equals_ignoring_case(name, "content-length")) return true;
  if (has_length_) return false;
  has_length_ = true;
  return read_decimal(value, body_left_) && body_left_ <= kMostBodyBytes;
}

}  // namespace neardup::bench
