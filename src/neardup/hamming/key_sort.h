// Sorting the keys of a table, on all threads, in as many passes over the input as a memory limit asks for.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/base/scatter.h"
#include "neardup/hamming/key_order.h"
#include "neardup/hamming/stored_array.h"

namespace neardup::hamming {

/// Keys that share some leading places, sorted and distinct (with their payloads, NoPayload or a number: the pairs
/// are).
template <fingerprint::AnyFingerprint F, class P>
struct SortedPart {
  std::span<const F> keys;
  std::span<const P> payloads;  // as long, or empty
};

struct KeySortOptions {
  int digit_bits = 0;              // leading places that make a part; parts that fit in a cache are sorted fastest
  uint64_t max_keys = UINT64_MAX;  // of a pass
  int num_threads = 1;
  Context context;
};

/// Input of a sort: values[i] goes with payload documents[i] - first_document, or i where there are no documents.
template <fingerprint::AnyFingerprint F>
struct KeySource {
  std::span<const F> values;
  std::span<const uint64_t> documents;
  uint64_t first_document = 0;
};

/// Calls `receive` with the parts of each pass, in ascending order of keys; they are gone when it returns. A pass takes
/// as many neighbouring digits as have max_keys keys together; a digit that alone has more is divided by its next
/// places. Cost: two readings of the input, one more for each further pass and each digit that is divided. Memory: the
/// keys and payloads of a pass, at most max_keys. Errors: kMemory (more than max_keys keys are equal), kCancelled, what
/// `receive` returns.
template <fingerprint::AnyFingerprint F, class P>
[[nodiscard]] Status sort_keys(const KeySource<F>& source, const KeyOrder<F>& order, const KeySortOptions& options,
                               const std::function<Status(std::span<const SortedPart<F, P>>)>& receive);

}  // namespace neardup::hamming
