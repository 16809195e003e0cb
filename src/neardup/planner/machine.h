// What a machine costs: how long its memory, its arithmetic and its storage take. The constants of the cost model.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "neardup/base/result.h"

namespace neardup::planner {

/// Where an index lies when it is searched.
enum class Medium {
  kRam,      // in memory
  kSsd,      // in a mapped file on a disk of flash: pages come one after another
  kNetwork,  // behind a network: one request for each run of keys, many under way
};

/// A medium that is not memory.
struct Storage {
  double latency_ns = 0;  // of one read
  double at_once = 1;     // reads of one query that are under way together
  double bytes_per_second = 0;
};

/// Times in nanoseconds, of one thread. The defaults are those of a Zen 4 server that is shared with others.
struct Machine {
  /// Working sets of the reads below: 256 KiB, 4 MiB, 64 MiB, 1 GiB.
  static constexpr std::array<double, 4> kWorkingSets = {262'144.0, 4'194'304.0, 67'108'864.0, 1'073'741'824.0};

  std::array<double, 4> read_ns = {5, 16, 147, 225};  // a random read that the next one waits for, in huge pages
  std::array<double, 4> overlapped_ns = {0.56, 1.2, 7.8, 9.0};  // each of many random reads under way
  double compute_ns = 1.36;  // a fixed piece of arithmetic (see calibrate.h); scales all that the model counts in it
  double scan_ns = 0.056;    // comparing one fingerprint in a run of them
  double sort_ns = 41;       // one key of a large sort
  Storage ssd = {100'000, 1, 2e9};
  Storage network = {500'000, 64, 1e9};

  /// Return read_ns and overlapped_ns for a working set of any size, between those measured and beyond.
  [[nodiscard]] double read(double working_set_bytes) const;
  [[nodiscard]] double overlapped(double working_set_bytes) const;
  [[nodiscard]] const Storage& storage(Medium medium) const { return medium == Medium::kSsd ? ssd : network; }
};

/// Returns the machine as the text of a calibration file: "name = number" lines, see docs/design/planner.md.
[[nodiscard]] std::string format_machine(const Machine& machine);
/// Reads such a text; what it does not name keeps its default; "#" begins a comment. Errors: kInvalidArgument, naming
/// the line (another form, an unknown name, a number that is not between 0 and 1e15).
[[nodiscard]] Result<Machine> parse_machine(std::string_view text);

}  // namespace neardup::planner
