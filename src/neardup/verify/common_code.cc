#include "neardup/verify/common_code.h"

#include <algorithm>
#include <iterator>

#include "neardup/verify/code_rule.h"

namespace neardup::verify {

void CommonCode::add(std::span<const uint32_t> tokens) {
  const ShingleSet set = make_code_set(tokens.first(std::min(tokens.size(), kMostTokens)));
  hashes_.insert(hashes_.end(), set.hashes.begin(), set.hashes.end());
  ++num_texts_;
}

std::vector<uint32_t> CommonCode::take() {
  std::ranges::sort(hashes_);
  std::vector<uint32_t> common;
  for (auto begin = hashes_.begin(); begin != hashes_.end();) {
    const auto end = std::find_if(begin, hashes_.end(), [begin](uint32_t hash) { return hash != *begin; });
    const auto count = static_cast<size_t>(end - begin);
    if (count > kLeastCommonTexts && kCommonShare * count > num_texts_) common.push_back(*begin);
    begin = end;
  }
  return common;
}

std::vector<uint32_t> without_common(std::vector<uint32_t> hashes, std::span<const uint32_t> common) {
  constexpr size_t kLeastShare = 10;
  std::vector<uint32_t> left;
  std::ranges::set_difference(hashes, common, std::back_inserter(left));
  return kLeastShare * left.size() < hashes.size() ? hashes : left;
}

}  // namespace neardup::verify
