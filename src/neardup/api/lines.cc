#include "neardup/api/lines.h"

#include <fmt/format.h>

#include "neardup/api/field_words.h"
#include "neardup/lines/lines.h"

namespace neardup {
namespace {

/// Finds what `word` stands for. Errors: kInvalidArgument, naming the words that there are.
template <class Choice>
Status take_word(const std::string& name, const std::string& word, const lines::OptionWords<Choice>& words,
                 Choice& choice) {
  std::string there;
  for (const auto& [known, meant] : words) {
    if (known == word) return choice = meant, Status();
    there += (there.empty() ? "" : ", ") + known;
  }
  return fail(Code::kInvalidArgument, fmt::format("{} is one of {}; found \"{}\"", name, there, word));
}

Status take_rules(const LineRules& rules, lines::LinesOptions& options) {
  NEARDUP_TRY(take_word("only", rules.only, lines::show_words(), options.show));
  NEARDUP_TRY(take_word("order", rules.order, lines::order_words(), options.order));
  bool origin = false;
  NEARDUP_TRY(take_word("verify", rules.verify, lines::verify_words(), origin));
  const auto share = rules.similar != 0 ? std::optional(rules.similar) : std::nullopt;
  NEARDUP_ASSIGN(options.similar, lines::similar_options(share, origin));
  options.fast = rules.fast;
  options.key = {.field = rules.field,
                 .delimiter = rules.delimiter,
                 .pattern = rules.regex,
                 .ignore_case = rules.ignore_case,
                 .ignore_space = rules.ignore_space,
                 .ignore_punctuation = rules.ignore_punctuation};
  return {};
}

Result<lines::LinesOptions> options_of(const LineFiles& files, const Context& context) {
  lines::LinesOptions options;
  NEARDUP_TRY(take_rules(files.rules, options));
  if (files.output.empty()) return fail(Code::kInvalidArgument, "no output; -o names the file for the lines");
  std::optional<corpus::Compression> compression;
  NEARDUP_TRY(take_word("compression", files.compression, lines::compression_words(), compression));
  options.compression = compression.value_or(lines::compression_of_name(files.output));
  options.inputs = files.inputs;
  options.minus = files.minus;
  options.count = files.count;
  options.line_end = files.zero_terminated ? '\0' : '\n';
  options.memory_bytes = files.memory_bytes;
  options.num_threads = files.num_threads;
  options.context = context;
  return options;
}

LineCounts counts_of(const lines::LinesTotals& totals) {
  return {.read = totals.read,
          .kept = totals.kept,
          .removed = totals.removed,
          .minus = totals.minus,
          .without_key = totals.without_key,
          .similar = totals.similar};
}

Result<LineCounts> unique_lines_of_files(const LineFiles& files, const Context& context) {
  NEARDUP_ASSIGN(const lines::LinesOptions options, options_of(files, context));
  NEARDUP_ASSIGN(const lines::LinesTotals totals,
                 lines::unique_lines_to({files.output, files.duplicates, files.overwrite}, options));
  return counts_of(totals);
}

Result<UniqueLines> unique_lines_of_texts(std::span<const std::string_view> texts, const LineTexts& asked,
                                          const Context& context) {
  lines::LinesOptions options;
  NEARDUP_TRY(take_rules(asked.rules, options));
  options.memory_bytes = asked.memory_bytes;
  options.num_threads = asked.num_threads;
  options.context = context;
  NEARDUP_ASSIGN(const lines::KeptLines kept, lines::unique_lines_of(texts, asked.minus, options));
  UniqueLines unique;
  unique.counts = counts_of(kept.totals);
  for (const lines::SimilarLine& line : kept.similar)
    unique.similar.push_back({line.index, line.duplicate_of, line.of_minus, static_cast<double>(line.similarity)});
  for (const lines::KeptLine& line : kept.lines) {
    unique.kept.push_back(line.index);
    unique.times.push_back(line.count);
  }
  return unique;
}

}  // namespace

Result<LineCounts> unique_lines(const LineFiles& files, const Context& context) {
  return in_field_words(unique_lines_of_files(files, context));
}

Result<UniqueLines> unique_lines(std::span<const std::string_view> lines, const LineTexts& options,
                                 const Context& context) {
  return in_field_words(unique_lines_of_texts(lines, options, context));
}

}  // namespace neardup
