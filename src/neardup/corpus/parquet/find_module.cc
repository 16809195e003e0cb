#include "neardup/corpus/parquet/find_module.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>

#include "neardup/base/base.h"
#include "neardup/base/disk/file.h"

namespace neardup::corpus::parquet {
namespace {

constexpr std::string_view kArrowName = "libarrow.so.";
constexpr std::string_view kCommand = "tools/parquet_module";

/// The file that this code is in; the program's where that is the program itself.
std::string own_file() {
  Dl_info info{};
  link_map* map = nullptr;
  const int found =
      ::dladdr1(reinterpret_cast<const void*>(&find_module), &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP);
  const bool is_library = found != 0 && map != nullptr && map->l_name != nullptr && map->l_name[0] != '\0';
  std::error_code error;
  const std::filesystem::path path = is_library ? std::filesystem::canonical(map->l_name, error)
                                                : std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::string() : path.string();
}

int note_arrow(dl_phdr_info* info, size_t, void* names) {
  const std::string_view path = info->dlpi_name == nullptr ? "" : info->dlpi_name;
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (name.starts_with(kArrowName)) static_cast<std::vector<std::string>*>(names)->push_back(find_arrow_name(name));
  return 0;
}

/// Two versions in one process would share symbols and end it.
Status check_arrow(const std::string& path) {
  NEARDUP_ASSIGN(const std::string bytes, read_file(path));
  const std::string wanted = find_arrow_name(bytes);
  std::vector<std::string> loaded;
  ::dl_iterate_phdr(note_arrow, &loaded);
  const auto other = std::ranges::find_if(loaded, [&](const std::string& name) { return name != wanted; });
  if (other == loaded.end()) return {};
  return fail(Code::kMismatch, "cannot read Parquet: " + path + " needs " + wanted + ", and this process has loaded " +
                                   *other + ", as pyarrow brings it; install the version of pyarrow that has " +
                                   wanted + ", or start neardup in a process of its own");
}

/// Returns what to install for the libraries `arrow_name`, such as "libarrow.so.2600", of a version 26.
std::string pyarrow_of(std::string_view arrow_name) {
  const std::string_view number = arrow_name.substr(kArrowName.size());
  return "pip install 'pyarrow==" + std::string(number.substr(0, number.size() - 2)) + ".*'";
}

std::string cure_of(const std::string& path) {
  const auto bytes = read_file(path);
  const std::string arrow = bytes ? find_arrow_name(*bytes) : std::string();
  const std::string anew = "make it anew: " + std::string(kCommand);
  return arrow.size() < kArrowName.size() + 3 ? anew : "in Python: " + pyarrow_of(arrow) + "; else " + anew;
}

std::string join(const std::vector<std::string>& folders) {
  std::string list;
  for (const std::string& folder : folders) list += (list.empty() ? "" : " and ") + folder;
  return list.empty() ? "the folder of the program" : list;
}

}  // namespace

std::string find_arrow_name(std::string_view bytes) {
  for (size_t at = bytes.find(kArrowName); at != std::string_view::npos; at = bytes.find(kArrowName, at + 1)) {
    const std::string_view number = bytes.substr(at + kArrowName.size(), 8);
    const size_t digits = std::min(number.find_first_not_of("0123456789"), number.size());
    if (digits > 0) return std::string(bytes.substr(at, kArrowName.size() + digits));
  }
  return {};
}

std::vector<std::string> module_folders() {
  const std::filesystem::path file = own_file();
  if (file.empty()) return {};
  const std::filesystem::path folder = file.parent_path();
  return {folder.string(), (folder.parent_path() / "lib" / "neardup").string()};
}

Result<const Module*> open_module(const std::string& path) {
  NEARDUP_TRY(check_arrow(path));
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const why = ::dlerror();
    return fail(Code::kUnsupported,
                std::string("cannot open the Parquet module: ") + (why == nullptr ? path : why) + "; " + cure_of(path));
  }
  using Entry = const ModuleHead* (*)();
  const auto entry = reinterpret_cast<Entry>(::dlsym(library, kModuleSymbol));
  const ModuleHead* const head = entry == nullptr ? nullptr : entry();
  if (head != nullptr && std::memcmp(head->magic, kModuleMagic, sizeof kModuleMagic) == 0 &&
      std::strcmp(head->build, kSeamBuild) == 0)
    return head->module;
  const bool has_build = head != nullptr && std::memcmp(head->magic, kModuleMagic, sizeof kModuleMagic) == 0;
  const std::string found = has_build ? "of build " + std::string(head->build) : "no Parquet module";
  return fail(Code::kMismatch, path + " is " + found + ", and this neardup is of build " + kSeamBuild +
                                   "; make it anew from the sources of this neardup: " + std::string(kCommand));
}

Result<const Module*> find_module() {
  static std::atomic<const Module*> opened = nullptr;
  if (const Module* module = opened.load()) return module;
  const std::vector<std::string> folders = module_folders();
  for (const std::string& folder : folders) {
    const std::string path = folder + "/" + kModuleFile;
    std::error_code error;
    if (!std::filesystem::exists(path, error)) continue;
    NEARDUP_ASSIGN(const Module* module, open_module(path));
    opened = module;
    return module;
  }
  return fail(Code::kNotFound, std::string("Parquet is read by a module, ") + kModuleFile + ", which is not in " +
                                   join(folders) + "; add it, in the sources of neardup: " + std::string(kCommand) +
                                   (folders.empty() ? "" : " " + folders.front()));
}

}  // namespace neardup::corpus::parquet
