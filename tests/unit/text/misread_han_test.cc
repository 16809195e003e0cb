#include "neardup/text/misread_han.h"

#include <gtest/gtest.h>

#include "neardup/text/normalizer.h"

namespace neardup::text::misread_han_test {
namespace {

constexpr std::string_view kChinese =
    "港务局周二宣布，因例行检查发现两根支柱出现裂缝，北码头将关闭至月底。所有渡轮将改用南码头，乘客应提前查看时刻表。";
// The same in UTF-8, read as GBK.
constexpr std::string_view kMisread =
    "娓�鍔″眬鍛ㄤ簩瀹ｅ竷锛屽洜渚嬭�屾��鏌ュ彂鐜颁袱鏍规敮鏌卞嚭鐜拌�傜紳锛屽寳鐮佸ご灏嗗叧闂�鑷虫湀搴曘�傛墍鏈夋浮杞�"
    "灏嗘敼鐢ㄥ崡鐮佸ご锛屼箻瀹㈠簲鎻愬墠鏌ョ湅鏃跺埢琛ㄣ��";

std::string repaired(std::string_view text) {
  std::string out = "none";
  return repair_misread_han(text, out) ? out : std::string(text);
}

TEST(MisreadHan, IsWhatItWasButForWhatWasLost) {
  ASSERT_TRUE(may_be_misread_han(kMisread));
  const std::string was = repaired(kMisread);
  EXPECT_GE(was.size() + 24, kChinese.size());
  for (const char* part : {"务局周二宣布，因例", "查发现两根支柱出现", "乘客应提前查看时刻表"})
    EXPECT_NE(was.find(part), was.npos) << part;
  std::string right, misread;
  Normalizer normalizer({.normalization = Normalization::kFolded});
  normalizer.normalize(was, right);
  normalizer.normalize(kMisread, misread);
  EXPECT_EQ(misread, right);
}

TEST(MisreadHan, OtherTextsStayAsTheyAre) {
  for (const std::string_view text :
       {std::string_view(), std::string_view("plain"), kChinese,
        std::string_view("锛子和銆，是少见的字，但这是一句话。港务局宣布关闭码头。"),
        std::string_view("港務局週二宣布，因例行檢查發現兩根支柱出現裂縫，北碼頭將關閉至月底。")})
    EXPECT_EQ(repaired(text), text);
  EXPECT_FALSE(may_be_misread_han(kChinese));
}

TEST(MisreadHan, AFewSuchCharactersInALongTextAreNoReasonToConvertIt) {
  const std::string plain(100'000, 'a');
  EXPECT_FALSE(may_be_misread_han(plain + "锛"));
  EXPECT_FALSE(may_be_misread_han("銆" + plain + "锛"));
  EXPECT_TRUE(may_be_misread_han("a锛"));
  std::string misread;
  for (int i = 0; i < 100; ++i) misread += kMisread;
  EXPECT_TRUE(may_be_misread_han(misread));
}

}  // namespace
}  // namespace neardup::text::misread_han_test
