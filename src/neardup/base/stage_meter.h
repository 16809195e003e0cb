// How far a stage is, how fast, and how long it will still take.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace neardup {

/// The figures of one running stage. Times are seconds of any steady clock.
class StageMeter {
 public:
  StageMeter() = default;
  StageMeter(std::string_view stage, std::string_view item_name, uint64_t total_bytes, uint64_t total_items,
             double now);

  void update(uint64_t done_bytes, uint64_t done_items, double now);
  /// The stage is over: only the clock moves on.
  void finish(double now) {
    now_ = now;
    is_over_ = true;
  }

  /// Returns whole percents, 0..99: only a stage that is over is at 100 %. Empty if it runs and no total is known.
  [[nodiscard]] std::optional<int> percent() const;
  /// Returns the seconds that are left by the smoothed rate. Empty while too little is known for a fair guess: in the
  /// first two seconds, below 1 %, or beyond four days; and when the stage is over.
  [[nodiscard]] std::optional<double> seconds_left() const;
  /// The same, not rounded.
  [[nodiscard]] std::optional<double> exact_seconds_left() const;
  [[nodiscard]] double seconds() const { return now_ - start_; }
  [[nodiscard]] bool is_over() const { return is_over_; }

  /// Returns "read  45 %  140 MB of 310 MB  35,000 documents  172 MB/s  about 2 s left of this stage"; where it is
  /// known how long the whole run still takes, "about 20 s left" at the end. Of more than `max_columns` the rate is
  /// left out, then the bytes, then the count; a line is cut only where even what stays is wider.
  [[nodiscard]] std::string running_line(std::optional<double> run_seconds_left = {},
                                         size_t max_columns = std::string::npos) const;
  /// Returns "read  77,944 documents, 310 MB in 1.8 s (172 MB/s)".
  [[nodiscard]] std::string final_line() const;
  /// Returns what is said where nothing has been heard for a while: how far the stage is and since when it runs, or
  /// since when the one before is over.
  [[nodiscard]] std::string waiting_line(double now, std::optional<double> run_seconds_left = {}) const;
  /// Returns the figures as the members of a JSON object, without braces: "seconds_left" of the stage and
  /// "run_seconds_left", where they are known.
  [[nodiscard]] std::string json_members(std::optional<double> run_seconds_left = {}) const;

  [[nodiscard]] const std::string& stage() const { return stage_; }

 private:
  [[nodiscard]] double fraction() const;
  [[nodiscard]] std::string bytes_text() const;
  [[nodiscard]] std::string rate_text() const;
  [[nodiscard]] std::string left_text(std::optional<double> run_seconds_left) const;

  std::string stage_, item_name_;
  uint64_t total_bytes_ = 0, total_items_ = 0, done_bytes_ = 0, done_items_ = 0;
  double start_ = 0, now_ = 0;
  double sampled_at_ = 0, sampled_fraction_ = 0, smoothed_rate_ = 0;  // fraction of the stage per second
  bool is_over_ = false;
};

}  // namespace neardup
