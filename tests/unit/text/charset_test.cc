#include "neardup/text/charset.h"

#include <gtest/gtest.h>
#include <unicode/ucnv.h>
#include <unicode/unistr.h>

#include <random>
#include <string>

#include "neardup/text/charset_meta.h"

namespace neardup::text::charset_test {
namespace {

struct Sample {
  std::string_view encoding;
  std::string bytes;
  std::string utf8;
};

// The same short sentence as each encoding writes it.
const Sample kSamples[] = {
    {"UTF-8", "caf\xC3\xA9", "café"},
    {"windows-1252", "caf\xE9 \x93x\x94", "café “x”"},
    {"windows-1251", "\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0", "Привет, мир"},
    {"KOI8-R", "\xF0\xD2\xC9\xD7\xC5\xD4", "Привет"},
    {"GB18030", "\xC4\xE3\xBA\xC3\xA3\xAC\xCA\xC0\xBD\xE7", "你好，世界"},
    {"Big5", "\xA7\x41\xA6\x6E\xA1\x41\xA5\x40\xAC\xC9", "你好，世界"},
    {"Shift_JIS", "\x82\xB1\x82\xF1\x82\xC9\x82\xBF\x82\xCD", "こんにちは"},
    {"EUC-JP", "\xA4\xB3\xA4\xF3\xA4\xCB\xA4\xC1\xA4\xCF", "こんにちは"},
    {"ISO-2022-JP", "\x1B$B$3$s$K$A$O\x1B(B", "こんにちは"},
    {"EUC-KR", "\xBE\xC8\xB3\xE7\xC7\xCF\xBC\xBC\xBF\xE4", "안녕하세요"},
    {"UTF-16BE", std::string("\0h\0i\x4F\x60", 6), "hi你"},
};

std::string decode(std::string_view bytes, std::string_view declared, std::string_view expected_encoding) {
  Decoder decoder;
  std::string out;
  const std::string text(decoder.decode(bytes, declared, out));
  EXPECT_EQ(decoder.encoding(), expected_encoding);
  return text;
}

TEST(Charset, ReadsWhatIsDeclared) {
  for (const Sample& sample : kSamples) {
    if (sample.encoding.starts_with("UTF-16")) continue;
    EXPECT_EQ(decode(sample.bytes, sample.encoding, sample.encoding), sample.utf8) << sample.encoding;
  }
}

TEST(Charset, ReadsWhatAPageDeclares) {
  for (const Sample& sample : kSamples) {
    if (sample.encoding.starts_with("UTF-")) continue;
    const std::string name(sample.encoding);
    const std::string page = "<html><meta charset=\"" + name + "\"><p>" + sample.bytes;
    EXPECT_EQ(decode(page, "", sample.encoding), "<html><meta charset=\"" + name + "\"><p>" + sample.utf8);
  }
}

TEST(Charset, ByteOrderMarksComeFirst) {
  EXPECT_EQ(decode("\xEF\xBB\xBF"
                   "caf\xC3\xA9",
                   "windows-1251", "UTF-8"),
            "café");
  EXPECT_EQ(decode("\xFE\xFF" + kSamples[10].bytes, "UTF-8", "UTF-16BE"), kSamples[10].utf8);
  EXPECT_EQ(decode(std::string("\xFF\xFEh\0\x60\x4F", 6), "", "UTF-16LE"), "h你");
}

TEST(Charset, Utf16WithoutAMarkIsKnownByItsZeros) {
  std::string bytes;
  for (const char c : std::string("plain words in wide characters")) bytes += {c, '\0'};
  EXPECT_EQ(decode(bytes, "", "UTF-16LE"), "plain words in wide characters");
}

TEST(Charset, ValidUtf8IsUtf8WhateverIsDeclared) {
  EXPECT_EQ(decode("<meta charset=gbk>港口因大雾关闭", "windows-1252", "UTF-8"), "<meta charset=gbk>港口因大雾关闭");
}

TEST(Charset, AFewBadBytesAreDamageManyAreAnotherEncoding) {
  std::string damaged;
  for (int i = 0; i < 100; ++i) damaged += "港口因大雾关闭";
  damaged.insert(300, "\xFF");
  EXPECT_EQ(decode(damaged, "utf-8", "UTF-8"), damaged);
  EXPECT_EQ(decode("<meta charset=utf-8>" + std::string("caf\xE9 cr\xE8me br\xFBl\xE9"
                                                        "e et th\xE9"),
                   "utf-8", "windows-1252"),
            "<meta charset=utf-8>café crème brûlée et thé");
}

TEST(Charset, DetectsWhatNobodyDeclares) {
  std::string gbk, sjis, cyrillic;
  // 港口因大雾关闭，一艘渡轮撞上了码头。 / 港は濃い霧のために閉鎖されました。 / Порт закрыт из-за густого тумана.
  for (int i = 0; i < 12; ++i) {
    gbk +=
        "\xB8\xDB\xBF\xDA\xD2\xF2\xB4\xF3\xCE\xED\xB9\xD8\xB1\xD5\xA3\xAC\xD2\xBB\xCB\xD2\xB6\xC9\xC2\xD6\xD7\xB2\xC9"
        "\xCF\xC1\xCB\xC2\xEB\xCD\xB7\xA1\xA3";
    sjis +=
        "\x8D\x60\x82\xCD\x94\x5A\x82\xA2\x96\xB6\x82\xCC\x82\xBD\x82\xDF\x82\xC9\x95\xC2\x8D\xBD\x82\xB3\x82\xEA\x82"
        "\xDC\x82\xB5\x82\xBD\x81\x42";
    cyrillic +=
        "\xCF\xEE\xF0\xF2 \xE7\xE0\xEA\xF0\xFB\xF2 \xE8\xE7-\xE7\xE0 \xE3\xF3\xF1\xF2\xEE\xE3\xEE "
        "\xF2\xF3\xEC\xE0\xED\xE0. ";
  }
  EXPECT_TRUE(decode(gbk, "", "GB18030").starts_with("港口因大雾关闭，"));
  EXPECT_TRUE(decode(sjis, "", "Shift_JIS").starts_with("港は濃い霧"));
  EXPECT_TRUE(decode(cyrillic, "", "windows-1251").starts_with("Порт закрыт"));
}

std::string convert(std::string_view utf8, const char* encoding) {
  std::string out(utf8.size() * 5 + 64, '\0');
  UErrorCode error = U_ZERO_ERROR;
  const icu::UnicodeString text = icu::UnicodeString::fromUTF8({utf8.data(), static_cast<int32_t>(utf8.size())});
  UConverter* const to = ucnv_open(encoding, &error);
  const int32_t size =
      ucnv_fromUChars(to, out.data(), static_cast<int32_t>(out.size()), text.getBuffer(), text.length(), &error);
  ucnv_close(to);
  EXPECT_TRUE(U_SUCCESS(error)) << encoding;
  out.resize(static_cast<size_t>(size));
  return out;
}

constexpr std::string_view kChinese =
    "港务局周二宣布，因例行检查发现两根支柱出现裂缝，北码头将关闭三周。\n渡轮改由南码头出发。";
constexpr std::string_view kJapanese = "港湾事務所は火曜日、定期点検で二本の支柱にひび割れが見つかったと発表した。";
constexpr std::string_view kKorean = "항만청은 화요일 정기 점검에서 기둥 두 개에 균열이 발견되었다고 발표했다.";
constexpr std::string_view kRussian =
    "Порт закрыт из-за густого тумана. Паром ударился о причал, и два матроса получили лёгкие ушибы; "
    "новая переправа откроется в четверг. Яхты стоят у южного мола.";
constexpr std::string_view kThai = "ท่าเรือปิดเพราะหมอกหนา เรือข้ามฟากชนท่าเทียบเรือทางเหนือ";

// Nothing is declared: bytes that are all ASCII show their encoding by escapes, braces or base64.
TEST(Charset, EncodingsOfAsciiBytesAreKnownByTheirSigns) {
  EXPECT_EQ(decode(convert(kJapanese, "ISO-2022-JP"), "", "ISO-2022-JP"), kJapanese);
  EXPECT_EQ(decode(convert(kKorean, "ISO-2022-KR"), "", "ISO-2022-KR"), kKorean);
  EXPECT_EQ(decode(convert(kChinese, "ISO-2022-CN"), "", "ISO-2022-CN"), kChinese);
  EXPECT_EQ(decode(convert(kChinese, "HZ"), "", "HZ-GB-2312"), kChinese);
  for (const std::string_view text : {kChinese, kJapanese, kKorean, kRussian, kThai})
    EXPECT_EQ(decode(convert(text, "UTF-7"), "", "UTF-7"), text);
  for (const std::string_view text :
       {"Порт закрыт", "un café crème à emporter", "港口因大雾关闭三周。", "El niño comió piñas en el jardín",
        "Übergrößenträger wäscht schöne Füße", "서울은 대한민국의 수도이다", "Η Αθήνα είναι πρωτεύουσα",
        "مرحبا بالعالم الجميل", "नमस्ते दुनिया कैसे हो", "Tiếng Việt có nhiều dấu", "東京は日本の首都です"})
    EXPECT_EQ(decode(convert(text, "UTF-7"), "", "UTF-7"), text);
  EXPECT_EQ(decode(convert("港口因大雾关闭", "HZ"), "", "HZ-GB-2312"), "港口因大雾关闭");
  EXPECT_EQ(decode("\x1B(I1234\x1B(B \x1B$B-!\x1B(B", "", "ISO-2022-JP"), "ｱｲｳｴ ①") << "as browsers do";
  const std::string page = "<title>x</title><p>" + convert(kJapanese, "ISO-2022-JP");
  EXPECT_EQ(decode(page, "", "ISO-2022-JP"), "<title>x</title><p>" + std::string(kJapanese));
  EXPECT_EQ(decode(page, "shift_jis", "ISO-2022-JP"), "<title>x</title><p>" + std::string(kJapanese));
}

// ASCII texts that hold what the encodings begin with.
TEST(Charset, AsciiTextsWithSuchSignsStayAsTheyAre) {
  for (const std::string_view text :
       {"\x1B[31mred\x1B[0m ESC $B", "\x1B$B", "\x1B$B\x7F\x7F", "\x1B$)C", "if (a ~{b, c}~) {}", "~{abcdef~}",
        "~{the quick~}", "a+b, C++, +49 30 1234567, 1+1=2", "+AGEAYg-", "PGh0bWw+CjxoZWFkPg==",
        "see http://a.org/?q=a+b+c", "dGhlIHF1aWNrIGJyb3duIGZveCBqdW1wcyBvdmVyIHRoZSBsYXp5IGRvZw+Lr8tPz7VNRYX9zQ=="})
    EXPECT_EQ(decode(text, "", "UTF-8"), text);
}

std::string many_times(std::string_view text) {
  std::string many;
  for (int i = 0; i < 40; ++i) many.append(text).append(1, '\n');
  return many;
}

// Every plus sign of these is followed by what might be UTF-16 in base64, every tilde by what might be GB 2312.
TEST(Charset, AsciiTextsThatHappenToBeValidStayAsTheyAre) {
  for (const std::string_view text :
       {"call +13605671004 or +13605671004", "+13605671004, +13605671008, +48221234", "know+how", "know+how who+was",
        "q=how+two+was+his+has+who+now+too+new+few+law+its+yes+ask+log+big", "q=the+how,+now,+two",
        "USA +USA +CIA +DEA +EEA +FDA +BBC +BAQ +CCA +CIA +DOE", "sha1+deadbeef sha1+cafebabe sha1+f00dcafe",
        "x = a +low; y = b +how; z = c +now;", "it+IBk-s", "caf+AOk-", "\\+BB8EPgRABEI- +BDcEMAQ6BEAESwRC-",
        "~{ABCDEF~}", "~{ABCDEFGHIJKLMNOP~}", "~{0123456789012345~}", "(format t \"~{0:0<2=3X!~}~%\" x)", "~{0:0<2=3X!",
        "~{*+,-./*+,-./~}"}) {
    EXPECT_EQ(decode(text, "", "UTF-8"), text);
    EXPECT_EQ(decode(many_times(text), "", "UTF-8"), many_times(text));
  }
}

// Random words and base64, as they stand in addresses, lists and mails.
TEST(Charset, RandomAsciiBehindPlusSignsStaysAsItIs) {
  constexpr std::string_view kAlphabets[] = {"abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789",
                                             "0123456789abcdef",
                                             "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"};
  std::mt19937 random(7);
  for (int i = 0; i < 5000; ++i) {
    const std::string_view letters = kAlphabets[i % std::size(kAlphabets)];
    std::string text;
    for (size_t word = 0; word < 1 + i % 7U; ++word) {
      text += "a+";
      constexpr size_t kLengths[] = {3, 3, 6, 8, 11, 22};  // those of whole characters
      for (size_t n = kLengths[random() % std::size(kLengths)]; n > 1; --n) text += letters[random() % letters.size()];
      text += std::string_view("AEIMQUYcgkosw048")[random() % 16];
      text += word % 2 == 0 ? ' ' : '-';
    }
    ASSERT_EQ(decode(text, "", "UTF-8"), text);
  }
}

TEST(Charset, Utf32IsKnownByItsMarkOrItsLetters) {
  for (const std::string_view text :
       {kChinese, kJapanese, kKorean, kRussian, kThai, std::string_view("plain words 🚢 here")})
    for (const char* encoding : {"UTF-32LE", "UTF-32BE"}) {
      const std::string bytes = convert(text, encoding);
      EXPECT_EQ(decode(bytes, "", encoding), text);
      EXPECT_EQ(decode(convert("\uFEFF" + std::string(text), encoding), "gbk", encoding), text);
    }
}

TEST(Charset, Utf16WithoutAMarkIsKnownByItsLetters) {
  for (const std::string_view text : {kChinese, kJapanese, kKorean, kRussian, kThai}) {
    EXPECT_EQ(decode(convert(text, "UTF-16LE"), "", "UTF-16LE"), text);
    EXPECT_EQ(decode(convert(text, "UTF-16BE"), "", "UTF-16BE"), text);
    EXPECT_EQ(decode(convert(text, "UTF-16LE"), "gbk", "UTF-16LE"), text);
  }
}

TEST(Charset, CyrillicEncodingsOfMacAndDosAreTold) {
  for (const char* encoding : {"IBM855", "IBM866", "x-mac-cyrillic", "windows-1251", "KOI8-R", "ISO-8859-5"})
    EXPECT_EQ(decode(convert(kRussian, encoding), "", encoding), kRussian) << encoding;
  EXPECT_EQ(decode(convert(kRussian, "IBM855"), "cp855", "IBM855"), kRussian);
  EXPECT_EQ(decode(convert(kRussian, "x-mac-cyrillic"), "X-Mac-Cyrillic", "x-mac-cyrillic"), kRussian);
}

TEST(Charset, JohabIsKnownByItsSyllables) {
  constexpr std::string_view kBytes =
      "\xD0\x77\xA0\x65\xC0\xF7\xB7\x65\x20\xD1\xC1\xB6\x61\xB7\xA9\x20\xB8\xF7\x8B\xA1\x20\xB8\xF1\x88"
      "\xF1\xB5\x41\xAC\xE1\x20\x8B\xA1\x96\x97\x20\x96\x81\x20\x88\x81\xB5\x41\x20\x8B\x45\xB5\x69\xB7"
      "\xA1\x20\xA4\x69\x89\x65\x96\x41\xB4\xF6\x94\x61\x89\xA1\x20\xA4\x69\xCE\x61\xD0\x96\x94\x61\x2E"
      "\x20\xF7\xFB\xE7\x4D\xF5\x76\x20\xD9\x68";
  constexpr std::string_view kText =
      "항만청은 화요일 정기 점검에서 기둥 두 개에 균열이 발견되었다고 발표했다. 港灣廳 ※";
  EXPECT_EQ(decode(kBytes, "", "Johab"), kText);
  EXPECT_EQ(decode(kBytes, "johab", "Johab"), kText);
  EXPECT_EQ(decode("\xD0\x77 \xFF\x20\x88", "johab", "Johab"), "항 \uFFFD \uFFFD");
}

TEST(Charset, CyrillicOfUkraineIsToldFromThatOfRussia) {
  constexpr std::string_view kUkrainian =
      "Управління порту повідомило у вівторок, що під час огляду знайшли тріщини в її опорах";
  EXPECT_EQ(decode(convert(kUkrainian, "KOI8-U"), "", "KOI8-U"), kUkrainian);
}

TEST(Charset, WesternEncodingsOfMacAndDosAreTold) {
  for (const std::string_view text :
       {"Die Fähre fährt früh über den Fluß, nördlich der Brücke müssen Gäste umkehren.",
        "Le préfet a décidé de fermer le quai à cause de la fumée, très épaisse cet été."})
    for (const char* encoding : {"macintosh", "IBM850", "windows-1252"})
      EXPECT_EQ(decode(convert(text, encoding), "", encoding), text) << encoding;
  for (const std::string_view text : {"don’t can’t it’s we’re—they’re word–word Windows™ Linux™ Debian™ then… when…",
                                      "one\u00A0two\u00A0three\u00A0four"})
    EXPECT_EQ(decode(convert(text, "windows-1252"), "", "windows-1252"), text);
}

TEST(Charset, LabelsMeanWhatBrowsersTakeThemFor) {
  EXPECT_EQ(encoding_of_label(" Latin1 "), "windows-1252");
  EXPECT_EQ(encoding_of_label("US-ASCII"), "windows-1252");
  EXPECT_EQ(encoding_of_label("gb2312"), "GB18030");
  EXPECT_EQ(encoding_of_label("\"UTF8\""), "UTF-8");
  EXPECT_EQ(encoding_of_label("csISO2022KR"), "ISO-2022-KR");
  EXPECT_EQ(encoding_of_label("hz-gb-2312"), "HZ-GB-2312");
  EXPECT_EQ(encoding_of_label("x-mac-ukrainian"), "x-mac-cyrillic");
  EXPECT_EQ(encoding_of_label("utf-7"), "");
  EXPECT_EQ(encoding_of_label("EBCDIC-US"), "");
  EXPECT_EQ(encoding_of_label("gbk latin1"), "");
  EXPECT_EQ(encoding_of_label(""), "");
}

TEST(Charset, FindsMetaElements) {
  EXPECT_EQ(encoding_in_html("<META HTTP-EQUIV='Content-Type' CONTENT='text/html; charset = gb2312'>"), "GB18030");
  EXPECT_EQ(encoding_in_html("<meta name=x content=charset><meta charset=big5>"), "Big5");
  EXPECT_EQ(encoding_in_html("<?xml version=\"1.0\" encoding=\"EUC-JP\"?><html>"), "EUC-JP");
  EXPECT_EQ(encoding_in_html("charset=big5"), "");
  EXPECT_EQ(encoding_in_html(std::string(5000, ' ') + "<meta charset=big5>"), "");
}

TEST(Charset, EveryNameHasAConverter) {
  std::string names(encoding_names());
  for (size_t at = 0; at < names.size();) {
    const size_t end = std::min(names.find(", ", at), names.size());
    const std::string name = names.substr(at, end - at);
    at = end + 2;
    EXPECT_EQ(encoding_of_label(name), name);
    if (name.starts_with("UTF-")) continue;
    EXPECT_FALSE(decode("abc \xE1\xE0 def", name, name).empty()) << name;
  }
}

}  // namespace
}  // namespace neardup::text::charset_test
