// Inner part of Fingerprinter::explain().
#pragma once

#include <span>
#include <string_view>

#include "neardup/feature/extractor.h"
#include "neardup/feature/feature_spec.h"
#include "neardup/recipe/explain.h"
#include "neardup/token/one_token.h"

namespace neardup::recipe {

/// Returns how the fingerprint of `tokens`, cut from `normalized`, comes about.
[[nodiscard]] ExplainedFingerprint explain_features(const feature::FeatureSpec& spec, std::string_view normalized,
                                                    std::span<const token::Token> tokens,
                                                    feature::Extractor& extractor);

}  // namespace neardup::recipe
