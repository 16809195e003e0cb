#include "neardup/text/html/phrases.h"

#include <unicode/uchar.h>

#include "neardup/text/utf8.h"

namespace neardup::text {
namespace {

struct PhraseRow {
  std::string_view phrase;
  uint32_t says;
};

// In small letters; a text begins with it where a letter of an alphabet does not follow.
constexpr PhraseRow kPhraseRows[] = {
    // English
    {"related articles", kOthers},
    {"related stories", kOthers},
    {"related posts", kOthers},
    {"related news", kOthers},
    {"related content", kOthers},
    {"related coverage", kOthers},
    {"related reading", kOthers},
    {"related links", kOthers},
    {"related", kPointer},
    {"you may also like", kOthers},
    {"you might also like", kOthers},
    {"you might like", kOthers},
    {"you may like", kOthers},
    {"recommended for you", kOthers},
    {"recommended stories", kOthers},
    {"recommended articles", kOthers},
    {"recommended reading", kOthers},
    {"recommended", kPointer},
    {"don't miss", kOthers},
    {"don’t miss", kOthers},
    {"most read", kOthers},
    {"most popular", kOthers},
    {"most viewed", kOthers},
    {"most shared", kOthers},
    {"popular posts", kOthers},
    {"recent posts", kOthers},
    {"latest news", kOthers},
    {"latest stories", kOthers},
    {"latest posts", kOthers},
    {"top stories", kOthers},
    {"trending", kOthers},
    {"read next", kOthers},
    {"up next", kOthers},
    {"more stories", kOthers},
    {"more news", kOthers},
    {"more articles", kOthers},
    {"more headlines", kOthers},
    {"more like this", kOthers},
    {"more from", kPointer},
    {"more on", kPointer},
    {"more", kPointer},
    {"read more", kPointer},
    {"read also", kPointer},
    {"read", kPointer},
    {"also read", kPointer},
    {"see also", kPointer},
    {"see more", kPointer},
    {"watch", kPointer},
    {"popular on", kPointer},
    {"by", kPublished},
    {"published", kPublished},
    {"first published", kPublished},
    {"updated", kPublished},
    {"last updated", kPublished},
    {"last modified", kPublished},
    {"posted", kPublished},
    {"filed under", kPublished},
    {"reading time", kPublished},
    {"reporting by", kCredit},
    {"additional reporting", kCredit},
    {"writing by", kCredit},
    {"editing by", kCredit},
    // German
    {"mehr zum thema", kOthers},
    {"das könnte sie auch interessieren", kOthers},
    {"das könnte dich auch interessieren", kOthers},
    {"auch interessant", kOthers},
    {"weitere artikel", kOthers},
    {"ähnliche artikel", kOthers},
    {"verwandte artikel", kOthers},
    {"meistgelesen", kOthers},
    {"lesen sie auch", kPointer},
    {"lies auch", kPointer},
    {"weiterlesen", kPointer},
    {"von", kPublished},
    {"veröffentlicht", kPublished},
    {"aktualisiert", kPublished},
    {"stand:", kPublished},
    {"lesezeit", kPublished},
    // French
    {"articles similaires", kOthers},
    {"articles liés", kOthers},
    {"sur le même sujet", kOthers},
    {"vous aimerez aussi", kOthers},
    {"les plus lus", kOthers},
    {"à lire aussi", kPointer},
    {"à lire également", kPointer},
    {"lire aussi", kPointer},
    {"lire la suite", kPointer},
    {"voir aussi", kPointer},
    {"par", kPublished},
    {"publié", kPublished},
    {"mis à jour", kPublished},
    {"temps de lecture", kPublished},
    // Spanish, Portuguese, Italian
    {"noticias relacionadas", kOthers},
    {"artículos relacionados", kOthers},
    {"entradas relacionadas", kOthers},
    {"te puede interesar", kOthers},
    {"también te puede interesar", kOthers},
    {"le puede interesar", kOthers},
    {"lo más leído", kOthers},
    {"más noticias", kOthers},
    {"lea también", kPointer},
    {"lee también", kPointer},
    {"leer más", kPointer},
    {"ver también", kPointer},
    {"por", kPublished},
    {"publicado", kPublished},
    {"actualizado", kPublished},
    {"tiempo de lectura", kPublished},
    {"você pode gostar", kOthers},
    {"você também pode gostar", kOthers},
    {"notícias relacionadas", kOthers},
    {"artigos relacionados", kOthers},
    {"posts relacionados", kOthers},
    {"mais lidas", kOthers},
    {"leia também", kPointer},
    {"leia mais", kPointer},
    {"veja também", kPointer},
    {"atualizado", kPublished},
    {"tempo de leitura", kPublished},
    {"potrebbe interessarti", kOthers},
    {"articoli correlati", kOthers},
    {"notizie correlate", kOthers},
    {"i più letti", kOthers},
    {"leggi anche", kPointer},
    {"leggi tutto", kPointer},
    {"pubblicato", kPublished},
    {"aggiornato", kPublished},
    // Dutch, Scandinavian
    {"gerelateerde artikelen", kOthers},
    {"gerelateerd", kOthers},
    {"meest gelezen", kOthers},
    {"meer nieuws", kOthers},
    {"lees ook", kPointer},
    {"lees meer", kPointer},
    {"relaterade artiklar", kOthers},
    {"mest läst", kOthers},
    {"mest lest", kOthers},
    {"läs också", kPointer},
    {"läs mer", kPointer},
    {"les også", kPointer},
    {"læs også", kPointer},
    // Polish, Czech
    {"podobne artykuły", kOthers},
    {"powiązane artykuły", kOthers},
    {"czytaj także", kPointer},
    {"czytaj też", kPointer},
    {"zobacz także", kPointer},
    {"zobacz też", kPointer},
    {"przeczytaj także", kPointer},
    {"související články", kOthers},
    {"mohlo by vás zajímat", kOthers},
    {"další zprávy", kOthers},
    {"nejčtenější", kOthers},
    {"čtěte také", kPointer},
    // Russian, Ukrainian
    {"похожие статьи", kOthers},
    {"похожие материалы", kOthers},
    {"похожие новости", kOthers},
    {"материалы по теме", kOthers},
    {"другие новости", kOthers},
    {"вам может быть интересно", kOthers},
    {"вас может заинтересовать", kOthers},
    {"самое читаемое", kOthers},
    {"самые популярные", kOthers},
    {"популярные статьи", kOthers},
    {"читайте также", kPointer},
    {"читать далее", kPointer},
    {"смотрите также", kPointer},
    {"по теме", kPointer},
    {"автор:", kPublished},
    {"опубликовано", kPublished},
    {"обновлено", kPublished},
    {"схожі статті", kOthers},
    {"читайте також", kPointer},
    // Turkish, Indonesian, Vietnamese
    {"ilgili haberler", kOthers},
    {"benzer haberler", kOthers},
    {"ilginizi çekebilir", kOthers},
    {"çok okunanlar", kOthers},
    {"artikel terkait", kOthers},
    {"berita terkait", kOthers},
    {"terpopuler", kOthers},
    {"baca juga", kPointer},
    {"lihat juga", kPointer},
    {"tin liên quan", kOthers},
    {"bài viết liên quan", kOthers},
    {"có thể bạn quan tâm", kOthers},
    {"xem thêm", kPointer},
    {"đọc thêm", kPointer},
    // Greek, Arabic, Persian, Hindi, Thai
    {"σχετικά άρθρα", kOthers},
    {"διαβάστε επίσης", kPointer},
    {"مواضيع ذات صلة", kOthers},
    {"أخبار ذات صلة", kOthers},
    {"مقالات ذات صلة", kOthers},
    {"قد يعجبك أيضا", kOthers},
    {"الأكثر قراءة", kOthers},
    {"اقرأ أيضا", kPointer},
    {"اقرأ المزيد", kPointer},
    {"مطالب مرتبط", kOthers},
    {"بیشتر بخوانید", kPointer},
    {"संबंधित खबरें", kOthers},
    {"यह भी पढ़ें", kPointer},
    {"ये भी पढ़ें", kPointer},
    {"इसे भी पढ़ें", kPointer},
    {"ข่าวที่เกี่ยวข้อง", kOthers},
    {"บทความที่เกี่ยวข้อง", kOthers},
    {"อ่านเพิ่มเติม", kPointer},
    // Chinese, Japanese, Korean
    {"相关阅读", kOthers},
    {"相关新闻", kOthers},
    {"相关文章", kOthers},
    {"相关推荐", kOthers},
    {"相关链接", kOthers},
    {"推荐阅读", kOthers},
    {"热门文章", kOthers},
    {"热门推荐", kOthers},
    {"猜你喜欢", kOthers},
    {"为您推荐", kOthers},
    {"为你推荐", kOthers},
    {"相關新聞", kOthers},
    {"相關文章", kOthers},
    {"相關閱讀", kOthers},
    {"推薦閱讀", kOthers},
    {"熱門文章", kOthers},
    {"猜你喜歡", kOthers},
    {"你可能也喜歡", kOthers},
    {"延伸阅读", kPointer},
    {"延伸閱讀", kPointer},
    {"阅读更多", kPointer},
    {"来源：", kPublished},
    {"来源:", kPublished},
    {"來源：", kPublished},
    {"作者：", kPublished},
    {"作者:", kPublished},
    {"发布时间", kPublished},
    {"發布時間", kPublished},
    {"関連記事", kOthers},
    {"関連ニュース", kOthers},
    {"関連リンク", kOthers},
    {"おすすめ記事", kOthers},
    {"あわせて読みたい", kOthers},
    {"合わせて読みたい", kOthers},
    {"人気記事", kOthers},
    {"続きを読む", kPointer},
    {"관련기사", kOthers},
    {"관련 기사", kOthers},
    {"관련 뉴스", kOthers},
    {"추천 기사", kOthers},
    {"많이 본 뉴스", kOthers},
    {"인기 기사", kOthers},
};

constexpr std::string_view kCalls[] = {
    "subscribe",      "sign up for",  "newsletter",  "follow us",    "follow him on",  "follow her on",
    "follow them on", "follow me on", "like us on",  "download our", "have a tip",     "abonnieren",
    "folgen sie",     "abonnez-vous", "suivez-nous", "suscríbete",   "síguenos",       "inscreva-se",
    "siga-nos",       "assine",       "iscriviti",   "seguici",      "подписывайтесь", "подпишитесь",
    "关注我们",       "订阅",         "訂閱",        "フォロー",     "구독",
};

struct Small {
  char letters[kMaxPhraseBytes + 4];
  size_t size = 0;
  [[nodiscard]] std::string_view view() const { return {letters, size}; }
};

/// In small letters, without signs before the first letter or digit.
void make_small(std::string_view text, Small& small) {
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at < end;) {
    const Decoded c = decode(at, end);
    at += c.size_bytes;
    if (small.size == 0 && u_isalnum(static_cast<UChar32>(c.code_point)) == 0) continue;
    uint32_t size = 0;
    const uint32_t bytes = encode(static_cast<char32_t>(u_tolower(static_cast<UChar32>(c.code_point))), size);
    if (small.size + size > kMaxPhraseBytes) return;
    std::memcpy(small.letters + small.size, &bytes, size);
    small.size += size;
  }
}

bool goes_on_with_letter(std::string_view text, std::string_view phrase) {
  const auto last = static_cast<uint8_t>(phrase.back());
  const auto next = static_cast<uint8_t>(text.size() > phrase.size() ? text[phrase.size()] : ' ');
  return last < 0x80 && ((next >= 'a' && next <= 'z') || next >= 0xC3) && next < 0xE0;
}

/// "More great stories": of no fixed words.
bool is_more_of_many(std::string_view text) {
  if (!text.starts_with("more ") || text.size() > 48) return false;
  for (const std::string_view many : {"stories", "news", "articles", "posts", "headlines", "coverage", "videos"}) {
    if (text.ends_with(many)) return true;
  }
  return false;
}

}  // namespace

uint32_t phrases_of(std::string_view text) {
  if (text.size() > kMaxPhraseBytes) return kNoPhrase;
  Small small;
  make_small(text, small);
  const std::string_view begin = small.view();
  uint32_t says = is_more_of_many(begin) ? kOthers : kNoPhrase;
  for (const PhraseRow& row : kPhraseRows) {
    if (!begin.empty() && begin.front() == row.phrase.front() && begin.starts_with(row.phrase) &&
        !goes_on_with_letter(begin, row.phrase))
      says |= row.says;
  }
  return says;
}

bool asks_to_follow(std::string_view text) {
  if (text.size() > kMaxPhraseBytes) return false;
  Small small;
  make_small(text, small);
  for (const std::string_view call : kCalls) {
    if (small.view().find(call) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace neardup::text
