#include "neardup/text/misread_cyrillic.h"

#include <gtest/gtest.h>

#include "neardup/text/normalizer.h"

namespace neardup::text::misread_cyrillic_test {
namespace {

std::string repaired(std::string_view text) {
  std::string out = "none";
  return repair_misread_cyrillic(text, out) ? out : std::string(text);
}

TEST(MisreadCyrillic, IsWhatItWas) {
  EXPECT_EQ(repaired("РџСЂРёРІРµС‚"), "Привет");
  EXPECT_EQ(repaired("РџРѕСЂС‚ Р·Р°РєСЂС‹С‚ РёР·-Р·Р° С‚СѓРјР°РЅР° вЂ” Рё РЅР°РґРѕР»РіРѕ."),
            "Порт закрыт из-за тумана — и надолго.");
  EXPECT_EQ(repaired("Р\xC2\x98РІР°РЅ Рё Р\xEF\xBF\xBDСЂР°"), "Иван и Ира")
      << "the byte that the code page does not know";
  EXPECT_EQ(repaired("see РџСЂРёРІРµС‚ here"), "see Привет here");
  EXPECT_EQ(repaired("п÷п╬я─я┌ п╥п╟п╨я─я▀я┌."), "Порт закрыт.") << "KOI8-R";
  EXPECT_EQ(repaired("╨Я╨╛╤А╤В ╨╖╨░╨║╤А╤Л╤В."), "Порт закрыт.") << "code page 866";
}

TEST(MisreadCyrillic, OtherTextsStayAsTheyAre) {
  for (const std::string_view text : {"", "plain", "Привет, мир", "СССР и РСФСР", "Сёмга", "Рёв", "СІЧ", "РЈ", "СРЈ",
                                      "РІСІ", "«Р°»", "кафе — С© 2020", "CafГ©", "СЃ", "п│я", "│ цена │ своя│я│",
                                      "╔══╦══╗ порт ╠══╬══╣ п╬ ", "港口因大雾关闭", "ÐŸÑ€Ð¸Ð²ÐµÑ‚"})
    EXPECT_EQ(repaired(text), text);
}

TEST(MisreadCyrillic, IsTheSameTextWhenItIsNormalized) {
  std::string right, misread;
  Normalizer normalizer({.normalization = Normalization::kFolded});
  normalizer.normalize("Порт закрыт из-за тумана", right);
  normalizer.normalize("РџРѕСЂС‚ Р·Р°РєСЂС‹С‚ РёР·-Р·Р° С‚СѓРјР°РЅР°", misread);
  EXPECT_EQ(misread, right);
  normalizer.normalize("п÷п╬я─я┌ п╥п╟п╨я─я▀я┌ п╦п╥-п╥п╟ я┌я┐п╪п╟п╫п╟", misread);
  EXPECT_EQ(misread, right);
  normalizer.normalize("╨Я╨╛╤А╤В ╨╖╨░╨║╤А╤Л╤В ╨╕╨╖-╨╖╨░ ╤В╤Г╨╝╨░╨╜╨░", misread);
  EXPECT_EQ(misread, right);
}

}  // namespace
}  // namespace neardup::text::misread_cyrillic_test
