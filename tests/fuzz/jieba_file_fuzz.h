// A compiled dictionary from outside: the bytes as they are, and as changes to a good file whose checksum is then made
// to fit: four bytes of a place and one of a value each.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "neardup/base/hash.h"
#include "neardup/token/jieba.h"
#include "tests/fuzz/jieba_sample.h"

inline void open_and_cut(const std::string& bytes, neardup::token::DictionaryCheck check) {
  using namespace neardup::token;
  const auto dictionary = JiebaDictionary::from_bytes(bytes, check);
  if (!dictionary) return;
  JiebaSegmenter segmenter(*dictionary);
  std::vector<Word> words;
  for (const CutMode mode : {CutMode::kAccurate, CutMode::kSearch, CutMode::kFull}) {
    segmenter.cut("我爱北京大学生活，杨洋的c++ ok中中中北京", {mode, true}, words);
  }
  (void)(*dictionary)->idf("北京");
}

inline int fuzz_jieba_file(const uint8_t* data, size_t size) {
  static const std::string good = compiled_sample("杨洋 0\n中中中\n");
  open_and_cut(std::string(reinterpret_cast<const char*>(data), size), neardup::token::DictionaryCheck::kAll);
  std::string changed = good;
  for (; size >= 5; data += 5, size -= 5) {
    uint32_t place = 0;
    std::memcpy(&place, data, 4);
    // Most of a file is the table of characters: half of all places lie in front of it or behind.
    constexpr uint32_t kTable = 131072, kFront = 248;
    place %= static_cast<uint32_t>(changed.size() - 16);
    if (place >= kFront && place < kFront + kTable && place % 2 == 0) place = place % kFront;
    changed[place] = static_cast<char>(data[4]);
  }
  const neardup::Hash128 checksum = neardup::hash128(std::string_view(changed).substr(0, changed.size() - 16));
  std::memcpy(changed.data() + changed.size() - 16, &checksum.high, 8);
  std::memcpy(changed.data() + changed.size() - 8, &checksum.low, 8);
  open_and_cut(changed, neardup::token::DictionaryCheck::kAll);
  open_and_cut(changed, neardup::token::DictionaryCheck::kBounds);
  return 0;
}
