#include "neardup/recipe/ornaments.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>

#include "neardup/base/sorted_words.h"
#include "neardup/text/utf8.h"

namespace neardup::recipe {
namespace {

// As normalised: letters folded, Han simplified.
constexpr auto kOrnaments = SortedWords(std::to_array<std::string_view>(
    {// pictures and films
     "foto", "fotos", "fotogalerie", "bilder", "bild", "galerie", "gallery", "photo", "photos", "photo gallery", "pics",
     "picture", "pictures", "image", "images", "imagenes", "video", "videos", "with video", "with photos",
     "infographic", "infografik", "фото", "видео", "图", "组图", "图文", "多图", "高清图", "高清组图", "图集", "视频",
     "附图", "有图", "写真", "画像", "動画", "动画", "映像", "사진", "영상", "동영상", "포토", "صور", "فيديو", "بالصور",
     "بالفيديو", "ภาพ", "คลิป",
     // calls for attention
     "breaking", "breaking news", "exclusive", "just in", "update", "updated", "eilmeldung", "exklusiv", "aktualisiert",
     "exclusif", "urgent", "mis a jour", "ultima hora", "urgente", "exclusiva", "exclusivo", "esclusiva", "ultim ora",
     "ultim'ora", "son dakika", "срочно", "молния", "эксклюзив", "обновлено", "عاجل", "حصري", "快讯", "独家", "速报",
     "独自", "更新", "转载", "原创", "转", "속보", "단독", "종합", "ด่วน",
     // answers and what is passed on
     "re", "fw", "fwd", "aw", "wg", "sv", "tr", "rv", "回复", "转发", "答复",
     // agencies and papers
     "ap", "afp", "reuters", "dpa", "upi", "bloomberg", "bbc", "bbc news", "cnn", "cnbc", "npr", "al jazeera",
     "associated press", "the guardian", "the new york times", "the washington post", "the times", "the independent",
     "financial times", "wall street journal", "usa today", "fox news", "nbc news", "abc news", "cbs news", "sky news",
     "spiegel online", "der spiegel", "tagesschau", "le monde", "le figaro", "el pais", "ansa", "efe", "tass", "тасс",
     "риа новости", "интерфакс", "xinhua", "kyodo", "yonhap", "共同", "时事", "联合新闻", "新华网", "新华社", "中新网",
     "中新社", "人民网", "央视网", "环球网", "新浪", "新浪网", "新浪财经", "新浪体育", "新浪娱乐", "搜狐", "网易",
     "腾讯", "腾讯网", "凤凰网", "연합뉴스", "뉴시스", "뉴스1", "رويترز"}));

enum class Kind { kSpace, kSign, kUnitOrLetter };

// A hyphen or a stop inside a word is none of its ends; between ideographs it parts.
bool is_inside_word(char32_t before, char32_t c, char32_t next) {
  constexpr std::u32string_view kInside = U"-'’._&+#";
  const auto is_word = [](char32_t of) {
    return of != 0 && u_isalnum(static_cast<UChar32>(of)) != 0 &&
           u_hasBinaryProperty(static_cast<UChar32>(of), UCHAR_IDEOGRAPHIC) == 0;
  };
  return kInside.find(c) != std::u32string_view::npos && is_word(before) && is_word(next);
}

Kind kind_of(char32_t before, char32_t c, char32_t next) {
  if (c == U' ') return Kind::kSpace;
  const auto point = static_cast<UChar32>(c);
  const bool is_mark = (U_GET_GC_MASK(point) & U_GC_M_MASK) != 0;
  const bool is_letter = is_mark || u_isalnum(point) != 0 || u_isUAlphabetic(point) != 0;
  return is_letter || is_inside_word(before, c, next) ? Kind::kUnitOrLetter : Kind::kSign;
}

// A part between two signs, without the spaces at its ends.
struct Part {
  size_t begin = 0, end = 0;
  char32_t sign_before = 0, sign_behind = 0;
};

class Parts {
 public:
  explicit Parts(std::string_view text) : text_(text) {}

  std::vector<Part> find() {
    char32_t before = 0;
    for (size_t at = 0; at < text_.size();) {
      const auto [c, size] = character_at(at);
      take(at, at + size, c, kind_of(before, c, character_at(at + size).first));
      before = c;
      at += size;
    }
    end_part(0);
    return std::move(parts_);
  }

 private:
  [[nodiscard]] std::pair<char32_t, size_t> character_at(size_t at) const {
    if (at >= text_.size()) return {0, 0};
    const text::Decoded decoded = text::decode(text_.data() + at, text_.data() + text_.size());
    return {decoded.code_point, decoded.size_bytes};
  }

  void take(size_t begin, size_t end, char32_t c, Kind kind) {
    if (kind == Kind::kSpace) return;
    if (kind == Kind::kSign) return end_part(c);
    if (part_.end == 0) part_.begin = begin;
    part_.end = end;
  }

  void end_part(char32_t sign) {
    part_.sign_behind = sign;
    if (part_.end != 0) parts_.push_back(part_);
    part_ = {.sign_before = sign};
  }

  std::string_view text_;
  Part part_;
  std::vector<Part> parts_;
};

// Whether `letters` are made from the words of `text`, which ends with a word, from some word on to the last one: of
// each its first letter, and perhaps some of those that follow.
bool are_letters_of(std::string_view letters, std::string_view text) {
  if (letters.empty() || text.empty()) return false;
  const size_t word_end = std::min(text.find(' '), text.size());
  size_t taken = 0;
  for (size_t at = 0; at < word_end && taken < letters.size(); ++at) {
    if (text[at] != letters[taken] || (at > 0 && taken == 0)) continue;
    ++taken;
    const std::string_view rest = word_end == text.size() ? std::string_view() : text.substr(word_end + 1);
    if (rest.empty() ? taken == letters.size() : are_letters_of(letters.substr(taken), rest)) return true;
  }
  return false;
}

bool is_short_form(std::string_view letters, std::string_view text) {
  constexpr size_t kFewest = 2, kMost = 6;
  if (letters.size() < kFewest || letters.size() > kMost || letters.find(' ') != std::string_view::npos) return false;
  size_t words = 0;
  for (size_t at = text.size(); at > 0 && words < kMost; --at) {
    if (at - 1 != 0 && text[at - 2] != ' ') continue;
    if (++words > 1 && are_letters_of(letters, text.substr(at - 1))) return true;
  }
  return false;
}

bool is_ornament(std::string_view text, const Part& part) {
  const std::string_view words = text.substr(part.begin, part.end - part.begin);
  if (kOrnaments.contains(words)) return part.sign_before != 0 || part.sign_behind != 0;
  if (part.sign_before != U'(' || part.sign_behind != U')') return false;
  std::string_view before = text.substr(0, part.begin - 1);
  while (before.ends_with(' ')) before.remove_suffix(1);
  return is_short_form(words, before);
}

}  // namespace

std::vector<Ornament> find_ornaments(std::string_view normalized) {
  std::vector<Ornament> found;
  const std::vector<Part> parts = Parts(normalized).find();
  for (const Part& part : parts)
    if (is_ornament(normalized, part)) found.push_back({part.begin, part.end});
  if (found.size() == parts.size()) found.clear();
  return found;
}

}  // namespace neardup::recipe
