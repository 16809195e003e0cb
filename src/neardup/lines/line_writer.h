// Where lines go: compressed if asked for, written beside the work.
#pragma once

#include <cstdint>
#include <future>
#include <span>
#include <string>
#include <vector>

#include "neardup/lines/long_lines.h"
#include "neardup/lines/options.h"

namespace neardup::lines {

/// Threads: one at a time; compresses on several, and writes on one of its own while the caller goes on.
class LineWriter {
 public:
  /// Where a stand-in of `long_lines` comes, the line itself is written.
  LineWriter(WriteBytes write, corpus::Compression compression, int num_threads, const LongLines& long_lines)
      : write_(std::move(write)), compression_(compression), num_threads_(num_threads), long_lines_(long_lines) {}
  ~LineWriter();
  LineWriter(const LineWriter&) = delete;
  LineWriter& operator=(const LineWriter&) = delete;

  /// These bytes go before the first ones that are put.
  void begin_with(std::string_view bytes) { begin_ = bytes; }
  /// Takes `pieces` of whole lines, whose bytes follow one another, and gives other strings, of any value, in their
  /// place. Errors: those of `write`, also of earlier pieces; kMemory.
  [[nodiscard]] Status put(std::vector<std::string>& pieces);
  /// All is written from now on. Errors: as put().
  [[nodiscard]] Status finish();
  /// Before compression.
  [[nodiscard]] uint64_t size_bytes() const { return size_bytes_; }

 private:
  Status put_bytes(std::vector<std::string>& pieces);
  Status put_with_long(std::string_view lines);
  Status put_long(uint64_t number);
  Status pack(size_t count);
  Status write_beside(std::vector<std::string>& pieces);
  Status wait();

  WriteBytes write_;
  corpus::Compression compression_;
  int num_threads_;
  const LongLines& long_lines_;
  std::string begin_;
  uint64_t size_bytes_ = 0;
  // Compressed by pieces of one size, so that the bytes do not depend on how many threads or how much memory there is.
  static constexpr size_t kPackedBytes = size_t{1} << 20, kMostWaiting = 8;
  std::string waiting_;
  bool wrote_ = false;  // a compressed piece, so that the file is one
  std::vector<std::string> writing_;
  std::future<Status> written_;
};

}  // namespace neardup::lines
