#include "neardup/cli/hints.h"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <array>

#include "neardup/base/disk/file.h"

namespace neardup::cli {
namespace {

/// A flag of other programs, and what is typed here instead. `needs` is the flag that the command must have for it.
struct Foreign {
  std::string_view flag, needs, instead;
};

constexpr std::string_view kSimilarity = "--verify jaccard:T takes a threshold, such as jaccard:0.8";
constexpr std::string_view kThreads = "--threads N says how many threads";
constexpr std::string_view kText = "--text-key FIELD names the field with the text";
constexpr std::string_view kId = "--id-key FIELD names the field with the id";
constexpr std::string_view kDialect =
    "--format csv or tsv, and --table separator=semicolon,quotes=none,escape=backslash, say how tables are written";
constexpr std::string_view kPart = "there is no limit: head -n N FILE gives a part, and - reads it from standard input";
constexpr std::string_view kWordy = "--progress plain says more, and -V (capital) shows the version";

constexpr std::string_view kUniques =
    "--only uniques writes the lines that do not repeat; without it each line is written once";

constexpr auto kForeign = std::to_array<Foreign>({
    {"--threshold", "--verify", kSimilarity},
    {"--similarity", "--verify", kSimilarity},
    {"--jaccard", "--verify", kSimilarity},
    {"-t", "--verify", "--verify jaccard:T takes a threshold of similarity, --threads N says how many threads"},
    {"--seed", "--recipe", "the recipe holds the seed of its hashes: neardup recipes default > mine.json"},
    {"--sep", "--table", kDialect},
    {"--separator", "--table", kDialect},
    {"--delimiter", "--table", kDialect},
    {"--quote", "--table", kDialect},
    {"--quotechar", "--table", kDialect},
    {"--escape", "--table", kDialect},
    {"--escapechar", "--table", kDialect},
    {"-j", "--threads", kThreads},
    {"--jobs", "--threads", kThreads},
    {"--workers", "--threads", kThreads},
    {"--num-workers", "--threads", kThreads},
    {"--cores", "--threads", kThreads},
    {"--limit", "", kPart},
    {"--max-documents", "", kPart},
    {"-n", "", kPart},
    {"-v", "--progress", kWordy},
    {"--verbose", "--progress", kWordy},
    {"-q", "--progress", "--progress off says less"},
    {"--quiet", "--progress", "--progress off says less"},
    {"--silent", "--progress", "--progress off says less"},
    {"-f", "--overwrite", "--overwrite replaces the results of another run"},
    {"--force", "--overwrite", "--overwrite replaces the results of another run"},
    {"--dry-run", "--mode", "--mode ids writes only the ids of what stays"},
    {"--id-field", "--id-key", kId},
    {"--id-column", "--id-key", kId},
    {"--text-field", "--text-key", kText},
    {"--text-column", "--text-key", kText},
    {"--column", "--text-key", kText},
    {"--field", "--text-key", kText},
    {"--max-distance", "--distance", "--distance K says in how many bits fingerprints may differ"},
    {"--hamming", "--distance", "--distance K says in how many bits fingerprints may differ"},
    {"-k", "--distance", "--distance K says in how many bits fingerprints may differ"},
    {"--sorted", "--order", "--order sorted writes the lines by their bytes"},
    {"--unique", "--only", kUniques},
    {"-u", "--only", kUniques},
    {"-c", "--minus", "--count writes how often each line comes"},
    {"--ignore-common", "--common", "--common ignore leaves passages that many files hold out of account"},
    {"--num-perm", "--recipe", "the recipe says how many values a signature has: neardup recipes default > mine.json"},
    {"--ngram", "--recipe", "the recipe says what the features are: neardup recipes default > mine.json"},
});

constexpr auto kSchemes = std::to_array<std::string_view>({"http", "https", "ftp", "s3", "gs", "az", "abfs", "hdfs"});

bool has_flag(const CLI::App& app, std::string_view name) {
  return name.empty() || app.get_option_no_throw(std::string(name)) != nullptr;
}

}  // namespace

std::string hint_for_flag(const CLI::App& app, std::string_view typed) {
  std::string flag(typed);
  if (flag.starts_with("--")) std::ranges::replace(flag, '_', '-');
  const bool is_short = flag.size() > 2 && flag[1] != '-';  // "-j4"
  const auto* found =
      std::ranges::find(kForeign, std::string_view(flag).substr(0, is_short ? 2 : std::string::npos), &Foreign::flag);
  if (found == kForeign.end() || !has_flag(app, found->needs)) return {};
  return fmt::format("; {}", found->instead);
}

Status check_is_no_address(std::string_view path) {
  const size_t end = path.find("://");
  if (end == std::string_view::npos) return {};
  const std::string_view scheme = path.substr(0, end);
  if (std::ranges::find(kSchemes, scheme) == kSchemes.end()) return {};
  const bool is_web = scheme.starts_with("http") || scheme == "ftp";
  return fail(Code::kInvalidArgument,
              fmt::format("\"{}\" is an address, and only files are read; fetch it first: {}", path,
                          is_web ? fmt::format("curl -LO {}, or curl -L ... | neardup with - for it", path)
                                 : std::string("its own tool copies it to a file, or pipes it to -")));
}

bool asks_for_help(std::string_view argument) { return argument == "help" && !file_info("help").has_value(); }

}  // namespace neardup::cli
