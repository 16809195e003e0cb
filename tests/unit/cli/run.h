// Runs the command line inside the test, its two streams caught.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "neardup/cli/cli.h"

namespace neardup::cli {

struct Ran {
  int exit = -1;
  std::string out, err;
};

inline std::string contents_of(std::FILE* file) {
  std::rewind(file);
  std::string text;
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += static_cast<char>(c);
  return text;
}

/// Runs `neardup ARGUMENTS`, not on a terminal, 80 columns.
inline Ran run(const std::vector<std::string>& arguments, const std::atomic<bool>* cancel = nullptr) {
  std::FILE* out = std::tmpfile();
  Io io;
  io.out = fileno(out);
  io.err = std::tmpfile();
  io.cancel = cancel;
  Ran ran;
  ran.exit = run_cli(arguments, io);
  ran.out = contents_of(out);
  ran.err = contents_of(io.err);
  std::fclose(out);
  std::fclose(io.err);
  return ran;
}

/// An empty folder that goes away with the object.
class Folder {
 public:
  Folder() {
    std::string pattern = ::testing::TempDir() + "neardup-cli-XXXXXX";
    path_ = mkdtemp(pattern.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(*this / name, std::ios::binary) << content;
    return *this / name;
  }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream stream(*this / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  }

 private:
  std::string path_;
};

}  // namespace neardup::cli
