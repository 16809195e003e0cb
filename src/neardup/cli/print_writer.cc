#include "neardup/cli/print_writer.h"

#include <optional>
#include <utility>

#include "neardup/base/file.h"
#include "neardup/base/mapped_file.h"
#include "neardup/base/temporary_folder.h"
#include "neardup/base/work_place.h"
#include "neardup/cli/print_line.h"

namespace neardup::cli {
namespace {

class TextWriter final : public PrintWriter {
 public:
  TextWriter(bool as_json, const recipe::Recipe& recipe, std::optional<AtomicFile> file, Io& io)
      : as_json_(as_json),
        signatures_(recipe.family == recipe::Family::kMinHash),
        recipe_id_(recipe::recipe_id(recipe)),
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
class BinaryWriter : public PrintWriter {
 public:
  explicit BinaryWriter(fingerprint::FileWriter writer) : writer_(std::move(writer)) {}
  Status add(const fingerprint::Record& document) override { return writer_.add(document); }
  Status flush() override { return {}; }
  Status commit() override { return writer_.commit(); }

 private:
  fingerprint::FileWriter writer_;
};

/// The same to standard output, which gets the bytes when they are all there: half of a file is worth nothing.
class BinaryStreamWriter final : public BinaryWriter {
 public:
  BinaryStreamWriter(TemporaryFolder folder, fingerprint::FileWriter writer, Io& io)
      : BinaryWriter(std::move(writer)), folder_(std::move(folder)), io_(io) {}

  static std::string path_in(const TemporaryFolder& folder) { return folder.path() + "/prints"; }

  Status commit() override {
    NEARDUP_TRY(BinaryWriter::commit());
    NEARDUP_ASSIGN(const MappedFile file, MappedFile::open(path_in(folder_)));
    io_.print(file.bytes());
    return io_.finish();
  }

 private:
  TemporaryFolder folder_;
  Io& io_;
};

Result<std::unique_ptr<PrintWriter>> open_binary_writer(const std::string& path, const recipe::Recipe& recipe, Io& io) {
  const fingerprint::FileHeader header{recipe::recipe_id(recipe), recipe::to_json(recipe),
                                       static_cast<uint32_t>(recipe.num_fingerprints()),
                                       static_cast<uint32_t>(recipe.num_signature_values())};
  if (!path.empty()) {
    NEARDUP_ASSIGN(auto writer, fingerprint::FileWriter::create(path, header));
    return std::make_unique<BinaryWriter>(std::move(writer));
  }
  NEARDUP_ASSIGN(TemporaryFolder folder, make_work_place());
  NEARDUP_ASSIGN(auto writer, fingerprint::FileWriter::create(BinaryStreamWriter::path_in(folder), header));
  return std::make_unique<BinaryStreamWriter>(std::move(folder), std::move(writer), io);
}

}  // namespace

Result<std::unique_ptr<PrintWriter>> open_print_writer(PrintFormat format, const std::string& path,
                                                       const recipe::Recipe& recipe, Io& io) {
  if (format == PrintFormat::kBin) return open_binary_writer(path, recipe, io);
  std::optional<AtomicFile> file;
  if (!path.empty()) {
    NEARDUP_ASSIGN(file, AtomicFile::create(path));
  }
  return std::make_unique<TextWriter>(format == PrintFormat::kJsonl, recipe, std::move(file), io);
}

}  // namespace neardup::cli
