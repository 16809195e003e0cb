#include "neardup/cli/progress.h"

#include <fmt/format.h>

#include <chrono>

#include "neardup/cli/message_event.h"
#include "neardup/cli/out_of_memory.h"
#include "neardup/report/escape.h"

namespace neardup::cli {
namespace {

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

ProgressDisplay::Style ProgressDisplay::style_for(ProgressKind kind, const Io& io) {
  switch (kind) {
    case ProgressKind::kAuto:
      return io.err_is_terminal ? Style::kTerminal : Style::kPlain;
    case ProgressKind::kPlain:
      return Style::kPlain;
    case ProgressKind::kJson:
      return Style::kJson;
    case ProgressKind::kOff:
      break;
  }
  return Style::kOff;
}

ProgressDisplay::Style ProgressDisplay::style_beside(ProgressKind kind, bool prints, const Io& io) {
  if (kind != ProgressKind::kAuto) return style_for(kind, io);
  if (prints && io.out_is_terminal) return Style::kOff;
  return io.err_is_terminal ? Style::kTerminal : Style::kLong;
}

ProgressDisplay::ProgressDisplay(Style style, std::FILE* out, int columns, std::function<double()> clock)
    : style_(style), out_(out), columns_(columns), clock_(clock ? clock : steady_seconds), shown_at_(clock_()) {
  if (is_plain() && !clock) heart_ = std::thread([this] { keep_beating(); });
}

ProgressDisplay::~ProgressDisplay() {
  {
    const std::scoped_lock lock(mutex_);
    is_over_ = true;
  }
  over_.notify_all();
  if (heart_.joinable()) heart_.join();
  if (line_is_live_) write("\n");
}

void ProgressDisplay::keep_beating() {
  std::unique_lock lock(mutex_);
  while (!over_.wait_for(lock, std::chrono::seconds(1), [this] { return is_over_; })) {
    lock.unlock();
    beat();
    lock.lock();
  }
}

void ProgressDisplay::beat() {
  constexpr double kLongestSilence = 30;
  const std::scoped_lock lock(mutex_);
  const double now = clock_();
  if (!is_plain() || now - shown_at_ < kLongestSilence) return;
  shown_at_ = now;
  write(meter_.waiting_line(now, run_.seconds_left(meter_)) + "\n");
}

double ProgressDisplay::wait_seconds() const {
  return style_ == Style::kTerminal ? 0.1 : style_ == Style::kJson ? 0.5 : 5;
}

void ProgressDisplay::write(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), out_);
  std::fflush(out_);
}

void ProgressDisplay::clear_line() {
  if (line_is_live_) write("\r\x1b[K");
  line_is_live_ = false;
}

void ProgressDisplay::show_running() {
  const std::optional<double> left = run_.seconds_left(meter_);
  if (style_ == Style::kJson) return write(fmt::format("{{\"event\":\"progress\",{}}}\n", meter_.json_members(left)));
  stage_was_shown_ = true;
  if (is_plain()) return write(meter_.running_line(left) + "\n");
  write("\r" + meter_.running_line(left, static_cast<size_t>(columns_ - 1)) + "\x1b[K");
  line_is_live_ = true;
}

void ProgressDisplay::begin_stage(std::string_view stage, std::string_view item_name, uint64_t total_bytes,
                                  uint64_t total_items) {
  note_work(stage);
  const std::scoped_lock lock(mutex_);
  const double now = clock_();
  meter_ = StageMeter(stage, item_name, total_bytes, total_items, now);
  run_.begin(stage);
  shown_at_ = now;
  stage_was_shown_ = false;
  if (style_ == Style::kJson)
    write(fmt::format("{{\"event\":\"begin\",{}}}\n", meter_.json_members(run_.seconds_left(meter_))));
}

void ProgressDisplay::advance(uint64_t done_bytes, uint64_t done_items) {
  if (style_ == Style::kOff) return;
  const std::scoped_lock lock(mutex_);
  const double now = clock_();
  meter_.update(done_bytes, done_items, now);
  if (now - shown_at_ < wait_seconds()) return;
  shown_at_ = now;
  show_running();
}

void ProgressDisplay::end_stage() {
  if (style_ == Style::kOff) return;
  const std::scoped_lock lock(mutex_);
  const double now = clock_();
  meter_.finish(now);
  run_.end(meter_.seconds());
  shown_at_ = now;
  if (style_ == Style::kJson)
    return write(fmt::format("{{\"event\":\"end\",{}}}\n", meter_.json_members(run_.seconds_left(meter_))));
  clear_line();
  if (style_ != Style::kLong || stage_was_shown_) write(meter_.final_line() + "\n");
}

void ProgressDisplay::plan_stages(std::span<const StageShare> stages) {
  const std::scoped_lock lock(mutex_);
  run_.plan(stages);
}

void ProgressDisplay::plan_memory(uint64_t memory_bytes, std::span<const MemoryShares> phases) {
  if (style_ != Style::kJson) return;
  std::string line = fmt::format("{{\"event\":\"memory\",\"bytes\":{},\"phases\":[", memory_bytes);
  for (const MemoryShares& phase : phases) {
    line += fmt::format("{}{{\"phase\":\"{}\",\"shares\":{{", line.back() == '[' ? "" : ",", phase.phase);
    for (const MemoryShares::Share& share : phase.shares)
      line += fmt::format("{}\"{}\":{}", line.back() == '{' ? "" : ",", share.name, share.bytes);
    line += "}}";
  }
  const std::scoped_lock lock(mutex_);
  write(line + "]}\n");
}

void ProgressDisplay::warn(std::string_view message) {
  const std::scoped_lock lock(mutex_);
  if (style_ == Style::kJson) return write(event_line("warning", message));
  clear_line();
  write(fmt::format("neardup: warning: {}\n", report::terminal_text(message)));
}

void ProgressDisplay::say(std::string_view text) {
  const std::scoped_lock lock(mutex_);
  if (style_ == Style::kJson) return write(message_event(text));
  clear_line();
  write(report::terminal_text(text));
}

}  // namespace neardup::cli
