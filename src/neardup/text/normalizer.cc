#include "neardup/text/normalizer.h"

#include <unicode/bytestream.h>
#include <unicode/stringpiece.h>

#include <algorithm>
#include <cassert>
#include <vector>

#include "neardup/base/white_space.h"
#include "neardup/text/ascii.h"
#include "neardup/text/han_fold.h"
#include "neardup/text/letters.h"
#include "neardup/text/look_alikes.h"
#include "neardup/text/mapping.h"
#include "neardup/text/misread_bytes.h"
#include "neardup/text/misread_cyrillic.h"
#include "neardup/text/misread_han.h"
#include "neardup/text/mojibake.h"
#include "neardup/text/references.h"
#include "neardup/text/refused.h"
#include "neardup/text/utf8.h"

namespace neardup::text {
namespace {

constexpr uint32_t kUnknownClass = 256;  // higher than any combining class: a mark after it goes the slow way
constexpr uint32_t kReplacement = 0xBDBFEF;

/// ICU writes here.
class StringSink final : public icu::ByteSink {
 public:
  explicit StringSink(std::string& out) : out_(out) {}
  void Append(const char* bytes, int32_t size) override { out_.append(bytes, static_cast<size_t>(size)); }

 private:
  std::string& out_;
};

struct Scratch {
  std::string normalized, folded;  // of a segment
  std::string with_references;     // of a text: those replaced
  std::string repaired;            // of a text that was misread
};

/// The output: what remains of its room is always at least what remains of the input and kSlack, so that characters
/// that do not grow are written without a look at the room.
struct Output {
  static constexpr size_t kSlack = kAsciiSlack + 64;

  std::string& text;
  char* at;

  explicit Output(std::string& to) : text(to), at(to.data()) {}

  [[nodiscard]] size_t size() const { return static_cast<size_t>(at - text.data()); }

  void make_room(size_t num_bytes) {
    const size_t used = size();
    if (text.size() - used >= num_bytes + kSlack) return;
    const size_t needed = used + num_bytes + kSlack;
    text.resize(needed <= text.capacity() ? needed : std::max(needed, text.size() + text.size() / 2));
    at = text.data() + used;
  }

  /// Writes the first `num_bytes` of `word`.
  void put(uint32_t word, uint32_t num_bytes) {
    std::memcpy(at, &word, 4);
    at += num_bytes;
  }

  [[nodiscard]] bool after_space() const { return at == text.data() || at[-1] == ' '; }
};

bool is_small_letter(char c) { return c >= 'a' && c <= 'z'; }

/// One call of normalize().
class NormalizerRun {
 public:
  NormalizerRun(std::string_view bytes, std::string& out, const NormalizeOptions& options, Mapping& mapping,
                Scratch& scratch)
      : from_(bytes.data()),
        end_(bytes.data() + bytes.size()),
        out_(out),
        options_(options),
        mapping_(mapping),
        scratch_(scratch),
        han_(han_fold_of(options)),
        folds_letters_(options.normalization == Normalization::kFolded),
        segment_(from_) {}

  void run() {
    out_.make_room(rest());
    while (from_ < end_) {
      const size_t before = out_.size();
      if (static_cast<uint8_t>(*from_) < 0x80) {
        ascii();
      } else if (!same_run()) {
        one();
      }
      if (folds_letters_) look_at_seam(before);
    }
    if (options_.collapse_space && out_.size() > 0 && out_.at[-1] == ' ') --out_.at;
    out_.text.resize(out_.size());
  }

  /// Whether letters of the Latin and the Cyrillic script stand beside each other in the output.
  [[nodiscard]] bool mixes_scripts() const { return mixes_scripts_; }

  /// Whether a lead byte and a trail byte that were read as characters of their own stand beside each other in the
  /// input.
  [[nodiscard]] bool may_be_misread() const { return may_be_misread_; }
  /// The same of Cyrillic that was read as code page 1251.
  [[nodiscard]] bool may_be_cyrillic() const { return may_be_cyrillic_; }
  /// How many characters of the input, at least, are U+0080 to U+00FF: those that do not stay as they are.
  [[nodiscard]] size_t num_latin() const { return num_latin_; }

 private:
  [[nodiscard]] size_t rest() const { return static_cast<size_t>(end_ - from_); }

  void ascii() {
    if (rest() >= 8 && (load64(from_) & 0x8080808080808080) == 0) {
      const bool lower_case = options_.normalization != Normalization::kNone;
      const AsciiRun done =
          ascii_run(from_, rest(), out_.at, out_.after_space(), {lower_case, options_.collapse_space});
      from_ += done.consumed;
      out_.at += done.written;
    } else {
      do ascii_character(*from_++);
      while (from_ < end_ && static_cast<uint8_t>(*from_) < 0x80);
    }
    // Marks that follow act on the last character. White space that may have been dropped is not taken back: the slow
    // way drops it again.
    const char last = from_[-1];
    const bool dropped = options_.collapse_space && is_white_space(last);
    segment_ = from_ - 1;
    segment_size_ = out_.size() - (dropped ? 0 : 1);
    last_class_ = 0;
    last_ = static_cast<char32_t>(out_.size() == 0 ? ' ' : out_.at[-1]);
  }

  void ascii_character(char c) {
    if (options_.collapse_space && is_white_space(c)) return space(' ');
    const bool lower = options_.normalization != Normalization::kNone && c >= 'A' && c <= 'Z';
    *out_.at++ = static_cast<char>(lower ? c | 0x20 : c);
  }

  void space(char32_t c) {
    if (!options_.collapse_space) return put(c);
    if (!out_.after_space()) *out_.at++ = ' ';
  }

  void put(char32_t c) {
    uint32_t size_bytes = 0;
    const uint32_t word = encode(c, size_bytes);
    out_.put(word, size_bytes);
  }

  /// Copies characters as long as they stay unchanged; false where there is none.
  bool same_run() {
    const char* from = from_;
    char* to = out_.at;
    Decoded last;
    Kind last_kind = Kind::kSame;
    while (end_ - from >= 4) {
      const uint32_t word = load32(from);
      const Decoded next = decode_word(word);
      if (!next.valid) break;
      const Kind kind = mapping_.page_of(next.code_point).kind[next.code_point & 0xFF];
      if (kind > Kind::kSameTail) break;
      std::memcpy(to, &word, 4);
      from += next.size_bytes;
      to += next.size_bytes;
      last = next;
      last_kind = kind;
    }
    if (from == from_) return false;
    from_ = from;
    out_.at = to;
    segment_ = from - last.size_bytes;
    segment_size_ = out_.size() - last.size_bytes;
    last_class_ = last_kind == Kind::kSame ? 0 : kUnknownClass;
    last_ = last.code_point;
    return true;
  }

  /// Begins a segment at `from_`.
  void start(uint32_t last_class, char32_t last) {
    segment_ = from_;
    segment_size_ = out_.size();
    last_class_ = last_class;
    last_ = last;
  }

  void one() {
    const Decoded next = decode(from_, end_);
    if (!next.valid) return replace(next.size_bytes);
    const MappingPage& page = mapping_.page_of(next.code_point);
    const uint32_t value = page.value[next.code_point & 0xFF];
    const Kind kind = page.kind[next.code_point & 0xFF];
    if (kind >= Kind::kIgnored) {
      dependent(next, kind, value);
    } else {
      independent(next, kind, value, page);
    }
    out_.make_room(rest());
  }

  void replace(uint32_t size_bytes) {
    out_.put(kReplacement, 3);
    from_ += size_bytes;
    out_.make_room(rest());
    start(0, 0xFFFD);
  }

  void independent(const Decoded& next, Kind kind, uint32_t value, const MappingPage& page) {
    start(kind == Kind::kSame || kind == Kind::kSpace ? 0 : kUnknownClass,
          kind <= Kind::kSameTail ? next.code_point : 0);
    if (kind == Kind::kString) {
      append(page.string(value));
    } else if (kind == Kind::kSpace) {
      space(value);
      if (options_.collapse_space) segment_size_ = out_.size();  // as in ascii()
    } else {
      put(kind == Kind::kMapped ? value : next.code_point);
    }
    from_ += next.size_bytes;
    num_latin_ += next.code_point < 0x100 ? 1 : 0;
    if (folds_letters_ && next.code_point - kFirstLead <= kLastLead - kFirstLead) {
      may_be_misread_ = may_be_misread_ || may_begin_misread(from_, end_);
    }
    if (folds_letters_ && next.code_point - 0x420 < 2)  // Р and С
      may_be_cyrillic_ = may_be_cyrillic_ || may_begin_misread_cyrillic(next.code_point, from_, end_);
  }

  /// A character that may act on those before it.
  void dependent(const Decoded& next, Kind kind, uint32_t value) {
    if (static_cast<size_t>(from_ - segment_) >= Normalizer::kMaxSegment) start(0, 0);
    if (kind == Kind::kMark && value >= last_class_) {
      put(next.code_point);
      last_class_ = value;
      last_ = 0;
    } else if (kind == Kind::kMaybe && last_ != 0 && composes_not(last_, next.code_point)) {
      put(next.code_point);
      last_ = next.code_point;
    } else if (kind != Kind::kIgnored) {
      return slow();
    }
    from_ += next.size_bytes;
  }

  static bool composes_not(char32_t first, char32_t second) {
    return nfkc_casefold().composePair(static_cast<UChar32>(first), static_cast<UChar32>(second)) < 0;
  }

  /// Gives the whole segment to ICU, in place of what has been written of it.
  void slow() {
    find_segment_end();
    normalize_to({segment_, static_cast<size_t>(from_ - segment_)}, scratch_.normalized);
    out_.at = out_.text.data() + segment_size_;
    const size_t before = out_.size();
    append_folded(scratch_.normalized);
    if (folds_letters_) {
      // What stood between two characters may be gone, so that they compose.
      scratch_.folded.assign(out_.text, before, out_.size() - before);
      normalize_to(scratch_.folded, scratch_.normalized);
      out_.at = out_.text.data() + segment_size_;
      append_folded(scratch_.normalized);
      look_at_seam(before);
    }
    out_.make_room(rest());
    start(kUnknownClass, 0);
    segment_ = from_;
  }

  static void normalize_to(std::string_view text, std::string& out) {
    out.clear();
    StringSink sink(out);
    UErrorCode error = U_ZERO_ERROR;
    nfkc_casefold().normalizeUTF8(0, {text.data(), static_cast<int32_t>(text.size())}, sink, nullptr, error);
    throw_if_refused(error);
    assert(U_SUCCESS(error));
  }

  /// Looks whether the last letter before byte `at` of the output and the first one behind it are of two scripts.
  void look_at_seam(size_t at) {
    if (at == 0) return;
    const char* const seam = out_.text.data() + at;
    // Cyrillic is rare; what lies behind the output is overwritten later, and looked at then.
    if (!begins_cyrillic(seam[0]) && !begins_cyrillic(seam[-1 - (at > 1)])) return;
    if (at >= out_.size()) return;
    const bool latin_first = is_small_letter(seam[-1]) && begins_cyrillic(seam[0]);
    const bool latin_last = is_small_letter(seam[0]) && at >= 2 && begins_cyrillic(seam[-2]);
    mixes_scripts_ = mixes_scripts_ || latin_first || latin_last;
  }

  void find_segment_end() {
    while (from_ < end_ && static_cast<uint8_t>(*from_) >= 0x80 &&
           static_cast<size_t>(from_ - segment_) < Normalizer::kMaxSegment) {
      const Decoded next = decode(from_, end_);
      if (!next.valid || mapping_.page_of(next.code_point).kind[next.code_point & 0xFF] < Kind::kIgnored) return;
      from_ += next.size_bytes;
    }
  }

  void append_folded(std::string_view text) {
    out_.make_room(text.size() + rest());
    for (const char *at = text.data(), *end = at + text.size(); at < end;) {
      const Decoded next = decode_valid(at, end);
      append(next.code_point);
      at += next.size_bytes;
    }
  }

  void append(char32_t c) {
    if (is_white_space(c)) return space(c);
    c = fold_han(c, han_);
    if (!folds_letters_) return put(c);
    const FoldedLetter letter = fold_letter(c);
    out_.put(letter.bytes, letter.size_bytes);
  }

  void append(std::string_view text) {
    out_.make_room(text.size() + rest());
    for (const char c : text) {
      // Of white space, strings hold only U+0020: that is what all others with a mapping are mapped to.
      if (c == ' ') {
        space(' ');
      } else {
        *out_.at++ = c;
      }
    }
  }

  const char* from_;
  const char* end_;
  Output out_;
  const NormalizeOptions& options_;
  Mapping& mapping_;
  Scratch& scratch_;
  HanFold han_;
  bool folds_letters_;
  bool mixes_scripts_ = false;
  bool may_be_misread_ = false;
  size_t num_latin_ = 0;
  bool may_be_cyrillic_ = false;

  // The segment that is being written:
  const char* segment_;      // where it begins in the input
  size_t segment_size_ = 0;  // of the output before it
  uint32_t last_class_ = 0;  // combining class of the last character written
  char32_t last_ = 0;        // that character, where it is a starter whose neighbour may compose with it; 0 = not known
};

}  // namespace

struct Normalizer::Impl {
  NormalizeOptions options;
  Mapping* mapping;
  Scratch scratch;

  NormalizerRun run(std::string_view bytes, std::string& out) {
    NormalizerRun run(bytes, out, options, *mapping, scratch);
    run.run();
    if (run.mixes_scripts()) unmix_words(out, scratch.folded);
    return run;
  }
};

Normalizer::Normalizer(const NormalizeOptions& options)
    : impl_(std::make_unique<Impl>(Impl{options, &shared_mapping(options), {}})) {}
Normalizer::Normalizer(Normalizer&&) noexcept = default;
Normalizer& Normalizer::operator=(Normalizer&&) noexcept = default;
Normalizer::~Normalizer() = default;

namespace {

// Of a large text no more than two copies stand beside what is written: a small one's room is kept for the next.
void release_large(std::string& text) {
  constexpr size_t kKeepBytes = size_t{1} << 20;
  if (text.capacity() > kKeepBytes) std::string().swap(text);
}

void release_large(Scratch& scratch) {
  for (std::string* text : {&scratch.normalized, &scratch.folded, &scratch.with_references, &scratch.repaired})
    release_large(*text);
}

/// Whether `bytes`, of which `run` says what they may be, were misread; then `out` is what they were.
bool repair(const NormalizerRun& run, std::string_view bytes, std::string& out) {
  return (run.may_be_misread() && repair_mojibake(bytes, out)) ||
         ((run.may_be_cyrillic() || may_be_misread_lines(bytes)) && repair_misread_cyrillic(bytes, out)) ||
         (may_be_misread_han(bytes) && repair_misread_han(bytes, out)) ||
         (may_be_misread_bytes(run.num_latin(), bytes.size()) && repair_misread_bytes(bytes, out));
}

}  // namespace

void Normalizer::normalize(std::string_view bytes, std::string& out) {
  Scratch& scratch = impl_->scratch;
  if (impl_->options.normalization == Normalization::kFolded) {
    if (replace_references(bytes, scratch.with_references)) bytes = scratch.with_references;
  }
  const NormalizerRun run = impl_->run(bytes, out);
  release_large(scratch.folded);
  if (impl_->options.normalization == Normalization::kFolded && repair(run, bytes, scratch.repaired)) {
    release_large(scratch.with_references);
    impl_->run(scratch.repaired, out);
  }
  release_large(scratch);
}

}  // namespace neardup::text
