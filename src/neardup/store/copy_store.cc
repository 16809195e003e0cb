#include "neardup/store/copy_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "neardup/store/number_set.h"

namespace neardup::store {
namespace {

constexpr size_t kCopiedAtOnce = 1000;

// Owns the bytes of a document that was shown.
struct CopiedDocument {
  explicit CopiedDocument(const Record& shown, bool in_tag)
      : in_open_tag(in_tag), is_duplicate(shown.fate.kind != Kind::kNew), number(shown.number) {
    append_record(bytes, shown);
  }
  bool operator==(const CopiedDocument&) const = default;
  bool in_open_tag = false, is_duplicate = false;
  uint64_t number = 0;
  std::string bytes;
};

// Documents of a store, one after the other.
class Documents {
 public:
  // Of numbers below `end`: what came later is left out, and with it what refers to it.
  Documents(const Store& store, uint64_t end, const Context& context) : store_(store), end_(end), context_(context) {}
  // Returns the next one, null where there are no more; valid until the next call.
  Result<const CopiedDocument*> next() {
    while (at_ == page_.size()) {
      if (!next_ || *next_ >= end_) return nullptr;
      NEARDUP_TRY(read_page());
    }
    return &page_[at_++];
  }
  // Returns up to kCopiedAtOnce of them, all in open tags or none; none where there are no more.
  Result<std::span<const CopiedDocument>> next_alike() {
    NEARDUP_ASSIGN(const CopiedDocument* first, next());
    if (first == nullptr) return std::span<const CopiedDocument>();
    const size_t begin = at_ - 1;
    while (at_ < page_.size() && page_[at_].in_open_tag == first->in_open_tag) ++at_;
    return std::span<const CopiedDocument>(page_).subspan(begin, at_ - begin);
  }

 private:
  Status read_page() {
    NEARDUP_TRY(context_.check_cancel());
    page_.clear();
    at_ = 0;
    NEARDUP_ASSIGN(
        next_, store_.for_each_to_copy(*next_, kCopiedAtOnce, [this](const Record& record, bool in_open_tag) {
          const bool came_later = record.number >= end_ || (record.fate.kind != Kind::kNew && record.fate.kept >= end_);
          if (!came_later) page_.emplace_back(record, in_open_tag);
        }));
    return {};
  }

  const Store& store_;
  const uint64_t end_;
  const Context& context_;
  std::optional<uint64_t> next_ = 0;
  std::vector<CopiedDocument> page_;
  size_t at_ = 0;
};

Result<std::set<std::string>> open_tags_of(const Store& store) {
  NEARDUP_ASSIGN(const std::vector<TagCount> tags, store.tags());
  std::set<std::string> open;
  for (const TagCount& tag : tags)
    if (tag.is_open) open.insert(tag.tag);
  return open;
}

Status check_kinds(const Store& from, const Store& to) {
  StoreSettings a = from.settings(), b = to.settings();
  a.files = b.files = {};
  if (a == b) return {};
  return fail(Code::kInvalidArgument,
              "the two stores are of different kinds (recipe, fingerprints, distance or matching)");
}

class Copy {
 public:
  Copy(const Store& from, Store& to, const Context& context) : from_(from), to_(to), context_(context) {}

  Status run() {
    NEARDUP_TRY(check_kinds(from_, to_));
    NEARDUP_ASSIGN(const Statistics before, to_.statistics());
    if (before.documents != 0 || before.open_tags != 0)
      return fail(Code::kInvalidArgument, fmt::format("the store that is copied into holds {} documents and {} open "
                                                      "tags; copy into an empty one",
                                                      before.documents, before.open_tags));
    NEARDUP_TRY(to_.set_copied_into(true));
    NEARDUP_ASSIGN(const Statistics statistics, from_.statistics());
    end_ = statistics.next_number;
    NEARDUP_ASSIGN(open_, open_tags_of(from_));
    begin_stage("copy", statistics.documents);
    NEARDUP_TRY(copy());
    end_stage();
    NEARDUP_ASSIGN(const std::set<std::string> open_now, open_tags_of(from_));
    if (open_now != open_)
      return fail(Code::kMismatch,
                  "a tag was begun or ended in the store while it was copied; copy again, into an empty store");
    begin_stage("compare", statistics.documents);
    NEARDUP_TRY(compare());
    end_stage();
    return to_.set_copied_into(false);
  }

 private:
  void begin_stage(std::string_view stage, uint64_t documents) {
    done_ = 0;
    if (context_.progress != nullptr) context_.progress->begin_stage(stage, "documents", 0, documents);
  }
  void advance(uint64_t documents) {
    done_ += documents;
    if (context_.progress != nullptr && (documents > 1 || done_ % kCopiedAtOnce == 0))
      context_.progress->advance(0, done_);
  }
  void end_stage() {
    if (context_.progress == nullptr) return;
    context_.progress->advance(0, done_);
    context_.progress->end_stage();
  }

  // A tag is begun before the first document that is in it: those before, with the same tag, are not.
  Status copy() {
    for (Documents documents(from_, end_, context_);;) {
      NEARDUP_ASSIGN(const std::span<const CopiedDocument> some, documents.next_alike());
      if (some.empty()) break;
      NEARDUP_TRY(copy_some(some));
    }
    for (const std::string& tag : open_) NEARDUP_TRY(begin(tag));
    return {};
  }
  Status copy_some(std::span<const CopiedDocument> documents) {
    std::vector<RecordReader> readers(documents.size());
    std::vector<Record> records;
    for (size_t i = 0; i < documents.size(); ++i) {
      NEARDUP_ASSIGN(const Record record, readers[i].read(documents[i].bytes));
      if (documents[i].in_open_tag) NEARDUP_TRY(begin(std::string(record.tag)));
      records.push_back(record);
      copied_.add(record.number);
    }
    NEARDUP_TRY(to_.restore(records));
    advance(records.size());
    return {};
  }
  Status begin(const std::string& tag) {
    if (!begun_.insert(tag).second) return {};
    NEARDUP_TRY(to_.begin_tag(tag));
    return {};
  }

  // Those that came to the first one meanwhile, under numbers that were given before, or were erased, are no fault.
  Status compare() {
    uint64_t count = 0, num_duplicates = 0;
    Documents originals(from_, end_, context_), copies(to_, UINT64_MAX, context_);
    const CopiedDocument* original = nullptr;
    const CopiedDocument* copy = nullptr;
    const auto step = [&]() -> Status {
      NEARDUP_ASSIGN(copy, copies.next());
      count += copy != nullptr ? 1 : 0;
      num_duplicates += copy != nullptr && copy->is_duplicate ? 1 : 0;
      return {};
    };
    NEARDUP_TRY(step());
    while (true) {
      NEARDUP_ASSIGN(original, originals.next());
      while (copy != nullptr && (original == nullptr || copy->number < original->number)) NEARDUP_TRY(step());
      if (original == nullptr) break;
      advance(1);
      const bool is_there = copy != nullptr && copy->number == original->number;
      if (is_there ? !(*copy == *original) : copied_.contains(original->number))
        return fail(Code::kMismatch,
                    fmt::format("the copy of document {} is not what was copied; remove the copy and make "
                                "it again",
                                original->number));
    }
    NEARDUP_ASSIGN(const Statistics statistics, to_.statistics());
    if (statistics.documents == count && statistics.duplicates == num_duplicates) return {};
    return fail(Code::kMismatch,
                fmt::format("the copy says that it holds {} documents, {} of them duplicates, and holds {} "
                            "and {}; remove the copy and make it again",
                            statistics.documents, statistics.duplicates, count, num_duplicates));
  }

  const Store& from_;
  Store& to_;
  const Context& context_;
  uint64_t end_ = 0, done_ = 0;
  std::set<std::string> open_, begun_;
  NumberSet copied_;
};

}  // namespace

Status copy_documents(const Store& from, Store& to, const Context& context) { return Copy(from, to, context).run(); }

}  // namespace neardup::store
