#include "neardup/remote/hbase/recent_log.h"

#include <algorithm>
#include <utility>

namespace neardup::remote::hbase {
namespace {

constexpr size_t kMostEntries = 1024, kMostBytes = size_t{64} << 20;

}  // namespace

void RecentLog::start(uint64_t position) {
  const std::lock_guard lock(mutex_);
  entries_.clear();
  is_applied_.clear();
  bytes_ = 0;
  tip_ = applied_ = position;
}

void RecentLog::set_shared(std::string shared) {
  const std::lock_guard lock(mutex_);
  shared_ = std::move(shared);
}

void RecentLog::add(uint64_t position, std::optional<LogEntry> entry) {
  const std::lock_guard lock(mutex_);
  if (position <= tip_) return;
  if (position > tip_ + 1 || !entry) {  // what was trimmed was applied long ago
    entries_.clear();
    is_applied_.clear();
    bytes_ = 0;
    applied_ = entry ? position - 1 : position;
  }
  tip_ = position;
  if (!entry) return;
  last_ = LogEntry();
  last_.documents = entry->documents, last_.duplicates = entry->duplicates, last_.erased = entry->erased;
  last_.stamp = entry->stamp;
  if (entry->shared) shared_ = *entry->shared;
  const uint64_t applied = entry->applied;
  auto recent = std::make_shared<RecentEntry>();
  recent->position = position;
  recent->touched = touched_by(*entry);
  recent->entry = *std::move(entry);
  recent->since = std::chrono::steady_clock::now();
  bytes_ += recent->entry.size_bytes;
  entries_.push_back(std::move(recent));
  is_applied_.push_back(false);
  apply_up_to(applied);
  drop_old();
}

// Requires: mutex_.
void RecentLog::apply_up_to(uint64_t position) {
  const uint64_t first = tip_ + 1 - entries_.size();
  for (uint64_t i = first; i <= std::min(position, tip_); ++i) is_applied_[i - first] = true;
  applied_ = std::max(applied_, std::min(position, tip_));
  while (applied_ < tip_ && applied_ + 1 >= first && is_applied_[applied_ + 1 - first]) ++applied_;
}

void RecentLog::mark_applied(uint64_t position) {
  const std::lock_guard lock(mutex_);
  const uint64_t first = tip_ + 1 - entries_.size();
  if (position >= first && position <= tip_) is_applied_[position - first] = true;
  apply_up_to(applied_);
  drop_old();
}

// Requires: mutex_.
void RecentLog::drop_old() {
  while (entries_.size() > 1 && is_applied_.front() && (entries_.size() > kMostEntries || bytes_ > kMostBytes)) {
    bytes_ -= entries_.front()->entry.size_bytes;
    entries_.pop_front();
    is_applied_.pop_front();
  }
}

uint64_t RecentLog::tip() const {
  const std::lock_guard lock(mutex_);
  return tip_;
}
uint64_t RecentLog::applied() const {
  const std::lock_guard lock(mutex_);
  return applied_;
}
std::pair<uint64_t, uint64_t> RecentLog::behind(uint64_t position, uint64_t kept, uint64_t at_once) const {
  const uint64_t last = std::min(position, applied());
  if (last <= kept || position <= kept) return {};
  const uint64_t end = last - kept, begin = position - kept > at_once ? position - kept - at_once : 1;
  return {std::min(begin, end), end};
}
std::string RecentLog::shared() const {
  const std::lock_guard lock(mutex_);
  return shared_;
}

LogView RecentLog::view() const {
  const std::lock_guard lock(mutex_);
  // Also entries whose rows are there: what they erased, an entry before them may have brought.
  return {tip_, {entries_.end() - static_cast<ptrdiff_t>(tip_ - applied_), entries_.end()}};
}

std::optional<LogView> RecentLog::extended(const LogView& before) const {
  const std::lock_guard lock(mutex_);
  if (tip_ - before.tip > entries_.size()) return std::nullopt;
  LogView view{tip_, before.unapplied};
  view.unapplied.insert(view.unapplied.end(), entries_.end() - static_cast<ptrdiff_t>(tip_ - before.tip),
                        entries_.end());
  return view;
}

std::optional<RecentEntries> RecentLog::since(uint64_t after, std::span<const uint64_t> own) const {
  const std::lock_guard lock(mutex_);
  if (after > tip_ || tip_ - after > entries_.size()) return std::nullopt;
  RecentEntries others;
  for (auto entry = entries_.end() - static_cast<ptrdiff_t>(tip_ - after); entry != entries_.end(); ++entry)
    if (!std::ranges::binary_search(own, (*entry)->position)) others.push_back(*entry);
  return others;
}

LogEntry RecentLog::next(uint64_t now_ms) const {
  const std::lock_guard lock(mutex_);
  LogEntry entry = last_;
  entry.stamp = std::max(last_.stamp + 1, now_ms);
  entry.applied = applied_;
  return entry;
}

RecentEntries RecentLog::overdue(std::chrono::steady_clock::duration age, size_t most) const {
  const std::lock_guard lock(mutex_);
  RecentEntries waiting;
  for (size_t i = 0; i < entries_.size(); ++i)
    if (!is_applied_[i]) waiting.push_back(entries_[i]);
  if (waiting.size() > most) return waiting;
  const auto limit = std::chrono::steady_clock::now() - age;
  std::erase_if(waiting, [&](const auto& entry) { return entry->since > limit; });
  return waiting;
}

}  // namespace neardup::remote::hbase
