// Reads WARC files: how fast, and with --documents what each document is, for bench/warc.py.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "neardup/base/hash.h"
#include "neardup/base/json.h"
#include "neardup/corpus/corpus.h"

namespace neardup {
namespace {

struct Figures {
  uint64_t documents = 0, records = 0, text_bytes = 0;
};

/// One line a document: its id as JSON, then how long its text is, and its hash.
void print_documents(const corpus::Batch& batch) {
  for (const corpus::Document& document : batch.documents) {
    std::string id;
    append_json_string(id, document.id);
    fmt::print("{}\t{}\t{:016x}\n", id, document.text.size(), hash64(document.text));
  }
  for (const corpus::Rejection& rejection : batch.rejections) fmt::print(stderr, "{}\n", rejection.message);
  for (const corpus::Rejection& note : batch.notes) fmt::print(stderr, "{}\n", note.message);
}

Result<Figures> read_all(const std::vector<corpus::Input>& inputs, bool prints) {
  corpus::ReadOptions options;
  options.id_key = "WARC-Record-ID";
  options.any_encoding = true;
  NEARDUP_ASSIGN(corpus::Reader reader, corpus::Reader::open(inputs, options));
  Figures figures;
  for (corpus::Batch batch;;) {
    NEARDUP_ASSIGN(const bool more, reader.next(batch));
    if (!more) return figures;
    NEARDUP_TRY(reader.load(batch));
    figures.documents += batch.documents.size();
    figures.records += batch.num_lines;
    for (const corpus::Document& document : batch.documents) figures.text_bytes += document.text.size();
    if (prints) print_documents(batch);
  }
}

Status run(const std::vector<std::string>& arguments) {
  const bool prints = !arguments.empty() && arguments[0] == "--documents";
  const std::vector<std::string> files(arguments.begin() + (prints ? 1 : 0), arguments.end());
  NEARDUP_ASSIGN(const auto inputs, corpus::discover(files, {}));
  uint64_t bytes = 0;
  for (const corpus::Input& input : inputs) bytes += input.size_bytes;
  const auto start = std::chrono::steady_clock::now();
  NEARDUP_ASSIGN(const Figures figures, read_all(inputs, prints));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (prints) return {};
  fmt::print("{} records, {} documents, {:.1f} MB of text in {:.3f} s: {:.1f} MB/s of {:.1f} MB on disk\n",
             figures.records, figures.documents, static_cast<double>(figures.text_bytes) / 1e6, seconds,
             static_cast<double>(bytes) / 1e6 / seconds, static_cast<double>(bytes) / 1e6);
  return {};
}

}  // namespace
}  // namespace neardup

int main(int argc, char** argv) {
  const neardup::Status status = neardup::run({argv + 1, argv + argc});
  if (!status) fmt::print(stderr, "{}\n", status.error().message);
  return status ? 0 : 1;
}
