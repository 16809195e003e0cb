#include "neardup/text/mojibake.h"

#include <algorithm>

#include "neardup/text/ascii.h"
#include "neardup/text/misread_runs.h"
#include "neardup/text/utf8.h"

namespace neardup::text {
namespace {

constexpr size_t kManyCharacters = 3;  // in a row that are no chance
constexpr uint8_t kLostByte = 0x81;
constexpr size_t kMinRuns = 2;  // that show that the whole text was misread

bool is_small(char c) { return c >= 'a' && c <= 'z'; }

/// The byte that was read as `c`; 0 where there is none. U+FFFD is one of the five that strict readers do not know:
/// which, is lost; the one that is frequent in Russian and Greek stands for all.
uint8_t byte_of(char32_t c) { return c == 0xFFFD ? kLostByte : latin_byte(c); }

/// How many characters there are in some bytes.
struct Characters {
  size_t num_whole = 0;
  size_t num_cut = 0;  // whose last byte is missing
};

/// Counts the characters of `bytes`; none where they are not UTF-8. `out` receives them, with kLostByte where one lacks
/// its last byte.
Characters complete(std::string_view bytes, std::string& out) {
  Characters found;
  out.clear();
  for (size_t at = 0; at < bytes.size();) {
    const Decoded c = decode(bytes.data() + at, bytes.data() + bytes.size());
    const auto lead = static_cast<uint8_t>(bytes[at]);
    if (!c.valid && (lead < 0xC2 || lead > 0xEF || c.size_bytes != (lead < 0xE0 ? 1U : 2U))) return {};
    out.append(bytes, at, c.size_bytes);
    if (!c.valid) out += static_cast<char>(kLostByte);
    ++(c.valid ? found.num_whole : found.num_cut);
    at += c.size_bytes;
  }
  return found;
}

/// Whether no text means the run as it stands; `bytes` is the first of the characters that it was.
bool is_clear(std::string_view text, const MisreadRun& run, std::string_view bytes) {
  const auto lead = static_cast<uint8_t>(bytes.front());
  if (lead == 0xE2) return true;
  const char before = run.begin == 0 ? ' ' : text[run.begin - 1];
  const char behind = run.end == text.size() ? ' ' : text[run.end];
  if (is_ascii_capital(before)) return false;
  if (lead >= 0xE0) return !is_small(before) || is_small(behind);
  return lead <= 0xC3 || is_small(behind);
}

enum class Verdict {
  kMeant,    // as it stands
  kCut,      // perhaps misread, and bytes are missing
  kPerhaps,  // misread, or a text may mean it
  kMisread,
};

/// Judges runs. Keeps its working memory.
class Judge {
 public:
  explicit Judge(std::string_view text) : text_(text) {}

  Verdict judge(const MisreadRun& run) {
    if (!read_back(run.in(text_), byte_of, bytes_)) return Verdict::kMeant;
    const Characters found = complete(bytes_, completed_);
    if (found.num_whole == 0) return Verdict::kMeant;
    if (found.num_whole >= kManyCharacters && found.num_cut * 2 <= found.num_whole) return Verdict::kMisread;
    if (found.num_cut > 0) return Verdict::kCut;
    return is_clear(text_, run, completed_) ? Verdict::kMisread : Verdict::kPerhaps;
  }

  /// What the run that was judged last was before.
  [[nodiscard]] const std::string& original() const { return completed_; }

  /// Whether runs that a text may mean are to be repaired, too.
  bool is_misread_throughout() {
    size_t num_valid = 0, num_meant = 0;
    for (MisreadRun run = next_misread_run(text_, 0); !run.is_empty(); run = next_misread_run(text_, run.end)) {
      const Verdict verdict = judge(run);
      num_meant += verdict == Verdict::kMeant ? 1 : 0;
      num_valid += verdict >= Verdict::kPerhaps ? 1 : 0;
    }
    return num_valid >= kMinRuns && num_meant * 10 <= num_valid;
  }

 private:
  std::string_view text_;
  std::string bytes_, completed_;
};

}  // namespace

bool may_begin_misread(const char* at, const char* end) {
  if (at == end || is_ascii_byte(*at)) return false;
  const Decoded c = decode(at, end);
  return c.valid && (byte_of(c.code_point) & 0xC0) == 0x80;
}

bool repair_mojibake(std::string_view text, std::string& out) {
  Judge judge(text);
  const Verdict least = judge.is_misread_throughout() ? Verdict::kCut : Verdict::kMisread;
  return replace_misread_runs(
      text, out, [&](const MisreadRun& run) { return judge.judge(run) >= least ? &judge.original() : nullptr; });
}

}  // namespace neardup::text
