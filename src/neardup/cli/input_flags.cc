#include "neardup/cli/input_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/Option.hpp>
#include <algorithm>

#include "neardup/cli/dictionary_flags.h"
#include "neardup/text/mask.h"

namespace neardup::cli {

void define_input_flags(Flags& flags, InputArguments& arguments, corpus::ReadOptions& read,
                        corpus::DiscoverOptions& discover, const std::string& format_name) {
  flags.text({"--text-key", "FIELD", "JSONL: the field with the text; a.b is a field of a field"}, read.text_key);
  flags.text({"--id-key", "FIELD", "JSONL: the field with the id; FILE:LINE where it is missing"}, read.id_key);
  flags.choice<FormatChoice>({format_name, "", "Read all inputs as this; auto looks at names and first bytes"},
                             arguments.format,
                             {{"auto", FormatChoice::kAuto},
                              {"jsonl", FormatChoice::kJsonl},
                              {"lines", FormatChoice::kLines},
                              {"text", FormatChoice::kText}});
  flags.on({"--lines", "", "Each line is a document: short for " + format_name + " lines"}, arguments.lines);
  flags.list({"--include", "GLOB", "In folders, only files like this"}, discover.include);
  flags.list({"--exclude", "GLOB", "In folders, no files like this"}, discover.exclude);
  flags.size({"--max-record-bytes", "SIZE", "Longer documents are rejected"}, read.max_record_bytes);
  flags.size({"--batch-bytes", "SIZE", "Input that a thread takes at once"}, read.batch_bytes)->group("");
}

Status apply_input_flags(const InputArguments& arguments, corpus::DiscoverOptions& discover) {
  FormatChoice format = arguments.format;
  if (arguments.lines) {
    if (format != FormatChoice::kAuto && format != FormatChoice::kLines) {
      return fail(Code::kInvalidArgument, "--lines contradicts the format: give one of them");
    }
    format = FormatChoice::kLines;
  }
  if (format == FormatChoice::kJsonl) discover.format = corpus::Format::kJsonl;
  if (format == FormatChoice::kLines) discover.format = corpus::Format::kLines;
  if (format == FormatChoice::kText) discover.format = corpus::Format::kText;
  return {};
}

Result<std::vector<std::string>> parse_mask(const std::string& typed) {
  const std::vector<std::string> names = text::mask_names();
  std::vector<bool> wanted(names.size(), false);
  for (size_t at = 0; at <= typed.size() && !typed.empty();) {
    const size_t end = std::min(typed.find(',', at), typed.size());
    const std::string name = typed.substr(at, end - at);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return fail(Code::kInvalidArgument, expected_one_of(names, name));
    wanted[static_cast<size_t>(found - names.begin())] = true;
    at = end + 1;
  }
  std::vector<std::string> mask;
  for (size_t i = 0; i < names.size(); ++i) {
    if (wanted[i]) mask.push_back(names[i]);
  }
  return mask;
}

void define_recipe_flag(Flags& flags, simhash::Recipe& recipe, const uint64_t* memory_bytes) {
  recipe = *simhash::find_recipe("default");
  flags.value({"--recipe", "NAME|FILE", "How texts become fingerprints; neardup recipes lists the names"}, recipe.name,
              [&recipe](const std::string& typed) -> Status {
                NEARDUP_ASSIGN(recipe, simhash::find_recipe(typed));
                return {};
              });
  // These come behind --recipe, so that they change the recipe that it names.
  flags.value({"--extraction", "none|html|auto", "Main text of HTML pages; auto looks at each document (the recipe's)"},
              "", [&recipe](const std::string& typed) -> Status {
                recipe.extraction = typed;
                recipe.name = "custom";
                return simhash::validate(recipe);
              });
  flags.value(
      {"--mask", "KIND,...",
       fmt::format("Parts of texts that count as equal: {} (the recipe's)", fmt::join(text::mask_names(), ", "))},
      "", [&recipe](const std::string& typed) -> Status {
        NEARDUP_ASSIGN(recipe.mask, parse_mask(typed));
        recipe.name = "custom";
        return {};
      });
  flags.value(
      {"--quotes", "own|all", "Of answers to mails: their own lines, or those that they quote too (the recipe's)"}, "",
      [&recipe](const std::string& typed) -> Status {
        recipe.quotes = typed;
        recipe.name = "custom";
        return simhash::validate(recipe);
      });
  define_dictionary_flags(flags, recipe);
  const auto phrases_file = std::make_shared<std::string>();
  flags.text({"--phrases", "FILE", "Phrases of neardup phrases: their words count as one"}, *phrases_file);
  flags.before_run([phrases_file, memory_bytes, &recipe](const Io&) -> Status {
    if (phrases_file->empty()) return {};
    return simhash::use_phrases(recipe, *phrases_file, memory_bytes == nullptr ? ~uint64_t{0} : *memory_bytes);
  });
}

void define_recipe_flags(Flags& flags, simhash::Recipe& recipe, std::string& idf_file, const uint64_t* memory_bytes) {
  define_recipe_flag(flags, recipe, memory_bytes);
  flags.text({"--idf", "FILE", "IDF dictionary of neardup idf, for recipes that weigh words by one"}, idf_file);
}

Result<Shard> parse_shard(const std::string& typed) {
  const size_t slash = typed.find('/');
  const auto count =
      slash == std::string::npos ? Result<int64_t>(-1) : parse_whole(typed.substr(slash + 1), 1, 1 << 20);
  const auto index = parse_whole(typed.substr(0, slash), 0, count && *count > 0 ? *count - 1 : 0);
  if (!count || *count < 0 || !index) {
    return fail(Code::kInvalidArgument, fmt::format("expected I/N with 0 <= I < N, such as 0/4, found \"{}\"", typed));
  }
  return Shard{static_cast<int>(*index), static_cast<int>(*count)};
}

void define_progress_flag(Flags& flags, ProgressKind& kind) {
  flags.choice<ProgressKind>({"--progress", "", "How progress is shown on standard error"}, kind,
                             {{"auto", ProgressKind::kAuto},
                              {"plain", ProgressKind::kPlain},
                              {"json", ProgressKind::kJson},
                              {"off", ProgressKind::kOff}});
}

}  // namespace neardup::cli
