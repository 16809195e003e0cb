// A store over the slowest Backend does what every store must do, also where others come between and connections break.
#include "neardup/remote/remote_store.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <thread>

#include "neardup/store/embedded_store.h"
#include "tests/unit/remote/memory_backend.h"
#include "tests/unit/store/conformance.h"

namespace neardup::remote {
namespace {

using store::kConformanceDistance;
using store::Store;
using store::StoreFactory;
using store::StoreSettings;

StoreSettings settings_of(uint32_t num_bits, bool has_passages) {
  StoreSettings settings{.num_fingerprints = 1, .num_bits = num_bits};
  settings.has_passages = has_passages;
  settings.max_distance = kConformanceDistance;
  return settings;
}

std::shared_ptr<MemoryServer> server;  // of the test that runs

// `prepare`: what its server does beside.
StoreFactory over_memory(const std::string& name, uint32_t num_bits, bool has_passages,
                         std::function<void(MemoryServer&)> prepare = {}) {
  StoreFactory factory;
  factory.name = name;
  factory.num_bits = num_bits;
  factory.has_passages = has_passages;
  factory.make = [=]() -> std::unique_ptr<Store> {
    server = std::make_shared<MemoryServer>(settings_of(num_bits, has_passages));
    if (prepare) prepare(*server);
    return std::make_unique<RemoteStore>(std::make_unique<MemoryBackend>(server));
  };
  factory.again = [](std::unique_ptr<Store> store) -> std::unique_ptr<Store> {
    store.reset();
    return std::make_unique<RemoteStore>(std::make_unique<MemoryBackend>(server));
  };
  factory.settle = [](Store& store) { EXPECT_TRUE(store.compact()); };
  factory.open_snapshot = [](const std::string& folder) -> std::unique_ptr<Store> {
    auto opened = store::EmbeddedStore::open(folder);
    EXPECT_TRUE(opened) << opened.error().message;
    return opened ? std::move(*opened) : nullptr;
  };
  factory.remove = [] { server.reset(); };
  return factory;
}

// Every third commit of a thread fails, half of these when it has happened. Were they counted together, chance could
// give all failures to one call, which rightly gives up then.
void lose_connections(MemoryServer& of) {
  of.fault = [counts = std::map<std::thread::id, uint64_t>()](std::string_view member, uint64_t) mutable {
    if (member != "commit") return Fault::kNone;
    const uint64_t count = ++counts[std::this_thread::get_id()];
    if (count % 3 != 0) return Fault::kNone;
    return count % 2 == 0 ? Fault::kBefore : Fault::kAfter;
  };
}

}  // namespace
}  // namespace neardup::remote

namespace neardup::store {
INSTANTIATE_TEST_SUITE_P(
    OverMemory, StoreConformance,
    testing::Values(remote::over_memory("memory64", 64, false), remote::over_memory("memory128", 128, false),
                    remote::over_memory("passages", 64, true),
                    remote::over_memory("inturn", 64, true, [](auto& of) { of.commits_in_turn = true; }),
                    remote::over_memory("lossy", 64, true, remote::lose_connections),
                    remote::over_memory("fewbits", 64, true, [](auto& of) { of.key_mask = 0xff; }),
                    remote::over_memory("nobits", 128, false, [](auto& of) { of.key_mask = 0; })));
}  // namespace neardup::store
