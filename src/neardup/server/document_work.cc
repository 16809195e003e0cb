#include "neardup/server/document_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

#include "neardup/base/guard.h"
#include "neardup/base/per_thread.h"
#include "neardup/server/body.h"
#include "neardup/server/json_pieces.h"

namespace neardup::server {
namespace {

constexpr size_t kKeptReaderBytes = size_t{1} << 20;  // a reader of more gives its memory back

/// A worker's own: its tables are made once.
std::unique_ptr<DocumentReader>& own_reader() {
  static PerThread<std::unique_ptr<DocumentReader>> readers;
  return readers.get();
}

DocumentReader& cleared_reader(const ServiceState& state) {
  auto& reader = own_reader();
  if (reader == nullptr) reader = std::make_unique<DocumentReader>(state.backend->facts().values);
  reader->clear();
  return *reader;
}

void forget_large_reader(size_t bytes) {
  if (bytes > kKeptReaderBytes) own_reader().reset();
}

OperationContext context_of(ServiceState& state, const Exchange& exchange) {
  return {*state.backend, state.metrics, exchange.query_limit};
}

Result<AppendObject> call_store(ServiceState& state, const Exchange& exchange,
                                std::span<const engine::ArrivingText> texts) {
  state.metrics.grouped(texts.size());
  return exchange.route->operation(context_of(state, exchange), texts);
}

/// Who does not say that lines come may have meant one object, and looks at the status alone (curl -f): where no line
/// of a body is taken it says so.
bool tells_by_status(const Exchange& exchange) { return exchange.is_form_found && exchange.form == BodyForm::kLines; }

void append_refused(std::string& object, const Error& error, std::string_view id) {
  object = "{\"error\":";
  append_error(object, code_name(error.code), error.message);
  append_text(object, "id", id);
}

/// One call for each text: of lines each counts for itself. Where the batch is all of a body whose status tells, and
/// nothing of it is taken, what is wrong with its first line.
Result<AppendObject> run_each(ServiceState& state, const Exchange& exchange, const DocumentBatch& batch, bool is_all) {
  const std::span<const engine::ArrivingText> texts = batch.texts();
  auto objects = std::make_shared<std::vector<std::string>>();
  std::optional<Error> first;
  bool is_any_taken = false;
  for (size_t i = 0; i < texts.size(); ++i) {
    const auto append = call_store(state, exchange, texts.subspan(i, 1));
    std::string& object = objects->emplace_back();
    if (append) {
      (*append)(object, 0);
      is_any_taken = true;
      continue;
    }
    append_refused(object, append.error(), texts[i].id);
    if (!first) first = append.error();
  }
  if (is_all && !is_any_taken && tells_by_status(exchange)) {
    const Error* const before = batch.first_refused();
    return tl::unexpected<Error>(before != nullptr ? *before : std::move(*first));
  }
  return AppendObject([objects](std::string& out, size_t i) {
    out += (*objects)[i];
    return false;  // lines: there is nothing around them that would say so
  });
}

/// A document that the store does not take is no fault of the others, where each counts for itself. `is_all`: the batch
/// is all of the body.
Result<AppendObject> run_batch(ServiceState& state, const Exchange& exchange, const DocumentBatch& batch, bool is_all) {
  auto append = call_store(state, exchange, batch.texts());
  if (append || append.error().code != Code::kInvalidArgument || exchange.form != BodyForm::kLines) return append;
  if (is_all && batch.is_single() && tells_by_status(exchange)) return append;
  return run_each(state, exchange, batch, is_all);
}

/// Returns what is wrong with the first line where its status tells that no line is taken, else null.
const Error* refused_whole(const Exchange& exchange, const DocumentBatch& batch) {
  return tells_by_status(exchange) && batch.texts().empty() ? batch.first_refused() : nullptr;
}

void answer(Exchange& exchange, const DocumentBatch& batch, const AppendObject& append) {
  exchange.response.content_type = batch.answers_in_lines() ? kLinesType : kJsonType;
  batch.append_answer(exchange.response.body, append);
}

void work_alone(ServiceState& state, Exchange& exchange, const DocumentBatch& batch) {
  const auto append = guarded([&] { return run_batch(state, exchange, batch, true); });
  if (append) {
    answer(exchange, batch, *append);
    count_answer(state, exchange);
  } else {
    exchange.response = refuse(append.error());
  }
}

/// The documents of several exchanges, taken apart. Once the store was asked each exchange counts for itself: what one
/// has no memory for is no other's loss.
class Group {
 public:
  Group(ServiceState& state, const std::vector<Exchange*>& exchanges) : state_(state) {
    DocumentReader& reader = cleared_reader(state);
    for (Exchange* exchange : exchanges) {
      auto batch = std::make_unique<DocumentBatch>(exchange->batch, state.backend->facts(), reader);
      if (auto refusal = batch->read(exchange->body.view(), exchange->place)) {
        exchange->response = std::move(*refusal);
        continue;
      }
      if (const Error* error = refused_whole(*exchange, *batch); error != nullptr) {
        exchange->response = refuse(*error);
        continue;
      }
      texts_.insert(texts_.end(), batch->texts().begin(), batch->texts().end());
      members_.emplace_back(exchange, std::move(batch));
    }
  }

  void run() {
    if (members_.empty()) return;
    if (members_.size() == 1) return work_alone(state_, *members_[0].first, *members_[0].second);
    // Where it throws nobody knows what it did: then none is tried again.
    const auto append = call_store(state_, *members_[0].first, texts_);
    if (append || append.error().code == Code::kIo) return answer_all(append);
    for (const Member& member : members_)
      work_for(*member.first, [&] { work_alone(state_, *member.first, *member.second); });
  }

 private:
  using Member = std::pair<Exchange*, std::unique_ptr<DocumentBatch>>;

  // What the store itself refuses is no document's fault, and each would wait for it again.
  void answer_all(const Result<AppendObject>& append) {
    size_t first = 0;
    for (const Member& member : members_) {
      Exchange& exchange = *member.first;
      work_for(exchange, [&] {
        if (!append) return static_cast<void>(exchange.response = refuse(append.error()));
        answer(exchange, *member.second, [&](std::string& out, size_t i) { return (*append)(out, first + i); });
        count_answer(state_, exchange);
      });
      first += member.second->texts().size();
    }
  }

  ServiceState& state_;
  std::vector<Member> members_;
  std::vector<engine::ArrivingText> texts_;
};

/// Returns the first lines of `text`, kMostLinesAtOnce at most.
std::string_view first_lines(std::string_view text, size_t most) {
  size_t end = 0;
  for (size_t lines = 0; lines < most && end < text.size(); ++lines)
    end = std::min(text.find('\n', end), text.size() - 1) + 1;
  return text.substr(0, end);
}

/// Behind what was answered of the stream: nothing more of it is looked at.
void append_end(Exchange& exchange, std::string_view code, std::string_view message) {
  std::string& out = exchange.response.body;
  out += "{\"error\":";
  append_error(out, code, message);
  append_count(out, "line", exchange.place.lines + 1);
  out += ",\"truncated\":true}\n";
  exchange.refusal = std::move(exchange.response);
}

void fail_stream(Exchange& exchange, const Error& error) {
  if (exchange.response.body.empty()) {
    exchange.refusal = refuse(error);
  } else {
    append_end(exchange, code_name(error.code), error.message);
  }
}

void work_on_lines(ServiceState& state, Exchange& exchange, std::string_view lines) {
  StreamPlace place = exchange.place;
  DocumentBatch batch(exchange.batch, state.backend->facts(), cleared_reader(state));
  static_cast<void>(batch.read(lines, place));  // lines are refused one by one
  const bool is_all = exchange.place.lines == 0 && exchange.has_ended && lines.size() == exchange.body.size();
  if (const Error* error = refused_whole(exchange, batch); is_all && error != nullptr)
    return fail_stream(exchange, *error);
  const auto append = guarded([&] { return run_batch(state, exchange, batch, is_all); });
  if (!append) return fail_stream(exchange, append.error());
  const size_t answered = exchange.response.body.size();
  const Status told = guarded([&]() -> Status {
    answer(exchange, batch, *append);
    return {};
  });
  if (!told) {
    exchange.response.body.resize(answered);  // no half of a line
    return fail_stream(exchange, told.error());
  }
  exchange.place = place;
  if (exchange.response.body.size() > state.options.limits.answer_bytes)
    return fail_stream(exchange,
                       {Code::kUnsupported, "the answer is longer than --max-answer; send fewer lines at once"});
  const uint64_t bytes = exchange.body.size() + exchange.response.body.size();
  if (exchange.share.grow_to(bytes)) return;
  exchange.share.count(bytes);
  end_stream(exchange, too_many_bytes(state));
}

/// How many lines one call takes: the answers of a query are long.
size_t lines_at_once(const Exchange& exchange) {
  const bool queries = exchange.route->operation == query_documents;
  return queries ? std::max<size_t>(kMostFoundAtOnce / exchange.query_limit, 1) : kMostLinesAtOnce;
}

void work_on_held_lines(ServiceState& state, Exchange& exchange) {
  const std::string_view held = exchange.body.view();
  const size_t end = exchange.has_ended ? held.size() : exchange.line_begin;
  size_t done = 0;
  while (done < end && !exchange.refusal) {
    const std::string_view lines = first_lines(held.substr(done, end - done), lines_at_once(exchange));
    work_on_lines(state, exchange, lines);
    done += lines.size();
  }
  const size_t left = held.size() - end;
  std::memmove(exchange.body.data(), exchange.body.data() + end, left);
  exchange.body.set_size(left);
  exchange.scanned_bytes = left;
  exchange.line_begin = 0;
}

}  // namespace

void end_stream(Exchange& exchange, const Refusal& refusal) {
  if (exchange.response.body.empty()) {
    exchange.refusal = refuse(refusal);
  } else {
    append_end(exchange, refusal.code, refusal.message);
  }
}

void work_on_documents(ServiceState& state, std::vector<Exchange*>& exchanges) noexcept {
  const bool is_done = tried([&] { Group(state, exchanges).run(); });
  size_t bytes = 0;
  for (Exchange* exchange : exchanges) {
    bytes = std::max(bytes, exchange->body.size());
    if (!is_done) work_for(*exchange, [&] { exchange->response = refuse(out_of_memory_error()); });
    exchange->is_done = true;
  }
  static_cast<void>(tried([&] { forget_large_reader(bytes); }));
  for (Exchange* exchange : exchanges) exchange->waiter.resume();
}

void work_on_stream(ServiceState& state, Exchange& exchange) noexcept {
  work_for(exchange, [&] {
    const Status done = guarded([&]() -> Status {
      work_on_held_lines(state, exchange);
      return {};
    });
    if (!done) fail_stream(exchange, done.error());
  });
  exchange.response.content_type = kLinesType;
  exchange.is_done = exchange.has_ended;
  if (exchange.is_done && exchange.refusal) exchange.response = std::move(*exchange.refusal);
  exchange.waiter.resume();
}

}  // namespace neardup::server
