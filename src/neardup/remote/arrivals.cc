#include "neardup/remote/arrivals.h"

#include <algorithm>
#include <utility>

#include "neardup/base/guard.h"
#include "neardup/remote/attempts.h"

namespace neardup::remote {

using store::Answer;

namespace {

constexpr size_t kArrivingAtOnce = 1024;                     // documents
constexpr size_t kArrivingPassagesAtOnce = size_t{1} << 16;  // of these, of which each may find kMostRecorded
constexpr uint64_t kUnset = UINT64_MAX;                      // the number of a document that was not told anything

// Returns how many of the first go together: one at least.
size_t count_at_once(std::span<const Arriving> documents) {
  size_t count = 0, num_passages = 0;
  while (count < std::min(kArrivingAtOnce, documents.size())) {
    num_passages += documents[count].record->passages.size();
    if (count > 0 && num_passages > kArrivingPassagesAtOnce) break;
    ++count;
  }
  return count;
}

}  // namespace

Result<std::vector<Answer>> Arrivals::take(std::span<const Arriving> documents, Purpose purpose) {
  if (purpose == Purpose::kInsert && backend_.commits_in_turn()) {
    Call call{.documents = documents, .answers = {}, .error = {}};
    NEARDUP_TRY(take_in_turn(call));
    return std::move(call.answers);
  }
  std::vector<Answer> answers;
  NEARDUP_TRY(take_all(documents, purpose, answers));
  return answers;
}

Status Arrivals::take_all(std::span<const Arriving> documents, Purpose purpose, std::vector<Answer>& answers) {
  answers.assign(documents.size(), Answer{.fate = {}, .number = kUnset, .kept_id = {}});
  std::span<Answer> left = answers;
  while (!documents.empty()) {
    const size_t count = count_at_once(documents);
    const Status taken = take_some(documents.first(count), purpose, left.first(count));
    if (!taken) {
      if (purpose == Purpose::kInsert) note_untold(answers);
      return taken;
    }
    documents = documents.subspan(count);
    left = left.subspan(count);
  }
  return {};
}

// Those that did not happen are looked up and decided anew, under other numbers, as others came first; also where the
// server failed while they were committed: what happened all the same is found by the next look.
Status Arrivals::take_some(std::span<const Arriving> documents, Purpose purpose, std::span<Answer> answers) {
  Attempts attempts(backend_.connect_limit());
  std::vector<Arriving> again;
  std::vector<size_t> places;
  for (std::span<const Arriving> some = documents;;) {
    ArrivalBatch batch(backend_, some, purpose, most_compared_);
    if (const Status done = run(batch, purpose, attempts); !done) {
      if (!attempts.once_more(done.error())) return done;
      ++num_retries_;
      continue;
    }
    std::vector<Arriving> left;
    std::vector<size_t> left_places;
    for (size_t i = 0; i < some.size(); ++i) {
      const size_t place = places.empty() ? i : places[i];
      if (batch.is_told(i)) {
        answers[place] = std::move(batch.answer(i));
        continue;
      }
      left.push_back(some[i]);
      left_places.push_back(place);
    }
    if (left.empty()) return {};
    num_conflicts_ += left.size();
    again = std::move(left), places = std::move(left_places), some = again;
    NEARDUP_TRY(attempts.after_conflict());
  }
}

// Where the server fails in a commit it is asked what happened. Where that fails, too, some may be stored, and none was
// told: also those that had been unacknowledged before.
Status Arrivals::run(ArrivalBatch& batch, Purpose purpose, Attempts& attempts) {
  attempts.begin();
  NEARDUP_TRY(batch.look_up());
  if (!batch.crawls().ended().empty()) saw_ended_crawl_ = true;
  Status done = batch.decide(unacknowledged_);
  const bool is_decided = done.has_value();
  if (done && purpose != Purpose::kCheck) attempts.begin(), done = batch.commit();
  if (done) return {};
  const std::vector<uint64_t> numbers = batch.numbers();
  unacknowledged_.add(numbers);
  while (is_decided && attempts.once_more(done.error())) {
    ++num_retries_;
    done = batch.find_out();
    if (!done) continue;
    for (size_t i = 0; i < batch.size(); ++i)
      if (batch.is_told(i)) static_cast<void>(unacknowledged_.take(batch.answer(i).number));
    return {};
  }
  return done;
}

void Arrivals::note_untold(std::span<const Answer> answers) {
  std::vector<uint64_t> numbers;
  for (const Answer& answer : answers)
    if (answer.number != kUnset && !answer.is_repeated) numbers.push_back(answer.number);
  unacknowledged_.add(numbers);
}

// The calls that are taken by one of their threads. However that ends they are done, and the next one may take.
class Arrivals::Turn {
 public:
  // Takes what waits, as many as go together. Requires: the lock is held, and somebody waits.
  Turn(Arrivals& of, std::unique_lock<std::mutex>& lock) noexcept : of_(of), lock_(lock), calls_(of.first_waiting_) {
    of_.is_taking_ = true;
    Call* last = calls_;
    size_t num_documents = last->documents.size();
    while (last->next != nullptr && num_documents + last->next->documents.size() <= kArrivingAtOnce) {
      last = last->next;
      num_documents += last->documents.size();
    }
    of_.first_waiting_ = std::exchange(last->next, nullptr);
    if (of_.first_waiting_ == nullptr) of_.last_waiting_ = nullptr;
    lock_.unlock();
  }
  ~Turn() {
    lock_.lock();
    while (calls_ != nullptr) {
      Call& call = *std::exchange(calls_, calls_->next);
      if (!call.is_answered) call.error = out_of_memory_error();
      call.is_done = true;
    }
    of_.is_taking_ = false;
    of_.ended_.notify_all();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  [[nodiscard]] Call* calls() const { return calls_; }

 private:
  Arrivals& of_;
  std::unique_lock<std::mutex>& lock_;
  Call* calls_;
};

// The first that waits takes what waits with it, and then wakes the others.
Status Arrivals::take_in_turn(Call& call) {
  std::unique_lock lock(mutex_);
  (last_waiting_ == nullptr ? first_waiting_ : last_waiting_->next) = &call;
  last_waiting_ = &call;
  while (!call.is_done) {
    if (is_taking_)
      ended_.wait(lock);
    else
      take_waiting(lock);
  }
  return call.error ? Status(tl::unexpected<Error>(std::move(*call.error))) : Status();
}

// Where a call fails, each of those that went together is taken by itself: one judge's failure is no other's. The
// server's is everybody's: each would wait for it again.
void Arrivals::take_waiting(std::unique_lock<std::mutex>& lock) {
  const Turn turn(*this, lock);
  Status together;
  if (turn.calls()->next != nullptr) together = guarded([&] { return take_together(turn.calls()); });
  const bool is_server = !together && together.error().code == Code::kIo;
  for (Call* call = turn.calls(); call != nullptr; call = call->next) {
    if (call->is_answered) continue;
    Status alone =
        is_server ? together : guarded([&] { return take_all(call->documents, Purpose::kInsert, call->answers); });
    if (!alone) call->error = std::move(alone.error());
    call->is_answered = true;
  }
}

// Answers all of them or none.
Status Arrivals::take_together(Call* calls) {
  std::vector<Arriving> documents;
  std::vector<Answer> answers;
  for (const Call* call = calls; call != nullptr; call = call->next)
    documents.insert(documents.end(), call->documents.begin(), call->documents.end());
  for (Call* call = calls; call != nullptr; call = call->next) call->answers.reserve(call->documents.size());
  NEARDUP_TRY(take_all(documents, Purpose::kInsert, answers));
  auto answer = std::make_move_iterator(answers.begin());
  for (Call* call = calls; call != nullptr; call = call->next) {
    call->answers.assign(answer, answer + static_cast<ptrdiff_t>(call->documents.size()));
    answer += static_cast<ptrdiff_t>(call->documents.size());
    call->is_answered = true;
  }
  return {};
}

}  // namespace neardup::remote
