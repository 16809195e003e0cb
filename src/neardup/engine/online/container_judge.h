// ContainerJudge: which stored texts contain one that comes, by who has its passages and by what a store keeps.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/engine/online/text_record.h"
#include "neardup/store/document_store.h"
#include "neardup/verify/run_index_cache.h"

namespace neardup::engine {

/// The definition of docs/design/contained.md over what a store holds: a passage is common from its 17th text on. The
/// runs of long texts that were asked last stay in memory, kRunIndexBytes at most. Threads: find() from many at once.
class ContainerJudge {
 public:
  /// `asked`: the share, as DedupOptions::contained.
  explicit ContainerJudge(double asked) : asked_(asked), indexes_(kRunIndexBytes) {}
  /// store::Judge::containers_of(). Errors: those of `read`.
  [[nodiscard]] Result<std::vector<store::Container>> find(const store::Record& arriving,
                                                           std::span<const store::Holding> holdings,
                                                           store::Containing which,
                                                           const store::Judge::ReadStored& read) const;

 private:
  static constexpr uint64_t kRunIndexBytes = uint64_t{64} << 20;

  /// A text that comes, and which of its tokens are common.
  struct Quote {
    std::span<const uint32_t> tokens;
    std::vector<uint8_t> is_common;
  };
  struct Held {
    uint64_t longer_tokens = 0;
    float share = 0;
  };
  [[nodiscard]] std::vector<uint64_t> candidates_of(std::span<const store::Holding> holdings,
                                                    const std::vector<bool>& is_common) const;
  [[nodiscard]] Result<std::optional<Held>> held_by(uint64_t number, const Quote& quote, uint64_t longer_than,
                                                    const store::Judge::ReadStored& read) const;

  const double asked_;
  mutable verify::RunIndexCache indexes_;  // by number of document, which is never given twice
};

}  // namespace neardup::engine
