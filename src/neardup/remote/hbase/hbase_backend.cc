#include "neardup/remote/hbase/hbase_backend.h"

#include <utility>

#include "neardup/remote/hbase/log_backend.h"

namespace neardup::remote {
namespace {

// So many rows a fingerprint gets where the URI does not say: of the numbers there are the second, 10 at 3 bits.
uint64_t default_tables(const store::StoreSettings& settings) {
  if (settings.num_fingerprints == 0) return 0;
  const auto offered = hbase::Layout::tables_to_choose(settings.max_distance);
  for (size_t i = std::min<size_t>(1, offered.size() - 1); i > 0; --i)
    if (offered[i] * settings.num_fingerprints <= hbase::kMostFlags) return offered[i];
  return offered[0];
}

// Says of which store.
Result<hbase::Layout> layout_of(const RemoteUri& uri, const store::StoreSettings& settings, uint64_t num_tables) {
  auto layout = hbase::Layout::make(settings, num_tables);
  if (!layout) return fail(layout.error().code, uri.shown() + ": " + layout.error().message);
  return layout;
}

Status check_has_fingerprints(const RemoteUri& uri, const store::StoreSettings& settings, uint64_t given_tables) {
  if (given_tables == 0 || settings.num_fingerprints > 0) return {};
  return fail(Code::kInvalidArgument, uri.shown() +
                                          ": tables= is of stores of fingerprints, and this one has none; leave it "
                                          "out, or make a store with --recipe grams --distance 3");
}

hbase::Table table_of(const RemoteUri& uri, const RemoteOptions& options) {
  return {std::make_shared<hbase::Gateway>(uri, options), uri.name};
}

}  // namespace

Result<std::unique_ptr<Backend>> create_hbase_backend(const RemoteUri& uri, store::StoreSettings settings,
                                                      const RemoteOptions& options,
                                                      std::span<const store::GivenFile> files) {
  NEARDUP_ASSIGN(hbase::TableOptions table_options, hbase::read_table_options(uri));
  NEARDUP_TRY(check_has_fingerprints(uri, settings, table_options.num_tables));
  if (table_options.num_tables == 0) table_options.num_tables = default_tables(settings);
  NEARDUP_ASSIGN(hbase::Layout layout, layout_of(uri, settings, table_options.num_tables));
  NEARDUP_ASSIGN(hbase::StoreTable made,
                 hbase::create_table(table_of(uri, options), std::move(settings), table_options, files));
  NEARDUP_ASSIGN(auto backend, hbase::LogBackend::open(std::move(made), std::move(layout)));
  return std::unique_ptr<Backend>(std::move(backend));
}

Result<std::unique_ptr<Backend>> open_hbase_backend(const RemoteUri& uri, const RemoteOptions& options) {
  NEARDUP_ASSIGN(const hbase::TableOptions given, hbase::read_table_options(uri));
  NEARDUP_ASSIGN(hbase::StoreTable opened, hbase::open_table(table_of(uri, options)));
  NEARDUP_TRY(check_has_fingerprints(uri, opened.settings, given.num_tables));
  NEARDUP_TRY(hbase::check_table_options(uri, opened.options));
  opened.options.by_prefix = given.by_prefix;
  NEARDUP_ASSIGN(hbase::Layout layout, layout_of(uri, opened.settings, opened.options.num_tables));
  NEARDUP_ASSIGN(auto backend, hbase::LogBackend::open(std::move(opened), std::move(layout)));
  return std::unique_ptr<Backend>(std::move(backend));
}

Result<bool> is_hbase_store(const RemoteUri& uri, const RemoteOptions& options) {
  NEARDUP_TRY(hbase::read_table_options(uri));
  return hbase::is_store_table(table_of(uri, options));
}

Status drop_hbase_store(const RemoteUri& uri, const RemoteOptions& options) {
  NEARDUP_TRY(hbase::read_table_options(uri));
  return hbase::drop_table(table_of(uri, options));
}

}  // namespace neardup::remote
