// A step counts as finished only by such a file, so it must be there whole or not at all, and what cannot be read must
// count as not finished: doing a step again is always right, passing over one never.
#include "neardup/join/disk/finished_steps.h"

#include <fmt/format.h>

#include <charconv>

#include "neardup/base/bytes.h"
#include "neardup/base/disk/file.h"
#include "neardup/base/hash.h"
#include "neardup/join/disk/blocks.h"

namespace neardup::join {
namespace {

// The numbers, and behind them their checksum.
std::string text_of(std::span<const uint64_t> numbers, uint64_t seed) {
  return fmt::format("{} {}\n", fmt::join(numbers, " "), hash64(bytes_of(numbers), seed));
}

std::vector<uint64_t> numbers_in(std::string_view text) {
  std::vector<uint64_t> numbers;
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    uint64_t number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error == std::errc()) numbers.push_back(number);
    at = error == std::errc() ? next : at + 1;
  }
  return numbers;
}

}  // namespace

Status write_numbers(const std::string& path, std::span<const uint64_t> numbers, uint64_t seed) {
  return write_file_atomically(path, text_of(numbers, seed_of_file(path, seed)));
}

std::optional<std::vector<uint64_t>> read_numbers(const std::string& path, uint64_t seed) {
  const auto text = read_file(path, uint64_t{1} << 24);
  if (!text) return std::nullopt;
  std::vector<uint64_t> numbers = numbers_in(*text);
  if (numbers.empty()) return std::nullopt;
  numbers.pop_back();
  // So nothing but what was written is read, to the last blank.
  if (*text != text_of(numbers, seed_of_file(path, seed))) return std::nullopt;
  return numbers;
}

Status claim_folder(const std::string& folder, const std::string& name, const std::string& text) {
  NEARDUP_TRY(create_directories(folder));
  const std::string path = folder + "/" + name;
  const auto found = read_file(path, uint64_t{1} << 20);
  if (!found && found.error().code == Code::kNotFound) return write_file_atomically(path, text);
  NEARDUP_TRY(found);
  if (*found == text) return {};
  return fail(Code::kMismatch, fmt::format("the work folder '{}' is of another join, found\n{}expected\n{}use the same "
                                           "inputs, distance and memory as then, or another folder",
                                           folder, *found, text));
}

}  // namespace neardup::join
