#include "neardup/engine/online/copy_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "neardup/base/disk/file.h"
#include "neardup/engine/online/store_place.h"
#include "neardup/remote/open_remote.h"
#include "neardup/store/record.h"

namespace neardup::engine {
namespace {

constexpr size_t kComparedAtOnce = 1000;

// Documents of a store in the order of their numbers, a page at a time, as their bytes in a log.
class Pages {
 public:
  explicit Pages(const store::Store& store) : store_(store) {}

  // Reads the next page; it is empty at the end, where done() is true.
  Status read(uint64_t first) {
    page_.clear();
    NEARDUP_ASSIGN(next_, store_.for_each(first, kComparedAtOnce, [this](const store::Record& record) {
      store::append_record(page_[record.number], record);
    }));
    return {};
  }
  [[nodiscard]] const std::map<uint64_t, std::string>& page() const { return page_; }
  // What the page has told of: numbers below it.
  [[nodiscard]] std::optional<uint64_t> next() const { return next_; }

 private:
  const store::Store& store_;
  std::map<uint64_t, std::string> page_;
  std::optional<uint64_t> next_;
};

tl::unexpected<Error> differs(uint64_t number, const char* how) {
  return fail(
      Code::kMismatch,
      fmt::format("document {} {} in the copy, which is not kept; copy again, and report it if it happens again",
                  number, how));
}

// Compares the documents below `end`; those that went from the first one meanwhile are nobody's fault. Returns how
// many.
class Comparing {
 public:
  Comparing(const store::Store& from, const store::Store& to, uint64_t end, const Context& context)
      : from_(from), to_(to), end_(end), context_(context), copied_(to) {}

  Result<uint64_t> run() {
    for (std::optional<uint64_t> next = 0; next && *next < end_;) {
      NEARDUP_TRY(context_.check_cancel());
      NEARDUP_TRY(copied_.read(*next));
      const uint64_t end = std::min(copied_.next().value_or(end_), end_);
      NEARDUP_TRY(compare_page(*next, end));
      next = copied_.next();
      if (context_.progress != nullptr) context_.progress->advance(0, compared_);
    }
    return compared_;
  }

 private:
  // The documents of both in [first, end).
  Status compare_page(uint64_t first, uint64_t end) {
    Pages originals(from_);
    size_t matched = 0;
    for (std::optional<uint64_t> next = first; next && *next < end;) {
      NEARDUP_TRY(originals.read(*next));
      for (const auto& [number, bytes] : originals.page()) {
        if (number >= end) break;
        const auto copy = copied_.page().find(number);
        if (copy == copied_.page().end()) return differs(number, "is missing");
        if (copy->second != bytes) return differs(number, "is another one");
        ++matched;
      }
      next = originals.next();
    }
    compared_ += matched;
    return {};
  }

  const store::Store &from_, &to_;
  const uint64_t end_;
  const Context& context_;
  Pages copied_;
  uint64_t compared_ = 0;
};

Result<StoreCopy> compare(const store::Store& from, const std::string& to, uint64_t end, const Context& context) {
  NEARDUP_ASSIGN(const auto copy, open_store_at(to, {.context = {nullptr, context.cancel}}));
  NEARDUP_ASSIGN(const store::Statistics statistics, copy->statistics());
  if (context.progress != nullptr) context.progress->begin_stage("compare", "documents", 0, statistics.documents);
  NEARDUP_ASSIGN(const uint64_t compared, Comparing(from, *copy, end, context).run());
  if (context.progress != nullptr) context.progress->end_stage();
  return StoreCopy{.documents = compared, .is_linked = false};
}

Status remove_store(const std::string& place) {
  return is_on_server(place) ? remote::drop_remote_store(place) : remove_all(place);
}

Status check_nothing_at(const std::string& to, const Context& context) {
  NEARDUP_ASSIGN(const bool is_there, is_store_at(to, context));
  if (!is_there) return {};
  return fail(Code::kInvalidArgument,
              fmt::format("{} is a store already; a copy is made where there is none", shown_place(to)));
}

}  // namespace

Result<StoreCopy> copy_store(const std::string& from, const std::string& to, const Context& context) {
  NEARDUP_TRY(check_nothing_at(to, context));
  NEARDUP_ASSIGN(const auto store, open_store_at(from, {.context = {nullptr, context.cancel}}));
  if (!is_on_server(from) && !is_on_server(to)) {
    NEARDUP_TRY(store->snapshot(to));
    return StoreCopy{.documents = 0, .is_linked = true};
  }
  NEARDUP_ASSIGN(const store::Statistics statistics, store->statistics());
  NEARDUP_TRY(is_on_server(to) ? remote::copy_to_remote_store(*store, to, {.context = context}) : store->snapshot(to));
  auto copied = compare(*store, to, statistics.next_number, context);
  if (!copied) static_cast<void>(remove_store(to));
  return copied;
}

}  // namespace neardup::engine
