// fuzz_search: the libFuzzer program of every body in tests/fuzz. NEARDUP_FUZZ_TARGET names the one that runs.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/fuzz_targets.h"

namespace {

const FuzzTarget* target = nullptr;

const FuzzTarget* find_target(std::string_view name) {
  const auto targets = fuzz_targets();
  const auto found = std::ranges::find(targets, name, &FuzzTarget::name);
  return found == targets.end() ? nullptr : &*found;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* name = std::getenv("NEARDUP_FUZZ_TARGET");
  target = find_target(name == nullptr ? "" : name);
  if (target != nullptr) return 0;
  std::fputs("fuzz_search: NEARDUP_FUZZ_TARGET names none of:", stderr);
  for (const FuzzTarget& each : fuzz_targets()) std::fprintf(stderr, " %s", each.name.data());
  std::fputs("\n", stderr);
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) { return target->run(data, size); }
