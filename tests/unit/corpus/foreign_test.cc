#include "neardup/corpus/find/foreign.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <map>

#include "neardup/corpus/formats.h"
#include "tests/unit/corpus/support.h"

namespace neardup::corpus {
namespace {

using namespace std::string_literals;

const std::map<std::string, std::string>& samples() {
  static const std::map<std::string, std::string> samples = {
      {"WARC", "WARC/0.9\r\nWARC-Type: response\r\n"},
      {"Parquet", "PARE\x15\x04\x15\x10"},
      {"Arrow", "ARROW1\0\0\xFF\xFF\xFF\xFF"s},
      {"SQLite", "SQLite format 3\0\x10\0"s},
      {"PDF", "%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\n"},
      {"ZIP", "PK\x03\x04\x14\0\x06\0"s},
      {"7z", "7z\xBC\xAF\x27\x1C\0\x04"s},
      {"RAR", "Rar!\x1A\x07\x01\0"s},
      {"GIF", "GIF89a\x01\0\x01\0"s},
      {"PNG", "\x89PNG\r\n\x1A\n\0\0\0\rIHDR"s},
      {"JPEG", "\xFF\xD8\xFF\xE0\0\x10JFIF"s},
      {"ELF",
       "\x7F"
       "ELF\x02\x01\x01"},
      {"xz",
       "\xFD"
       "7zXZ\0\0"s},
      {"bzip2", "BZh91AY&SY\x01"},
      {"tar", "name" + std::string(253, '\0') + "ustar\0"s},
  };
  return samples;
}

TEST(Foreign, EachIsToldByNameWithACure) {
  for (const auto& [what, bytes] : samples()) {
    const std::string why = why_foreign(bytes, "x");
    EXPECT_NE(why.find(what), std::string::npos) << what << ": " << why;
    EXPECT_TRUE(why.find("convert it first: ") != std::string::npos || why.find("--exclude") != std::string::npos)
        << why;
  }
}

TEST(Foreign, DocumentsInArchivesAreToldByTheirEnding) {
  EXPECT_NE(
      why_foreign(samples().at("ZIP"), "a.docx").find("Word document, which is not read; convert it first: pandoc"),
      std::string::npos);
  EXPECT_NE(why_foreign(samples().at("ZIP"), "a.bin").find("ZIP archive"), std::string::npos);
}

TEST(Foreign, TextIsNot) {
  for (const char* text : {"", "P", "PK is a code", "GIF and PNG", "WARC files", "BZh9 1AY&SY", "ftyp", "abcdftypisom",
                           "{\"a\":1}", "<html>", "\xEF\xBB\xBFtext", "%PDF", "MZ", "ID3 is a tag"})
    EXPECT_EQ(why_foreign(text, "a.txt"), "") << text;
}

std::string gzip(const std::string& bytes) {
  std::string out(bytes.size() + 100, '\0');
  z_stream stream = {};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

TEST(Foreign, DrawingsAreToldByTheirRootElement) {
  const std::string head = "<?xml version=\"1.0\"?>\n<!-- Created by hand -->\n";
  for (const std::string& drawing :
       {head + "<svg width=\"9\"/>", "\xEF\xBB\xBF" + head + "<!DOCTYPE svg PUBLIC \"-//W3C\">", std::string("<svg>"),
        std::string("\n<svg\n  id=\"a\">"), head + "<svg:svg xmlns:svg=\"s\">"})
    EXPECT_NE(why_drawing(drawing).find("is an SVG drawing"), std::string::npos) << drawing;
  for (const std::string& other :
       {head + "<rss version=\"2.0\">", head, std::string("<svgs>"), std::string("<!-- <svg> "),
        std::string("<?xml <svg>"), std::string("an <svg> in a text"), std::string("<html><svg>"), std::string()})
    EXPECT_EQ(why_drawing(other), "") << other;
}

TEST(Foreign, InAFolderEachIsRejected) {
  const TempFolder folder;
  for (const auto& [what, bytes] : samples()) folder.write("in/" + what, bytes);
  folder.write("in/pages.txt.gz",
               gzip("WARC/1.0\r\nWARC-Type: response\r\n"));  // read as text, it would be one document
  folder.write("in/text.txt", "a text");
  size_t num_texts = 0;
  for (const Item& item : read_inputs(discover_all({folder.path("in")}))) {
    num_texts += static_cast<size_t>(item.reason.empty());
    if (item.reason.empty()) continue;
    EXPECT_EQ(item.reason, "unsupported") << item.input;
  }
  EXPECT_EQ(num_texts, 1U);
}

TEST(Foreign, GivenItselfItIsRefused) {
  const TempFolder folder;
  for (const auto& [what, bytes] : samples()) {
    for (const auto& path : {folder.write("a/" + what, bytes), folder.write("a/" + what + ".txt.gz", gzip(bytes))}) {
      const auto found = discover(std::vector{path}, {});
      ASSERT_FALSE(found) << path;
      EXPECT_EQ(found.error().code, Code::kUnsupported);
      EXPECT_NE(found.error().message.find(what), std::string::npos) << found.error().message;
    }
  }
}

TEST(Foreign, NoFormatThatIsReadIsAmongThem) {
  for (const FormatRow& row : formats()) {
    EXPECT_EQ(&row, &row_of(row.format));
    if (!row.signs.magic.empty()) {
      EXPECT_EQ(why_foreign(row.signs.magic, ""), "") << row.name;
    }
    for (const std::string_view ending : row.signs.endings) EXPECT_EQ(why_foreign_name(ending), "") << ending;
  }
}

}  // namespace
}  // namespace neardup::corpus
