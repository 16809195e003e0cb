#include "neardup/engine/match/given_commonness.h"

namespace neardup::engine {

Result<std::shared_ptr<const verify::Commonness>> given_commonness(const std::string& name, uint64_t memory_bytes) {
  if (name != kNoCommonness) return verify::Commonness::load(name, memory_bytes);
  auto none = std::make_shared<verify::Commonness>(0, 0);
  none->settle();
  return none;
}

}  // namespace neardup::engine
