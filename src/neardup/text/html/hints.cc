// What sites call the parts of their pages is the cheapest sign of what they hold, and not a sure one: so words give
// hints, not verdicts, and a part that is called two things has the hints of both. Who asks decides what outweighs what
// (docs/html.md, "What is left out").
// It is a table of words, not of names: names are put together anew on each site ("post-related-sidebar").
#include "neardup/text/html/hints.h"

#include <array>
#include <cstddef>

namespace neardup::text {
namespace {

struct HintRow {
  std::string_view word;
  uint32_t hints;
};

// English first, as names are mostly English whatever the page's language; then what other languages use.
constexpr HintRow kHintRows[] = {
    // the text
    {"article", kKeep | kContent | kSubject},
    {"articles", kKeep},
    {"articlebody", kKeep | kContent | kSubject | kText},
    {"articlecontent", kKeep | kContent | kSubject | kText},
    {"articletext", kKeep | kContent | kSubject | kText},
    {"storybody", kKeep | kContent | kSubject | kText},
    {"storycontent", kKeep | kContent | kSubject | kText},
    {"postbody", kKeep | kContent | kSubject | kText},
    {"postcontent", kKeep | kContent | kSubject | kText},
    {"bodytext", kKeep | kContent | kSubject | kText},
    {"bodycopy", kKeep | kContent | kSubject | kText},
    {"body", kKeep | kContent | kText},
    {"column", kKeep},
    {"columns", kKeep},
    {"content", kKeep | kContent | kText},
    {"contents", kKeep | kContent},
    {"contenido", kKeep | kContent | kText},
    {"contenu", kKeep | kContent | kText},
    {"contenuto", kKeep | kContent | kText},
    {"conteudo", kKeep | kContent | kText},
    {"inhalt", kKeep | kContent | kText},
    {"copy", kText},
    {"main", kKeep | kContent},
    {"maincontent", kKeep | kContent},
    {"mainbody", kKeep | kContent},
    {"shadow", kKeep},
    {"mathjax", kKeep},
    {"entry", kContent | kSubject},
    {"hentry", kContent},
    {"page", kContent},
    {"post", kContent | kSubject},
    {"blog", kContent | kSubject},
    {"blogpost", kContent | kSubject},
    {"story", kContent | kSubject},
    {"news", kContent | kSubject},
    {"noticia", kContent | kSubject},
    {"artikel", kKeep | kContent | kSubject},
    {"articolo", kKeep | kContent | kSubject},
    {"articulo", kKeep | kContent | kSubject},
    {"beitrag", kContent | kSubject},
    {"text", kContent | kText},
    {"texte", kContent | kText},
    {"texto", kContent | kText},
    {"testo", kContent | kText},
    {"wenzhang", kKeep | kContent | kSubject},
    {"zhengwen", kKeep | kContent | kSubject | kText},
    // what is not
    {"ad", kBoilerplate | kSuspect},
    {"ads", kBoilerplate | kSuspect},
    {"adbox", kBoilerplate | kSuspect},
    {"adbreak", kBoilerplate | kSuspect},
    {"adunit", kBoilerplate | kSuspect},
    {"adslot", kBoilerplate | kSuspect},
    {"adsense", kBoilerplate | kSuspect},
    {"advert", kBoilerplate | kSuspect},
    {"advertise", kBoilerplate | kSuspect},
    {"advertisement", kBoilerplate | kSuspect},
    {"advertisements", kBoilerplate | kSuspect},
    {"advertising", kBoilerplate | kSuspect},
    {"publicidad", kBoilerplate | kSuspect},
    {"publicite", kBoilerplate | kSuspect},
    {"werbung", kBoilerplate | kSuspect},
    {"anzeige", kBoilerplate | kSuspect},
    {"reklama", kBoilerplate | kSuspect},
    {"guanggao", kBoilerplate | kSuspect},
    {"agegate", kBoilerplate | kNotice},
    {"banner", kBoilerplate | kSuspect},
    {"breadcrumb", kBoilerplate | kSuspect},
    {"breadcrumbs", kBoilerplate | kSuspect},
    {"combx", kBoilerplate | kSuspect | kComments},
    {"comment", kBoilerplate | kSuspect | kComments},
    {"comments", kBoilerplate | kSuspect | kComments},
    {"commentaires", kBoilerplate | kSuspect | kComments},
    {"comentarios", kBoilerplate | kSuspect | kComments},
    {"kommentare", kBoilerplate | kSuspect | kComments},
    {"commenti", kBoilerplate | kSuspect | kComments},
    {"commentlist", kBoilerplate | kSuspect | kComments},
    {"pinglun", kBoilerplate | kSuspect | kComments},
    {"respond", kBoilerplate | kSuspect | kComments},
    {"disqus", kBoilerplate | kSuspect | kComments},
    {"remark", kBoilerplate | kComments},
    {"replies", kBoilerplate | kComments},
    {"shoutbox", kBoilerplate | kSuspect | kComments},
    {"community", kBoilerplate},
    {"extra", kBoilerplate},
    {"extras", kBoilerplate},
    {"footer", kBoilerplate | kSuspect},
    {"foot", kSuspect},
    {"colophon", kBoilerplate | kSuspect},
    {"header", kBoilerplate},
    {"masthead", kBoilerplate | kSuspect},
    {"legends", kBoilerplate},
    {"menu", kBoilerplate},
    {"menus", kBoilerplate},
    {"nav", kBoilerplate | kSuspect},
    {"navbar", kBoilerplate | kSuspect},
    {"navigation", kBoilerplate | kSuspect},
    {"topnav", kBoilerplate | kSuspect},
    {"subnav", kBoilerplate | kSuspect},
    {"related", kBoilerplate | kSuspect},
    {"relacionadas", kBoilerplate | kSuspect},
    {"recommend", kBoilerplate | kSuspect},
    {"recommended", kBoilerplate | kSuspect},
    {"recommendation", kBoilerplate | kSuspect},
    {"recommendations", kBoilerplate | kSuspect},
    {"recirc", kBoilerplate | kSuspect},
    {"recirculation", kBoilerplate | kSuspect},
    {"readmore", kBoilerplate | kSuspect},
    {"trending", kBoilerplate | kSuspect},
    {"popular", kBoilerplate | kSuspect},
    {"rss", kBoilerplate},
    {"sidebar", kBoilerplate | kSuspect | kSideBar},
    {"sidebars", kBoilerplate | kSuspect | kSideBar},
    {"aside", kSideBar},
    {"skyscraper", kBoilerplate | kSuspect},
    {"sponsor", kBoilerplate | kSuspect},
    {"sponsored", kBoilerplate | kSuspect},
    {"supplemental", kBoilerplate},
    {"pagination", kBoilerplate},
    {"pager", kBoilerplate},
    {"popup", kBoilerplate | kNotice},
    {"modal", kBoilerplate | kNotice},
    {"lightbox", kSuspect},
    {"overlay", kSuspect},
    {"newsletter", kBoilerplate | kSuspect},
    {"newsletters", kBoilerplate | kSuspect},
    {"subscribe", kBoilerplate | kSuspect},
    {"subscription", kSuspect},
    {"signup", kBoilerplate | kSuspect},
    {"login", kBoilerplate | kSuspect},
    {"outbrain", kBoilerplate | kSuspect},
    {"taboola", kBoilerplate | kSuspect},
    {"yarpp", kBoilerplate | kSuspect},
    {"relatedposts", kBoilerplate | kSuspect},
    {"cookie", kBoilerplate | kNotice | kConsent},
    {"cookies", kBoilerplate | kNotice | kConsent},
    {"consent", kBoilerplate | kNotice | kConsent},
    {"gdpr", kBoilerplate | kNotice | kConsent},
    {"promo", kBoilerplate | kSuspect},
    {"promos", kBoilerplate | kSuspect},
    {"toolbar", kBoilerplate | kSuspect},
    {"toolbox", kBoilerplate | kSuspect},
    {"contact", kSuspect},
    {"media", kSuspect},
    {"meta", kSuspect},
    {"scroll", kSuspect},
    {"shopping", kSuspect},
    {"tags", kSuspect},
    {"taglist", kSuspect},
    {"tool", kSuspect},
    {"tools", kSuspect},
    {"widget", kSuspect},
    {"widgets", kSuspect},
    {"bio", kSuspect},
    // share bars
    {"share", kBoilerplate | kSuspect | kShare},
    {"shares", kBoilerplate | kSuspect | kShare},
    {"sharing", kBoilerplate | kSuspect | kShare},
    {"sharebar", kBoilerplate | kSuspect | kShare},
    {"sharedaddy", kBoilerplate | kSuspect | kShare},
    {"addthis", kBoilerplate | kSuspect | kShare},
    {"addtoany", kBoilerplate | kSuspect | kShare},
    {"social", kBoilerplate | kSuspect | kShare},
    {"socials", kBoilerplate | kSuspect | kShare},
    {"teilen", kBoilerplate | kSuspect | kShare},
    {"partager", kBoilerplate | kSuspect | kShare},
    {"compartir", kBoilerplate | kSuspect | kShare},
    // who and when
    {"byline", kByline},
    {"author", kByline},
    {"authors", kByline},
    {"dateline", kByline},
    {"autor", kByline},
    {"auteur", kByline},
    {"timestamp", kByline},
    {"pubdate", kByline},
    {"embed", kKeep | kContent},
    // of pictures
    {"caption", kCaptionName},
    {"captions", kCaptionName},
    {"credit", kCaptionName},
    {"credits", kCaptionName},
    {"gallery", kCaptionName},
    {"photogallery", kCaptionName},
    {"slideshow", kCaptionName},
    {"carousel", kCaptionName},
    // not to be seen
    {"hidden", kHiddenName | kSuspect},
    {"hid", kHiddenName | kSuspect},
    {"invisible", kHiddenName},
    {"noprint", kSuspect},
};

constexpr size_t kMaxWord = 20;
constexpr size_t kMaxWords = 64;
constexpr size_t kLeastStemmed = 9;
constexpr size_t kSlots = 1024;
static_assert(std::size(kHintRows) * 4 < kSlots);

constexpr uint32_t hash_step(uint32_t hash, char c) { return (hash ^ static_cast<uint8_t>(c)) * 0x01000193u; }

constexpr uint32_t slot_of(uint32_t hash) { return (hash ^ hash >> 15) % kSlots; }

constexpr std::array<uint8_t, kSlots> make_table() {
  static_assert(std::size(kHintRows) < 255);
  std::array<uint8_t, kSlots> table{};
  for (size_t i = 0; i < std::size(kHintRows); ++i) {
    uint32_t hash = 0x811c9dc5u;
    for (const char c : kHintRows[i].word) hash = hash_step(hash, c);
    size_t slot = slot_of(hash);
    while (table[slot] != 0) slot = (slot + 1) % kSlots;
    table[slot] = static_cast<uint8_t>(i + 1);
  }
  return table;
}

constexpr std::array<uint8_t, kSlots> kTable = make_table();

struct Stem {
  std::string_view stem;
  std::string_view same_as;
};

// Names that are written without a sign between their words: "relatedpoststitle".
constexpr Stem kStems[] = {
    {"related", "related"},       {"recommended", "recommended"}, {"newsletter", "newsletter"},
    {"breadcrumb", "breadcrumb"}, {"sidebar", "sidebar"},         {"advertis", "advertisement"},
    {"navigation", "navigation"}, {"pagination", "pagination"},   {"subscribe", "subscribe"},
    {"cookie", "cookie"},         {"comments", "comments"},       {"sponsor", "sponsor"},
};

uint32_t look_up(std::string_view word, uint32_t hash) {
  for (size_t slot = slot_of(hash); kTable[slot] != 0; slot = (slot + 1) % kSlots) {
    const HintRow& row = kHintRows[kTable[slot] - 1];
    if (row.word == word) return row.hints;
  }
  return kNoHint;
}

uint32_t hash_of(std::string_view word) {
  uint32_t hash = 0x811c9dc5u;
  for (const char c : word) hash = hash_step(hash, c);
  return hash;
}

uint32_t look_up_stem(std::string_view word) {
  for (const Stem& row : kStems) {
    if (word.starts_with(row.stem)) return look_up(row.same_as, hash_of(row.same_as));
  }
  return kNoHint;
}

/// The word that is being read, in small letters.
struct Word {
  char letters[kMaxWord];
  size_t size = 0;
  uint32_t hash = 0x811c9dc5u;

  void add(char c) {
    if (size < kMaxWord) letters[size] = c;
    ++size;
    hash = hash_step(hash, c);
  }
  uint32_t finish() {
    uint32_t hints = size > 1 && size <= kMaxWord ? look_up({letters, size}, hash) : 0;
    if (hints == 0 && size >= kLeastStemmed && size <= kMaxWord) hints = look_up_stem({letters, size});
    size = 0;
    hash = 0x811c9dc5u;
    return hints;
  }
};

}  // namespace

uint32_t hints_of_name(std::string_view attribute) {
  Word word;
  uint32_t hints = 0;
  size_t num_words = 0;
  bool after_small = false;
  uint32_t heeded = ~uint32_t{0};  // of the hints of a word
  for (const char c : attribute) {
    const bool small = c >= 'a' && c <= 'z';
    const bool capital = c >= 'A' && c <= 'Z';
    if ((!small && !capital) || (capital && after_small)) {
      if (word.size > 0) {
        hints |= word.finish() & heeded;
        heeded = ~uint32_t{kSideBar};  // only the first word of a name says that
      }
      if (++num_words == kMaxWords) return hints;
      if (c == ' ') heeded = ~uint32_t{0};
    }
    if (small || capital) word.add(static_cast<char>(c | 0x20));
    after_small = small;
  }
  return hints | (word.finish() & heeded);
}

}  // namespace neardup::text
