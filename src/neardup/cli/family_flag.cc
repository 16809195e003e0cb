#include "neardup/cli/family_flag.h"

#include <fmt/format.h>

#include "neardup/base/sizes.h"
#include "neardup/engine/chosen_families.h"
#include "neardup/fingerprint/value.h"

namespace neardup::cli {
namespace {

using engine::FamilyChoice;

template <class Choice>
void define(Flags& flags, Choice& family, const std::string& meaning) {
  flags.choice<Choice>(
      {"--family", "", meaning}, family,
      {{"auto", FamilyChoice::kAuto}, {"minhash", FamilyChoice::kMinHash}, {"simhash", FamilyChoice::kSimHash}});
}

}  // namespace

void define_family_flag(Flags& flags, FamilyChoice& family, const std::string& meaning) {
  define(flags, family, meaning);
}

void define_family_flag(Flags& flags, std::optional<FamilyChoice>& family, const std::string& meaning) {
  define(flags, family, meaning);
}

void define_distance_flag(Flags& flags, std::optional<int>& distance) {
  flags.value({"--distance", "auto|K", "SimHash: candidates differ in at most K of 64 fingerprint bits, 0 to 16"},
              "auto", [&distance](const std::string& typed) -> Status {
                if (typed == "auto") return distance.reset(), Status{};
                auto number = parse_whole(typed, 0, fingerprint::kMaxDistance);
                if (!number)
                  return fail(Code::kInvalidArgument,
                              fmt::format("expected auto or a whole number, 0 to {}, found \"{}\"",
                                          fingerprint::kMaxDistance, typed));
                distance = static_cast<int>(*number);
                return {};
              });
}

void define_bands_flag(Flags& flags, recipe::Recipe& recipe, FamilyChoice& family) {
  const auto bands = std::make_shared<int>(0);
  flags.whole(
      {"--bands", "N", "MinHash: candidates agree in one of N bands; more find less similar texts (the recipe's)"},
      *bands, 1, 1 << 20, "");
  flags.before_run([bands, &recipe, &family](const Io&) -> Status {
    return *bands == 0 ? Status{} : engine::take_bands(*bands, recipe, family);
  });
}

}  // namespace neardup::cli
