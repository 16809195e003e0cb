#include "neardup/cli/pair_filter_flags.h"

#include <fmt/format.h>

namespace neardup::cli {
namespace {

Status read_size_within(std::optional<double>& size_within, const std::string& typed) {
  const bool has_sign = !typed.empty() && typed.back() == '%';
  auto number = parse_whole(has_sign ? typed.substr(0, typed.size() - 1) : typed, 0, 100);
  if (!number)
    return fail(Code::kInvalidArgument, fmt::format("expected a percentage from 0% to 100%, found \"{}\"", typed));
  size_within = static_cast<double>(*number) / 100;
  return {};
}

}  // namespace

void define_pair_filter_flags(Flags& flags, std::string& within_key, std::optional<double>& size_within) {
  flags.text({"--within", "FIELD", "Compare only documents whose values of this field are equal, such as a language"},
             within_key);
  flags.value({"--size-within", "P%", "Texts whose sizes differ by more than P % of the larger are not duplicates"}, "",
              [&size_within](const std::string& typed) { return read_size_within(size_within, typed); });
}

}  // namespace neardup::cli
