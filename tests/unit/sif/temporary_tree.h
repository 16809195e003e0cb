// A folder of files for one test.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "neardup/base/disk/temporary_folder.h"

namespace neardup::sif {

class TemporaryTree {
 public:
  TemporaryTree() : folder_(TemporaryFolder::create(testing::TempDir() + "sif-").value()) {}
  [[nodiscard]] std::string path(const std::string& below = "") const {
    return below.empty() ? folder_.path() : folder_.path() + "/" + below;
  }
  void write(const std::string& below, std::string_view bytes) const {
    std::filesystem::create_directories(std::filesystem::path(path(below)).parent_path());
    std::ofstream(path(below), std::ios::binary) << bytes;
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace neardup::sif
