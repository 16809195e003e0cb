// A step counts as finished only by such a file, so it must be there whole or not at all, and what cannot be read must
// count as not finished: doing a step again is always right, passing over one never.
#include "neardup/join/disk/finished_steps.h"

#include <fmt/format.h>

#include <charconv>

#include "neardup/base/disk/file.h"

namespace neardup::join {

Status write_numbers(const std::string& path, std::span<const uint64_t> numbers) {
  return write_file_atomically(path, fmt::format("{}\n", fmt::join(numbers, " ")));
}

std::optional<std::vector<uint64_t>> read_numbers(const std::string& path) {
  const auto text = read_file(path, uint64_t{1} << 24);
  if (!text || text->empty() || text->back() != '\n') return std::nullopt;
  std::vector<uint64_t> numbers;
  for (const char *at = text->data(), *end = at + text->size(); at < end;) {
    uint64_t number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error == std::errc()) numbers.push_back(number);
    at = error == std::errc() ? next : at + 1;
  }
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
