// Flags that several commands share.
#pragma once

#include <string>

#include "neardup/cli/flags.h"
#include "neardup/cli/progress.h"
#include "neardup/corpus/input.h"
#include "neardup/corpus/reader.h"
#include "neardup/simhash/recipe.h"

namespace neardup::cli {

enum class FormatChoice { kAuto, kJsonl, kLines, kText };

/// Typed values that need a last step once all flags are read.
struct InputArguments {
  FormatChoice format = FormatChoice::kAuto;
  bool lines = false;
};

/// --text-key, --id-key, --format, --lines, --include, --exclude, --max-record-bytes and the hidden --batch-bytes.
/// `format_name` is the name of the format flag.
void define_input_flags(Flags& flags, InputArguments& arguments, corpus::ReadOptions& read,
                        corpus::DiscoverOptions& discover, const std::string& format_name = "--format");
/// Sets discover.format. Errors: kInvalidArgument where --lines contradicts the format.
[[nodiscard]] Status apply_input_flags(const InputArguments& arguments, corpus::DiscoverOptions& discover);

/// Returns the kinds of masks in "dates,numbers", in the order of text::mask_names(). Errors: kInvalidArgument.
[[nodiscard]] Result<std::vector<std::string>> parse_mask(const std::string& typed);

/// --recipe, --extraction, --mask, --dictionary, --user-dictionary and --phrases. `recipe` becomes the default recipe;
/// the dictionary that it needs and the phrases are opened before the command runs. `memory_bytes` is where --memory is
/// put, of which phrases may take a share; null = no limit.
void define_recipe_flag(Flags& flags, simhash::Recipe& recipe, const uint64_t* memory_bytes = nullptr);

/// The same and --idf.
void define_recipe_flags(Flags& flags, simhash::Recipe& recipe, std::string& idf_file,
                         const uint64_t* memory_bytes = nullptr);

/// A part of the input: `index` of `count`.
struct Shard {
  int index = 0;
  int count = 1;
};
/// Reads "I/N" with 0 <= I < N. Errors: kInvalidArgument.
[[nodiscard]] Result<Shard> parse_shard(const std::string& typed);

/// --progress.
void define_progress_flag(Flags& flags, ProgressKind& kind);

}  // namespace neardup::cli
