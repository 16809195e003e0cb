// ARC files, drafts of WARC, and headers that are not as the standards have them.
#include "neardup/corpus/find/detect.h"
#include "neardup/corpus/formats/arc_line.h"
#include "neardup/corpus/warc_records.h"
#include "tests/unit/corpus/support.h"
#include "tests/unit/corpus/warc_support.h"

namespace neardup::corpus {
namespace {

const std::string kInfo =
    "filedesc://crawl.arc.gz 127.0.0.1 20140216050221 text/plain 75\n1 0 LiveWeb Capture\nURL IP-address Archive-date "
    "Content-type Archive-length";

std::string arc_record(const std::string& uri, const std::string& type, const std::string& block) {
  return uri + " 93.184.216.119 20140216050221 " + type + " " + std::to_string(block.size()) + "\n" + block;
}

std::string arc_page(const std::string& uri, const std::string& text) {
  return arc_record(uri, "text/html", warc::http("Content-Type: text/html; charset=utf-8\r\n", text));
}

std::string arc_of(const std::vector<std::string>& records, Compression compression = Compression::kNone) {
  std::string file;
  for (const std::string& record : records) file += *compress(compression, record + "\n");
  return file;
}

TEST(ArcLine, Rows) {
  struct Row {
    std::string line, uri, date, type;
    uint64_t length;
  };
  const std::vector<Row> rows = {
      {"http://a.org/ 1.2.3.4 20140216050221 text/html 159", "http://a.org/", "20140216050221", "text/html", 159},
      {"http://a.org/?q=a b c 1.2.3.4 20140216050221 text/html 0\r", "http://a.org/?q=a b c", "20140216050221",
       "text/html", 0},
      {"http://a.org/ ::1 201402160502 text/html;charset=x 7", "http://a.org/", "201402160502", "text/html", 7},
      {"http://a.org/ 1.2.3.4 20140216050221 text/html; charset=x 7", "http://a.org/", "20140216050221", "text/html",
       7},
      {"http://a.org/ 1.2.3.4 20140216050221 text/html 200 fac069150613fe55599cc7fa88aa089d - 209 a.arc 202",
       "http://a.org/", "20140216050221", "text/html", 202},
      {"dns:a.org 1.2.3.4 20140216050221 text/dns 55", "dns:a.org", "20140216050221", "text/dns", 55},
      {"filedesc:// - - - 76", "filedesc://", "", "", 76},
  };
  for (const Row& row : rows) {
    const std::string bytes = row.line + "\nmore";
    const auto line = read_arc_line(bytes);
    ASSERT_TRUE(line) << row.line;
    EXPECT_EQ(std::tuple(line->uri, line->date, line->type, line->length, line->size),
              std::tuple(row.uri, row.date, row.type, row.length, row.line.size() + 1));
  }
  for (const char* line :
       {"", "http://a.org/ 1.2.3.4 20140216050221 text/html -1", "http://a.org/ 1.2.3.4 20140216050221 text/html abc",
        "http://a.org/ 1.2.3.4 19 text/html 5", "a b c d 5", "words that end with 12", "filedesc://a one",
        "http://a.org/ host 20140216050221 text/html 5", "no/scheme 1.2.3.4 20140216050221 text/html 5",
        "http://a.org/ 1.2.3.4 20140216050221 text/html 99999999999999999999"})
    EXPECT_FALSE(read_arc_line(std::string(line) + "\n")) << line;
  EXPECT_FALSE(read_arc_line("http://a.org/ 1.2.3.4 20140216050221 text/html 5")) << "no line end";
  EXPECT_EQ(warc_date_of("20140216050221"), "2014-02-16T05:02:21Z");
  EXPECT_EQ(warc_date_of("201402160502"), "201402160502");
}

TEST(Arc, PagesAreDocumentsWhateverTheFileIsCalled) {
  const std::vector<std::string> records = {
      kInfo,
      arc_page("http://a.org/?q=a b", "one"),
      arc_record("dns:a.org", "text/dns", "20140216050221\na.org. 60 IN A 1.2.3.4\n"),
      arc_record("http://a.org/no", "text/html", warc::http("Content-Type: text/html\r\n", "gone", "404 Not Found")),
      arc_record("http://a.org/picture", "image/gif", warc::http("Content-Type: image/gif\r\n", "GIF")),
      arc_record("http://a.org/old", "text/html", "<p>without a header"),
      arc_record("http://a.org/untyped", "text/html", warc::http("", "two")),
  };
  const TempFolder folder;
  for (const Compression compression : {Compression::kNone, Compression::kGzip, Compression::kZstd})
    for (const char* name : {"crawl.arc", "part-00000"}) {
      const std::string path =
          folder.write(name + std::string(compression_extension(compression)), arc_of(records, compression));
      const auto inputs = discover_all({path});
      ASSERT_EQ(inputs[0].format, Format::kWarc);
      std::vector<std::pair<std::string, std::string>> documents;
      for (const Item& item : read_inputs(inputs)) {
        EXPECT_EQ(item.reason, "");
        documents.emplace_back(item.id, item.text);
      }
      EXPECT_EQ(documents,
                (std::vector<std::pair<std::string, std::string>>{{"http://a.org/?q=a b", "one"},
                                                                  {"http://a.org/old", "<p>without a header"},
                                                                  {"http://a.org/untyped", "two"}}));
    }
}

TEST(Arc, WhatIsWrittenIsArc) {
  const std::vector<std::string> records = {kInfo, arc_page("http://a.org/1", "one"),
                                            arc_page("http://a.org/2", "two")};
  const TempFolder folder;
  for (const Compression compression : {Compression::kNone, Compression::kGzip}) {
    const auto inputs = discover_all(
        {folder.write("a.arc" + std::string(compression_extension(compression)), arc_of(records, compression))});
    ReadOptions options;
    auto reader = *Reader::open(inputs, options);
    std::string out;
    for (Batch batch; *reader.next(batch);) {
      ASSERT_TRUE(reader.load_records(batch));
      std::vector<Chosen> chosen;
      if (!batch.documents.empty()) chosen.push_back({&batch.documents.back(), {}});
      warc_sink().append(batch, chosen, false, out);
    }
    EXPECT_EQ(out, arc_of({records[0], records[2]}, compression));
  }
}

TEST(Arc, DamageCostsNoOtherRecord) {
  const std::string wrong =
      "http://a.org/wrong 1.2.3.4 20140216050221 text/html 9\n" + warc::http("", "longer than it says");
  const TempFolder folder;
  for (const Compression compression : {Compression::kNone, Compression::kGzip}) {
    const auto inputs = discover_all({folder.write(
        "a.arc" + std::string(compression_extension(compression)),
        arc_of({kInfo, arc_page("http://a.org/1", "one"), wrong, arc_page("http://a.org/2", "two"), "garbage\nand more",
                arc_page("http://a.org/3", "three"), "http://a.org/cut 1.2.3.4 20140216050221 text/html 900\nHTTP/1.1"},
               compression))});
    std::vector<std::string> found;
    for (const Item& item : read_inputs(inputs)) found.push_back(item.reason.empty() ? item.text : item.reason);
    EXPECT_EQ(found, (std::vector<std::string>{"one", "invalid_warc", "invalid_warc", "three", "truncated"}))
        << "where garbage follows a record, its length may be wrong";
  }
}

TEST(Arc, AFileWithoutItsFirstRecordIsKnownByItsName) {
  const TempFolder folder;
  EXPECT_EQ(discover_all({folder.write("a.arc", arc_of({arc_page("http://a.org/1", "one")}))})[0].format,
            Format::kWarc);
  EXPECT_EQ(discover_all({folder.write("b.arc", "ArC\1 another kind of archive")})[0].format, Format::kText);
  EXPECT_EQ(discover_all({folder.write("list", "http://a.org/ 1.2.3.4 20140216050221 text/html 5\n")})[0].format,
            Format::kText);
}

TEST(Arc, IsNotWrittenAnewAsWarc) {
  const TempFolder folder;
  const auto records = WarcRecords::open(discover_all({folder.write("a.arc", arc_of({kInfo}))})[0], {});
  ASSERT_FALSE(records);
  EXPECT_EQ(records.error().code, Code::kUnsupported);
  EXPECT_NE(records.error().message.find("warcio recompress"), std::string::npos);
}

TEST(Warc, DraftsAndOddLineEndsAreRead) {
  const auto changed = [](std::string text, const std::string& from, const std::string& to) {
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
    return text;
  };
  const std::string block = "words";
  const std::string record = warc::text("http://a.org/1", block), two = warc::text("http://a.org/2", block);
  const TempFolder folder;
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"WARC/1.0", "WARC/0.17"}, {"WARC/1.0", "WARC/0.18"}, {"\r\n", "\r\r\n"}, {"\r\n", "\n"}}) {
    const std::string file = changed(warc::file_of({record, two}), from, to);
    for (const char* name : {"a.warc", "part-00000"}) {
      const auto items = read_inputs(discover_all({folder.write(name, file)}));
      ASSERT_EQ(items.size(), 2U) << to;
      EXPECT_EQ(items[1].text + items[1].reason, block) << to;
    }
  }
  EXPECT_FALSE(discover(std::vector{folder.write("b.warc", "WARC/0.9 10 warcinfo\n")}, {}));
}

TEST(Warc, AnswersThatOnlySayThatOneComesArePassedOver) {
  const std::string text = "what was asked for",
                    wait = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
  const auto read = [](const std::string& block) {
    const TempFolder folder;
    const auto record = warc::record("response", "http://a.org/", "application/http; msgtype=response", block);
    const auto items = read_inputs(discover_all({folder.write("a.warc", warc::file_of({record}))}));
    return items.empty() ? "" : items[0].text + items[0].reason;
  };
  EXPECT_EQ(read(wait + warc::http("Content-Type: text/plain\r\n", text)), text);
  EXPECT_EQ(read(wait + warc::http("Content-Type: text/plain\r\n", text, "404 Not Found")), "");
  EXPECT_EQ(read("HTTP/1.1 100 Continue\r\n\r\n"), "");
}

}  // namespace
}  // namespace neardup::corpus
