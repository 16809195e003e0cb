// Many callers insert, replace and erase in a store, with checkpoints beside them, until the process is killed or the
// power is lost; then all that was acknowledged must be there, calls that were not must be there wholly or not at all,
// and nothing else.
//   store_driver run FOLDER SEED           works until it is killed; FOLDER.expected holds what callers know
//   store_driver verify FOLDER             looks whether that is so
//   store_driver power FOLDER SEED LOSSES  so many losses of power one after the other, each verified
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/crash/store_expected.h"
#include "tests/forgetful_file_system.h"

namespace neardup::store {
namespace {

namespace fs = std::filesystem;

StoreOptions small_options() {
  StoreOptions options;
  options.log_bytes = 1 << 16;
  options.map_keys = 256;
  return options;
}

class Unlike : public Judge {
 public:
  [[nodiscard]] Result<std::optional<Likeness>> compare(const Record&, const Record&) const override {
    return std::optional<Likeness>();
  }
};

[[noreturn]] void end_with(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::exit(1);
}

// A new store has two fingerprints of 64 bits of a document, or one of 128: the same words.
Result<std::unique_ptr<EmbeddedStore>> open_or_create(const std::string& folder, bool is_wide) {
  if (fs::exists(folder + "/MANIFEST")) return EmbeddedStore::open(folder, small_options());
  StoreSettings settings;
  settings.num_bits = is_wide ? 128 : 64;
  settings.has_passages = !is_wide;
  settings.num_fingerprints = is_wide ? 1 : 2;
  return EmbeddedStore::create(folder, settings, small_options());
}

/// One who calls: its documents are nobody else's, and a call of it has one to three of them.
class Caller {
 public:
  Caller(uint32_t caller, uint64_t seed, EmbeddedStore& store, ExpectedState& expected)
      : caller_(caller), random_(seed * kCallers + caller), store_(store), expected_(expected) {
    for (uint32_t number = 0; number < kIdsOfCaller; ++number)
      version_ = std::max(version_, expected.acknowledged(caller, number));
  }

  /// Returns whether the call was acknowledged.
  bool call_once() {
    std::vector<uint32_t> numbers;
    for (uint64_t i = 0; i <= random_() % 3; ++i) numbers.push_back(static_cast<uint32_t>(random_() % kIdsOfCaller));
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    const uint64_t what = random_() % 5;
    const uint32_t version = what == 0 ? kAbsent : ++version_;
    expected_.send(caller_, numbers, version);
    if (!send(what, numbers, version)) return false;
    expected_.acknowledge(caller_, numbers);
    return true;
  }

 private:
  bool send(uint64_t what, const std::vector<uint32_t>& numbers, uint32_t version) {
    std::vector<SentDocument> documents;
    for (const uint32_t number : numbers) documents.emplace_back(caller_, number, version);
    std::vector<Record> views;
    std::vector<std::string_view> ids;
    for (const SentDocument& document : documents) {
      views.push_back(document.view(store_.settings().has_passages));
      ids.push_back(document.id);
    }
    if (what == 0) return store_.erase(ids).has_value();
    if (what == 1) return store_.put(views).has_value();
    return store_.check_and_insert(views, Unlike()).has_value();
  }

  uint32_t caller_;
  std::mt19937_64 random_;
  EmbeddedStore& store_;
  ExpectedState& expected_;
  uint32_t version_ = 0;
};

// Calls until a call fails, `most` times each at most.
void call_all(EmbeddedStore& store, ExpectedState& expected, uint64_t seed, uint64_t most) {
  std::atomic<uint32_t> working = kCallers;
  std::vector<std::thread> threads;
  for (uint32_t caller = 0; caller < kCallers; ++caller) {
    threads.emplace_back([&, caller] {
      Caller one(caller, seed, store, expected);
      for (uint64_t i = 0; i < most && one.call_once();) ++i;
      --working;
    });
  }
  std::mt19937_64 random(seed);
  while (working > 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 20));
    static_cast<void>(store.checkpoint());
  }
  for (std::thread& thread : threads) thread.join();
}

uint32_t version_of(const EmbeddedStore& store, const std::string& id) {
  uint32_t version = kAbsent;
  const auto found = store.find(
      id, [&](const Record& record) { version = static_cast<uint32_t>(std::stoul(std::string(record.body))); });
  if (!found) end_with(found.error().message);
  return version;
}

// The same document again is known to be there.
void verify_document(const EmbeddedStore& store, const SentDocument& document) {
  const Record view = document.view(store.settings().has_passages);
  const auto answers = store.check({&view, 1}, Unlike());
  if (!answers) end_with(answers.error().message);
  if (!answers->at(0).is_repeated) end_with(document.id + " is there and not known by its text");
}

// Returns how many documents of a caller are there.
uint64_t verify_caller(const EmbeddedStore& store, ExpectedState& expected, uint32_t caller) {
  uint64_t there = 0, done = 0, undone = 0;
  for (uint32_t number = 0; number < kIdsOfCaller; ++number) {
    const uint32_t acknowledged = expected.acknowledged(caller, number), sent = expected.sent(caller, number);
    const uint32_t version = version_of(store, SentDocument(caller, number, 0).id);
    const std::string found = std::to_string(caller) + "-" + std::to_string(number) + ": version " +
                              std::to_string(version) + ", acknowledged " + std::to_string(acknowledged) + ", sent " +
                              (sent == kNothing ? "nothing" : std::to_string(sent));
    if (version != acknowledged && (sent == kNothing || version != sent)) end_with(found);
    if (sent != kNothing && sent != acknowledged) ++(version == sent ? done : undone);
    if (done > 0 && undone > 0) end_with("half of a call is there: " + found);
    if (version != kAbsent) verify_document(store, SentDocument(caller, number, version));
    there += version != kAbsent ? 1 : 0;
  }
  for (uint32_t number = 0; number < kIdsOfCaller; ++number)
    expected.settle(caller, number, version_of(store, SentDocument(caller, number, 0).id));
  return there;
}

void verify(const std::string& folder, ExpectedState& expected) {
  const auto store = open_or_create(folder, false);
  if (!store) end_with(store.error().message);
  uint64_t there = 0;
  for (uint32_t caller = 0; caller < kCallers; ++caller) there += verify_caller(**store, expected, caller);
  const uint64_t documents = (*store)->statistics()->documents;
  if (documents != there) end_with(std::to_string(documents) + " documents, expected " + std::to_string(there));
}

void run(const std::string& folder, uint64_t seed) {
  ExpectedState expected(folder + ".expected");
  const auto store = open_or_create(folder, mix64(seed) % 2 == 0);
  if (!store) end_with(store.error().message);
  call_all(**store, expected, seed, UINT64_MAX);
  end_with("a call failed");
}

void lose_power(const std::string& folder, ExpectedState& expected, uint64_t seed) {
  std::mt19937_64 random(seed);
  ForgetfulFileSystem forgetful(folder, 1 + random() % 300);
  {
    const ReplacedFileSystem replaced(forgetful);
    if (const auto store = open_or_create(folder, mix64(seed) % 2 == 1)) call_all(**store, expected, seed, 1000);
  }
  if (forgetful.lost_power()) forgetful.crash(static_cast<ForgetfulFileSystem::Unsynced>(random() % 4), seed);
}

void lose_power_often(const std::string& folder, uint64_t seed, uint64_t losses) {
  fs::create_directories(folder);
  ExpectedState expected(folder + ".expected");
  for (uint64_t i = 0; i < losses; ++i) {
    lose_power(folder, expected, seed + i);
    std::fprintf(stderr, "\rloss %llu, seed %llu: ", static_cast<unsigned long long>(i + 1),
                 static_cast<unsigned long long>(seed + i));
    verify(folder, expected);
  }
}

}  // namespace
}  // namespace neardup::store

int main(int argc, char** argv) {
  using namespace neardup::store;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() == 3 && arguments[0] == "run") run(arguments[1], std::stoull(arguments[2]));
  if (arguments.size() == 2 && arguments[0] == "verify") {
    ExpectedState expected(arguments[1] + ".expected");
    verify(arguments[1], expected);
    return 0;
  }
  if (arguments.size() == 4 && arguments[0] == "power") {
    lose_power_often(arguments[1], std::stoull(arguments[2]), std::stoull(arguments[3]));
    return 0;
  }
  end_with("usage: store_driver run FOLDER SEED | verify FOLDER | power FOLDER SEED LOSSES");
}
