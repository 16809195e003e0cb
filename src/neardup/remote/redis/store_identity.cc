#include "neardup/remote/redis/store_identity.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "neardup/base/hash.h"
#include "neardup/remote/nonce.h"
#include "neardup/remote/redis/script.h"

namespace neardup::remote::redis {
namespace {

// Between the numbers of two runs: what others were given beyond what the one saw who begins the second. About what a
// busy server gives in the second that it may lose where it syncs every second; who saw more is told to open the store
// again, and who copies a store into a folder has room for each of them there.
constexpr uint64_t kNumbersBetweenRuns = uint64_t{1} << 16;

// KEYS: the identity, the state, the next number. ARGV: the id, the run, below which number the client saw some, what
// the state is raised by, how many numbers are left out.
constexpr std::string_view kRunScript = R"lua(#!lua flags=allow-oom
local call = redis.call
local id, run, first = string.match(call('GET', KEYS[1]) or '', '^(%x+) (%x+) (%d+)$')
if id ~= ARGV[1] then return 'other' end
local next, seen = tonumber(call('GET', KEYS[3]) or '0'), tonumber(ARGV[3])
local function begin(number)
  first = string.format('%.0f', number)
  call('SET', KEYS[3], first)
  call('SET', KEYS[1], id .. ' ' .. ARGV[2] .. ' ' .. first)
end
if run ~= ARGV[2] then
  local left_out = tonumber(run, 16) == 0 and 0 or tonumber(ARGV[5])
  begin(math.max(next, seen) + left_out)
  call('INCRBY', KEYS[2], ARGV[4])
elseif seen > tonumber(first) then
  if next > tonumber(first) then return 'older' end
  begin(seen)
end
return first
)lua";

template <class T>
bool parse_number(std::string_view text, T& value, int base) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::string hexadecimal(uint64_t value) { return fmt::format("{:016x}", value); }

// Of each start another run_id, of each time that a replica became a master another replication id.
uint64_t run_of(const ServerFacts& facts) {
  const std::string_view run_id = facts.of("run_id");
  return run_id.empty() ? 0 : std::max<uint64_t>(1, hash64(fmt::format("{} {}", run_id, facts.of("master_replid"))));
}

// 2^15 of them fit into a number of 63 bits.
uint64_t random_epochs() { return 1 + (new_nonce() >> 32); }

std::string StoreIdentity::text() const {
  return fmt::format("{} {} {}", hexadecimal(id), hexadecimal(run), first_number);
}

Result<StoreIdentity> StoreIdentity::parse(std::string_view text) {
  constexpr size_t kDigits = 16, kNumberAt = 2 * kDigits + 2;
  StoreIdentity identity;
  const bool is_whole = text.size() > kNumberAt && text[kDigits] == ' ' && text[kNumberAt - 1] == ' ' &&
                        parse_number(text.substr(0, kDigits), identity.id, 16) &&
                        parse_number(text.substr(kDigits + 1, kDigits), identity.run, 16) &&
                        parse_number(text.substr(kNumberAt), identity.first_number, 10);
  if (is_whole) return identity;
  return fail(Code::kCorruption, "it does not say which store this is");
}

void RunWatch::saw_numbers(uint64_t end) {
  uint64_t seen = seen_end_.load(std::memory_order_relaxed);
  while (seen < end && !seen_end_.compare_exchange_weak(seen, end)) {
  }
}

bool RunWatch::heard(const StoreIdentity& identity) {
  if (bound_run_ == 0 || identity.run == bound_run_) return true;
  const std::lock_guard lock(mutex_);
  return identity.run == bound_run_ || adopt(identity);
}

// Runs of which less is seen than of the one that is known are of answers that were under way, or of a loss.
bool RunWatch::adopt(const StoreIdentity& identity) {
  if (identity.first_number < bound_first_ || seen_end_ > identity.first_number) return false;
  bound_first_ = identity.first_number;
  bound_run_ = identity.run;
  return true;
}

// What is wrong with the store itself whoever looks into it says.
Result<RunWatch::Outcome> RunWatch::bind(Connection& connection) {
  Request request;
  request.command({"INFO", "server", "replication"});
  request.command({"GET", key('i')});
  for (bool is_again = false;; is_again = true) {
    NEARDUP_ASSIGN(const Replies replies, connection.exchange(request));
    for (size_t i = 0; i < 2; ++i) {
      if (replies[i].type != ReplyType::kError) continue;
      const std::string_view text = replies.text(replies[i]);
      if (i == 0 && (text.starts_with("NOPERM") || text.starts_with("ERR"))) return Outcome{};
      return Outcome{std::string(text)};
    }
    const uint64_t run = run_of({.info = lines_of(replies.text(replies[0])), .config = {}});
    if (run == 0) return Outcome{};
    knows_runs_ = true;
    const auto identity = StoreIdentity::parse(replies.text(replies[1]));
    if (!identity || identity->id != id_) return Outcome{};
    const std::lock_guard lock(mutex_);
    if (run == identity->run && (run == bound_run_ || adopt(*identity))) return Outcome{};
    const bool may_be_late = identity->first_number < bound_first_;  // others came further meanwhile
    if (!may_be_late || is_again) return write_run(connection, run);
  }
}

// Requires: mutex_.
Result<RunWatch::Outcome> RunWatch::write_run(Connection& connection, uint64_t run) {
  Request request;
  const std::string raise = std::to_string(random_epochs() * kEpochStep);
  request.command({"SCRIPT", "LOAD", kRunScript});
  request.command({"EVALSHA", digest_of(kRunScript), "3", key('i'), key('e'), key('n'), hexadecimal(id_),
                   hexadecimal(run), std::to_string(seen_end_), raise, std::to_string(kNumbersBetweenRuns)});
  NEARDUP_ASSIGN(const Replies replies, connection.exchange(request));
  for (size_t i = 0; i < 2; ++i)
    if (replies[i].type == ReplyType::kError) return Outcome{std::string(replies.text(replies[i]))};
  const std::string_view text = replies.text(replies[1]);
  if (uint64_t first = 0; parse_number(text, first, 10)) {
    bound_first_ = first;
    bound_run_ = run;
  }
  return Outcome{.refused = {}, .is_older = text == "older"};
}

namespace {

tl::unexpected<Error> older(const RemoteUri& uri) {
  return fail(Code::kIo, uri.shown() +
                             ": the server was started again without documents that it had said were stored, and "
                             "others have written since; open the store again (start a service anew)");
}

}  // namespace

Status RunWatch::meet(Connection& connection, const RemoteUri& uri, bool& is_transient) {
  is_transient = false;
  const Result<Outcome> outcome = bind(connection);
  if (!outcome) {
    is_transient = outcome.error().code == Code::kIo;
    return tl::unexpected<Error>(outcome.error());
  }
  if (outcome->is_older) return older(uri);
  is_transient = is_transient_refusal(outcome->refused);
  if (is_transient) return refusal(uri, outcome->refused);
  if (!outcome->refused.empty()) is_refused_ = true;
  return {};
}

Status RunWatch::before_commit(ConnectionPool& pool) {
  if (!is_refused_) return {};
  return pool.connect_anew([&](Connection& connection, bool&) -> Status {
    NEARDUP_ASSIGN(const Outcome outcome, bind(connection));
    if (outcome.is_older) return older(pool.uri());
    if (!outcome.refused.empty()) return refusal(pool.uri(), outcome.refused);
    is_refused_ = false;
    return {};
  });
}

}  // namespace neardup::remote::redis
