// What is seen of a store by looking around in it, as a text: of any store, and of the model.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "neardup/store/document_store.h"
#include "tests/unit/store/store_model.h"

namespace neardup::store {

class Look {
 public:
  void add(const std::string& id, const std::vector<std::string>& members) {
    text_ += id;
    for (const std::string& member : members) text_ += " <- " + member;
    text_ += "\n";
  }
  void add(const std::string& tag, uint64_t documents, bool is_open) {
    text_ += tag + ": " + std::to_string(documents) + (is_open ? " open\n" : "\n");
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

inline std::string seen_in(const StoreModel& model) {
  Look look;
  for (const std::string& id : model.ids(false)) look.add(id, model.duplicates_of(id));
  for (const auto& [tag, count] : model.tags()) look.add(tag, count.first, count.second);
  return look.text();
}

// By small pages.
inline std::vector<std::string> members_in(const Store& store, const std::string& id) {
  std::vector<std::string> members;
  for (uint64_t first = 0;;) {
    const auto some = store.duplicates_of(id, first, 2);
    EXPECT_TRUE(some) << some.error().message;
    if (!some || some->empty()) return members;
    for (const Member& member : *some) members.push_back(member.id);
    first = some->back().number + 1;
  }
}

inline std::string seen_in(const Store& store) {
  Look look;
  std::vector<std::string> ids;
  for (std::optional<uint64_t> next = 0; next;) {
    const auto shown = store.for_each(*next, 7, [&](const Record& record) { ids.emplace_back(record.id); });
    EXPECT_TRUE(shown) << shown.error().message;
    if (!shown) return shown.error().message;
    next = *shown;
  }
  for (const std::string& id : ids) look.add(id, members_in(store, id));
  const auto tags = store.tags();
  EXPECT_TRUE(tags) << tags.error().message;
  for (const TagCount& count : *tags) look.add(count.tag, count.documents, count.is_open);
  return look.text();
}

}  // namespace neardup::store
