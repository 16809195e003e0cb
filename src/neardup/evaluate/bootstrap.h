// Do two settings differ by more than chance? The units of the sample are drawn again and again, both settings on the
// same ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "neardup/evaluate/interval.h"
#include "neardup/evaluate/sample.h"

namespace neardup::evaluate {

inline constexpr uint32_t kReplicates = 1000;

/// Sets times[u] to how often unit u comes in a replicate: as many draws with replacement in each stratum as it has
/// units. The same for every machine: whole numbers from SplitMix64, of which `replicate` is the seed.
/// Source: Efron, Annals of Statistics 7 (1979); in strata: Bickel and Freedman, Annals of Statistics 12 (1984).
void draw_units(std::span<const uint32_t> strata, uint32_t replicate, std::span<uint16_t> times);

inline constexpr size_t kLeastDifferent = 6;  // 2 / 2^6 < .05

/// First setting minus second.
struct Difference {
  double value = 0;
  Interval interval;  // of 95 %: percentiles of the replicates
  [[nodiscard]] bool is_beyond_chance() const { return interval.low > 0 || interval.high < 0; }
};

struct Comparison {
  Difference precision, recall, f1;
  size_t num_different = 0;       // units of which the settings do not say the same
  bool is_beyond_chance = false;  // in F1; of the best of `num_tried` settings: for the best of them, too
  size_t num_tried = 1;
};

/// Returns "more than chance", "may be chance" or "no difference".
[[nodiscard]] std::string_view chance_text(const Comparison& compared);

/// Compares two settings that were chosen without looking at these labels. Fewer than kLeastDifferent different units
/// are never more than chance, as all of them may fall to one side (sign test). Cost: kReplicates times the units.
/// Requires: the sample has units.
[[nodiscard]] Comparison compare(const Sample& sample, size_t setting, size_t base);

/// The same where `setting` was chosen as the best of `tried` by these very labels: the best of many is above the rest
/// by chance already. It is better by more than chance where its advantage in F1 over `base`, in standard errors, is
/// more than 95 % of replicates show for the one of `tried` that gains most by chance. Cost: kReplicates times the
/// units times the settings. Source: White, A reality check for data snooping, Econometrica 68 (2000); in standard
/// errors: Romano and Wolf, Econometrica 73 (2005).
[[nodiscard]] Comparison compare_best(const Sample& sample, size_t setting, size_t base, std::span<const size_t> tried);

}  // namespace neardup::evaluate
