#include "neardup/recipe/weight_names.h"

#include <array>

namespace neardup::recipe {
namespace {

using feature::Weight;

struct NamedWeight {
  Weight weight;
  std::string_view name;
};

constexpr std::array<NamedWeight, 5> kWeights = {{{Weight::kBinary, "binary"},
                                                  {Weight::kTf, "tf"},
                                                  {Weight::kLogTf, "log_tf"},
                                                  {Weight::kTfIdf, "tf_idf"},
                                                  {Weight::kLogTfIdf, "log_tf_idf"}}};

}  // namespace

std::string_view weight_name(Weight weight) { return kWeights[static_cast<size_t>(weight)].name; }

std::optional<Weight> weight_from_name(std::string_view name) {
  for (const NamedWeight& known : kWeights) {
    if (known.name == name) return known.weight;
  }
  return std::nullopt;
}

std::vector<std::string_view> weight_names() {
  std::vector<std::string_view> names;
  for (const NamedWeight& known : kWeights) names.push_back(known.name);
  return names;
}

}  // namespace neardup::recipe
