// The last tags that were committed or cancelled: so that a request that is sent again is told from one about a tag
// that was never begun.
#pragma once

#include <algorithm>
#include <cstddef>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace neardup::server {

enum class TagEnd { kCommitted, kCancelled };

/// Threads: any.
class EndedTags {
  struct Ended {
    std::string tag;
    TagEnd end;
  };

 public:
  static constexpr size_t kMost = 1024;

  /// Room for one, which add() then needs no memory for.
  class Room {
   private:
    friend class EndedTags;
    std::list<Ended> one_;
  };
  [[nodiscard]] static Room room_for(std::string_view tag, TagEnd end) {
    Room room;
    room.one_.push_back({std::string(tag), end});
    return room;
  }
  void add(Room room) noexcept {
    const std::lock_guard lock(mutex_);
    const std::string& tag = room.one_.front().tag;
    std::erase_if(tags_, [&](const Ended& one) { return one.tag == tag; });
    if (tags_.size() == kMost) tags_.pop_front();
    tags_.splice(tags_.end(), room.one_);
  }
  /// Returns how it ended last; nothing where that is not known any more.
  [[nodiscard]] std::optional<TagEnd> find(std::string_view tag) const {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(tags_, tag, &Ended::tag);
    return found == tags_.end() ? std::nullopt : std::optional(found->end);
  }

 private:
  mutable std::mutex mutex_;
  std::list<Ended> tags_;  // the last ended last
};

}  // namespace neardup::server
