// The labels of encodings, as the WHATWG Encoding Standard (section 4.2) reads them.
#include <string>

#include "neardup/base/white_space.h"
#include "neardup/text/charset.h"
#include "neardup/text/text_lines.h"

namespace neardup::text {
namespace {

struct Row {
  std::string_view encoding;
  std::string_view labels;  // between spaces; the encoding's own name in small letters is one too
};

constexpr Row kRows[] = {
    {"UTF-8", " utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8 "},
    {"UTF-16LE", " utf-16 ucs-2 unicode csunicode iso-10646-ucs-2 unicodefeff "},
    {"UTF-16BE", " unicodefffe "},
    {"UTF-32LE", " utf-32 ucs-4 iso-10646-ucs-4 "},
    {"UTF-32BE", " "},
    {"windows-1252",
     " ascii us-ascii ansi_x3.4-1968 iso-8859-1 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 iso-ir-100 csisolatin1 "
     "latin1 l1 cp1252 cp819 ibm819 x-cp1252 "},
    {"windows-1250", " cp1250 x-cp1250 "},
    {"windows-1251", " cp1251 x-cp1251 win-1251 "},
    {"windows-1253", " cp1253 x-cp1253 "},
    {"windows-1254",
     " cp1254 x-cp1254 iso-8859-9 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 iso-ir-148 csisolatin5 latin5 "
     "l5 "},
    {"windows-1255", " cp1255 x-cp1255 "},
    {"windows-1256", " cp1256 x-cp1256 "},
    {"windows-1257", " cp1257 x-cp1257 "},
    {"windows-1258", " cp1258 x-cp1258 "},
    {"windows-874", " dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 "},
    {"ISO-8859-2", " iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 iso-ir-101 csisolatin2 latin2 l2 "},
    {"ISO-8859-3", " iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 iso-ir-109 csisolatin3 latin3 l3 "},
    {"ISO-8859-4", " iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 iso-ir-110 csisolatin4 latin4 l4 "},
    {"ISO-8859-5", " iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988 iso-ir-144 csisolatincyrillic cyrillic "},
    {"ISO-8859-6",
     " iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987 iso-8859-6-e iso-8859-6-i iso-ir-127 csisolatinarabic "
     "csiso88596e csiso88596i arabic asmo-708 ecma-114 "},
    {"ISO-8859-7",
     " iso8859-7 iso88597 iso_8859-7 iso_8859-7:1987 iso-ir-126 csisolatingreek sun_eu_greek greek "
     "greek8 ecma-118 elot_928 "},
    {"ISO-8859-8",
     " iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988 iso-8859-8-e iso-8859-8-i iso-ir-138 csisolatinhebrew "
     "csiso88598e csiso88598i hebrew visual logical "},
    {"ISO-8859-10", " iso8859-10 iso885910 iso-ir-157 csisolatin6 latin6 l6 "},
    {"ISO-8859-13", " iso8859-13 iso885913 "},
    {"ISO-8859-14", " iso8859-14 iso885914 "},
    {"ISO-8859-15", " iso8859-15 iso885915 iso_8859-15 csisolatin9 latin9 l9 "},
    {"KOI8-R", " koi8 koi koi8_r cskoi8r "},
    {"KOI8-U", " koi8-ru "},
    {"macintosh", " mac x-mac-roman csmacintosh "},
    {"x-mac-cyrillic", " x-mac-ukrainian mac-cyrillic maccyrillic "},
    {"IBM850", " 850 cp850 csibm850 ibm437 437 cp437 csibm437 "},
    {"IBM855", " 855 cp855 csibm855 "},
    {"IBM866", " 866 cp866 csibm866 "},
    {"GB18030", " gbk gb2312 gb_2312 gb_2312-80 chinese csgb2312 csiso58gb231280 iso-ir-58 x-gbk cp936 windows-936 "},
    {"Big5", " big5-hkscs cn-big5 csbig5 x-x-big5 cp950 "},
    {"EUC-JP", " x-euc-jp cseucpkdfmtjapanese "},
    {"ISO-2022-JP", " csiso2022jp iso-2022-jp-1 iso-2022-jp-2 jis "},
    {"ISO-2022-KR", " csiso2022kr "},
    {"ISO-2022-CN", " csiso2022cn iso-2022-cn-ext "},
    {"HZ-GB-2312", " hz hz-gb2312 "},
    {"Shift_JIS", " shift-jis sjis x-sjis ms932 ms_kanji windows-31j cp932 csshiftjis "},
    {"Johab", " ms1361 windows-1361 cp1361 ksc5601-1992 "},
    {"EUC-KR",
     " korean ksc5601 ksc_5601 ks_c_5601-1987 ks_c_5601-1989 iso-ir-149 csksc56011987 cseuckr windows-949 cp949 uhc "},
};

std::string lower_trimmed(std::string_view label) {
  const auto is_edge = [](char c) { return is_white_space(c) || c == '"' || c == '\''; };
  while (!label.empty() && is_edge(label.front())) label.remove_prefix(1);
  while (!label.empty() && is_edge(label.back())) label.remove_suffix(1);
  return in_small_letters(label);
}

}  // namespace

std::string_view encoding_of_label(std::string_view label) {
  const std::string wanted = lower_trimmed(label);
  if (wanted.empty() || wanted.find(' ') != std::string::npos) return {};
  const std::string between = ' ' + wanted + ' ';
  for (const Row& row : kRows) {
    if (lower_trimmed(row.encoding) == wanted || row.labels.find(between) != std::string_view::npos) {
      return row.encoding;
    }
  }
  return {};
}

std::string_view encoding_names() {
  static const std::string names = [] {
    std::string all;
    for (const Row& row : kRows) all.append(all.empty() ? "" : ", ").append(row.encoding);
    return all;
  }();
  return names;
}

}  // namespace neardup::text
