// Made-up corpora with known kinds of duplicates, for tests of whole runs.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "neardup/engine/engine.h"

namespace neardup::engine {

inline std::string made_word(std::mt19937_64& random) {
  static const std::vector<std::string> syllables = {"ba",  "ko", "ri",  "tu",  "ne", "sol",
                                                     "mar", "vi", "den", "pra", "lo", "gis"};
  std::string word;
  for (uint64_t i = 0; i < 1 + random() % 4; ++i) word += syllables[random() % syllables.size()];
  return word;
}

inline std::vector<std::string> made_words(std::mt19937_64& random, size_t count) {
  std::vector<std::string> words(count);
  for (std::string& word : words) word = random() % 10 == 0 ? "中文字符" : made_word(random);
  return words;
}

inline std::string join_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// Texts with families of edited copies, exact copies (but for case and white space), short and empty ones.
inline std::vector<std::string> made_texts(uint64_t seed, size_t count) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<std::string>> originals;
  std::vector<std::string> texts;
  while (texts.size() < count) {
    const uint64_t kind = random() % 20;
    if (kind == 0) {
      texts.push_back(join_words(made_words(random, random() % 4)));
    } else if (originals.empty() || kind < 8) {
      originals.push_back(made_words(random, 30 + random() % 300));
      texts.push_back(join_words(originals.back()));
    } else {
      std::vector<std::string> copy = originals[random() % originals.size()];
      const size_t edits = random() % 4 == 0 ? 0 : random() % (copy.size() / 4 + 1);
      for (size_t i = 0; i < edits; ++i) copy[random() % copy.size()] = made_word(random);
      std::string text = join_words(copy);
      if (random() % 2 == 0) text[0] = static_cast<char>(std::toupper(text[0]));
      texts.push_back(random() % 3 == 0 ? "  " + text + "\n" : text);
    }
  }
  return texts;
}

/// Writes texts as JSONL with ids "d0", "d1", ... and a field "n".
inline void write_jsonl(const std::string& path, const std::vector<std::string>& texts, size_t first = 0) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream out(path, std::ios::binary);
  for (size_t i = 0; i < texts.size(); ++i) {
    const nlohmann::ordered_json json = {{"n", i % 7}, {"id", "d" + std::to_string(first + i)}, {"text", texts[i]}};
    out << json.dump() << "\n";
  }
}

inline std::vector<nlohmann::json> read_jsonl(const std::string& path) {
  std::vector<nlohmann::json> result;
  std::ifstream in(path, std::ios::binary);
  for (std::string line; std::getline(in, line);) result.push_back(nlohmann::json::parse(line));
  return result;
}

/// Returns the contents of all files below `folder` by relative path, but for report.* and hidden ones.
inline std::map<std::string, std::string> read_results(const std::string& folder) {
  std::map<std::string, std::string> result;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string name = std::filesystem::relative(entry.path(), folder).string();
    if (!entry.is_regular_file() || name.starts_with(".neardup") || name.starts_with("report.")) continue;
    result[name] = *read_file(entry.path().string());
  }
  return result;
}

}  // namespace neardup::engine
