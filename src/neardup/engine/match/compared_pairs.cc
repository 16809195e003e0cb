#include "neardup/engine/match/compared_pairs.h"

namespace neardup::engine {
namespace {

Result<join::LateRows> late_rows_of_layer(const SignatureLayer& layer, const MatchSetting& setting) {
  return join::find_late_rows(layer.source, layer.rule.bands(), layer.most_members,
                              setting.plan.bytes_of(MemoryUse::kStars), setting.context);
}

}  // namespace

Result<ComparedPairs> ComparedPairs::find(const MatchSetting& setting) {
  ComparedPairs pairs(setting);
  NEARDUP_ASSIGN(pairs.main_, late_rows_of_layer(*setting.layers.main->signatures(), setting));
  if (setting.layers.short_texts != nullptr) {
    NEARDUP_ASSIGN(pairs.short_, late_rows_of_layer(*setting.layers.short_texts->signatures(), setting));
  }
  return pairs;
}

Result<bool> ComparedPairs::have(uint32_t better, uint32_t worse) const {
  const bool are_short = setting_->short_texts.contains(better) && setting_->short_texts.contains(worse);
  const SignatureLayer& layer = *(are_short ? setting_->layers.short_texts : setting_->layers.main)->signatures();
  return is_compared(layer, are_short ? short_ : main_, better, worse);
}

}  // namespace neardup::engine
