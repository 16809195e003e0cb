// The Backend that tests stand on does itself what it is to hold others to.
#include "tests/unit/remote/memory_backend.h"

#include <gtest/gtest.h>

#include "tests/unit/remote/backend_conformance.h"

namespace neardup::remote {
namespace {

BackendFactory memory(uint32_t num_bits, uint32_t num_fingerprints, int max_distance) {
  static std::shared_ptr<MemoryServer> server;
  BackendFactory factory{.name = "memory" + std::to_string(num_bits),
                         .num_bits = num_bits,
                         .num_fingerprints = num_fingerprints,
                         .max_distance = max_distance};
  factory.make = [settings = factory.settings()]() -> std::unique_ptr<Backend> {
    server = std::make_shared<MemoryServer>(settings);
    return std::make_unique<MemoryBackend>(server);
  };
  factory.another = []() -> std::unique_ptr<Backend> { return std::make_unique<MemoryBackend>(server); };
  return factory;
}

INSTANTIATE_TEST_SUITE_P(Memory, BackendConformance,
                         testing::Values(memory(64, 2, 3), memory(64, 1, 0), memory(128, 2, 5)));

}  // namespace
}  // namespace neardup::remote
