#include "neardup/engine/checked_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "neardup/base/disk/file.h"
#include "neardup/base/hash.h"
#include "neardup/base/parse_json.h"

namespace neardup::engine {
namespace {

constexpr const char* kChecksum = "xxh3";

}  // namespace

std::string with_checksum(nlohmann::ordered_json json) {
  json[kChecksum] = hash64(json.dump());
  return json.dump(1) + "\n";
}

Status write_checked_json(const std::string& path, nlohmann::ordered_json json) {
  return write_file_atomically(path, with_checksum(std::move(json)));
}

Result<nlohmann::ordered_json> checked_json(std::string_view text, const std::string& path) {
  Result<nlohmann::ordered_json> json = parse_json<nlohmann::ordered_json>(text);
  if (json && json->is_object()) {
    const nlohmann::ordered_json checksum = json_member(*json, kChecksum);
    json->erase(kChecksum);
    if (json_integer<uint64_t>(checksum) == hash64(json->dump())) return std::move(*json);
  }
  return fail(Code::kCorruption, fmt::format("'{}' is damaged; start again with --overwrite", path));
}

}  // namespace neardup::engine
