#include "neardup/cli/pairs_output.h"

#include <fmt/format.h>

#include "neardup/cli/print_line.h"

namespace neardup::cli {

Result<PairsOutput> PairsOutput::create(const std::string& path, Io& io) {
  PairsOutput output(io);
  if (!path.empty()) {
    NEARDUP_ASSIGN(output.file_, AtomicFile::create(path));
  }
  return output;
}

Status PairsOutput::add(std::string_view a, std::string_view b, int distance) {
  append_escaped_id(lines_, a);
  lines_ += '\t';
  append_escaped_id(lines_, b);
  fmt::format_to(std::back_inserter(lines_), "\t{}\n", distance);
  return lines_.size() < (1 << 16) ? Status() : flush();
}

Status PairsOutput::flush() {
  if (file_) {
    NEARDUP_TRY(file_->write(lines_));
  } else {
    io_->print(lines_);
  }
  lines_.clear();
  return {};
}

Status PairsOutput::finish() {
  NEARDUP_TRY(flush());
  return file_ ? file_->commit() : Status{};
}

}  // namespace neardup::cli
