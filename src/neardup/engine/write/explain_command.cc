#include "neardup/engine/write/explain_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "neardup/base/shell_word.h"

namespace neardup::engine {
namespace {

constexpr size_t kMostInputs = 3;  // named in a command

std::string inputs_of(const DedupOptions& options) {
  std::vector<std::string> inputs = options.inputs;
  inputs.insert(inputs.end(), options.references.begin(), options.references.end());
  if (inputs.size() > kMostInputs || std::ranges::find(inputs, "-") != inputs.end()) inputs = {"INPUT"};
  std::string words;
  for (const std::string& input : inputs) words += " --jsonl " + shell_word(input);
  return words;
}

}  // namespace

std::string explain_command(const Documents& documents, const Outcome& outcome, const DedupOptions& options,
                            uint32_t document) {
  std::string command = "neardup explain" + inputs_of(options);
  if (options.read.text_key != "text") command += " --text-key " + shell_word(options.read.text_key);
  if (options.read.id_key != "id") command += " --id-key " + shell_word(options.read.id_key);
  command += options.explain_flags;
  if (options.recipe.family == recipe::Family::kSimHash && !options.distance)
    command += fmt::format(" --distance {}", outcome.distance);  // of --distance auto: explain reads two documents
  command += options.verify.kind == verify::Rule::Kind::kContent
                 ? " --commonness " + shell_word(options.output + "/commonness.bin")
                 : " --verify " + verify::to_string(options.verify);
  return fmt::format("{} {} {}", command, shell_word(documents.id(outcome.fates[document].kept)),
                     shell_word(documents.id(document)));
}

}  // namespace neardup::engine
