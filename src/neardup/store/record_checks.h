// What settings and documents must be to be taken.
#pragma once

#include "neardup/base/result.h"
#include "neardup/store/record.h"
#include "neardup/store/settings.h"

namespace neardup::store {

/// Returns whether a store can be made with these. Errors: kInvalidArgument, kUnsupported.
[[nodiscard]] Status check_new_settings(const StoreSettings& settings);
/// Returns whether a store with `settings` takes a document. Errors: kInvalidArgument, naming it.
[[nodiscard]] Status check_record(const StoreSettings& settings, const Record& record);
/// The same of its fingerprints alone.
[[nodiscard]] Status check_fingerprints(const StoreSettings& settings, const Record& record);

}  // namespace neardup::store
