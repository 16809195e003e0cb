// bench_segment JIEBA_FOLDER FILE.jsonl [ROUNDS | --cut MODE [COUNT [IDF_FILE]]]: speed of the segmenter, or with --cut
// the words of each text, as one JSON array a line, for bench/segment_agreement.py. MODE: accurate, accurate_no_hmm,
// search, search_no_hmm, full, keywords; COUNT of keywords, 0 for all.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/texts.h"
#include "neardup/base/json.h"
#include "neardup/token/jieba.h"

namespace {

using namespace neardup;

token::CutOptions options_of(std::string_view name) {
  const bool hmm = !name.ends_with("_no_hmm");
  if (name.starts_with("search")) return {token::CutMode::kSearch, hmm};
  return {name == "full" ? token::CutMode::kFull : token::CutMode::kAccurate, hmm};
}

void print_words(const std::string& text, const std::vector<token::Word>& words) {
  std::string line;
  for (const token::Word& word : words) {
    line += line.empty() ? "[" : ",";
    append_json_string(line, std::string_view(text).substr(word.begin, word.size_bytes));
  }
  std::puts(line.empty() ? "[]" : (line + "]").c_str());
}

void print_keywords(const std::vector<token::Keyword>& keywords) {
  std::string line;
  for (const token::Keyword& keyword : keywords) {
    line += line.empty() ? "[[" : ",[";
    append_json_string(line, keyword.word);
    line += fmt::format(",{}]", keyword.weight);
  }
  std::puts(line.empty() ? "[]" : (line + "]").c_str());
}

void measure(token::JiebaSegmenter& segmenter, const std::vector<std::string>& texts, int rounds) {
  std::vector<token::Word> words;
  uint64_t bytes = 0, count = 0;
  for (const std::string& text : texts) bytes += text.size();
  const double best = bench::best_seconds(rounds, [&] {
    count = 0;
    for (const std::string& text : texts) {
      segmenter.cut(text, {}, words);
      count += words.size();
    }
  });
  std::printf(R"({"bench":"segment","count":%lu,"threads":1,"seconds":%.4f,"mb_per_second":%.1f})"
              "\n",
              count, best, static_cast<double>(bytes) / best / 1e6);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::fputs("usage: bench_segment JIEBA_FOLDER FILE.jsonl [ROUNDS | --cut MODE]\n", stderr), 1;
  token::JiebaFiles files = token::jieba_files(argv[1]);
  const size_t count = argc > 5 ? std::strtoul(argv[5], nullptr, 10) : 20;
  if (argc > 6) files.idf = argv[6];
  const auto dictionary = token::JiebaDictionary::open(files);
  if (!dictionary) return std::fprintf(stderr, "%s\n", dictionary.error().message.c_str()), 1;
  token::JiebaSegmenter segmenter(*dictionary);
  const std::vector<std::string> texts = bench::read_texts(argv[2]);
  const bool cuts = argc > 4 && std::string_view(argv[3]) == "--cut";
  if (!cuts) return measure(segmenter, texts, argc > 3 ? std::atoi(argv[3]) : 3), 0;
  std::vector<token::Word> words;
  for (const std::string& text : texts) {
    if (std::string_view(argv[4]) == "keywords") {
      print_keywords(token::extract_keywords(**dictionary, segmenter, text, count).value());
      continue;
    }
    segmenter.cut(text, options_of(argv[4]), words);
    print_words(text, words);
  }
  return 0;
}
