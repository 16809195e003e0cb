#include "neardup/engine/work_folder.h"

#include <fmt/format.h>

#include <filesystem>

#include "neardup/base/hash.h"

namespace neardup::engine {
namespace {

// Several runs may share one temporary folder: the name is that of the output, wherever the run begins.
std::string work_in(const std::string& temporary, const std::string& output) {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::absolute(output, error).lexically_normal();
  return fmt::format("{}/neardup-{:016x}", temporary,
                     hash64((path.has_filename() ? path : path.parent_path()).string()));
}

}  // namespace

WorkFolder::WorkFolder(std::string output, const std::string& temporary)
    : output_(std::move(output)), work_(temporary.empty() ? root() : work_in(temporary, output_)) {}

}  // namespace neardup::engine
