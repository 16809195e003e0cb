#include "neardup/fingerprint/record_writer.h"

#include <optional>
#include <utility>

#include "neardup/base/disk/file.h"
#include "neardup/base/disk/mapped_file.h"
#include "neardup/base/disk/temporary_folder.h"
#include "neardup/base/work_place.h"
#include "neardup/fingerprint/text_line.h"

namespace neardup::fingerprint {
namespace {

class TextWriter final : public RecordWriter {
 public:
  TextWriter(FileForm form, const FileHeader& header, std::optional<AtomicFile> file, ByteStream stream)
      : as_json_(form == FileForm::kJsonl),
        signatures_(header.num_values > 0),
        recipe_id_(header.recipe_id),
        file_(std::move(file)),
        stream_(std::move(stream)) {}

  Status add(const Record& document) override {
    if (as_json_) {
      append_json_line(lines_, document, recipe_id_, signatures_);
    } else {
      append_tsv_line(lines_, document, recipe_id_);
    }
    return {};
  }
  Status flush() override {
    const std::string lines = std::exchange(lines_, {});
    return file_ ? file_->write(lines) : stream_(lines);
  }
  Status commit() override {
    NEARDUP_TRY(flush());
    return file_ ? file_->commit() : Status{};
  }

 private:
  bool as_json_, signatures_;
  std::string recipe_id_;
  std::optional<AtomicFile> file_;
  ByteStream stream_;
  std::string lines_;
};

/// docs/formats/fingerprints.md.
class BinaryWriter : public RecordWriter {
 public:
  explicit BinaryWriter(FileWriter writer) : writer_(std::move(writer)) {}
  Status add(const Record& document) override { return writer_.add(document); }
  Status flush() override { return {}; }
  Status commit() override { return writer_.commit(); }

 private:
  FileWriter writer_;
};

/// The same into a stream, which gets the bytes when they are all there: half of a file is worth nothing.
class BinaryStreamWriter final : public BinaryWriter {
 public:
  BinaryStreamWriter(TemporaryFolder folder, FileWriter writer, ByteStream stream)
      : BinaryWriter(std::move(writer)), folder_(std::move(folder)), stream_(std::move(stream)) {}

  static std::string path_in(const TemporaryFolder& folder) { return folder.path() + "/fingerprints"; }

  Status commit() override {
    NEARDUP_TRY(BinaryWriter::commit());
    NEARDUP_ASSIGN(const MappedFile file, MappedFile::open(path_in(folder_)));
    return stream_(file.bytes());
  }

 private:
  TemporaryFolder folder_;
  ByteStream stream_;
};

Result<std::unique_ptr<RecordWriter>> open_binary_writer(const std::string& path, const FileHeader& header,
                                                         ByteStream stream) {
  if (!path.empty()) {
    NEARDUP_ASSIGN(auto writer, FileWriter::create(path, header));
    return std::make_unique<BinaryWriter>(std::move(writer));
  }
  NEARDUP_ASSIGN(TemporaryFolder folder, make_work_place());
  NEARDUP_ASSIGN(auto writer, FileWriter::create(BinaryStreamWriter::path_in(folder), header));
  return std::make_unique<BinaryStreamWriter>(std::move(folder), std::move(writer), std::move(stream));
}

}  // namespace

Result<std::unique_ptr<RecordWriter>> open_record_writer(FileForm form, const std::string& path,
                                                         const FileHeader& header, ByteStream stream) {
  if (form == FileForm::kBin) return open_binary_writer(path, header, std::move(stream));
  std::optional<AtomicFile> file;
  if (!path.empty()) {
    NEARDUP_ASSIGN(file, AtomicFile::create(path));
  }
  return std::make_unique<TextWriter>(form, header, std::move(file), std::move(stream));
}

}  // namespace neardup::fingerprint
