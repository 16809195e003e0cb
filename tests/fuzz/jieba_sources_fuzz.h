// Dictionaries, user dictionaries, HMM tables and IDF files from outside: the first byte says which one the rest is.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/token/jieba.h"
#include "tests/fuzz/jieba_sample.h"

inline void cut_with(const neardup::token::JiebaModel& model) {
  using namespace neardup::token;
  auto bytes = compile_jieba(model);
  if (!bytes) std::abort();  // nothing that fits in an input is too large
  JiebaSegmenter segmenter(JiebaDictionary::from_bytes(std::move(*bytes)).value());
  std::vector<Word> words;
  segmenter.cut("我爱北京大学生活，杨洋的c++ ok中中中", {}, words);
}

inline int fuzz_jieba_sources(const uint8_t* data, size_t size) {
  using namespace neardup::token;
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  JiebaModel model;
  model.hmm = parse_hmm(kSampleHmm).value();
  bool good = true;
  if (data[0] % 4 == 0) {
    good = parse_words(text, "words", model.words).has_value();
  } else if (data[0] % 4 == 1) {
    good = parse_words(kSampleWords, "sample", model.words) && parse_user_words(text, "user", model.words);
  } else if (data[0] % 4 == 2) {
    auto hmm = parse_hmm({kSampleHmm.start, kSampleHmm.transition, text});
    if (!hmm) hmm = parse_hmm({text, kSampleHmm.transition, kSampleHmm.emission});
    if (!hmm) hmm = parse_hmm({kSampleHmm.start, text, kSampleHmm.emission});
    good = hmm.has_value();
    if (good) model.hmm = std::move(*hmm);
  } else {
    auto idf = parse_idf_words(text, "idf");
    good = idf.has_value();
    if (good) model.idf = std::move(*idf);
  }
  if (good) cut_with(model);
  return 0;
}
