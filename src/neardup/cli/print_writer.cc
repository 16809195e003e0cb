#include "neardup/cli/print_writer.h"

#include <optional>
#include <utility>

#include "neardup/base/file.h"
#include "neardup/cli/print_line.h"

namespace neardup::cli {
namespace {

using AppendLine = void (*)(std::string&, const fingerprint::Record&);

class TextWriter final : public PrintWriter {
 public:
  TextWriter(AppendLine append, std::optional<AtomicFile> file, Io& io)
      : append_(append), file_(std::move(file)), io_(io) {}

  Status add(const fingerprint::Record& document) override { return append_(lines_, document), Status{}; }
  Status flush() override {
    const std::string lines = std::exchange(lines_, {});
    if (file_) return file_->write(lines);
    io_.print(lines);
    return io_.failed() ? io_.finish() : Status{};
  }
  Status commit() override {
    NEARDUP_TRY(flush());
    return file_ ? file_->commit() : Status{};
  }

 private:
  AppendLine append_;
  std::optional<AtomicFile> file_;
  Io& io_;
  std::string lines_;
};

/// docs/formats/fingerprints.md.
class BinaryWriter final : public PrintWriter {
 public:
  explicit BinaryWriter(fingerprint::FileWriter writer) : writer_(std::move(writer)) {}
  Status add(const fingerprint::Record& document) override { return writer_.add(document); }
  Status flush() override { return {}; }
  Status commit() override { return writer_.commit(); }

 private:
  fingerprint::FileWriter writer_;
};

}  // namespace

Result<std::unique_ptr<PrintWriter>> open_print_writer(PrintFormat format, const std::string& path,
                                                       const simhash::Recipe& recipe, Io& io) {
  if (format == PrintFormat::kBin) {
    NEARDUP_ASSIGN(auto writer,
                   fingerprint::FileWriter::create(path, {simhash::recipe_id(recipe), simhash::to_json(recipe),
                                                          static_cast<uint32_t>(recipe.num_fingerprints()),
                                                          static_cast<uint32_t>(recipe.num_signature_values())}));
    return std::make_unique<BinaryWriter>(std::move(writer));
  }
  std::optional<AtomicFile> file;
  if (!path.empty()) {
    NEARDUP_ASSIGN(file, AtomicFile::create(path));
  }
  AppendLine append = append_tsv_line;
  if (format == PrintFormat::kJsonl) {
    append = recipe.family == simhash::Family::kMinHash
                 ? [](std::string& out, const fingerprint::Record& record) { append_json_line(out, record, true); }
                 : [](std::string& out, const fingerprint::Record& record) { append_json_line(out, record, false); };
  }
  return std::make_unique<TextWriter>(append, std::move(file), io);
}

}  // namespace neardup::cli
