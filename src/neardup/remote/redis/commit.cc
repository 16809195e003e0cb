#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "neardup/base/bytes.h"
#include "neardup/remote/redis/commit_script.h"
#include "neardup/remote/redis/record_group.h"
#include "neardup/remote/redis/redis_store.h"
#include "neardup/remote/redis/script.h"
#include "neardup/remote/redis/server_string.h"
#include "neardup/remote/redis/step.h"

namespace neardup::remote::redis {
namespace {

// Of one call of the script, so long others wait: it ends where a group of records does, or there.
constexpr size_t kLeastChanges = 100, kMostChanges = kLeastChanges + kGroupSize;
constexpr size_t kBytesEach = size_t{4} << 20;  // likewise
constexpr size_t kChangeHeadBytes = 4 + 1 + 3 * 4;

// One call of the script.
struct Call {
  uint64_t state = 0, more_pages = 0;
  size_t num_changes = 0;
  bool adds = false;  // documents or postings
  std::string changes, records;
};

/// Turns changes into steps. Of each list it knows how long it is when all changes before happened; where one does not,
/// those that stand on its lists find others, and do not happen either.
class CommitBuilder {
 public:
  CommitBuilder(const RedisStore& store, const RedisSeen& seen)
      : store_(store),
        layout_(store.layout),
        seen_(seen),
        lists_(seen.lists),
        states_(seen.states),
        stamps_(states_.size(), 0),
        state_(seen.state),
        num_tables_(layout_.tables().size()) {}

  std::vector<Call> build(std::span<const Change> changes) {
    raise_page(changes);
    for (const Change& change : changes) {
      if (calls_.empty() || is_full(calls_.back(), change)) begin_call();
      calls_.back().adds |= !change.added.empty() || !change.postings.empty();
      add(change);
    }
    end_call();
    return std::move(calls_);
  }

 private:
  // What comes to one list by one change.
  struct Touch {
    uint32_t list = 0;
    bool stands = false;
    std::string bytes;
    std::vector<uint64_t> members;
  };

  // Numbers of a page that none had before: told first, so that whoever appends what has no page finds it changed.
  void raise_page(std::span<const Change> changes) {
    for (const Change& change : changes) {
      for (const auto documents : {change.added, change.erased})
        for (const StoredDocument& document : documents) most_page_ = std::max(most_page_, page_of(document.number));
      for (const Posting& posting : change.postings) most_page_ = std::max(most_page_, page_of(posting.number));
    }
    most_page_ = std::max(most_page_, state_.most_page());
  }

  static bool is_full(const Call& call, const Change& next) {
    const bool begins_group = !next.added.empty() && next.added[0].number % kGroupSize == 0;
    return call.num_changes == kMostChanges || call.changes.size() > kBytesEach ||
           (begins_group && call.num_changes >= kLeastChanges);
  }
  void begin_call() {
    end_call();
    Call& call = calls_.emplace_back();
    call.state = state_.value;
    call.more_pages = most_page_ - state_.most_page();
    state_.value += call.more_pages;
  }
  void end_call() {
    if (calls_.empty()) return;
    for (auto& [group, records] : pieces_) append_piece(group, records);
    pieces_.clear();
  }

  void add(const Change& change) {
    ++stamp_;
    num_touched_ = 0;
    for (const uint64_t key : change.keys) stand_on_key(key);
    stand_on_fingerprints(change.fingerprints);
    for (const StoredDocument& document : change.added) add_document(document);
    for (const StoredDocument& document : change.erased) add_document(document);
    for (const Posting& posting : change.postings) add_posting(posting.key, posting.number);
    append_change(change);
  }

  Touch& touch(const ListId& id) {
    const uint32_t list = lists_.add(id);
    if (list == states_.size()) {
      states_.push_back({.is_known = false});
      stamps_.push_back(0);
    }
    if (stamps_[list] >> 32 == stamp_) return touched_[stamps_[list] & UINT32_MAX];
    if (num_touched_ == touched_.size()) touched_.emplace_back();
    stamps_[list] = stamp_ << 32 | num_touched_;
    Touch& touched = touched_[num_touched_++];
    touched.list = list;
    touched.stands = false;
    touched.bytes.clear();
    touched.members.clear();
    return touched;
  }

  void stand_on_key(uint64_t key) {
    touch(store_.key_list(key)).stands = true;
    const ListId own = store_.own_list(key);
    if (seen_.lists.find(own) != ListTable::kNone) touch(own).stands = true;
  }
  void stand_on_fingerprints(std::span<const uint64_t> words) {
    each_fingerprint(words, [&](Wide value, size_t place) {
      for (size_t table = 0; table < num_tables_; ++table) touch(store_.table_list(value, place, table)).stands = true;
      if (!layout_.is_sets()) return;
      const auto near = seen_.near_lists.find(Layout::fingerprint_key(value, place));
      if (near == seen_.near_lists.end()) return;
      for (const uint32_t list : near->second) touch(seen_.lists[list]).stands = true;
    });
  }
  template <class Use>
  void each_fingerprint(std::span<const uint64_t> words, const Use& use) const {
    for (size_t begin = 0; layout_.num_words() > 0 && begin + layout_.num_words() <= words.size();
         begin += layout_.num_words())
      for (size_t place = 0; place < layout_.num_places(); ++place)
        use(layout_.fingerprint(words.data() + begin, place), place);
  }

  // An erased one is appended once more: whoever looked at its lists finds them changed. What it left in them goes when
  // the store is compacted.
  void add_document(const StoredDocument& document) {
    keys_.assign(document.keys.begin(), document.keys.end());
    std::ranges::sort(keys_);
    keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
    for (const uint64_t key : keys_) add_posting(key, document.number);
    each_fingerprint(document.fingerprints,
                     [&](Wide value, size_t place) { add_fingerprint(value, place, document.number); });
  }

  void add_posting(uint64_t key, uint64_t number) {
    const ListId own = store_.own_list(key);
    if (seen_.lists.find(own) == ListTable::kNone && !store_.own_lists.has(seen_.run, own.value))
      return append_number(touch(store_.key_list(key)), layout_.key_value(key), layout_.numbers().key_value_bytes,
                           number);
    append_little_bytes(touch(own).bytes, number, kOwnEntryBytes);
  }

  void add_fingerprint(Wide value, size_t place, uint64_t number) {
    if (layout_.is_sets()) add_posting(Layout::fingerprint_key(value, place), number);
    for (size_t table = 0; table < num_tables_; ++table) {
      const FingerprintTable& of = layout_.tables()[table];
      Touch& touched = touch(store_.table_list(value, place, table));
      if (layout_.is_sets())
        touched.members.push_back(static_cast<uint64_t>(value));
      else if (table == 0)
        append_number(touched, of.value.gather(value), of.value_bytes, number);
      else
        append_little_bytes(touched.bytes, of.value.gather(value), of.value_bytes);
    }
  }

  // Where a page was ever told, it must be the one that the list is at; of a list that nobody looked at it is told
  // anew.
  void append_number(Touch& touched, Wide value, size_t value_bytes, uint64_t number) {
    ListState& state = states_[touched.list];
    if (most_page_ > 0 && (!state.is_known || state.page != page_of(number))) {
      append_entry(touched.bytes, page_of(number), value_bytes, kPageMark);
      state.page = static_cast<uint32_t>(page_of(number));
    }
    if (most_page_ > 0 && state.is_known) touched.stands = true;  // on that page
    append_entry(touched.bytes, value, value_bytes, low_of(number));
  }

  void append_change(const Change& change) {
    Call& call = calls_.back();
    const size_t head = call.changes.size();
    call.changes.resize(head + kChangeHeadBytes);
    if (change.shared) append_long(call.changes, *change.shared);
    num_steps_ = 0;
    for (const bool stands : {true, false})
      for (size_t i = 0; i < num_touched_; ++i)
        if (touched_[i].stands == stands) append_touch(touched_[i]);
    for (const StoredDocument& document : change.added) append_record(document);
    for (const StoredDocument& document : change.erased) append_erasure(document.number);
    std::string bytes;
    append_little(bytes, static_cast<uint32_t>(num_steps_));
    bytes += change.shared ? '\1' : '\0';
    for (const int64_t count : {change.documents, change.duplicates, change.erased_documents})
      append_little(bytes, static_cast<uint32_t>(count));
    call.changes.replace(head, kChangeHeadBytes, bytes);
    ++call.num_changes;
    if (change.shared) state_.value += kEpochStep;
  }

  void append_touch(Touch& touched) {
    ListState& state = states_[touched.list];
    if (layout_.is_sets() && lists_[touched.list].kind == ListKind::kTable) return append_set_touch(touched);
    const uint32_t before = state.length;
    state.length += static_cast<uint32_t>(touched.bytes.size());
    StepKind kind = StepKind::kCheck;
    if (!touched.bytes.empty()) {
      kind = append_doubles(before, state.length) ? StepKind::kAppendTrim : StepKind::kAppend;
      if (!touched.stands || !state.is_known) kind = StepKind::kAppendAlways;
    }
    step(kind, state.length, touched.list, touched.bytes);
  }

  void append_set_touch(Touch& touched) {
    ListState& state = states_[touched.list];
    const bool stands = touched.stands && state.is_known;
    if (stands && touched.members.empty()) step(StepKind::kCheckSet, state.length, touched.list, {});
    for (const uint64_t member : touched.members) {
      step(stands ? StepKind::kAddToSet : StepKind::kAddAlways, state.length, touched.list,
           fmt::format("{}", static_cast<int64_t>(member)));
      if (state.is_known && is_new_member(touched.list, member)) ++state.length;
    }
  }
  bool is_new_member(uint32_t list, uint64_t member) {
    if (list < seen_.members.size() && std::ranges::count(seen_.members[list], member) > 0) return false;
    return new_members_.emplace(list, member).second;
  }

  void step(StepKind kind, uint64_t after, uint32_t list, std::string_view value) {
    name_.clear();
    store_.names.append(name_, lists_[list]);
    append_step(calls_.back().changes, kind, after, name_, value);
    ++num_steps_;
  }

  void append_record(const StoredDocument& document) {
    PieceRecord record{.slot = static_cast<uint8_t>(document.number % kGroupSize),
                       .is_own = document.record.size() > kOwnRecordBytes};
    if (record.is_own) {
      append_step(calls_.back().changes, StepKind::kSet, 0, store_.names.numbered('R', document.number),
                  own_record_of(document.record));
      ++num_steps_;
    } else {
      cut(document, record);
    }
    pieces_[document.number / kGroupSize].emplace_back(calls_.back().num_changes, std::move(record));
  }
  // The first tables tell the fingerprints of a document, so that its record need not where it holds them as they are.
  void cut(const StoredDocument& document, PieceRecord& record) const {
    record.bytes = document.record;
    if (layout_.is_sets() || document.fingerprints.empty()) return;
    const std::string_view words = bytes_of(document.fingerprints);
    const size_t at = record.bytes.find(words);
    if (at == std::string::npos) return;
    record.bytes.erase(at, words.size());
    record.is_cut = true;
    record.cut_at = at;
    each_fingerprint(document.fingerprints, [&](Wide value, size_t place) {
      append_little_bytes(record.homes, store_.table_list(value, place, 0).value, layout_.home_bytes());
    });
  }

  void append_erasure(uint64_t number) {
    std::string& changes = calls_.back().changes;
    append_step(changes, StepKind::kAppendLast, 0, store_.names.numbered('r', number / kGroupSize),
                erasure_of(static_cast<uint8_t>(number % kGroupSize)));
    append_step(changes, StepKind::kRemove, 0, store_.names.numbered('R', number));
    num_steps_ += 2;
  }

  using PieceRecords = std::vector<std::pair<size_t, PieceRecord>>;  // with the change
  void append_piece(uint64_t group, PieceRecords& records) {
    std::vector<PieceRecord> some;
    for (auto& [change, record] : records) some.push_back(std::move(record));
    std::string& out = calls_.back().records;
    append_short(out, store_.names.numbered('r', group));
    append_long(out, piece_body_of(some));
    out += static_cast<char>(records.size());
    for (const auto& [change, record] : records) append_little(out, static_cast<uint16_t>(change + 1));
  }

  const RedisStore& store_;
  const Layout& layout_;
  const RedisSeen& seen_;
  ListTable lists_;
  std::vector<ListState> states_;
  std::vector<uint64_t> stamps_;  // of each list the change that touched it last, and where among touched_
  State state_;
  size_t num_tables_;
  uint64_t most_page_ = 0, stamp_ = 0;
  std::vector<Touch> touched_;
  size_t num_touched_ = 0, num_steps_ = 0;
  std::set<std::pair<uint32_t, uint64_t>> new_members_;
  std::map<uint64_t, PieceRecords> pieces_;
  std::vector<uint64_t> keys_;
  std::string name_;
  std::vector<Call> calls_;
};

// Of a call that was refused whole nothing happened.
void take_results(std::string_view text, size_t count, std::vector<bool>& happened) {
  for (size_t i = 0; i < count; ++i) happened.push_back(!text.empty() && text[i] == '1');
}

}  // namespace

Result<std::vector<bool>> commit(RedisStore& store, const RedisSeen& seen, std::span<const Change> changes) {
  NEARDUP_TRY(store.runs.before_commit(store.pool));
  const std::vector<Call> calls = CommitBuilder(store, seen).build(changes);
  std::vector<ScriptCall> scripts;
  for (const Call& call : calls)
    scripts.push_back({call.adds ? commit_script() : erase_script(),
                       {store.names.simple('e'), store.names.simple('m'), store.names.simple('s')},
                       {std::to_string(call.state), std::to_string(call.more_pages), call.changes, call.records}});
  NEARDUP_ASSIGN(const std::vector<ScriptAnswer> answers, run_scripts(store.pool, scripts));
  std::vector<bool> happened;
  for (size_t i = 0; i < answers.size(); ++i) {
    // What happened before counts; the others are looked up again, and fail again if that is how it is.
    if (answers[i].is_error && std::ranges::count(happened, true) == 0)
      return refusal(store.pool.uri(), answers[i].text);
    if (!answers[i].is_error && !answers[i].text.empty() && answers[i].text.size() != calls[i].num_changes)
      return fail(Code::kCorruption,
                  fmt::format("{}: the server answers {} bytes of {} changes; see what stands between",
                              store.pool.uri().shown(), answers[i].text.size(), calls[i].num_changes));
    take_results(answers[i].is_error ? std::string_view() : answers[i].text, calls[i].num_changes, happened);
  }
  return happened;
}

}  // namespace neardup::remote::redis
