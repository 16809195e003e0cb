// Properties of any join of any set: equal to the definition, and unmoved by what must not matter.
#include <gtest/gtest.h>
#include <rapidcheck.h>

// needs gtest before it
#include <rapidcheck/gtest.h>

#include "neardup/base/hash.h"
#include "tests/agree/join/linear_scan.h"

namespace neardup::join {
namespace {

Pairs join_set(const Set& set, int max_distance, int num_threads) {
  return fast_self_join(set, options_for(max_distance, num_threads));
}

// Fingerprints of few varying bits and of all bits, so that pairs are many or rare.
Set any_set() {
  const uint64_t varying = *rc::gen::element(~uint64_t{0}, uint64_t{0xff}, uint64_t{0xf0f0000000000f0f});
  Set set = *rc::gen::container<Set>(rc::gen::arbitrary<uint64_t>());
  const auto repeat = *rc::gen::inRange<size_t>(1, 40);
  const size_t size = set.size();
  for (size_t i = 0; i < size * repeat; ++i) set.push_back(mix64(set[i % size] + i));
  for (uint64_t& value : set) value &= varying;
  return set;
}

int any_distance() { return *rc::gen::inRange(0, fingerprint::kMaxDistance + 1); }

RC_GTEST_PROP(Join, IsTheDefinition, ()) {
  const Set set = any_set();
  const int k = any_distance();
  RC_ASSERT(join_set(set, k, 2) == linear_self_join(set, k));
}

RC_GTEST_PROP(Join, CrossIsTheDefinition, ()) {
  const Set left = any_set(), right = any_set();
  const int k = any_distance();
  RC_ASSERT(fast_cross_join(left, right, options_for(k, 2)) == linear_cross_join(left, right, k));
}

// Distance does not see a bit that is flipped everywhere, nor where the bits stand.
RC_GTEST_PROP(Join, FlippingAndRotatingEverythingChangesNothing, ()) {
  const Set set = any_set();
  const int k = any_distance();
  const uint64_t flips = *rc::gen::arbitrary<uint64_t>();
  const int rotation = *rc::gen::inRange(0, 64);
  Set other = set;
  for (uint64_t& value : other) value = std::rotl(value ^ flips, rotation);
  RC_ASSERT(join_set(set, k, 1) == join_set(other, k, 1));
}

RC_GTEST_PROP(Join, SmallerDistanceGivesASubset, ()) {
  const Set set = any_set();
  const int k = any_distance();
  const int less = *rc::gen::inRange(0, k + 1);
  RC_ASSERT(join_set(set, less, 2) == within(join_set(set, k, 2), less));
}

// The self join of two sets laid end to end is both self joins and the cross join.
RC_GTEST_PROP(Join, SelfAndCrossFitTogether, ()) {
  const Set set = any_set();
  const int k = any_distance();
  const auto cut = static_cast<uint32_t>(*rc::gen::inRange<size_t>(0, set.size() + 1));
  const Set left(set.begin(), set.begin() + cut), right(set.begin() + cut, set.end());
  Pairs pairs = join_set(left, k, 1);
  for (const Pair& pair : join_set(right, k, 1)) pairs.push_back({pair.a + cut, pair.b + cut, pair.distance});
  for (const Pair& pair : fast_cross_join(left, right, options_for(k))) {
    pairs.push_back({pair.a, pair.b + cut, pair.distance});
  }
  std::sort(pairs.begin(), pairs.end());
  RC_ASSERT(join_set(set, k, 1) == pairs);
}

}  // namespace
}  // namespace neardup::join
