#include "neardup/api/field_words.h"

#include <algorithm>
#include <string_view>

namespace neardup {
namespace {

struct Words {
  std::string_view flag;
  std::string_view field;
};

// Longer ones before those that they begin with.
constexpr Words kWords[] = {
    {"--recipe NAME,idf=FILE", "idf_file"},
    {"idf=FILE", "idf_file"},
    {"idf=", "idf_file"},
    {"--recipe NAME", "the recipe NAME"},
    {"--recipe", "the recipe"},
    {"--family simhash", "Family::kSimHash"},
    {"--family minhash", "Family::kMinHash"},
    {"--family auto", "Family::kAuto"},
    {"--family", "family"},
    {"--distance", "distance"},
    {"--verify", "verify"},
    {"--commonness DIR/commonness.bin", "commonness_file"},
    {"--commonness", "commonness_file"},
    {"--memory", "memory_bytes"},
    {"--threads", "num_threads"},
    {"--reference", "references"},
    {"--into", "into"},
    {"--overwrite", "overwrite"},
    {"--text-key", "text_key"},
    {"--id-key", "id_key"},
    {"--keep", "keep"},
    {"-o", "output"},
};

bool is_of_word(char c) {
  return c == '-' || c == '_' || c == '/' || c == '.' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
         (c >= 'a' && c <= 'z');
}

/// Whether words[at..] stands alone: no letter before it, none behind it but after "=".
bool stands_alone(std::string_view message, size_t at, std::string_view flag) {
  const size_t end = at + flag.size();
  const bool begins = at == 0 || !is_of_word(message[at - 1]);
  const bool dot_ends = end + 1 == message.size() || (end + 1 < message.size() && message[end + 1] == ' ');
  const bool ends =
      end >= message.size() || flag.back() == '=' || !is_of_word(message[end]) || (message[end] == '.' && dot_ends);
  return begins && ends;
}

}  // namespace

std::string in_field_words(const std::string& message) {
  std::string words;
  for (size_t at = 0; at < message.size();) {
    const auto* const found = std::ranges::find_if(kWords, [&](const Words& each) {
      return std::string_view(message).substr(at).starts_with(each.flag) && stands_alone(message, at, each.flag);
    });
    if (found == std::end(kWords)) {
      words += message[at++];
    } else {
      words += found->field;
      at += found->flag.size();
    }
  }
  return words;
}

}  // namespace neardup
