#include "neardup/lines/long_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <random>
#include <system_error>
#include <utility>

#include "neardup/base/hash.h"

namespace neardup::lines {
namespace {

std::string random_secret() {
  std::random_device random;
  std::string secret;
  while (secret.size() < LongLines::kSecretBytes) secret += to_hex(uint64_t{random()} << 32 | random());
  return secret;
}

}  // namespace

LongLines::LongLines(MakeWorkFile make_work_file, std::string name)
    : make_work_file_(std::move(make_work_file)), name_(std::move(name)), secret_(random_secret()) {}

Status LongLines::open(uint64_t keep_bytes) {
  file_.reset();
  NEARDUP_ASSIGN(file_, AppendFile::open(path_, keep_bytes));
  if (reader_) return {};
  NEARDUP_ASSIGN(reader_, ReadFile::open(path_));
  return {};
}

Status LongLines::begin() {
  if (path_.empty()) {
    NEARDUP_ASSIGN(path_, make_work_file_(name_));
    NEARDUP_TRY(open(0));
  }
  begin_ = file_->size_bytes();
  hash_.emplace();
  return {};
}

Status LongLines::append(std::string_view bytes) {
  hash_->add(bytes);
  return file_->append(bytes);
}

/// What is there already is taken off the file again.
Result<uint64_t> LongLines::end() {
  NEARDUP_TRY(file_->flush());
  const Text added{begin_, file_->size_bytes() - begin_};
  const uint64_t hash = hash_->value().high;
  const auto [first, last] = numbers_.equal_range(hash);
  for (auto other = first; other != last; ++other) {
    NEARDUP_ASSIGN(const bool is_there, are_equal(text(other->second), added));
    if (!is_there) continue;
    NEARDUP_TRY(open(begin_));
    return other->second;
  }
  const std::lock_guard lock(mutex_);
  const uint64_t number = texts_.size();
  texts_.push_back(added);
  numbers_.emplace(hash, number);
  count_ = texts_.size();
  return number;
}

LongLines::Text LongLines::text(uint64_t number) const {
  const std::lock_guard lock(mutex_);
  return texts_[number];
}

uint64_t LongLines::size_bytes(uint64_t number) const { return text(number).size; }

Result<std::string_view> LongLines::read(const Text& text, uint64_t offset, std::string& buffer,
                                         uint64_t most_bytes) const {
  const auto size = static_cast<size_t>(std::min(most_bytes, text.size - std::min(text.size, offset)));
  if (buffer.size() < size) buffer.resize(size);
  NEARDUP_TRY(reader_->read_exact_at(text.begin + offset, std::span(buffer).first(size)));
  return std::string_view(buffer).substr(0, size);
}

Result<std::string_view> LongLines::read(uint64_t number, uint64_t offset, std::string& buffer,
                                         uint64_t most_bytes) const {
  return read(text(number), offset, buffer, most_bytes);
}

Result<bool> LongLines::are_equal(const Text& a, const Text& b) const {
  if (a.size != b.size) return false;
  std::string left, right;
  for (uint64_t at = 0; at < a.size; at += kPieceBytes) {
    NEARDUP_ASSIGN(const std::string_view of_a, read(a, at, left, kPieceBytes));
    NEARDUP_ASSIGN(const std::string_view of_b, read(b, at, right, kPieceBytes));
    if (of_a != of_b) return false;
  }
  return true;
}

std::string LongLines::mark(uint64_t number) const { return secret_ + to_hex(number); }

Result<std::string> LongLines::stand_in(uint64_t number) const {
  std::string line;
  NEARDUP_TRY(read(number, 0, line, kBeginBytes));
  return line + mark(number);
}

std::optional<uint64_t> LongLines::number_of(std::string_view line) const {
  if (line.size() != kStandInBytes || line.substr(kBeginBytes, kSecretBytes) != secret_) return std::nullopt;
  uint64_t number = 0;
  std::from_chars(line.data() + kBeginBytes + kSecretBytes, line.data() + line.size(), number, 16);
  return number;
}

size_t LongLines::find_stand_in(std::string_view lines, size_t from) const {
  if (lines.size() < from + kStandInBytes) return std::string_view::npos;
  const char* const begin = lines.data() + from + kBeginBytes;
  const auto* const found = static_cast<const char*>(
      ::memmem(begin, static_cast<size_t>(lines.data() + lines.size() - begin), secret_.data(), secret_.size()));
  return found == nullptr ? std::string_view::npos : static_cast<size_t>(found - lines.data()) - kBeginBytes;
}

/// Some of the bytes that `line` is or stands for, from `offset` on; none at its end.
Result<std::string_view> LongLines::piece_of(std::string_view line, uint64_t offset, std::string& buffer) const {
  const auto number = number_of(line);
  if (number) return read(*number, offset, buffer, kPieceBytes);
  return line.substr(std::min<size_t>(line.size(), offset), kPieceBytes);
}

bool LongLines::is_before(std::string_view a, std::string_view b) const {
  if (!number_of(a) && !number_of(b)) return a < b;
  const size_t begin = std::min({a.size(), b.size(), kBeginBytes});
  if (const int order = std::memcmp(a.data(), b.data(), begin); order != 0) return order < 0;
  if (a == b) return false;
  std::string left, right;
  for (uint64_t at = 0;; at += kPieceBytes) {
    const auto of_a = piece_of(a, at, left), of_b = piece_of(b, at, right);
    if (!of_a || !of_b)
      throw std::system_error(EIO, std::generic_category(), of_a ? of_b.error().message : of_a.error().message);
    if (*of_a != *of_b) return *of_a < *of_b;
    if (of_a->empty()) return false;
  }
}

}  // namespace neardup::lines
