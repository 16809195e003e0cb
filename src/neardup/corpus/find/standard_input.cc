#include "neardup/corpus/find/standard_input.h"

#include <algorithm>

#include "neardup/corpus/find/spool.h"

namespace neardup::corpus {
namespace {

constexpr const char* kStandardInput = "-";
constexpr std::string_view kStem = "stdin";

bool is_taken(const std::string& name, const std::vector<Input>& inputs) {
  return std::any_of(inputs.begin(), inputs.end(),
                     [&](const Input& input) { return input.name == name || input.name.starts_with(name + "/"); });
}

std::string free_name(const std::string& name, const std::vector<Input>& inputs) {
  std::string candidate = name;
  for (int number = 2; is_taken(candidate, inputs); ++number) {
    candidate = std::string(kStem) + "-" + std::to_string(number) + name.substr(kStem.size());
  }
  return candidate;
}

}  // namespace

bool names_standard_input(std::span<const std::string> arguments) {
  return std::find(arguments.begin(), arguments.end(), kStandardInput) != arguments.end();
}

Status check_given_once(std::span<const std::string> arguments) {
  if (std::ranges::count(arguments, kStandardInput) < 2) return {};
  return fail(Code::kInvalidArgument, "- is given twice; standard input can be read only once");
}

Result<std::vector<Input>> discover_files(std::span<const std::string> arguments, const DiscoverOptions& options) {
  NEARDUP_TRY(check_given_once(arguments));
  std::vector<std::string> paths(arguments.begin(), arguments.end());
  if (std::erase(paths, kStandardInput) == 1 && paths.empty()) return std::vector<Input>();
  return discover(paths, options);
}

Status add_standard_input(std::vector<Input>& inputs, int descriptor, const std::string& copy,
                          const DiscoverOptions& options, const Context& context) {
  NEARDUP_ASSIGN(Input input, spool(descriptor, copy, options, context));
  input.name = free_name(input.name, inputs);
  inputs.push_back(std::move(input));
  return {};
}

}  // namespace neardup::corpus
