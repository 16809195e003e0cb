// Made-up texts that share frames with words of their own between.
#pragma once

#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/promise/engine/made_corpus.h"

namespace neardup::engine {

using Random = std::mt19937_64;

inline std::string letters(Random& random, size_t size) {
  std::string word;
  while (word.size() < size) word += static_cast<char>('a' + random() % 26);
  return word;
}

inline std::string some_words(Random& random, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += letters(random, 6) + " ";
  return text;
}

// The pieces of frame `number`, with words of its own between them.
inline std::string filled_in(uint64_t number, size_t words, Random& random) {
  Random frame(number);
  std::string text;
  for (int piece = 0; piece < 3; ++piece) text += some_words(frame, words / 3) + some_words(random, 2);
  return text;
}

inline std::vector<std::string> texts_of(size_t count, const std::function<std::string(size_t, Random&)>& text) {
  Random random(5);
  std::vector<std::string> texts;
  for (size_t i = 0; i < count; ++i) texts.push_back(text(i, random));
  return texts;
}

// Each differs from the one before in a few words.
inline std::vector<std::string> revisions(size_t count) {
  Random random(6);
  std::vector<std::string> words;
  for (int i = 0; i < 60; ++i) words.push_back(letters(random, 6));
  std::vector<std::string> texts;
  for (size_t i = 0; i < count; ++i) {
    for (int edit = 0; edit < 3; ++edit) words[random() % words.size()] = letters(random, 6);
    texts.push_back(join_words(words));
  }
  return texts;
}

using FrameText = std::function<std::string(size_t, Random&)>;

// Families whose texts share much, and text i of each.
inline std::vector<std::pair<const char*, FrameText>> zoo_of_frames() {
  return {
      {"one frame", [](size_t, Random& random) { return filled_in(1, 45, random); }},
      {"a long frame", [](size_t, Random& random) { return filled_in(1, 45, random) + some_words(random, 40); }},
      {"a hundred frames", [](size_t i, Random& random) { return filled_in(i % 100, 45, random); }},
      {"frames of frames",
       [](size_t i, Random& random) { return filled_in(1, 30, random) + filled_in(i % 20, 24, random); }},
      {"short", [](size_t i, Random&) { return "order number " + std::to_string(i) + " shipped"; }},
      {"one text",
       [](size_t i, Random& random) { return filled_in(1, 45, random).substr(0, 150) + (i % 2 ? "." : ""); }},
      {"all different", [](size_t, Random& random) { return some_words(random, 30); }},
  };
}

}  // namespace neardup::engine
