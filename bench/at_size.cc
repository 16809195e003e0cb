// bench_at_size DOCUMENTS [WORDS [COPIES [FRAMES [FAMILIES [SEED]]]]]: made-up documents as JSON lines, with what is
// planted told by their ids. Of all documents the shares COPIES (.1), FRAMES (0) and FAMILIES (0) are
//   c/N/M  a copy of document M, which comes before: a header of three words, and one word of twenty changed;
//   f/N/K  a page of frame K: one word of eight is its own, the others are those of all pages of the frame;
//   r/N/K  a revision of text K: one word of thirty changed, so two revisions differ in one of fifteen;
// all others are o/N: WORDS words (60: about 350 bytes) from half to one and a half of that, drawn as in real texts
// (the n-th word of 20,000 is said 1 / n as often). A document depends on its number and SEED alone, so a corpus of any
// size begins with each smaller one. bench/at_size.py runs the program over it.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/hash.h"

namespace {

using neardup::mix64;

constexpr uint64_t kVocabulary = 20000, kDraws = 65536;
constexpr uint64_t kPagesOfFrame = 10000, kRevisionsOfText = 20;

// Numbers that follow from one: the n-th is mix64 of the seed and n.
class Draw {
 public:
  explicit Draw(uint64_t seed) : state_(mix64(seed)) {}
  uint64_t next() { return mix64(state_ += 0x9e3779b97f4a7c15ULL); }
  uint64_t below(uint64_t bound) { return next() % bound; }

 private:
  uint64_t state_;
};

// The words that kDraws equally likely draws give.
class Words {
 public:
  Words() {
    std::vector<std::string> words;
    for (uint64_t i = 0; i < kVocabulary; ++i) words.push_back(spelling(i));
    for (uint64_t i = 0; i < kDraws; ++i) {
      const double part = (static_cast<double>(i) + 0.5) / kDraws;
      drawn_[i] = words[static_cast<size_t>(std::pow(kVocabulary, part)) - 1] + ' ';
    }
  }
  [[nodiscard]] std::string_view at(uint64_t draw) const { return drawn_[draw % kDraws]; }

 private:
  // Syllables, of which frequent words have few.
  static std::string spelling(uint64_t number) {
    static constexpr std::string_view kFirst = "bdfghjklmnprstvwz", kSecond = "aeiou", kThird = "lmnrst";
    std::string word;
    for (uint64_t left = number + 1; left > 0; left /= kFirst.size() * kSecond.size()) {
      const uint64_t syllable = left % (kFirst.size() * kSecond.size());
      word += kFirst[syllable % kFirst.size()];
      word += kSecond[syllable / kFirst.size()];
    }
    return word += kThird[number % kThird.size()];
  }
  std::vector<std::string> drawn_ = std::vector<std::string>(kDraws);
};

struct Shares {
  double copies = 0.1, frames = 0, families = 0;
};

class Corpus {
 public:
  Corpus(uint64_t num_words, const Shares& shares, uint64_t seed)
      : num_words_(num_words), shares_(shares), seed_(seed) {}

  // Appends document `number` as a line.
  void append(uint64_t number, std::string& out) const {
    const char kind = kind_of(number);
    Draw draw(seed_ + number * 8 + 1);
    out += R"({"id":")";
    out += kind;
    out += '/' + std::to_string(number);
    if (kind == 'o') {
      begin_text(out);
      own_words(number, 1, 0, draw, out);
    } else if (kind == 'c') {
      const uint64_t source = original_before(number);
      out += '/' + std::to_string(source);
      begin_text(out);
      for (int i = 0; i < 3; ++i) out += words_.at(draw.next());
      own_words(source, 20, 1, draw, out);
    } else {
      const uint64_t group = number / (kind == 'f' ? kPagesOfFrame : kRevisionsOfText);
      out += '/' + std::to_string(group);
      begin_text(out);
      own_words(~group - (kind == 'f' ? kFar : 0), kind == 'f' ? 8 : 30, 1, draw, out);
    }
    out.back() = '.';
    out += "\"}\n";
  }

 private:
  static constexpr uint64_t kFar = uint64_t{1} << 40;

  static void begin_text(std::string& out) { out += R"(","text":")"; }

  [[nodiscard]] char kind_of(uint64_t number) const {
    const double at = static_cast<double>(mix64(seed_ ^ mix64(number)) >> 11) * 0x1p-53;
    if (at < shares_.copies) return number > 100 ? 'c' : 'o';
    if (at < shares_.copies + shares_.frames) return 'f';
    return at < shares_.copies + shares_.frames + shares_.families ? 'r' : 'o';
  }

  [[nodiscard]] uint64_t original_before(uint64_t number) const {
    Draw draw(seed_ + number * 8 + 2);
    for (;;) {
      const uint64_t source = draw.below(number);
      if (kind_of(source) == 'o') return source;
    }
  }

  // The words of text `source`, `parts` of `of` of them replaced by those of `draw`.
  void own_words(uint64_t source, uint64_t of, uint64_t parts, Draw& draw, std::string& out) const {
    Draw own(seed_ + source * 8);
    const uint64_t count = num_words_ / 2 + own.below(num_words_ + 1);
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t word = own.next();
      out += words_.at(parts > 0 && draw.below(of) < parts ? draw.next() : word);
    }
  }

  const uint64_t num_words_;
  const Shares shares_;
  const uint64_t seed_;
  const Words words_;
};

double number_at(int argc, char** argv, int place, double otherwise) {
  return argc > place ? std::strtod(argv[place], nullptr) : otherwise;
}

}  // namespace

int main(int argc, char** argv) {
  const auto documents = static_cast<uint64_t>(number_at(argc, argv, 1, 1000));
  const auto words = static_cast<uint64_t>(number_at(argc, argv, 2, 60));
  const Shares shares{number_at(argc, argv, 3, 0.1), number_at(argc, argv, 4, 0), number_at(argc, argv, 5, 0)};
  const Corpus corpus(words, shares, static_cast<uint64_t>(number_at(argc, argv, 6, 0)) << 48);
  constexpr size_t kBlockBytes = size_t{1} << 20;
  std::string block;
  for (uint64_t number = 0; number < documents; ++number) {
    corpus.append(number, block);
    if (block.size() < kBlockBytes && number + 1 < documents) continue;
    if (std::fwrite(block.data(), 1, block.size(), stdout) != block.size()) return 1;
    block.clear();
  }
  return std::fflush(stdout) == 0 ? 0 : 1;
}
