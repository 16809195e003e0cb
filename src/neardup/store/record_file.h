// A closed log as the place of the records in it: bodies are written once.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/disk/file.h"
#include "neardup/base/result.h"
#include "neardup/store/document_facts.h"
#include "neardup/store/open_records.h"
#include "neardup/store/places.h"

namespace neardup::store {

/// Where the records of documents first, first + 1, ... stand in a log: the offsets of their changes. Those of
/// duplicates are marked.
struct LogPlaces {
  uint64_t log = 0;
  uint64_t salt = 0;  // of the log: no other file has it; 0: not known, of a list of before
  uint64_t first = 0;
  Places places;
  uint64_t checksum = 0;  // of the file; as parse_places() gives it

  [[nodiscard]] uint64_t end() const { return first + places.size(); }
};

/// Where the times and tags of the documents of a log stand (DocumentFacts).
struct FactsPlace {
  std::string path;
  int64_t oldest = INT64_MAX;  // time that is known
  uint64_t checksum = 0;       // of the file
};

/// Memory: about a byte for each document. It is open while it is used (OpenRecords). Threads: any number of readers.
class RecordFile final : public Closable {
 public:
  /// `path` is that of the log. Errors: kNotFound, kIo; kCorruption where its header is damaged, or that of another
  /// log.
  [[nodiscard]] static Result<std::shared_ptr<const RecordFile>> open(const std::string& path, LogPlaces places,
                                                                      FactsPlace facts);
  ~RecordFile() override;
  RecordFile(const RecordFile&) = delete;
  RecordFile& operator=(const RecordFile&) = delete;

  [[nodiscard]] uint64_t log() const { return places_.log; }
  [[nodiscard]] uint64_t first() const { return places_.first; }
  [[nodiscard]] uint64_t end() const { return places_.end(); }
  [[nodiscard]] const LogPlaces& places() const { return places_; }
  [[nodiscard]] const FactsPlace& facts() const { return facts_; }
  /// Reads them. Errors: kNotFound, kIo; kCorruption, also where they are not those of this log.
  [[nodiscard]] Result<DocumentFacts> read_facts() const;
  /// Whether arrivals in it have no checksums of their own: a log of before.
  [[nodiscard]] bool is_unchecked() const { return is_unchecked_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  /// Lets files be removed once nobody has this object any more: no manifest names them.
  void remove_when_gone(std::vector<std::string> paths) const;
  bool close_if_idle() const override;
  /// Returns whether it has the record of a document: not of a number that was given up, or erased long ago. Requires:
  /// first() <= number < end().
  [[nodiscard]] bool has(uint64_t number) const { return places_.places.at(number - first()).has_value(); }
  /// Fills `bytes` with the record of `number`, as it was logged: who reads the change in it checks its checksum.
  /// Errors: kIo; kCorruption where there is none, or the file is too short for it.
  [[nodiscard]] Status read(uint64_t number, std::string& bytes) const;
  /// Returns the error of a record that is not what it was.
  [[nodiscard]] tl::unexpected<Error> damaged(uint64_t number) const;

 private:
  RecordFile(std::string path, LogPlaces places, FactsPlace facts)
      : path_(std::move(path)), places_(std::move(places)), facts_(std::move(facts)) {}
  [[nodiscard]] Result<std::shared_ptr<const ReadFile>> file() const;

  std::string path_;
  LogPlaces places_;
  FactsPlace facts_;
  bool is_unchecked_ = false;

  mutable std::mutex mutex_;  // of all below; never held while others open
  mutable std::shared_ptr<const ReadFile> file_;
  mutable bool was_used_ = false;
  mutable std::vector<std::string> unnamed_;  // to be removed
};

/// Writes them to a file, and returns the checksum. Format: docs/formats/store.md. Errors: kIo, kDiskFull.
[[nodiscard]] Result<uint64_t> write_places(const std::string& path, const LogPlaces& places);
/// Reads and validates what write_places() wrote. Errors: kCorruption, naming `path` and the cure.
[[nodiscard]] Result<LogPlaces> parse_places(std::string_view bytes, std::string_view path);

}  // namespace neardup::store
