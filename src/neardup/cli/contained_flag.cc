#include "neardup/cli/contained_flag.h"

#include <fmt/format.h>

#include <charconv>
#include <string>

namespace neardup::cli {
namespace {

Status read_share(std::optional<double>& share, const std::string& typed) {
  NEARDUP_ASSIGN(share, share_of(typed));
  return {};
}

}  // namespace

Result<double> share_of(const std::string& typed) {
  double value = 0;
  const char* end = typed.data() + typed.size();
  const auto [stopped, error] = std::from_chars(typed.data(), end, value);
  if (error != std::errc() || stopped != end || !(value >= 0.5 && value <= 1))
    return fail(Code::kInvalidArgument, fmt::format("expected a share from 0.5 to 1, found \"{}\"", typed));
  return value;
}

void define_contained_flag(Flags& flags, std::optional<double>& share, std::string_view text) {
  flags.value({"--contained", "SHARE", std::string(text)}, "",
              [&share](const std::string& typed) { return read_share(share, typed); });
}

}  // namespace neardup::cli
