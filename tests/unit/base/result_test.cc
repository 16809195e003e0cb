#include "neardup/base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "neardup/base/code_table.h"

namespace neardup {
namespace {

Result<std::string> fails() { return fail(Code::kIo, "the disk is gone"); }

TEST(Result, TakingAnErrorForAValueEndsWithItsMessage) {
  const std::string message = "taken for a value \\(io\\): the disk is gone";
  EXPECT_DEATH(*fails(), message);
  EXPECT_DEATH((void)fails()->size(), message);
  EXPECT_DEATH((void)fails().value(), message);
  EXPECT_DEATH(Status(fail(Code::kIo, "the disk is gone")).value(), message);
  Result<std::string> named = fails();
  EXPECT_DEATH(*named += "x", message);
}

TEST(Result, HoldsItsValue) {
  Result<std::string> text = "abc";
  EXPECT_EQ(*text, "abc");
  EXPECT_EQ(text->size(), 3U);
  EXPECT_EQ(std::move(text).value(), "abc");
  EXPECT_EQ(fails().value_or("none"), "none");
}

// A bool can be made of a Result: a copy must copy the value, and not ask whether there is one.
TEST(Result, CopiesOfBoolsKeepTheirValue) {
  Result<bool> no = false;
  const Result<bool> copy = no;
  EXPECT_FALSE(*copy);
  Result<bool> moved = std::move(no);
  EXPECT_FALSE(*moved);
}

TEST(Result, ConvertsAsItsValuesDo) {
  Result<std::unique_ptr<int>> one = std::make_unique<int>(1);
  Result<std::shared_ptr<int>> shared = std::move(one);
  EXPECT_EQ(**shared, 1);
  Result<std::shared_ptr<int>> error = Result<std::unique_ptr<int>>(fail(Code::kMemory, "none"));
  EXPECT_EQ(error.error().code, Code::kMemory);
}

TEST(CodeTable, HasARowForEachCodeAtItsPlace) {
  for (size_t i = 0; i < kCodeTable.size(); ++i) EXPECT_EQ(static_cast<size_t>(kCodeTable[i].code), i);
  EXPECT_EQ(code_name(Code::kDiskFull), "disk_full");
  EXPECT_EQ(exit_code(Code::kInvalidArgument), 1);
  EXPECT_EQ(exit_code(Code::kCorruption), 2);
  EXPECT_EQ(exit_code(Code::kCancelled), 130);
}

}  // namespace
}  // namespace neardup
