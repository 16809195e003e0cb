#include "neardup/engine/evaluate/band_levels.h"

#include <algorithm>
#include <array>

#include "neardup/base/per_thread.h"
#include "neardup/join/bands.h"

namespace neardup::engine {
namespace {

constexpr size_t kLevelsOfRecipe = 8;

}  // namespace

Result<BandLevels> BandLevels::create(const recipe::MinHashSpec& spec, join::SignatureSource source,
                                      std::span<const uint32_t> active, uint64_t memory_bytes) {
  const auto most = static_cast<size_t>(join::most_bands(spec.num_values, spec.rows));
  BandLevels levels;
  levels.of_recipe_ = static_cast<size_t>(spec.bands);
  levels.steps_ = std::min(kLevelsOfRecipe, levels.of_recipe_);
  levels.num_levels_ = std::min(2 * levels.of_recipe_, most) * levels.steps_ / levels.of_recipe_;
  const int all = levels.num_bands(levels.num_levels_ - 1);
  NEARDUP_ASSIGN(levels.rule_, BandRule::create(spec.num_values, all, spec.rows, 0));
  levels.active_ = active;
  if (source.size_bytes() <= memory_bytes) {
    NEARDUP_ASSIGN(levels.values_, load_signatures(source));
  }
  levels.source_ = std::move(source);
  return levels;
}

Result<std::span<const uint16_t>> BandLevels::signature(uint32_t group, std::vector<uint16_t>& buffer) const {
  const auto row = static_cast<uint32_t>(std::ranges::lower_bound(active_, group) - active_.begin());
  const auto width = static_cast<size_t>(source_.num_values);
  if (!values_.empty()) return std::span<const uint16_t>(values_.data() + row * width, width);
  buffer.resize(width);
  NEARDUP_TRY(source_.read(std::span(&row, 1), buffer.data()));
  return std::span<const uint16_t>(buffer);
}

Result<BandLevels::Place> BandLevels::place(uint32_t g, uint32_t h) const {
  static PerThread<std::array<std::vector<uint16_t>, 2>> buffers;
  auto& [g_buffer, h_buffer] = buffers.get();
  NEARDUP_ASSIGN(const auto a, signature(g, g_buffer));
  NEARDUP_ASSIGN(const auto b, signature(h, h_buffer));
  const Agreement agreement = agreement_of(a, b);
  const size_t first = rule_.first_met(agreement);
  const size_t level = ((first + 1) * steps_ + of_recipe_ - 1) / of_recipe_ - 1;  // the first with more than `first`
  return Place{static_cast<uint32_t>(level), agreement.num_equal};
}

}  // namespace neardup::engine
