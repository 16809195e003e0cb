// A path for the files of one test: no other test has it, whatever runs beside it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <string>

namespace neardup {

/// Returns a path in the folder for temporary files that is of this test, its parameter and this process alone: ctest
/// runs tests side by side, also those of one parameter. Nothing is made there. `name` tells apart what one test needs.
[[nodiscard]] inline std::string own_path(const std::string& name = "") {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  std::string own = test == nullptr ? "none" : std::string(test->test_suite_name()) + "." + test->name();
  std::replace(own.begin(), own.end(), '/', '_');
  return ::testing::TempDir() + "neardup_" + own + "_" + std::to_string(::getpid()) + (name.empty() ? "" : "_" + name);
}

}  // namespace neardup
