// What callers of a store know of its documents: for each what was acknowledged, and what was sent and is not.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "neardup/base/hash.h"
#include "neardup/store/embedded_store.h"

namespace neardup::store {

constexpr uint32_t kCallers = 4, kIdsOfCaller = 40;
constexpr uint32_t kAbsent = 0, kNothing = UINT32_MAX;  // versions

/// Version `version` of a document: all of its content follows from that.
struct SentDocument {
  std::string id, body;
  uint64_t words[2], key;  // of fingerprints
  uint64_t passages[2];    // one of them of many

  SentDocument(uint32_t caller, uint32_t number, uint32_t version)
      : id(std::to_string(caller) + "-" + std::to_string(number)),
        body(std::to_string(version)),
        words{hash64(id + ":" + body), hash64(body + ":" + id)},
        key(mix64(words[0])),
        passages{number % 8, key | 8} {}
  [[nodiscard]] Record view(bool has_passages) const {
    Record record;
    record.id = id;
    record.checksum = {words[0], key};
    record.fingerprints = words;
    record.keys = {&key, 1};
    if (has_passages) record.passages = passages;
    record.body = body;
    return record;
  }
};

/// In a file that outlasts a process that is killed. Threads: each caller has documents of its own.
class ExpectedState {
 public:
  explicit ExpectedState(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT, 0600);
    const size_t bytes = sizeof(Entry) * kCallers * kIdsOfCaller;
    if (descriptor < 0 || ::ftruncate(descriptor, static_cast<off_t>(bytes)) != 0) std::abort();
    void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (memory == MAP_FAILED) std::abort();
    entries_ = static_cast<Entry*>(memory);
    ::close(descriptor);
  }

  /// The call with these documents was sent: each becomes that version, or (kAbsent) is erased.
  void send(uint32_t caller, const std::vector<uint32_t>& numbers, uint32_t version) {
    for (const uint32_t number : numbers) at(caller, number).sent = version + 1;
  }
  void acknowledge(uint32_t caller, const std::vector<uint32_t>& numbers) {
    for (const uint32_t number : numbers) settle(caller, number, sent(caller, number));
  }
  /// The store has this version.
  void settle(uint32_t caller, uint32_t number, uint32_t version) {
    at(caller, number).acknowledged = version;
    at(caller, number).sent = 0;
  }
  [[nodiscard]] uint32_t acknowledged(uint32_t caller, uint32_t number) const {
    return at(caller, number).acknowledged;
  }
  /// Returns kNothing where no call is on its way.
  [[nodiscard]] uint32_t sent(uint32_t caller, uint32_t number) const { return at(caller, number).sent - 1; }

 private:
  struct Entry {
    std::atomic<uint32_t> acknowledged;
    std::atomic<uint32_t> sent;  // plus 1; 0: nothing
  };
  [[nodiscard]] Entry& at(uint32_t caller, uint32_t number) const { return entries_[caller * kIdsOfCaller + number]; }
  Entry* entries_;
};

}  // namespace neardup::store
