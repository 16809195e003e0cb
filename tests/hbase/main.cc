// Where HBase does not run, all tests are skipped; they are listed all the same.
#include <gtest/gtest.h>

#include <cstdio>

#include "tests/hbase/server.h"

int main(int count, char** arguments) {
  testing::InitGoogleTest(&count, arguments);
  if (GTEST_FLAG_GET(list_tests) || !neardup::remote::server_uri().empty()) return RUN_ALL_TESTS();
  std::puts(
      "[  SKIPPED ] no HBase runs here: tools/service hbase start");  // the line that CTest takes for a skipped test
  return 0;
}
