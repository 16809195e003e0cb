// Reads are measured in four working sets; in between, time is taken to go with the logarithm of the size, beyond the
// ends on the line of the two nearest, but never below half of the nearest: what it says there is a guess
// (docs/design/planner.md, "Constants").
// A file may be written by hand as well as by a calibration, so each line that is not understood is named; nothing is
// guessed.
#include "neardup/planner/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "neardup/base/trim.h"

namespace neardup::planner {
namespace {

constexpr double kGreatest = 1e15;

struct MachineField {
  std::string_view name;
  double* value;
};

std::vector<MachineField> fields_of(Machine& machine) {
  return {
      {"read_256k_ns", &machine.read_ns[0]},
      {"read_4m_ns", &machine.read_ns[1]},
      {"read_64m_ns", &machine.read_ns[2]},
      {"read_1g_ns", &machine.read_ns[3]},
      {"overlapped_256k_ns", &machine.overlapped_ns[0]},
      {"overlapped_4m_ns", &machine.overlapped_ns[1]},
      {"overlapped_64m_ns", &machine.overlapped_ns[2]},
      {"overlapped_1g_ns", &machine.overlapped_ns[3]},
      {"compute_ns", &machine.compute_ns},
      {"scan_ns", &machine.scan_ns},
      {"sort_ns", &machine.sort_ns},
      {"ssd_latency_ns", &machine.ssd.latency_ns},
      {"ssd_at_once", &machine.ssd.at_once},
      {"ssd_bytes_per_second", &machine.ssd.bytes_per_second},
      {"network_latency_ns", &machine.network.latency_ns},
      {"network_at_once", &machine.network.at_once},
      {"network_bytes_per_second", &machine.network.bytes_per_second},
  };
}

// Linear over the logarithm of the size; beyond the ends as between the two nearest, but never below half the end.
double interpolated(const std::array<double, 4>& values, double bytes) {
  const auto& sets = Machine::kWorkingSets;
  size_t i = 0;
  while (i + 2 < sets.size() && bytes > sets[i + 1]) ++i;
  const double share = std::log2(std::max(bytes, 1.0) / sets[i]) / std::log2(sets[i + 1] / sets[i]);
  return std::max(values[i] / 2, values[i] + share * (values[i + 1] - values[i]));
}

std::string_view trimmed(std::string_view text) { return trim_blanks(text, " \t\r"); }

Status read_line(std::string_view line, size_t number, std::vector<MachineField>& fields) {
  line = trimmed(line.substr(0, line.find('#')));
  if (line.empty()) return {};
  const auto bad = [&](std::string_view what) {
    return fail(Code::kInvalidArgument,
                fmt::format("line {} of the calibration: {}; \"neardup plan --calibrate\" writes "
                            "a new one",
                            number, what));
  };
  const size_t equals = line.find('=');
  if (equals == std::string_view::npos) return bad("expected \"name = number\"");
  const std::string_view name = trimmed(line.substr(0, equals)), text = trimmed(line.substr(equals + 1));
  const auto field =
      std::find_if(fields.begin(), fields.end(), [&](const MachineField& at) { return at.name == name; });
  if (field == fields.end()) return bad(fmt::format("unknown name \"{}\"", name.substr(0, 100)));
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value > 0) || !(value < kGreatest)) {
    return bad(fmt::format("expected a number above 0 and below 1e15, found \"{}\"", text.substr(0, 100)));
  }
  *field->value = value;
  return {};
}

}  // namespace

double Machine::read(double working_set_bytes) const { return interpolated(read_ns, working_set_bytes); }
double Machine::overlapped(double working_set_bytes) const { return interpolated(overlapped_ns, working_set_bytes); }

std::string format_machine(const Machine& machine) {
  Machine copy = machine;
  std::string text;
  for (const MachineField& field : fields_of(copy)) text += fmt::format("{} = {:.6g}\n", field.name, *field.value);
  return text;
}

Result<Machine> parse_machine(std::string_view text) {
  Machine machine;
  auto fields = fields_of(machine);
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = text.find('\n');
    NEARDUP_TRY(read_line(text.substr(0, end), number, fields));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return machine;
}

}  // namespace neardup::planner
