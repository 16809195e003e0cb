#include "neardup/remote/redis/script.h"

#include <sha1.h>

#include <algorithm>
#include <array>
#include <map>
#include <mutex>

namespace neardup::remote::redis {
namespace {

constexpr std::string_view kUnknownScript = "NOSCRIPT";

Request request_of(std::span<const ScriptCall> calls, bool with_scripts) {
  Request request;
  if (with_scripts)
    for (const ScriptCall& call : calls) request.command({"SCRIPT", "LOAD", call.script});
  for (const ScriptCall& call : calls) {
    request.begin(3 + call.keys.size() + call.words.size());
    request.add("EVALSHA");
    request.add(digest_of(call.script));
    request.add(std::to_string(call.keys.size()));
    for (const std::string& key : call.keys) request.add(key);
    for (const std::string& word : call.words) request.add(word);
  }
  return request;
}

std::vector<ScriptAnswer> answers_of(const Replies& replies, size_t first) {
  std::vector<ScriptAnswer> answers;
  for (size_t i = first; i < replies.size(); ++i) {
    const auto& reply = replies[i];
    answers.push_back({reply.type == ReplyType::kError, std::string(replies.text(reply))});
  }
  return answers;
}

bool is_unknown(const ScriptAnswer& answer) { return answer.is_error && answer.text.starts_with(kUnknownScript); }

}  // namespace

Result<std::vector<ScriptAnswer>> run_scripts(ConnectionPool& pool, std::span<const ScriptCall> calls) {
  if (calls.empty()) return std::vector<ScriptAnswer>();
  NEARDUP_ASSIGN(const Replies replies, pool.tell(request_of(calls, false)));
  std::vector<ScriptAnswer> answers = answers_of(replies, 0);
  if (!std::ranges::all_of(answers, is_unknown)) return answers;
  NEARDUP_ASSIGN(const Replies again, pool.tell(request_of(calls, true)));
  for (size_t i = 0; i < calls.size(); ++i)
    if (again[i].type == ReplyType::kError) return refusal(pool.uri(), again.text(again[i]));
  return answers_of(again, calls.size());
}

const std::string& digest_of(std::string_view script) {
  static std::mutex mutex;
  static std::map<const char*, std::string> digests;
  const std::lock_guard lock(mutex);
  std::string& digest = digests[script.data()];
  if (digest.empty()) {
    std::array<char, SHA1_DIGEST_STRING_LENGTH> digits{};
    SHA1Data(reinterpret_cast<const uint8_t*>(script.data()), script.size(), digits.data());
    digest = digits.data();
  }
  return digest;
}

}  // namespace neardup::remote::redis
