// The filter of hits against its definition, on every instruction set of the machine.
#include "neardup/join/rules.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/agree/each_target.h"

namespace neardup::join::rules_test {
namespace {

using match::Hit;

std::vector<Hit> by_definition(const std::vector<Hit>& hits, const Rules& rules) {
  std::vector<Hit> kept;
  for (const Hit& hit : hits) {
    bool met = false;
    for (const JoinBlock& rule : rules)
      met = met || fingerprint::distance(hit.a & rule.mask, hit.b & rule.mask) <= rule.threshold;
    if (!met) kept.push_back(hit);
  }
  return kept;
}

void check_all() {
  std::mt19937_64 random(9);
  for (const size_t size : {0, 1, 7, 63, 64, 65, 130, 512}) {
    for (size_t num_rules = 0; num_rules < 6; ++num_rules) {
      std::vector<Hit> hits(size);
      for (Hit& hit : hits) hit = {random(), random() & random() & random()};
      for (Hit& hit : hits) hit.b ^= hit.a;
      Rules rules;
      for (size_t i = 0; i < num_rules; ++i) rules.push_back({random() & random(), static_cast<int>(random() % 4)});
      std::vector<Hit> out(size);
      out.resize(drop_met(hits, rules, out.data()));
      ASSERT_EQ(out, by_definition(hits, rules)) << size << " hits, " << num_rules << " rules";
    }
  }
}

TEST(Rules, EveryTargetAgreesWithTheDefinition) { on_each_target(check_all); }

}  // namespace
}  // namespace neardup::join::rules_test
