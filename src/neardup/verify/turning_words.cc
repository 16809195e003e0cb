// Words that are something else as well in their language or another one ("one" of the article in German, "may", "on"
// in French) are left out where that is likelier. So are the names of months and days: pages repeat them as dates, and
// readers forgive another date sooner than another number.
#include "neardup/verify/turning_words.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>
#include <utility>

#include "neardup/token/numbers.h"
#include "neardup/token/one_token.h"

namespace neardup::verify {
namespace {

struct Row {
  uint8_t kind, meaning;
  std::string_view words;  // with a space between
};

constexpr auto kRows = std::to_array<Row>({
    {1, 1, "first 一 壹 первый primero primeiro primo premier erste erster 첫"},
    {1, 2, "two second 二 两 兩 貳 zwei zweite zweiter deux deuxième segundo dois twee два две второй dwa iki اثنان"},
    {1, 3, "three third 三 叁 drei dritte dritter trois troisième tres tercero tre três drie три третий trzy üç ثلاثة"},
    {1, 4,
     "four fourth 四 vier vierte vierter quatre quatrième cuatro quattro quatro четыре четвертый cztery dört أربعة"},
    {1, 5, "five fifth 五 fünf fünfte fünfter cinq cinquième cinco quinto cinque vijf пять пятый pięć beş خمسة"},
    {1, 6, "six sixth 六 sechs sechste sechster sixième seis sexto zes шесть шестой sześć altı ستة"},
    {1, 7, "seven seventh 七 sieben siebte siebter sept septième siete sette sete zeven семь седьмой siedem yedi سبعة"},
    {1, 8, "eight eighth 八 acht achte achter huit huitième ocho otto oito восемь восьмой osiem sekiz ثمانية"},
    {1, 9, "nine ninth 九 neun neunte neunter neuf neuvième nueve nove negen девять девятый dziewięć dokuz تسعة"},
    {1, 10, "ten tenth 十 拾 zehn zehnte zehnter dix dixième diez dieci dez tien десять десятый dziesięć عشرة"},
    {1, 11, "eleven eleventh elf elfte onze undici одиннадцать"},
    {1, 12, "twelve twelfth zwölf zwölfte douze doce dodici doze twaalf двенадцать"},
    {1, 20, "twenty zwanzig vingt veinte venti vinte twintig двадцать"},
    {1, 100, "hundred 百 hundert cien cento honderd сто"},
    {1, 101, "thousand 千 tausend mille duizend тысяча"},
    {1, 102, "million 万 萬 millionen millions millones milioni milhões miljoen миллион"},
    {1, 103, "billion 亿 億 milliarden milliards миллиард"},
    {2, 1,
     "raise raises raised raising rise rises rose rising risen increase increases increased increasing gain gains "
     "gained higher grew grows climbs climbed 升 涨 漲 增 steigt stieg steigen erhöht erhöhte erhöhen zunimmt augmente "
     "augmenté augmenter hausse sube subió aumenta aumentó aumentar aumento salito растет вырос выросли повышает "
     "повысил рост stijgt steeg verhoogt artış arttı"},
    {2, 2,
     "lower lowers lowered lowering fall falls fell falling fallen decrease decreases decreased decreasing reduce "
     "reduces reduced drop drops dropped decline declines declined cut cuts 降 跌 减 減 sinkt sank sinken fällt fiel "
     "gesenkt senkt senken diminue diminué diminuer baisse baja bajó disminuye disminuyó cayó diminuisce calo calato "
     "снижает снизил снизились падает упал падение daalt daalde verlaagt düştü düşüş"},
    {3, 1, "true yes 真 wahr vrai verdadero vero verdadeiro"},
    {3, 2, "false 假 falsch faux falso"},
    {4, 1,
     "enable enables enabled enabling activate activates activated aktivieren aktiviert activer activar attivare"},
    {4, 2, "disable disables disabled disabling deactivate deactivated deaktivieren deaktiviert désactiver desactivar"},
    {5, 1, "north northern 北 nord norte север северный noord nördlich"},
    {5, 2, "south southern 南 süd sud sul юг южный zuid südlich"},
    {5, 3, "east eastern 东 東 ost este leste восток восточный östlich"},
    {5, 4, "west western 西 ouest oeste ovest запад западный westlich"},
    {6, 1, "left 左 links linke linken gauche izquierda sinistra esquerda левый слева"},
    {6, 2, "right 右 rechts rechte rechten droite derecha destra direita правый справа"},
    {7, 1, "before 前 vor avant antes prima до перед"},
    {7, 2, "after 后 後 nach après después dopo depois после"},
    {8, 1,
     "accept accepts accepted accepting approve approves approved approving allow allows allowed grant granted pass "
     "passed annehmen genehmigt erlaubt accepte approuve approuvé acepta aprueba aprobó approva одобрил принял"},
    {8, 2,
     "reject rejects rejected rejecting deny denies denied denying refuse refuses refused forbid forbids forbidden "
     "ablehnen abgelehnt verboten rejette rejeté refuse refusé rechaza rechazó respinge отклонил отказал"},
    {9, 1,
     "buy buys bought buying purchase purchases import imports imported 买 買 kauft kaufen achète acheter compra"},
    {9, 2, "sell sells sold selling export exports exported 卖 賣 verkauft verkaufen vend vendre vende"},
    {10, 1, "man men male 男 mann männer homme hommes hombre hombres uomo uomini homem homens мужчина мужчины"},
    {10, 2, "woman women female 女 frau frauen femme femmes mujer mujeres donna donne mulher mulheres женщина женщины"},
    {11, 1, "win wins won winning 胜 勝 gewinnt gewann gewonnen gagne gagné gana ganó vince vinto выиграл победил"},
    {11, 2,
     "lose loses lost losing 败 敗 负 負 verliert verlor verloren perd perdu pierde perdió perde perso проиграл"},
    {12, 1, "above upper over 上 oben über obere superior"},
    {12, 2, "below under 下 unten unter untere inferior"},
    {13, 1, "minimum least min smallest mindestens"},
    {13, 2, "maximum most max largest höchstens"},
    {14, 1, "with mit avec con с"},
    {14, 2, "without ohne sans sin senza без"},
    {15, 1, "open opens opened opening start starts started begin begins began 开 開 始"},
    {15, 2, "close closes closed closing stop stops stopped end ends ended 关 關 闭 閉 终 終"},
    {16, 1, "high 高 hoch hohe alta alto élevé высокий"},
    {16, 2, "low 低 niedrig niedrige tief baja bajo bas низкий"},
    {17, 1, "always all every"},
    {17, 2, "never none no"},
});

// Open addressing; a free place has no meaning.
class Table {
 public:
  Table() {
    for (const Row& row : kRows)
      for (std::string_view rest = row.words; !rest.empty();)
        add(next_word(rest), uint32_t{row.kind} << 8 | row.meaning);
  }

  [[nodiscard]] const TurningFilter& filter() const { return filter_; }
  [[nodiscard]] uint32_t find(uint32_t marked) const {
    size_t place = place_of(marked);
    while (entries_[place].second != 0 && entries_[place].first != marked) place = (place + 1) % kPlaces;
    return entries_[place].second;
  }

 private:
  static constexpr size_t kPlaces = 2048;  // about a quarter of them taken
  static constexpr int kShift = 32 - std::bit_width(kPlaces - 1);

  static std::string_view next_word(std::string_view& rest) {
    const size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return word;
  }
  static size_t place_of(uint32_t marked) { return marked >> kShift; }

  // A word that stands in two rows says what the first one says.
  void add(std::string_view word, uint32_t meaning) {
    const uint32_t marked = token::marked_hash(token::token_hash(word, 0), false);
    size_t place = place_of(marked);
    while (entries_[place].second != 0 && entries_[place].first != marked) place = (place + 1) % kPlaces;
    if (entries_[place].second == 0) entries_[place] = {marked, meaning};
    filter_.add(marked);
  }

  std::array<std::pair<uint32_t, uint32_t>, kPlaces> entries_{};
  TurningFilter filter_;
};

const Table& table() {
  static const Table kTable;
  return kTable;
}

}  // namespace

const TurningFilter& turning_filter() { return table().filter(); }
uint32_t turning_word(uint32_t marked) { return table().find(marked); }

}  // namespace neardup::verify
