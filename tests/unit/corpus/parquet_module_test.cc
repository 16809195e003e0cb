// The module that reads Parquet: what is found, and what is refused before it is used.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "neardup/corpus/parquet/find_module.h"
#include "tests/unit/corpus/support.h"

namespace neardup::corpus::parquet {
namespace {

TEST(ParquetModule, TheNameOfItsArrowIsFoundInItsBytes) {
  EXPECT_EQ(find_arrow_name(std::string_view("\0libparquet.so.2600\0libarrow.so.2600\0libc", 45)), "libarrow.so.2600");
  EXPECT_EQ(find_arrow_name("libarrow.so.x libarrow.so.17"), "libarrow.so.17");
  EXPECT_EQ(find_arrow_name("libarrow.so."), "");
  EXPECT_EQ(find_arrow_name(""), "");
}

TEST(ParquetModule, IsLookedForBesideTheProgramAndInItsLibraryFolder) {
  const auto folders = module_folders();
  ASSERT_EQ(folders.size(), 2U);
  EXPECT_EQ(folders[0].front(), '/');
  EXPECT_TRUE(folders[1].ends_with("/lib/neardup")) << folders[1];
}

TEST(ParquetModule, WhatIsNoLibraryIsRefused) {
  const TempFolder folder;
  const auto opened = open_module(folder.write(kModuleFile, "no library"));
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, Code::kUnsupported);
  EXPECT_NE(opened.error().message.find("tools/parquet_module"), std::string::npos) << opened.error().message;
  EXPECT_FALSE(open_module(folder.path("none.so")));
}

TEST(ParquetModule, AnotherLibraryIsRefused) {
  Dl_info info{};
  ASSERT_NE(::dladdr(reinterpret_cast<const void*>(&::zlibVersion), &info), 0);
  const auto opened = open_module(info.dli_fname);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, Code::kMismatch);
  EXPECT_NE(opened.error().message.find("no Parquet module"), std::string::npos) << opened.error().message;
}

TEST(ParquetModule, ThatOfAnotherBuildIsRefused) {
  const auto opened = open_module(NEARDUP_OTHER_MODULE);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, Code::kMismatch);
  EXPECT_NE(opened.error().message.find("of build 0.0.0-other"), std::string::npos) << opened.error().message;
}

TEST(ParquetModule, AnotherArrowThanTheLoadedOneIsRefused) {
  void* const arrow = ::dlopen(NEARDUP_OTHER_ARROW, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(arrow, nullptr) << ::dlerror();
  const auto opened = open_module(NEARDUP_OTHER_MODULE);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, Code::kMismatch);
  EXPECT_NE(opened.error().message.find("needs libarrow.so.1, and this process has loaded libarrow.so.2"),
            std::string::npos)
      << opened.error().message;
  ::dlclose(arrow);
}

}  // namespace
}  // namespace neardup::corpus::parquet
