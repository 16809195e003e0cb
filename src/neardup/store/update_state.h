// What an updatable index consists of at one moment. For its sources only.
#pragma once

#include <memory>
#include <vector>

#include "neardup/store/updatable_index.h"

namespace neardup::store {

/// Never changed once readers can see it: the next one takes its place. Everything stands oldest first; all segments
/// are older than all tables, and only the last table still grows.
template <fingerprint::AnyFingerprint F>
struct View<F>::State {
  std::vector<Segment<F>> segments;
  std::vector<std::shared_ptr<MemTable<F>>> tables;
};

}  // namespace neardup::store
