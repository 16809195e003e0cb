// A small dictionary for the fuzz bodies of the segmenter.
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>

#include "neardup/token/jieba_view.h"

inline constexpr std::string_view kSampleWords = "北京 100\n大学 80\n北京大学 20\n大学生 30\n生活 50\nok 5\nc++ 2\n";
inline constexpr neardup::token::HmmTexts kSampleHmm = {
    "P={'B': -0.2, 'E': -3.14e+100, 'M': -3.14e+100, 'S': -1.4}",
    "P={'B': {'E': -0.5, 'M': -0.9}, 'E': {'B': -0.6, 'S': -0.8}, 'M': {'E': -0.3, 'M': -1.2}, "
    "'S': {'B': -0.7, 'S': -0.6}}",
    "P={'B': {'\\u6768': -1.0}, 'E': {'\\u6d0b': -1.0}, 'M': {'\\u4e2d': -3.5}, 'S': {'\\u7684': -1.0}}"};

/// Returns the compiled sample, with `user_words` if these are a user dictionary.
inline std::string compiled_sample(std::string_view user_words = {}) {
  using namespace neardup::token;
  JiebaModel model;
  model.id = std::string(32, '0');
  if (!parse_words(kSampleWords, "sample", model.words)) std::abort();
  if (!parse_user_words(user_words, "user", model.words)) return compiled_sample();
  model.hmm = parse_hmm(kSampleHmm).value();
  model.idf = parse_idf_words("北京 2.5\n大学 4.5\n", "idf").value();
  return compile_jieba(model).value();
}
