// A backend in memory for tests: equal texts are exact copies, and nothing else is like anything.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "neardup/server/backend.h"

namespace neardup::server {

class FakeBackend : public Backend {
 public:
  FakeBackend()
      : facts_{.recipe_id = "0123456789ab",
               .recipe_json = "{}",
               .family = "minhash",
               .records = "tokens",
               .values = {.fingerprints = 0, .signature = 16}} {}

  const BackendFacts& facts() const override { return facts_; }
  Status reach() const override {
    ++times_asked;
    std::unique_lock lock(mutex_);
    reach_opened_.wait(lock, [&] { return answers_reach_; });
    return reached_;
  }
  Result<std::vector<engine::TextVerdict>> check_and_insert(std::span<const engine::ArrivingText> arriving) override {
    std::unique_lock lock(mutex_);
    wait_until_open(lock);
    calls.push_back(arriving.size());
    for (const auto& text : arriving) {
      if (text.id == refused_id) return fail(Code::kInvalidArgument, "document 'bad' is refused");
    }
    if (failure) return tl::unexpected<Error>(*failure);
    std::vector<engine::TextVerdict> verdicts;
    for (const auto& text : arriving) {
      const auto [place, is_new] = first_.try_emplace(std::string(text.text), text.id);
      engine::TextVerdict verdict;
      verdict.kind = is_new ? store::Kind::kNew : store::Kind::kExact;
      if (!is_new) verdict.duplicate_of = place->second;
      verdict.is_truncated = is_new && text.id == truncated_id;
      verdicts.push_back(verdict);
    }
    return verdicts;
  }
  Result<std::vector<engine::TextVerdict>> check(std::span<const engine::ArrivingText> arriving) const override {
    return std::vector<engine::TextVerdict>(arriving.size());
  }
  Status put(std::span<const engine::ArrivingText>) override { return {}; }
  Result<store::StoredNeighbours> query(const engine::ArrivingText&, size_t limit) const override {
    store::StoredNeighbours first = neighbours;
    first.truncated = first.found.size() > limit;
    if (first.truncated) first.found.resize(limit);
    return first;
  }
  Result<bool> find(std::string_view, const store::Store::Visitor&) const override { return false; }
  Result<std::string> id_of(uint64_t) const override { return std::string(); }
  Result<uint64_t> erase(std::span<const std::string_view> ids) override { return ids.size(); }
  Result<uint64_t> erase_tag(std::string_view) override { return 0; }
  Result<store::Statistics> statistics() const override { return told; }
  engine::Comparisons comparisons() const override { return {.unlike = 3, .refused = 2, .similar = 1}; }
  Result<std::vector<store::TagCount>> tags() const override { return tag_counts; }
  Result<bool> begin_tag(std::string_view tag) override {
    const std::lock_guard lock(mutex_);
    return open_tags_.emplace(tag).second;
  }
  Result<bool> commit_tag(std::string_view tag) override { return end_tag(tag); }
  Result<bool> cancel_tag(std::string_view tag) override { return end_tag(tag); }
  Result<uint64_t> expire(int64_t) override { return 0; }
  Status snapshot(const std::string&) override { return {}; }
  Result<ClusterPage> clusters(const ClusterQuery&) const override { return ClusterPage{}; }
  Result<Explanation> explain(const ExplainedSide&, const ExplainedSide&) const override { return Explanation{}; }
  Result<std::optional<engine::StoredText>> text_of(const store::Record&) const override {
    return std::optional<engine::StoredText>();
  }

  /// Lets calls of check_and_insert() and ends of tags wait, or go on.
  void set_open(bool is_open) {
    {
      const std::lock_guard lock(mutex_);
      is_open_ = is_open;
    }
    opened_.notify_all();
  }
  /// Returns when `count` calls wait for set_open(true). Where they do not come it opens, so that the test ends.
  void wait_until_held(size_t count) {
    {
      std::unique_lock lock(mutex_);
      if (held_.wait_for(lock, std::chrono::seconds(30), [&] { return num_held_ >= count; })) return;
      ADD_FAILURE() << num_held_ << " calls wait, expected " << count;
    }
    set_open(true);
  }

  mutable std::atomic<int> times_asked = 0;  // whether it can be reached
  std::vector<size_t> calls;                 // documents of each call of check_and_insert()
  std::string refused_id, truncated_id;
  store::StoredNeighbours neighbours;  // that query() returns the first of
  std::optional<Error> failure;
  store::Statistics told;  // what statistics() returns
  void set_reached(Status status) {
    const std::lock_guard lock(mutex_);
    reached_ = std::move(status);
  }
  /// Whether reach() returns.
  void set_answers_reach(bool answers) {
    {
      const std::lock_guard lock(mutex_);
      answers_reach_ = answers;
    }
    reach_opened_.notify_all();
  }
  std::vector<store::TagCount> tag_counts;  // that tags() returns

 private:
  /// As in a store: it is open no more, and then the disk is waited for.
  Result<bool> end_tag(std::string_view tag) {
    std::unique_lock lock(mutex_);
    const bool was_open = open_tags_.erase(std::string(tag)) > 0;
    if (was_open) wait_until_open(lock);
    return was_open;
  }
  void wait_until_open(std::unique_lock<std::mutex>& lock) {
    ++num_held_;
    held_.notify_all();
    opened_.wait(lock, [&] { return is_open_; });
    --num_held_;
  }

  BackendFacts facts_;
  mutable std::mutex mutex_;
  std::condition_variable opened_, held_;
  bool is_open_ = true;
  size_t num_held_ = 0;
  mutable std::condition_variable reach_opened_;
  bool answers_reach_ = true;
  Status reached_;  // what reach() returns
  std::map<std::string, std::string> first_;
  std::set<std::string> open_tags_;
};

}  // namespace neardup::server
