#include "neardup/remote/hbase/table_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace neardup::remote::hbase {
namespace {

constexpr std::array<std::string_view, 5> kCompressionNames = {"none", "gz", "snappy", "lz4", "zstd"};
constexpr uint64_t kMostRegions = 256, kMostTtl = INT32_MAX;

tl::unexpected<Error> wrong(std::string_view name, std::string_view value, std::string_view expected) {
  return fail(Code::kInvalidArgument, fmt::format("expected {}={}, found '{}'", name, expected, value));
}

Status read_number(std::string_view name, std::string_view text, uint64_t least, uint64_t most, uint64_t& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error == std::errc() && end == text.data() + text.size() && out >= least && out <= most) return {};
  return wrong(name, text, fmt::format("{} to {}", least, most));
}

Status read_option(std::string_view name, std::string_view value, TableOptions& options) {
  if (name == "tables") return read_number(name, value, 1, 255, options.num_tables);
  if (name == "ttl") return read_number(name, value, 0, kMostTtl, options.ttl_seconds);
  if (name == "splits") return read_number(name, value, 1, kMostRegions, options.regions);
  if (name == "compression") {
    if (std::ranges::find(kCompressionNames, value) == kCompressionNames.end())
      return wrong(name, value, "none, gz, snappy, lz4 or zstd");
    options.compression = value;
    return {};
  }
  if (name == "scans") {
    if (value != "prefix" && value != "ranges") return wrong(name, value, "prefix or ranges");
    options.by_prefix = value == "prefix";
    return {};
  }
  return fail(
      Code::kInvalidArgument,
      fmt::format("there is no option '{}'; there are: tables, compression, ttl, splits, scans, timeout", name));
}

// Of what a URI allows, HBase's tables may have all but these.
Status check_name(const RemoteUri& uri) {
  if (!uri.name.starts_with('-') && !uri.name.starts_with('.')) return {};
  return fail(
      Code::kInvalidArgument,
      fmt::format("{}: expected the name of a table of HBase, which begins with a letter, a digit or '_', found "
                  "'{}'",
                  uri.shown(), uri.name));
}

Status read_options(const RemoteUri& uri, TableOptions& options) {
  for (const auto& [name, value] : uri.options)
    if (const Status read = read_option(name, value, options); !read)
      return fail(read.error().code, uri.shown() + ": " + read.error().message);
  return {};
}

}  // namespace

Result<TableOptions> read_table_options(const RemoteUri& uri) {
  if (uri.tls || !uri.user.empty() || !uri.password.empty())
    return fail(Code::kUnsupported, uri.shown() +
                                        ": the gateway of HBase is called without user and TLS; let it listen "
                                        "to this machine or a network of its own");
  NEARDUP_TRY(check_name(uri));
  TableOptions options;
  NEARDUP_TRY(read_options(uri, options));
  return options;
}

std::string to_text(const TableOptions& options) {
  const std::string tables = options.num_tables == 0 ? "" : fmt::format("tables={}&", options.num_tables);
  return fmt::format("{}compression={}&ttl={}&splits={}", tables, options.compression, options.ttl_seconds,
                     options.regions);
}

Result<TableOptions> parse_table_options(std::string_view text) {
  TableOptions options;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view part = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    const size_t equals = part.find('=');
    if (equals == part.npos || !read_option(part.substr(0, equals), part.substr(equals + 1), options)) break;
  }
  if (to_text(options) == text) return options;
  return fail(Code::kCorruption, fmt::format("the table's layout is '{}', which no store wrote", text));
}

Status check_table_options(const RemoteUri& uri, const TableOptions& of_store) {
  TableOptions given = of_store;
  NEARDUP_TRY(read_options(uri, given));
  if (to_text(given) == to_text(of_store)) return {};
  return fail(
      Code::kMismatch,
      fmt::format("{}: the URI says {}, but the store was made with {}; leave these options out, or make another "
                  "store",
                  uri.shown(), to_text(given), to_text(of_store)));
}

}  // namespace neardup::remote::hbase
