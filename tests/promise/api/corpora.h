// The corpora of the repository on which online and offline are compared.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
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

/// The texts of files, or made ones where `path` is "made".
inline std::vector<std::string> texts_of_corpus(const std::string& path) {
  if (path == "made") return engine::made_texts(3, 1500);
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
