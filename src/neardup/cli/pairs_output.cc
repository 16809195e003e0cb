#include "neardup/cli/pairs_output.h"

#include <fmt/format.h>

#include "neardup/base/disk/stale_temporaries.h"
#include "neardup/fingerprint/text_line.h"

namespace neardup::cli {
namespace {

void append_ids(std::string& out, std::string_view a, std::string_view b) {
  fingerprint::append_escaped_id(out, a);
  out += '\t';
  fingerprint::append_escaped_id(out, b);
}

}  // namespace

Result<PairsOutput> PairsOutput::create(const std::string& path, Io& io) {
  PairsOutput output(io);
  if (!path.empty()) {
    NEARDUP_ASSIGN(output.file_, create_output(path));
  }
  return output;
}

Status PairsOutput::add(std::string_view a, std::string_view b, int distance) {
  append_ids(lines_, a, b);
  fmt::format_to(std::back_inserter(lines_), "\t{}\n", distance);
  return end_line();
}

Status PairsOutput::add(std::string_view a, std::string_view b, float similarity, float error) {
  append_ids(lines_, a, b);
  fmt::format_to(std::back_inserter(lines_), "\t{:.3f}\t{:.3f}\n", similarity, error);
  return end_line();
}

Status PairsOutput::end_line() { return lines_.size() < (1 << 16) ? Status() : flush(); }

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
