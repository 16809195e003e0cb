#include "neardup/bench/serve_load.h"

#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <optional>
#include <utility>
#include <vector>

#include "neardup/base/parse_json.h"
#include "neardup/bench/serve_response.h"
#include "neardup/bench/serve_schedule.h"

namespace neardup::bench {
namespace {

using Time = LoadSchedule::Time;
using State = ResponseReader::State;

constexpr size_t kReadBytes = size_t{64} << 10;
constexpr size_t kKeptOfError = 4096;
constexpr int kGood = 200;

std::string error_name(int status, const std::string& body) {
  const auto json = parse_json<nlohmann::json>(body);
  const auto code = json ? json_member(json_member(*json, "error"), "code") : nlohmann::json();
  return fmt::format("{} {}", status, code.is_string() ? code.get<std::string>() : "without a code");
}

Time cpu_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

double in_seconds(Time time) { return std::chrono::duration<double>(time).count(); }

/// A connection that stays, and the request that is under way on it.
struct Line {
  OwnDescriptor socket;
  ResponseReader reader{kKeptOfError};
  std::optional<LoadSchedule::Planned> planned;
  std::string_view unsent;
  bool waits_to_send = false;
};

class LoadRun {
 public:
  LoadRun(const LoopbackAddress& server, std::span<const std::string> requests, const LoadPlan& plan)
      : server_(server),
        requests_(requests),
        plan_(plan),
        schedule_(requests.size(), plan.per_second),
        lines_(std::min(plan.connections, requests.size())),
        buffer_(kReadBytes) {}

  Result<LoadResult> run();

 private:
  [[nodiscard]] Time now() const { return std::chrono::steady_clock::now() - start_; }
  [[nodiscard]] size_t num_under_way() const { return lines_.size() - idle_.size(); }
  Status open(size_t line);
  Status send_due();
  Status send_some(Line& line);
  Status watch(Line& line, bool waits_to_send, int operation);
  [[nodiscard]] Time next_look() const;
  Status wait_for_some();
  Status receive(size_t number);
  void answered(size_t number);
  Status lost(size_t number, const char* why);
  void count_error(const std::string& name) { ++result_.errors[name]; }
  void give_up();

  const LoopbackAddress server_;
  const std::span<const std::string> requests_;
  const LoadPlan plan_;
  LoadSchedule schedule_;
  std::vector<Line> lines_;
  std::vector<size_t> idle_;
  std::vector<char> buffer_;
  OwnDescriptor events_;
  std::chrono::steady_clock::time_point start_;
  Time last_answer_{};
  uint64_t num_ended_ = 0;
  LoadResult result_;
};

Status LoadRun::open(size_t number) {
  Line& line = lines_[number];
  NEARDUP_ASSIGN(line.socket, connect_to(server_));
  line.reader.clear();
  return watch(line, false, EPOLL_CTL_ADD);
}

Status LoadRun::watch(Line& line, bool waits_to_send, int operation) {
  epoll_event event{};
  event.events = EPOLLIN | (waits_to_send ? uint32_t{EPOLLOUT} : 0);
  event.data.u64 = static_cast<uint64_t>(&line - lines_.data());
  line.waits_to_send = waits_to_send;
  if (epoll_ctl(events_.get(), operation, line.socket.get(), &event) == 0) return {};
  return tl::unexpected(connection_error("cannot watch the connection to", server_));
}

Result<LoadResult> LoadRun::run() {
  events_ = OwnDescriptor(epoll_create1(EPOLL_CLOEXEC));
  for (size_t i = 0; i < lines_.size(); ++i) {
    NEARDUP_TRY(open(i));
    idle_.push_back(i);
  }
  const Time cpu_before = cpu_time();
  start_ = std::chrono::steady_clock::now();
  while (num_ended_ < requests_.size()) {
    NEARDUP_TRY(plan_.context.check_cancel());
    NEARDUP_TRY(send_due());
    NEARDUP_TRY(wait_for_some());
    if (num_under_way() == 0) last_answer_ = now();
    if (now() - last_answer_ > plan_.patience) give_up();
  }
  result_.num_requests = requests_.size();
  result_.seconds = in_seconds(now());
  result_.cpu_seconds = in_seconds(cpu_time() - cpu_before);
  result_.latency_us = schedule_.quantiles();
  return result_;
}

Status LoadRun::send_due() {
  while (!idle_.empty()) {
    const auto planned = schedule_.take_due(now());
    if (!planned) return {};
    Line& line = lines_[idle_.back()];
    idle_.pop_back();
    line.planned = *planned;
    line.unsent = requests_[planned->index];
    NEARDUP_TRY(send_some(line));
  }
  return {};
}

/// What is wrong with the connection shows when it is read.
Status LoadRun::send_some(Line& line) {
  const ssize_t sent = send(line.socket.get(), line.unsent.data(), line.unsent.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent > 0) line.unsent.remove_prefix(static_cast<size_t>(sent));
  if (sent < 0 && errno != EAGAIN && errno != EINTR) line.unsent = {};
  const bool waits = !line.unsent.empty();
  return waits == line.waits_to_send ? Status() : watch(line, waits, EPOLL_CTL_MOD);
}

/// When there is something to do even if nothing comes. Often enough to be stopped on request.
Time LoadRun::next_look() const {
  constexpr Time kLongest = std::chrono::milliseconds(50);
  const auto due = schedule_.next_due();
  const Time longest = now() + kLongest;
  return due && !idle_.empty() ? std::min(*due, longest) : longest;
}

Status LoadRun::wait_for_some() {
  constexpr size_t kMostEvents = 64;
  constexpr int64_t kNano = 1'000'000'000;
  std::array<epoll_event, kMostEvents> ready;
  const int64_t wait = std::max<int64_t>((next_look() - now()).count(), 0);
  const timespec most{.tv_sec = wait / kNano, .tv_nsec = wait % kNano};
  const int count = epoll_pwait2(events_.get(), ready.data(), kMostEvents, &most, nullptr);
  if (count < 0 && errno != EINTR) return tl::unexpected(connection_error("cannot wait for answers of", server_));
  for (int i = 0; i < count; ++i) {
    const size_t number = ready[static_cast<size_t>(i)].data.u64;
    const uint32_t events = ready[static_cast<size_t>(i)].events;
    if ((events & EPOLLOUT) != 0) NEARDUP_TRY(send_some(lines_[number]));
    if ((events & ~uint32_t{EPOLLOUT}) != 0) NEARDUP_TRY(receive(number));
  }
  return {};
}

Status LoadRun::receive(size_t number) {
  Line& line = lines_[number];
  const ssize_t size = recv(line.socket.get(), buffer_.data(), buffer_.size(), MSG_DONTWAIT);
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return {};
  if (size <= 0) return lost(number, "connection closed");
  if (!line.planned) return lost(number, "answer that nobody asked for");
  switch (line.reader.take({buffer_.data(), static_cast<size_t>(size)})) {
    case State::kMore:
      return {};
    case State::kBroken:
      return lost(number, "answer that is not understood");
    case State::kDone:
      break;
  }
  answered(number);
  if (line.reader.closes()) return lost(number, "");
  line.reader.clear();
  return {};
}

void LoadRun::answered(size_t number) {
  Line& line = lines_[number];
  last_answer_ = now();
  schedule_.answered(*line.planned, last_answer_);
  line.planned.reset();
  idle_.push_back(number);
  ++num_ended_;
  if (line.reader.status() == kGood) {
    ++result_.num_good;
  } else {
    count_error(error_name(line.reader.status(), std::string(line.reader.body())));
  }
}

/// The connection is made anew. What was under way is an error, and took until now.
Status LoadRun::lost(size_t number, const char* why) {
  Line& line = lines_[number];
  if (line.planned) {
    schedule_.answered(*std::exchange(line.planned, std::nullopt), now());
    idle_.push_back(number);
    ++num_ended_;
    count_error(why);
  }
  return open(number);
}

void LoadRun::give_up() {
  for (size_t i = 0; i < lines_.size(); ++i) {
    if (!lines_[i].planned) continue;
    schedule_.answered(*lines_[i].planned, now());
    count_error("no answer");
  }
  const uint64_t left = schedule_.give_up(now());
  if (left > 0) result_.errors["not sent"] += left;
  num_ended_ = requests_.size();
}

}  // namespace

Result<LoadResult> run_load(const LoopbackAddress& server, std::span<const std::string> requests,
                            const LoadPlan& plan) {
  return LoadRun(server, requests, plan).run();
}

}  // namespace neardup::bench
