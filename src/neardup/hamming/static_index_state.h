// What a static index is made of, for the sources that build, query, write and open it.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "neardup/hamming/delta_table.h"
#include "neardup/hamming/packed_table.h"
#include "neardup/hamming/plain_table.h"
#include "neardup/hamming/records.h"
#include "neardup/hamming/searcher.h"
#include "neardup/hamming/static_index.h"

namespace neardup::hamming {

/// All arrays can be had as sections: those of each table, and the records. Immutable once it is shared.
template <fingerprint::AnyFingerprint F>
struct StaticIndex<F>::State {
  using Tables = std::variant<Searcher<F, PackedTable<F>>, Searcher<F, PlainTable<F>>, Searcher<F, DeltaTable<F>>>;

  State(Plan with_plan, Tables with_tables, Records<F> with_records)
      : plan(std::move(with_plan)), tables(std::move(with_tables)), records(std::move(with_records)) {}

  /// The state whose arrays are views of sections: table_sections[t] those of table t of the plan. `owner` keeps them
  /// in memory. Errors: kCorruption.
  [[nodiscard]] static Result<std::shared_ptr<State>> open(Codec codec, const Plan& plan, uint64_t num_distinct,
                                                           uint64_t num_documents,
                                                           std::span<const std::vector<TableSection>> table_sections,
                                                           std::span<const TableSection> record_sections,
                                                           std::shared_ptr<const void> owner);

  [[nodiscard]] std::vector<TableSection> table_sections(size_t table) const {
    return std::visit([&](const auto& searcher) { return searcher.tables()[table].sections(); }, tables);
  }
  [[nodiscard]] std::vector<TableSection> record_sections() const { return records.sections(); }
  [[nodiscard]] Codec codec() const { return static_cast<Codec>(tables.index()); }  // in the order of the enum

  Plan plan;
  Tables tables;
  Records<F> records;
  uint64_t num_documents = 0;
  std::string note;
  std::shared_ptr<const void> owner;
};

}  // namespace neardup::hamming
