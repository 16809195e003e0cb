#include "neardup/store/record_checks.h"

#include <fmt/format.h>

#include <string_view>

#include "neardup/store/fingerprint_index.h"

namespace neardup::store {

Status check_new_settings(const StoreSettings& settings) {
  if (!is_width(settings.num_bits))
    return fail(Code::kInvalidArgument, fmt::format("fingerprints have 64 or 128 bits, found {}", settings.num_bits));
  if (settings.has_passages && settings.num_bits != 64)
    return fail(Code::kUnsupported, "a store of fingerprints of 128 bits keeps no passages");
  const int most = greatest_distance(settings.num_bits);
  if (settings.max_distance >= 0 && settings.max_distance <= most) return {};
  return fail(Code::kInvalidArgument,
              fmt::format("expected a distance of 0 to {}, found {}", most, settings.max_distance));
}

Status check_record(const StoreSettings& settings, const Record& record) {
  if (record.id.empty()) return fail(Code::kInvalidArgument, "a document without an id cannot be stored");
  if (!record.passages.empty() && !settings.has_passages)
    return fail(Code::kInvalidArgument,
                fmt::format("document '{}' has passages, of which the store keeps none", record.id));
  return check_fingerprints(settings, record);
}

Status check_fingerprints(const StoreSettings& settings, const Record& record) {
  const size_t words = record.fingerprints.size();
  if (words == 0 || words == num_words(settings)) return {};
  const std::string_view what = settings.num_bits == 64 ? "fingerprints" : "words of fingerprints";
  return fail(Code::kInvalidArgument, fmt::format("document '{}' has {} {}, the store holds {} of each", record.id,
                                                  words, what, num_words(settings)));
}

}  // namespace neardup::store
