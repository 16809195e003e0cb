#include "neardup/corpus/find/foreign.h"

#include <algorithm>

#include "neardup/base/xml_prolog.h"
#include "neardup/corpus/find/file_signs.h"
#include "neardup/corpus/formats.h"

namespace neardup::corpus {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kLeaveOut = "leave it out: --exclude and a pattern of its name";
constexpr std::string_view kOfArrow =
    "python3 -c \"import pyarrow.feather as f; f.read_table('FILE').to_pandas().to_json('FILE.jsonl', "
    "orient='records', lines=True)\"";
constexpr std::string_view kOfDocument = "pandoc -t plain -o FILE.txt FILE";
constexpr std::string_view kOfOffice = "libreoffice --headless --convert-to txt:Text FILE";
constexpr std::string_view kOfSheet = "libreoffice --headless --convert-to csv FILE";
constexpr std::string_view kOfSlides = "libreoffice --headless --convert-to pdf FILE, then pdftotext";
constexpr std::string_view kOfPicture = "tesseract FILE FILE (its text, by OCR), or leave it out with --exclude";

/// One format.
struct Foreign {
  std::string_view what;
  std::string_view cure;
  FileSigns signs;
  bool begins_others = false;  // other rows, told apart by their endings, begin alike
};

constexpr Foreign kForeign[] = {
    {"a WARC file of a draft before 0.17", "warcat extract FILE --output-dir FOLDER", "WARC/0.", 0, {}},
    {"an encrypted Parquet file", "decrypt it with the keys that its writer has", "PARE", 0, {}},
    {"an Arrow file", kOfArrow, "ARROW1\0\0"sv, 0, {".arrow", ".feather"}},
    {"an Avro file", "avro-tools tojson FILE > FILE.jsonl", "Obj\x01", 0, {".avro"}},
    {"an ORC file", "orc-contents FILE > FILE.jsonl", "", 0, {".orc"}},
    {"a SQLite database",
     "sqlite3 -json FILE 'SELECT * FROM TABLE' | jq -c '.[]' > FILE.jsonl",
     "SQLite format 3\0"sv,
     0,
     {".sqlite", ".sqlite3"}},
    {"an HDF5 file", "h5dump -o FILE.txt FILE", "\x89HDF\r\n\x1A\n", 0, {".h5", ".hdf5"}},
    {"a NumPy array", kLeaveOut, "\x93NUMPY", 0, {".npy"}},
    {"a PDF document", "pdftotext FILE FILE.txt", "%PDF-", 0, {".pdf"}},
    {"a PostScript document", "ps2ascii FILE FILE.txt", "%!PS-Adobe", 0, {".ps", ".eps"}},
    {"an RTF document", kOfOffice, "{\\rtf", 0, {".rtf"}},
    {"a DjVu document", "djvutxt FILE FILE.txt", "AT&TFORM", 0, {".djvu"}},
    {"a Word document", kOfDocument, "PK\x03\x04", 0, {".docx"}},
    {"an OpenDocument text", kOfDocument, "PK\x03\x04", 0, {".odt"}},
    {"an EPUB book", kOfDocument, "PK\x03\x04", 0, {".epub"}},
    {"a spreadsheet", kOfSheet, "PK\x03\x04", 0, {".xlsx", ".ods"}},
    {"a presentation", kOfSlides, "PK\x03\x04", 0, {".pptx", ".odp"}},
    {"a ZIP archive", "unzip FILE -d FOLDER", "PK\x03\x04", 0, {".zip", ".jar", ".whl"}, true},
    {"an Office document", kOfOffice, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", 0, {".doc", ".xls", ".ppt"}, true},
    {"a 7z archive", "7z x FILE -oFOLDER", "7z\xBC\xAF\x27\x1C", 0, {".7z"}},
    {"a RAR archive", "unrar x FILE FOLDER/", "Rar!\x1A\x07", 0, {".rar"}},
    {"a tar archive", "tar -xf FILE -C FOLDER", "ustar", 257, {".tar", ".tgz"}},
    {"a bzip2 file", "bunzip2 -k FILE", "1AY&SY", 4, {".bz2"}},
    {"an xz file",
     "unxz -k FILE",
     "\xFD"
     "7zXZ\0"sv,
     0,
     {".xz"}},
    {"an lz4 file", "unlz4 FILE", "\x04\x22\x4D\x18", 0, {".lz4"}},
    {"a GIF picture", kOfPicture, "GIF87a", 0, {".gif"}},
    {"a GIF picture", kOfPicture, "GIF89a", 0, {".gif"}},
    {"a PNG picture", kOfPicture, "\x89PNG\r\n\x1A\n", 0, {".png"}},
    {"a JPEG picture", kOfPicture, "\xFF\xD8\xFF", 0, {".jpg", ".jpeg"}},
    {"a TIFF picture", kOfPicture, "II*\0"sv, 0, {".tif", ".tiff"}},
    {"a TIFF picture", kOfPicture, "MM\0*"sv, 0, {".tif", ".tiff"}},
    {"a WebP picture", kOfPicture, "WEBPVP8", 8, {".webp"}},
    {"a sound or a video", kLeaveOut, "ftyp", 4, {".mp4", ".mov", ".m4a"}},
    {"a sound", kLeaveOut, "ID3\x03", 0, {".mp3"}},
    {"a sound", kLeaveOut, "ID3\x04", 0, {".mp3"}},
    {"a sound or a video", kLeaveOut, "OggS\0"sv, 0, {".ogg", ".opus"}},
    {"a sound", kLeaveOut, "fLaC\0"sv, 0, {".flac"}},
    {"a sound", kLeaveOut, "WAVEfmt ", 8, {".wav"}},
    {"a program (ELF)",
     kLeaveOut,
     "\x7F"
     "ELF",
     0,
     {".so", ".o"}},
    {"a program (Windows)", kLeaveOut, "MZ\x90\0"sv, 0, {".exe", ".dll"}},
    {"a Java class", kLeaveOut, "\xCA\xFE\xBA\xBE", 0, {".class"}},
    {"a WebAssembly module", kLeaveOut, "\0asm"sv, 0, {".wasm"}},
};

std::string say(const Foreign& foreign) {
  return "is " + std::string(foreign.what) + ", which is not read; " +
         (foreign.cure == kLeaveOut ? "" : "convert it first: ") + std::string(foreign.cure);
}

}  // namespace

std::string why_drawing(std::string_view bytes) {
  const std::string_view xml = without_xml_prolog(bytes.starts_with("\xEF\xBB\xBF") ? bytes.substr(3) : bytes);
  constexpr std::string_view kBeginnings[] = {"<svg ",  "<svg>",    "<svg\n",       "<svg\r",
                                              "<svg\t", "<svg:svg", "<!DOCTYPE svg"};
  if (std::ranges::none_of(kBeginnings, [xml](auto beginning) { return xml.starts_with(beginning); })) return "";
  return "is an SVG drawing, which is read only if you give its own path; " + std::string(kLeaveOut);
}

std::string why_foreign(std::string_view bytes, std::string_view name) {
  const Foreign* found = nullptr;
  for (const Foreign& foreign : kForeign) {
    if (!foreign.signs.has_magic(bytes)) continue;
    if (foreign.signs.has_ending(name)) return say(foreign);
    if (found == nullptr || foreign.begins_others) found = &foreign;
  }
  return found == nullptr ? "" : say(*found);
}

std::string why_other_format(std::string_view bytes, std::string_view name) {
  if (!row_of(Format::kParquet).signs.has_magic(bytes)) return why_foreign(bytes, name);
  return "is a Parquet file under another name: give it one that ends in .parquet, or say --format parquet";
}

std::string why_no_text_format(std::string_view bytes, std::string_view name) {
  if (!row_of(Format::kWarc).signs.has_magic(bytes)) return why_other_format(bytes, name);
  return "is a WARC file, whose records are documents, and is to be read as one text: give it a name that ends in "
         ".warc, "
         "or say --format warc";
}

bool is_packed_name(std::string_view name) {
  constexpr std::string_view endings[] = {".bz2", ".xz", ".lz4", ".zip", ".7z", ".rar", ".tar", ".tgz"};
  return std::ranges::any_of(endings, [&](auto ending) { return name.ends_with(ending); });
}

std::string why_foreign_name(std::string_view name) {
  const auto* found =
      std::ranges::find_if(kForeign, [&](const Foreign& foreign) { return foreign.signs.has_ending(name); });
  return found == std::end(kForeign) ? "" : say(*found);
}

}  // namespace neardup::corpus
