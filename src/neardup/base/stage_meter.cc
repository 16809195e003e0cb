#include "neardup/base/stage_meter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "neardup/base/json.h"
#include "neardup/base/sizes.h"

namespace neardup {
namespace {

constexpr double kSampleSeconds = 0.25;
constexpr double kSmoothingSeconds = 8;      // a change of pace shows after about this time
constexpr double kSilentSeconds = 2;         // no guess before
constexpr double kLongestGuess = 4 * 86400;  // no guess beyond

/// Rounds a guess to steps that it deserves, so that the figure does not tremble.
double rounded_guess(double seconds) {
  const double step = seconds < 10 ? 1 : seconds < 60 ? 5 : seconds < 600 ? 10 : 60;
  return std::max(step, std::round(seconds / step) * step);
}

/// "1 document", "2 documents".
std::string counted(uint64_t count, const std::string& items) {
  const bool singular = count == 1 && items.ends_with('s');
  return human_count(count) + " " + (singular ? items.substr(0, items.size() - 1) : items);
}

}  // namespace

StageMeter::StageMeter(std::string_view stage, std::string_view item_name, uint64_t total_bytes, uint64_t total_items,
                       double now)
    : stage_(stage),
      item_name_(item_name),
      total_bytes_(total_bytes),
      total_items_(total_items),
      start_(now),
      now_(now),
      sampled_at_(now) {}

double StageMeter::fraction() const {
  const auto done = static_cast<double>(total_bytes_ > 0 ? done_bytes_ : done_items_);
  const auto total = static_cast<double>(total_bytes_ > 0 ? total_bytes_ : total_items_);
  return total > 0 ? std::min(1.0, done / total) : 0;
}

void StageMeter::update(uint64_t done_bytes, uint64_t done_items, double now) {
  done_bytes_ = done_bytes;
  done_items_ = done_items;
  now_ = now;
  const double elapsed = now - sampled_at_;
  if (elapsed < kSampleSeconds) return;
  const double rate = (fraction() - sampled_fraction_) / elapsed;
  // The first samples count as much as all before them, later ones by the smoothing time.
  const double share = std::max(1 - std::exp(-elapsed / kSmoothingSeconds), std::min(1.0, elapsed / (now - start_)));
  smoothed_rate_ += share * (rate - smoothed_rate_);
  sampled_at_ = now;
  sampled_fraction_ = fraction();
}

std::optional<int> StageMeter::percent() const {
  if (is_over_) return 100;
  if (total_bytes_ == 0 && total_items_ == 0) return std::nullopt;
  return std::min(99, static_cast<int>(fraction() * 100));
}

std::optional<double> StageMeter::exact_seconds_left() const {
  if (is_over_ || seconds() < kSilentSeconds || fraction() < 0.01 || smoothed_rate_ <= 0) return std::nullopt;
  const double left = (1 - fraction()) / smoothed_rate_;
  if (left > kLongestGuess) return std::nullopt;
  return left;
}

std::optional<double> StageMeter::seconds_left() const {
  const std::optional<double> left = exact_seconds_left();
  return left ? std::optional(rounded_guess(*left)) : std::nullopt;
}

std::string StageMeter::rate_text() const {
  if (seconds() < 0.05) return "";
  if (done_bytes_ > 0) return human_bytes(static_cast<double>(done_bytes_) / seconds()) + "/s";
  if (done_items_ == 0) return "";
  return human_count(static_cast<uint64_t>(static_cast<double>(done_items_) / seconds())) + " " + item_name_ + "/s";
}

std::string StageMeter::left_text(std::optional<double> run_seconds_left) const {
  const std::optional<double> left = run_seconds_left ? rounded_guess(*run_seconds_left) : seconds_left();
  if (!left) return "";
  return fmt::format("about {} left{}", *left < 10 ? fmt::format("{:.0f} s", *left) : human_seconds(*left),
                     run_seconds_left ? "" : " of this stage");
}

std::string StageMeter::bytes_text() const {
  if (done_bytes_ == 0) return "";
  const std::string done = human_bytes(static_cast<double>(done_bytes_));
  return total_bytes_ == 0 ? done : done + " of " + human_bytes(static_cast<double>(total_bytes_));
}

std::string StageMeter::running_line(std::optional<double> run_seconds_left, size_t max_columns) const {
  std::string line = fmt::format("{:<11} ", stage_);
  if (const auto percents = percent()) line += fmt::format("{:>2} %", *percents);
  std::string parts[] = {bytes_text(), done_items_ > 0 ? counted(done_items_, item_name_) : "", rate_text(),
                         left_text(run_seconds_left)};
  const auto joined = [&] {
    std::string all = line;
    for (const std::string& part : parts) {
      if (!part.empty() && all.back() != ' ') all += "  ";
      all += part;
    }
    return all;
  };
  for (const size_t least : {2, 0, 1})
    if (joined().size() > max_columns) parts[least].clear();
  std::string all = joined().substr(0, max_columns);
  while (all.ends_with(' ')) all.pop_back();
  return all;
}

std::string StageMeter::waiting_line(double now, std::optional<double> run_seconds_left) const {
  if (stage_.empty()) return fmt::format("{:<12}", "working") + "nothing to report yet";
  if (is_over_) return fmt::format("{:<12}{} since {} ended", "working", human_seconds(now - now_), stage_);
  return fmt::format("{}  after {}", running_line(run_seconds_left), human_seconds(now - start_));
}

std::string StageMeter::final_line() const {
  std::string line = fmt::format("{:<11} ", stage_);
  if (done_items_ > 0 || done_bytes_ == 0) line += counted(done_items_, item_name_);
  if (done_items_ > 0 && done_bytes_ > 0) line += ", ";
  if (done_bytes_ > 0) line += human_bytes(static_cast<double>(done_bytes_));
  line += " in " + human_seconds(seconds());
  if (const std::string rate = rate_text(); !rate.empty()) line += " (" + rate + ")";
  return line;
}

std::string StageMeter::json_members(std::optional<double> run_seconds_left) const {
  std::string out = "\"stage\":";
  append_json_string(out, stage_);
  out += ",\"item\":";
  append_json_string(out, item_name_);
  out += fmt::format(",\"bytes\":{},\"total_bytes\":{},\"items\":{},\"total_items\":{},\"seconds\":{:.3f}", done_bytes_,
                     total_bytes_, done_items_, total_items_, seconds());
  if (const auto percents = percent()) out += fmt::format(",\"percent\":{}", *percents);
  if (const auto left = seconds_left()) out += fmt::format(",\"seconds_left\":{:.0f}", *left);
  if (run_seconds_left) out += fmt::format(",\"run_seconds_left\":{:.0f}", rounded_guess(*run_seconds_left));
  return out;
}

}  // namespace neardup
