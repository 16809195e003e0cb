// The corpora of the repository on which online and offline are compared.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/json.h"
#include "neardup/corpus/corpus.h"
#include "neardup/corpus/each_batch.h"
#include "tests/promise/engine/made_corpus.h"

namespace neardup {

/// A page in another encoding is no text of JSON: what is no UTF-8 is replaced.
inline std::string as_json_has_it(std::string_view text) {
  std::string quoted;
  append_json_string(quoted, text);
  return nlohmann::json::parse(quoted).get<std::string>();
}

/// Pages of one site: archives, tags and months, each a list of some of its posts with their teasers.
inline std::vector<std::string> made_lists(uint64_t seed, size_t count) {
  std::mt19937_64 random(seed);
  std::vector<std::string> posts;
  for (int i = 0; i < 150; ++i) {
    posts.push_back("<article><h2><a href=/" + std::to_string(i) + ">" +
                    engine::join_words(engine::made_words(random, 2 + random() % 6)) + "</a></h2><p>" +
                    engine::join_words(engine::made_words(random, random() % 20)) + ".</p></article>");
  }
  std::vector<std::string> pages;
  while (pages.size() < count) {
    const size_t first = random() % 140, size = 2 + random() % 9, step = 1 + random() % 8 / 7;
    std::string page = "<!doctype html><html><head><title>" + engine::made_word(random) +
                       " of the harbour</title></head><body><main><h1>Posts</h1>";
    for (size_t i = first; i < std::min(first + size * step, posts.size()); i += step) page += posts[i];
    pages.push_back(page + "</main></body></html>");
  }
  return pages;
}

/// The texts of files, or made ones where `path` is "made" or "lists".
inline std::vector<std::string> texts_of_corpus(const std::string& path) {
  if (path == "made") return engine::made_texts(3, 1500);
  if (path == "lists") return made_lists(4, 700);
  const auto inputs = corpus::discover(std::vector{path}, {});
  EXPECT_TRUE(inputs) << inputs.error().message;
  std::vector<std::string> texts;
  const Status status =
      corpus::for_each_batch(*inputs, {}, {}, [&texts](const corpus::Batch& batch, uint64_t) -> Result<bool> {
        for (const corpus::Document& document : batch.documents)
          if (!document.not_utf8) texts.push_back(as_json_has_it(document.text));
        return true;
      });
  EXPECT_TRUE(status) << status.error().message;
  return texts;
}

/// What the tests call the text of that number.
inline std::string id_of(size_t number) { return "d" + std::to_string(number); }

inline std::string corpus_path(const std::string& path) { return NEARDUP_TEST_DATA "/" + path; }

inline std::vector<std::string> all_corpora() {
  return {"made",
          "lists",
          corpus_path("../../examples/corpus/peps"),
          corpus_path("../../examples/corpus/laws"),
          corpus_path("judged/documents.jsonl.zst"),
          corpus_path("languages.jsonl"),
          corpus_path("pages")};
}

inline std::string name_of_corpus(const ::testing::TestParamInfo<std::string>& param) {
  std::string name = std::filesystem::path(param.param).stem().stem().string();
  return name == "documents" ? std::string("judged") : name;
}

}  // namespace neardup
