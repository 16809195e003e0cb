#include "neardup/remote/redis/store_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "neardup/base/bytes.h"

namespace neardup::remote::redis {
namespace {

constexpr uint64_t kFormat = 2;

tl::unexpected<Error> damaged_header(std::string_view name) {
  return fail(Code::kCorruption,
              fmt::format("its field '{}' is not there, or is not what a store of this version writes", name));
}

// The fields that are numbers, each with what it stands for.
template <class Use>
void each_number(store::StoreSettings& settings, LayoutNumbers& numbers, const Use& use) {
  use("num_fingerprints", settings.num_fingerprints);
  use("num_bits", settings.num_bits);
  use("has_passages", settings.has_passages);
  use("max_distance", settings.max_distance);
  use("layout", numbers.kind);
  use("expected", numbers.expected);
  use("choose", numbers.choose);
  use("bucket_bits", numbers.bucket_bits);
  use("extra_bits", numbers.extra_bits);
  use("key_bits", numbers.key_bits);
  use("key_value_bytes", numbers.key_value_bytes);
}

std::string files_text(const std::vector<store::OwnFile>& files) {
  std::string text;
  for (const store::OwnFile& file : files) {
    append_text(text, file.name);
    append_little(text, file.size_bytes);
    append_little(text, file.checksum);
  }
  return text;
}

bool is_file_name(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string_view::npos &&
         name.find('\0') == std::string_view::npos;
}

Result<std::vector<store::OwnFile>> parse_files(std::string_view text) {
  std::vector<store::OwnFile> files;
  for (ByteReader reader(text); !reader.rest().empty();) {
    store::OwnFile file;
    file.name = reader.text();
    file.size_bytes = reader.number<uint64_t>();
    file.checksum = reader.number<uint64_t>();
    if (!reader.ok() || !is_file_name(file.name)) return damaged_header("files");
    files.push_back(std::move(file));
  }
  return files;
}

const std::string* find(const Fields& fields, std::string_view name) {
  const auto found = fields.find(name);
  return found == fields.end() ? nullptr : &found->second;
}

Result<uint64_t> number_of(const Fields& fields, std::string_view name) {
  const std::string* text = find(fields, name);
  if (text == nullptr) return damaged_header(name);
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc() || end != text->data() + text->size()) return damaged_header(name);
  return value;
}

}  // namespace

Fields fields_of(const store::StoreSettings& settings, const LayoutNumbers& numbers) {
  Fields fields = {{"format", fmt::format("{}", kFormat)},
                   {"recipe_id", settings.recipe_id},
                   {"recipe_json", settings.recipe_json},
                   {"matching_json", settings.matching_json},
                   {"files", files_text(settings.files)}};
  store::StoreSettings some = settings;
  LayoutNumbers others = numbers;
  each_number(some, others, [&](std::string_view name, auto& value) {
    fields.emplace(name, fmt::format("{}", static_cast<uint64_t>(value)));
  });
  return fields;
}

Result<std::pair<store::StoreSettings, LayoutNumbers>> parse_fields(const Fields& fields) {
  NEARDUP_ASSIGN(const uint64_t format, number_of(fields, "format"));
  if (format != kFormat)
    return fail(Code::kUnsupported,
                fmt::format("it has format {}, expected {}; use the version that made it", format, kFormat));
  std::pair<store::StoreSettings, LayoutNumbers> read;
  auto& [settings, numbers] = read;
  Status status;
  each_number(settings, numbers, [&](std::string_view name, auto& value) {
    const auto number = number_of(fields, name);
    if (!number)
      status = tl::unexpected<Error>(number.error());
    else if (name != "expected" && *number > UINT8_MAX)
      status = damaged_header(name);
    else
      value = static_cast<std::remove_reference_t<decltype(value)>>(*number);
  });
  NEARDUP_TRY(status);
  for (const auto& [name, text] : {std::pair<std::string_view, std::string*>("recipe_id", &settings.recipe_id),
                                   {"recipe_json", &settings.recipe_json},
                                   {"matching_json", &settings.matching_json}}) {
    const std::string* found = find(fields, name);
    if (found == nullptr) return damaged_header(name);
    *text = *found;
  }
  const std::string* files = find(fields, "files");
  NEARDUP_ASSIGN(settings.files, parse_files(files == nullptr ? std::string_view("?") : *files));
  if (!Layout::check(settings, numbers)) return damaged_header("layout");
  return read;
}

}  // namespace neardup::remote::redis
