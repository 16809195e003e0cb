// A small jieba folder for tests: a few words of our own, and an HMM that joins two characters it knows as B and E.
#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "neardup/token/jieba.h"
#include "tests/own_path.h"

inline constexpr const char* kSmallWords =
    "北京 100 ns\n大学 80 n\n北京大学 20 nt\n学生 60 n\n大学生 30 n\n生活 50 n\n我 500 r\n爱 90 v\n的 900 u\n"
    "卡拉OK 5 n\nc++ 3 nz\n";
inline constexpr const char* kStart = "P={'B': -0.5,\n 'E': -3.14e+100,\n 'M': -3.14e+100,\n 'S': -1.0}\n";
inline constexpr const char* kTransition =
    "P={'B': {'E': -0.5, 'M': -0.9},\n 'E': {'B': -0.6, 'S': -0.8},\n 'M': {'E': -0.3, 'M': -1.2},\n"
    " 'S': {'B': -0.7, 'S': -0.6}}\n";
inline constexpr const char* kEmission =
    "from __future__ import unicode_literals\n\nP={'B': {'\\u6768': -1.0, '\\u738b': -2.0},\n"
    " 'E': {'\\u6d0b': -1.0},\n 'M': {},\n 'S': {'\\u7684': -1.0}}\n";
inline constexpr const char* kSmallIdf = "北京 2.5\n大学 4.5\n学生 3.5\n";

/// A folder that goes away with the object.
class JiebaFolder {
 public:
  explicit JiebaFolder(const std::string& name) : path_(neardup::own_path("jieba_" + name)) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_ + "/finalseg");
    std::filesystem::create_directories(path_ + "/analyse");
    write("dict.txt", kSmallWords);
    write("finalseg/prob_start.py", kStart);
    write("finalseg/prob_trans.py", kTransition);
    write("finalseg/prob_emit.py", kEmission);
    write("analyse/idf.txt", kSmallIdf);
  }
  JiebaFolder(const JiebaFolder&) = delete;
  JiebaFolder& operator=(const JiebaFolder&) = delete;
  ~JiebaFolder() { std::filesystem::remove_all(path_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ + "/" + name, std::ios::binary) << text;
  }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] neardup::token::JiebaFiles files() const { return neardup::token::jieba_files(path_); }

 private:
  std::string path_;
};

inline std::vector<std::string> words_of(neardup::token::JiebaSegmenter& segmenter, const std::string& text,
                                         const neardup::token::CutOptions& options = {}) {
  std::vector<neardup::token::Word> words;
  segmenter.cut(text, options, words);
  std::vector<std::string> strings;
  for (const auto& word : words) strings.push_back(text.substr(word.begin, word.size_bytes));
  return strings;
}
