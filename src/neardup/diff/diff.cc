#include "neardup/diff/diff.h"

#include <algorithm>

#include "neardup/diff/characters.h"
#include "neardup/diff/sequence_diff.h"
#include "neardup/diff/words.h"

namespace neardup::diff {
namespace {

// Beyond this a text is compared as a whole: the numbers of words must fit the diagonals' type.
constexpr size_t kMaxComparedBytes = size_t{1} << 30;

// The part of a text from word `first` up to word `last`, with the white space after each; the first word takes the
// white space before it too.
std::string_view words_view(std::string_view text, const std::vector<Word>& words, size_t first, size_t last) {
  if (first == last) return {};
  size_t begin = first == 0 ? 0 : words[first].begin;
  size_t end = last == words.size() ? text.size() : words[last].begin;
  return text.substr(begin, end - begin);
}

void push(std::vector<DiffPiece>& pieces, DiffKind kind, std::string_view a, std::string_view b) {
  if (!a.empty() || !b.empty()) pieces.push_back({kind, a, b});
}

std::vector<DiffPiece> whole_texts(std::string_view a, std::string_view b) {
  std::vector<DiffPiece> pieces;
  if (a == b) {
    push(pieces, DiffKind::kEqual, a, b);
  } else {
    push(pieces, DiffKind::kOnlyA, a, {});
    push(pieces, DiffKind::kOnlyB, {}, b);
  }
  return pieces;
}

size_t run_end(const std::vector<bool>& flags, size_t position, bool value) {
  while (position < flags.size() && flags[position] == value) ++position;
  return position;
}

// A change: what stands between two equal pieces.
struct Change {
  std::string_view a, b;
  size_t size() const { return std::max(a.size(), b.size()); }
};

// Two neighbours in one text, either of which may be empty.
std::string_view join(std::string_view left, std::string_view right) {
  if (left.empty()) return right;
  return {left.data(), left.size() + right.size()};
}

bool is_small_match(const DiffPiece& equal, const Change& before, const Change& after) {
  constexpr size_t kSmall = 6;  // bytes, white space included: two ideographs, "of the" is more
  return equal.a.size() <= kSmall && std::min(before.size(), after.size()) >= 2 * equal.a.size();
}

Change take_change(const std::vector<DiffPiece>& pieces, size_t& i) {
  Change change;
  for (; i < pieces.size() && pieces[i].kind != DiffKind::kEqual; ++i) {
    (pieces[i].kind == DiffKind::kOnlyA ? change.a : change.b) =
        pieces[i].kind == DiffKind::kOnlyA ? pieces[i].a : pieces[i].b;
  }
  return change;
}

size_t count_characters(std::string_view text) {
  size_t count = 0;
  for (size_t position = 0; position < text.size();) {
    Character character = character_at(text, position);
    count += character_class(character.code_point) != CharacterClass::kSpace;
    position += character.length;
  }
  return count;
}

// An equal piece by its words: as many in `a` as in `b`.
class EqualWords {
 public:
  explicit EqualWords(const DiffPiece& piece) : piece_(piece), a_(split_words(piece.a)), b_(split_words(piece.b)) {}

  [[nodiscard]] size_t size() const { return a_.size(); }

  // Non-space characters of words [first, last).
  [[nodiscard]] size_t count(size_t first, size_t last) const {
    return count_characters(words_view(piece_.a, a_, first, last));
  }

  // How many words from the front hold `wanted` characters, or a few more or fewer, up to white space if it is near.
  [[nodiscard]] size_t front(size_t wanted) const {
    size_t end = 0;
    for (size_t taken = 0; end < size() && taken < wanted; ++end) taken += count(end, end + 1);
    return border_near(end);
  }

  // The first of the words at the back that hold `wanted` characters, likewise.
  [[nodiscard]] size_t back(size_t wanted) const {
    size_t begin = size();
    for (size_t taken = 0; begin > 0 && taken < wanted; --begin) taken += count(begin - 1, begin);
    return border_near(begin);
  }

  [[nodiscard]] DiffPiece part(size_t first, size_t last) const {
    return {DiffKind::kEqual, words_view(piece_.a, a_, first, last), words_view(piece_.b, b_, first, last)};
  }

  [[nodiscard]] size_t num_folded() const {
    const auto bytes = [](std::string_view text, const Word& word) {
      return text.substr(word.begin, word.end - word.begin);
    };
    size_t count = 0;
    for (size_t i = 0; i < size(); ++i) count += bytes(piece_.a, a_[i]) != bytes(piece_.b, b_[i]);
    return count;
  }

 private:
  // The next word with white space before it, or the last one, not too far away; else `word` itself.
  [[nodiscard]] size_t border_near(size_t word) const {
    constexpr size_t kFar = 16;  // characters
    size_t after = word, before = word;
    for (size_t far = 0; !is_border(after) && far < kFar; ++after) far += count(after, after + 1);
    if (is_border(after)) return after;
    for (size_t far = 0; !is_border(before) && far < kFar; --before) far += count(before - 1, before);
    return is_border(before) ? before : word;
  }

  // Whether there is white space before this word, or nothing.
  [[nodiscard]] bool is_border(size_t word) const {
    return word == 0 || word == size() || a_[word - 1].end < a_[word].begin;
  }

  const DiffPiece& piece_;
  std::vector<Word> a_, b_;
};

// Cuts equal pieces into what stays before and after the part left out.
class Folder {
 public:
  explicit Folder(size_t context) : context_(context) {}

  void add(const DiffPiece& piece, bool is_first, bool is_last) {
    if (piece.kind != DiffKind::kEqual || piece.a.size() >= kMaxComparedBytes) return current_.pieces.push_back(piece);
    const EqualWords words(piece);
    const size_t end = is_first && !is_last ? 0 : words.front(context_);
    const size_t begin = std::max(end, is_last ? words.size() : words.back(context_));
    const size_t skipped = words.count(end, begin);
    if (skipped <= kLeastSkipped) return current_.pieces.push_back(piece);
    if (end > 0) current_.pieces.push_back(words.part(0, end));
    next_hunk(skipped);
    if (begin < words.size()) current_.pieces.push_back(words.part(begin, words.size()));
  }

  std::vector<DiffHunk> finish() {
    if (!current_.pieces.empty() || current_.skipped_characters > 0) hunks_.push_back(std::move(current_));
    return std::move(hunks_);
  }

 private:
  static constexpr size_t kLeastSkipped = 60;  // to leave out less than this saves no line

  void next_hunk(size_t skipped) {
    if (!current_.pieces.empty()) hunks_.push_back(std::move(current_));
    current_ = {skipped, {}};
  }

  size_t context_;
  DiffHunk current_;
  std::vector<DiffHunk> hunks_;
};

}  // namespace

std::vector<DiffPiece> diff_words(std::string_view a, std::string_view b, uint64_t max_steps,
                                  const FoldWord& fold_word) {
  if (std::max(a.size(), b.size()) >= kMaxComparedBytes) return whole_texts(a, b);
  std::vector<Word> words_a = split_words(a), words_b = split_words(b);
  if (words_a.empty() || words_b.empty()) return whole_texts(a, b);
  NumberedWords numbers = number_words(a, words_a, b, words_b, fold_word);
  SequenceDiff diff = diff_sequences(numbers.a, numbers.b, numbers.num_different, max_steps);
  std::vector<DiffPiece> pieces;
  for (size_t i = 0, j = 0; i < words_a.size() || j < words_b.size();) {
    size_t next_i = run_end(diff.only_a, i, true), next_j = run_end(diff.only_b, j, true);
    push(pieces, DiffKind::kOnlyA, words_view(a, words_a, i, next_i), {});
    push(pieces, DiffKind::kOnlyB, {}, words_view(b, words_b, j, next_j));
    size_t equal = std::min(run_end(diff.only_a, next_i, false) - next_i, run_end(diff.only_b, next_j, false) - next_j);
    i = next_i + equal, j = next_j + equal;
    push(pieces, DiffKind::kEqual, words_view(a, words_a, next_i, i), words_view(b, words_b, next_j, j));
  }
  return pieces;
}

size_t count_folded(const std::vector<DiffPiece>& pieces) {
  size_t count = 0;
  for (const DiffPiece& piece : pieces)
    if (piece.kind == DiffKind::kEqual && piece.a != piece.b) count += EqualWords(piece).num_folded();
  return count;
}

std::vector<DiffPiece> merge_small_matches(const std::vector<DiffPiece>& pieces) {
  std::vector<DiffPiece> merged;
  for (size_t i = 0; i < pieces.size();) {
    if (pieces[i].kind == DiffKind::kEqual) {
      merged.push_back(pieces[i++]);
      continue;
    }
    Change change = take_change(pieces, i);
    for (size_t after = i + 1; after < pieces.size();) {
      Change next = take_change(pieces, after);
      if (!is_small_match(pieces[i], change, next)) break;
      change = {join(join(change.a, pieces[i].a), next.a), join(join(change.b, pieces[i].b), next.b)};
      i = after++;
    }
    push(merged, DiffKind::kOnlyA, change.a, {});
    push(merged, DiffKind::kOnlyB, {}, change.b);
  }
  return merged;
}

std::vector<DiffHunk> fold_equal(const std::vector<DiffPiece>& pieces, size_t context) {
  Folder folder(context);
  for (size_t i = 0; i < pieces.size(); ++i) folder.add(pieces[i], i == 0, i + 1 == pieces.size());
  return folder.finish();
}

}  // namespace neardup::diff
