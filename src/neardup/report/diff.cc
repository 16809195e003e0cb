#include "neardup/report/diff.h"

#include <algorithm>

#include "neardup/report/characters.h"
#include "neardup/report/sequence_diff.h"
#include "neardup/report/words.h"

namespace neardup::report {
namespace {

// Beyond this a text is compared as a whole: the numbers of words must fit the diagonals' type.
constexpr size_t kMaxTextBytes = size_t{1} << 30;

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

// The bytes of `text` up to and with its `count`-th character that is not white space, and the white space after that.
size_t offset_after(std::string_view text, size_t count) {
  size_t position = 0;
  for (size_t seen = 0; position < text.size();) {
    Character character = character_at(text, position);
    bool is_space = character_class(character.code_point) == CharacterClass::kSpace;
    if (!is_space && seen++ == count) break;
    position += character.length;
  }
  return position;
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

// The number of characters, at least `wanted`, after which a word ends; `wanted` itself where words are very long.
size_t round_up_to_word(std::string_view text, size_t wanted) {
  constexpr size_t kMaxMore = 16;
  size_t offset = offset_after(text, wanted);
  for (size_t more = 0; more < kMaxMore; ++more) {
    bool is_border =
        offset == 0 || offset == text.size() || std::string_view(" \n\t").find(text[offset - 1]) != text.npos;
    if (is_border) return wanted + more;
    offset += offset_after(text.substr(offset), 1);
  }
  return wanted;
}

// Both sides of an equal piece hold the same characters but for white space, so one count cuts both.
DiffPiece part(const DiffPiece& equal, size_t first, size_t last) {
  size_t a = first == 0 ? 0 : offset_after(equal.a, first), b = first == 0 ? 0 : offset_after(equal.b, first);
  return {DiffKind::kEqual, equal.a.substr(a, offset_after(equal.a, last) - a),
          equal.b.substr(b, offset_after(equal.b, last) - b)};
}

// Cuts equal pieces into what stays before and after the part left out.
class Folder {
 public:
  explicit Folder(size_t context) : context_(context) {}

  void add(const DiffPiece& piece, bool is_first, bool is_last) {
    if (piece.kind != DiffKind::kEqual) return current_.pieces.push_back(piece);
    size_t total = count_characters(piece.a);
    size_t before = is_first && !is_last ? 0 : round_up_to_word(piece.a, context_);
    size_t after = is_last ? 0 : context_;
    if (total <= before + after + kLeastSkipped) return current_.pieces.push_back(piece);
    if (!is_last) after = total - round_up_to_word(piece.a, total - after);
    if (before > 0) current_.pieces.push_back(part(piece, 0, before));
    next_hunk(total - before - after);
    if (after > 0) current_.pieces.push_back(part(piece, total - after, total));
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

std::vector<DiffPiece> diff_words(std::string_view a, std::string_view b, uint64_t max_steps) {
  if (std::max(a.size(), b.size()) >= kMaxTextBytes) return whole_texts(a, b);
  std::vector<Word> words_a = split_words(a), words_b = split_words(b);
  if (words_a.empty() || words_b.empty()) return whole_texts(a, b);
  NumberedWords numbers = number_words(a, words_a, b, words_b);
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

}  // namespace neardup::report
