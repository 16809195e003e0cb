// Bytes of WARC and ARC from outside: of WARC that is not compressed the records are those of the plain reader; all
// else has to end, and what was read can be written.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>

#include "neardup/corpus/corpus.h"
#include "neardup/corpus/formats/arc_line.h"
#include "tests/agree/corpus/plain_warc.h"

namespace neardup::corpus {

/// A folder that goes at the end of the program.
struct WarcFolder {
  WarcFolder() {
    const std::filesystem::path memory = "/dev/shm";
    const bool has_memory = ::access(memory.c_str(), W_OK) == 0;
    path = ((has_memory ? memory : std::filesystem::temp_directory_path()) / "neardup_warc_XXXXXX").string();
    if (::mkdtemp(path.data()) == nullptr) std::abort();
  }
  ~WarcFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  WarcFolder(const WarcFolder&) = delete;
  WarcFolder& operator=(const WarcFolder&) = delete;
  std::string path;
};

struct WarcFound {
  uint64_t num_records = 0;
  std::map<uint64_t, std::string> documents;   // record by number
  std::map<uint64_t, std::string> rejections;  // reason by number
};

inline WarcFound read_warc_input(const std::vector<Input>& inputs, Load what) {
  ReadOptions options;
  options.batch_bytes = 100;
  options.max_record_bytes = 1 << 20;
  auto reader = *Reader::open(inputs, options);
  WarcFound found;
  for (Batch batch; *reader.next(batch); found.num_records += batch.num_lines) {
    const Status loaded = what == Load::kRecords ? reader.load_records(batch) : reader.load(batch);
    if (!loaded) std::abort();
    std::vector<Chosen> all;
    for (const Document& document : batch.documents) {
      found.documents[found.num_records + document.line] = document.record;
      all.push_back({&document, {}});
    }
    for (const Rejection& rejection : batch.rejections)
      found.rejections[found.num_records + rejection.line] = rejection.reason;
    std::string out;
    warc_sink().append(batch, all, false, out);
    if (out.empty() && !all.empty()) std::abort();
  }
  return found;
}

inline void check_plain_warc(std::string_view bytes, const WarcFound& found) {
  const std::vector<plain::WarcItem> records = plain::read_warc(bytes);
  if (found.num_records != records.size()) std::abort();
  for (uint64_t number = 0; number < records.size(); ++number) {
    const auto document = found.documents.find(number);
    const auto rejection = found.rejections.find(number);
    if (document != found.documents.end() && document->second != records[number].bytes) std::abort();
    const bool is_rejected = rejection != found.rejections.end();
    if (!records[number].reason.empty() && !(is_rejected && rejection->second == records[number].reason)) std::abort();
    if (records[number].reason.empty() && is_rejected && rejection->second == "truncated") std::abort();
  }
}

}  // namespace neardup::corpus

inline bool is_fuzzed_arc(std::string_view bytes) {
  bytes.remove_prefix(std::min(bytes.find_first_not_of("\r\n"), bytes.size()));
  return bytes.starts_with(neardup::corpus::kArcMark) || neardup::corpus::read_arc_line(bytes).has_value();
}

inline int fuzz_warc(const uint8_t* data, size_t size) {
  using namespace neardup::corpus;
  static const WarcFolder folder;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (size == 0 || size > 20'000) return 0;
  const bool is_gzip = bytes.starts_with("\x1F\x8B"), is_zstd = bytes.starts_with("\x28\xB5\x2F\xFD");
  const std::string path = folder.path + (is_gzip ? "/a.warc.gz" : is_zstd ? "/a.warc.zst" : "/a.warc");
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(size));
  const auto inputs = discover(std::vector{path}, {.format = Format::kWarc, .include = {}, .exclude = {}});
  if (!inputs) return 0;  // begins like a file that is not read
  read_warc_input(*inputs, Load::kDocuments);
  const WarcFound found = read_warc_input(*inputs, Load::kRecords);
  if (!is_gzip && !is_zstd && !is_fuzzed_arc(bytes)) check_plain_warc(bytes, found);
  return 0;
}
