// bench_words FILE [ROUNDS]: speed of normalising and tokenizing. FILE is JSONL (field "text") or plain text.
// Prints one JSON object a line; MB/s are of the input text, by CPU time of one thread, best of the rounds.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "bench/texts.h"
#include "neardup/text/normalizer.h"
#include "neardup/token/one_token.h"
#include "neardup/token/tokenizer.h"

namespace {

struct Sample {
  const char* name;
  uint64_t bytes;
  int rounds;
};

/// Runs `work`, which returns how many items it made, and prints its best speed.
void measure(const Sample& sample, const std::function<uint64_t()>& work) {
  uint64_t items = 0;
  const double best = neardup::bench::best_seconds(sample.rounds, [&] { items = work(); });
  std::printf(R"({"bench":"%s","count":%lu,"threads":1,"seconds":%.4f,"per_second":%.0f,"mb_per_second":%.0f})"
              "\n",
              sample.name, items, best, static_cast<double>(items) / best,
              static_cast<double>(sample.bytes) / best / 1e6);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace neardup;
  if (argc < 2) return std::fputs("usage: bench_words FILE [ROUNDS]\n", stderr), 1;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 3;
  const std::vector<std::string> texts = bench::read_texts(argv[1]);
  uint64_t bytes = 0;
  for (const std::string& text : texts) bytes += text.size();

  text::Normalizer normalizer;
  std::string out;
  measure({"normalize", bytes, rounds}, [&] {
    uint64_t size = 0;
    for (const std::string& text : texts) normalizer.normalize(text, out), size += out.size();
    return size;
  });
  std::vector<std::string> normalized(texts.size());
  for (size_t i = 0; i < texts.size(); ++i) normalizer.normalize(texts[i], normalized[i]);

  for (const char* name : {"words", "chars", "uax29"}) {
    for (const token::CjkMode cjk : {token::CjkMode::kBigrams, token::CjkMode::kCharacters}) {
      token::Tokenizer tokenizer = *token::Tokenizer::create({.tokenizer = name, .cjk = cjk});
      std::vector<token::Token> tokens;
      std::vector<uint64_t> hashes;
      const std::string label = std::string(name) + (cjk == token::CjkMode::kBigrams ? "_bigrams" : "_characters");
      measure({label.c_str(), bytes, rounds}, [&] {
        uint64_t count = 0;
        for (const std::string& text : normalized) tokenizer.tokenize(text, tokens), count += tokens.size();
        return count;
      });
      measure({(label + "_hashes").c_str(), bytes, rounds}, [&] {
        uint64_t count = 0;
        for (const std::string& text : normalized) tokenizer.hashes(text, hashes), count += hashes.size();
        return count;
      });
    }
  }
  token::Tokenizer tokenizer = *token::Tokenizer::create({});
  std::vector<uint64_t> hashes;
  measure({"normalize+words_hashes", bytes, rounds}, [&] {
    uint64_t count = 0;
    for (const std::string& text : texts) {
      normalizer.normalize(text, out);
      tokenizer.hashes(out, hashes);
      count += hashes.size();
    }
    return count;
  });
  return 0;
}
