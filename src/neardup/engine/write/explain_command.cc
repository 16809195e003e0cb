#include "neardup/engine/write/explain_command.h"

#include <fmt/format.h>

#include "neardup/base/shell_word.h"
#include "neardup/engine/online/store_place.h"
#include "neardup/engine/read/sources.h"

namespace neardup::engine {
namespace {

constexpr size_t kLongestInputs = 4000;  // bytes of all of them in a command

// The inputs, and behind the two ids what a shell must know of them.
struct InputWords {
  std::string flags, end;
};

InputWords inputs_of(const DedupOptions& options) {
  InputWords words;
  for (const std::string& input : options.inputs) words.flags += " --input " + shell_word(input);
  if (words.flags.size() > kLongestInputs)
    words = {" --input INPUT",
             fmt::format("  # in the place of --input INPUT: all {} inputs, an --input each", options.inputs.size())};
  if (reads_standard_input(options))
    words.end = " < STDIN  # standard input is gone: STDIN is a file with the same bytes";
  return words;
}

std::string rule_of(const DedupOptions& options) {
  if (options.verify.kind != verify::Rule::Kind::kContent) return " --verify " + verify::to_string(options.verify);
  return (options.verify_is_given ? " --verify content" : "") + std::string(" --commonness ") +
         shell_word(options.output + "/commonness.bin");
}

// The text of a stored document is in no file that the run knows.
std::string store_note(const Documents& documents, const DedupOptions& options, uint32_t kept) {
  if (kept >= documents.num_stored()) return {};
  return fmt::format("  # {} is in the store {}: name a file with it by --reference", shell_word(documents.id(kept)),
                     shell_word(shown_place(options.into.empty() ? options.reference_store : options.into)));
}

// Up to the ids.
std::string beginning(const InputWords& inputs, const Outcome& outcome, const DedupOptions& options) {
  std::string command = "neardup explain" + inputs.flags;
  if (options.read.text_key != "text") command += " --text-key " + shell_word(options.read.text_key);
  if (options.read.id_key != "id") command += " --id-key " + shell_word(options.read.id_key);
  if (const std::string table = corpus::dialect_words(options.read.table); !table.empty())
    command += " --table " + shell_word(table);
  command += options.explain_flags;
  if (options.recipe.family == recipe::Family::kSimHash && !options.distance)
    command += fmt::format(" --distance {}", outcome.distance);  // of --distance auto: explain reads two documents
  return command + rule_of(options);
}

}  // namespace

std::string explain_command(const Documents& documents, const Outcome& outcome, const DedupOptions& options,
                            uint32_t document) {
  const InputWords inputs = inputs_of(options);
  const uint32_t kept = outcome.fates[document].kept;
  return fmt::format("{} {} {}{}{}", beginning(inputs, outcome, options), shell_word(documents.id(kept)),
                     shell_word(documents.id(document)), inputs.end, store_note(documents, options, kept));
}

std::string explain_beginning(const Outcome& outcome, const DedupOptions& options) {
  const InputWords inputs = inputs_of(options);
  return options.inputs.empty() || !inputs.end.empty() ? "" : beginning(inputs, outcome, options);
}

}  // namespace neardup::engine
