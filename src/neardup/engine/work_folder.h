// The work folder OUTPUT/.neardup, and what lies elsewhere where --temp says so: which files a run keeps until it is
// complete (docs/formats/work_folder.md).
#pragma once

#include <cstdint>
#include <string>

#include "neardup/base/base.h"
#include "neardup/base/disk/folder_lock.h"

namespace neardup::engine {

/// Paths of one run.
class WorkFolder {
 public:
  /// `temporary`: the folder for the files of work(); empty: they lie in root().
  explicit WorkFolder(std::string output, const std::string& temporary = {});

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
  /// The folder of everything large that no result is made of by renaming: root(), or one of its own for this output in
  /// the temporary folder.
  [[nodiscard]] const std::string& work() const { return work_; }
  [[nodiscard]] bool has_own_work() const { return work_ != root(); }
  [[nodiscard]] std::string outcome() const { return work() + "/outcome.bin"; }
  [[nodiscard]] std::string scratch() const { return work() + "/scratch"; }
  /// The part with the documents of a store that the inputs repeat.
  [[nodiscard]] std::string stored() const { return work() + "/stored"; }
  /// Standard input, copied because it is read twice.
  [[nodiscard]] std::string stdin_copy() const { return work() + "/stdin"; }
  /// Where results are written before they move to output().
  [[nodiscard]] std::string staged() const { return root() + "/staged"; }
  /// The folder of part `index` of `count` of the read stage.
  [[nodiscard]] std::string part(int index, int count) const {
    return work() + "/part-" + std::to_string(index) + "-of-" + std::to_string(count);
  }

 private:
  std::string output_;
  std::string work_;
  RunMark run_;
};

}  // namespace neardup::engine
