#include "neardup/remote/copy_mark.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "neardup/base/disk/file.h"

namespace neardup::remote {
namespace {

constexpr std::string_view kName = "copied-into";

}  // namespace

store::GivenFile copy_mark() { return {std::string(kName), {}}; }

bool has_copy_mark(const store::StoreSettings& settings) {
  return std::ranges::find(settings.files, kName, &store::OwnFile::name) != settings.files.end();
}

Result<std::vector<store::GivenFile>> files_to_copy(const store::Store& store) {
  std::vector<store::GivenFile> files;
  for (const store::OwnFile& file : store.settings().files) {
    if (file.name == kName) continue;
    NEARDUP_ASSIGN(std::string bytes, read_file(store.file_path(file.name)));
    files.push_back({file.name, std::move(bytes)});
  }
  return files;
}

}  // namespace neardup::remote
