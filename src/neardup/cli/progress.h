// Progress on standard error: a live line, plain lines, JSON lines, or nothing.
#pragma once

#include <condition_variable>
#include <cstdio>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "neardup/base/context.h"
#include "neardup/base/run_meter.h"
#include "neardup/base/stage_meter.h"
#include "neardup/cli/io.h"

namespace neardup::cli {

/// What --progress can be asked for.
enum class ProgressKind { kAuto, kPlain, kJson, kOff };

/// Shows progress; warnings in every kind. On a terminal one line is redrawn at most ten times a second, plain lines
/// come at most every five seconds, at the end of a stage, and where nothing is heard of the work for 30, JSON objects
/// twice a second. kLong is kPlain without the ends of stages that take less than five seconds. Threads: any.
class ProgressDisplay final : public Progress {
 public:
  enum class Style { kTerminal, kPlain, kLong, kJson, kOff };

  /// Returns the style for `kind` on `io`.
  [[nodiscard]] static Style style_for(ProgressKind kind, const Io& io);
  /// The same for a command whose own words on standard error, and verdicts on standard output, are what is read: with
  /// kAuto kLong beside them, and nothing where verdicts go to a terminal (`prints`).
  [[nodiscard]] static Style style_beside(ProgressKind kind, bool prints, const Io& io);

  /// `clock` gives seconds; empty = the steady clock.
  ProgressDisplay(Style style, std::FILE* out, int columns, std::function<double()> clock = {});
  ~ProgressDisplay() override;
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  void begin_stage(std::string_view stage, std::string_view item_name, uint64_t total_bytes,
                   uint64_t total_items) override;
  void advance(uint64_t done_bytes, uint64_t done_items) override;
  void end_stage() override;
  void plan_stages(std::span<const StageShare> stages) override;
  void plan_memory(uint64_t memory_bytes, std::span<const MemoryShares> phases) override;
  void warn(std::string_view message) override;
  /// Writes a message for people as io.say() does, above the live line; kJson: as message_event() has it.
  void say(std::string_view text);
  /// Plain: says that the work goes on where nothing was shown for 30 seconds. A thread calls it every second, unless
  /// a clock was given.
  void beat();

 private:
  void keep_beating();
  [[nodiscard]] double wait_seconds() const;
  [[nodiscard]] bool is_plain() const { return style_ == Style::kPlain || style_ == Style::kLong; }
  void show_running();
  void clear_line();
  void write(std::string_view text);

  const Style style_;
  std::FILE* const out_;
  const int columns_;
  const std::function<double()> clock_;
  std::mutex mutex_;
  StageMeter meter_;
  RunMeter run_;
  double shown_at_ = 0;
  bool stage_was_shown_ = false;
  bool line_is_live_ = false;  // the cursor stands behind a line that will be redrawn
  bool is_over_ = false;
  std::condition_variable over_;
  std::thread heart_;  // joined by the destructor
};

}  // namespace neardup::cli
