#include "neardup/cli/print_writer.h"

#include <optional>
#include <utility>

#include "neardup/base/file.h"
#include "neardup/cli/print_line.h"

namespace neardup::cli {
namespace {

class TextWriter final : public PrintWriter {
 public:
  TextWriter(bool as_json, const simhash::Recipe& recipe, std::optional<AtomicFile> file, Io& io)
      : as_json_(as_json),
        signatures_(recipe.family == simhash::Family::kMinHash),
        recipe_id_(simhash::recipe_id(recipe)),
        file_(std::move(file)),
        io_(io) {}

  Status add(const fingerprint::Record& document) override {
    if (as_json_) {
      append_json_line(lines_, document, recipe_id_, signatures_);
    } else {
      append_tsv_line(lines_, document, recipe_id_);
    }
    return {};
  }
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
  bool as_json_, signatures_;
  std::string recipe_id_;
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
  return std::make_unique<TextWriter>(format == PrintFormat::kJsonl, recipe, std::move(file), io);
}

}  // namespace neardup::cli
