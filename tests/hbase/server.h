// The real HBase of these tests: one for all, started by the fixture hbase.start.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <string>

#include "neardup/remote/hbase/hbase_backend.h"
#include "neardup/remote/hbase/log_backend.h"
#include "neardup/remote/remote_uri.h"

namespace neardup::remote {

/// Runs tools/services/hbase, and returns what it printed; empty where it failed.
inline std::string run_service(const std::string& arguments) {
  std::FILE* const pipe = ::popen((NEARDUP_HBASE_SERVICE " " + arguments + " 2>/dev/null").c_str(), "r");
  std::string printed;
  for (int byte = 0; pipe != nullptr && (byte = std::fgetc(pipe)) != EOF;) printed += static_cast<char>(byte);
  if (pipe == nullptr || ::pclose(pipe) != 0) return {};
  while (!printed.empty() && printed.back() == '\n') printed.pop_back();
  return printed.substr(printed.find_last_of('\n') + 1);
}

/// Returns "hbase://127.0.0.1:PORT"; empty where it does not run.
inline const std::string& server_uri() {
  static const std::string uri = run_service("status");
  return uri;
}

/// A name of a table that no other test has.
inline std::string new_table() {
  static std::atomic<int> count = 0;
  return "test-" + std::to_string(::getpid()) + "-" + std::to_string(++count);
}

inline RemoteUri uri_of(const std::string& table, const std::string& options = {}) {
  auto uri = parse_remote_uri(server_uri() + "/" + table + (options.empty() ? "" : "?" + options));
  EXPECT_TRUE(uri) << uri.error().message;
  return *uri;
}

}  // namespace neardup::remote
