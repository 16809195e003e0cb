// The work folder OUTPUT/.neardup: which files a run keeps there until it is complete (docs/formats/work_folder.md).
#pragma once

#include <cstdint>
#include <string>

#include "neardup/base/base.h"
#include "neardup/base/disk/folder_lock.h"

namespace neardup::engine {

/// Paths inside one output folder.
class WorkFolder {
 public:
  explicit WorkFolder(std::string output) : output_(std::move(output)) {}

  [[nodiscard]] const std::string& output() const { return output_; }
  /// Checksums of all that a run's parts depend on, and of what is decided by them; 0 where no other run can find the
  /// folder.
  struct RunMark {
    uint64_t reading = 0, deciding = 0;
  };
  [[nodiscard]] const RunMark& run() const { return run_; }
  void set_run(const RunMark& run) { run_ = run; }
  [[nodiscard]] std::string root() const { return output_ + "/.neardup"; }
  [[nodiscard]] std::string run_json() const { return root() + "/run.json"; }
  [[nodiscard]] std::string idf() const { return root() + "/idf.bin"; }
  [[nodiscard]] std::string outcome() const { return root() + "/outcome.bin"; }
  [[nodiscard]] std::string scratch() const { return root() + "/scratch"; }
  /// The part with the documents of a store that the inputs repeat.
  [[nodiscard]] std::string stored() const { return root() + "/stored"; }
  /// Standard input, copied because it is read twice.
  [[nodiscard]] std::string stdin_copy() const { return root() + "/stdin"; }
  /// Where results are written before they move to output().
  [[nodiscard]] std::string staged() const { return root() + "/staged"; }
  /// The folder of part `index` of `count` of the read stage.
  [[nodiscard]] std::string part(int index, int count) const {
    return root() + "/part-" + std::to_string(index) + "-of-" + std::to_string(count);
  }

 private:
  std::string output_;
  RunMark run_;
};

}  // namespace neardup::engine
