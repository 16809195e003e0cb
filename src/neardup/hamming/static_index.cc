// One set of tables and records behind one type, whatever the codec: the choice is a variant, made once for a query and
// not for a key. All state is shared and constant, so copies are cheap and readers need no lock.
// A distance beyond the plan's would miss matches without a word, so it ends the program.
#include "neardup/hamming/static_index.h"

#include <fmt/format.h>

#include <cstdlib>

#include "neardup/hamming/searcher_impl.h"
#include "neardup/hamming/static_index_state.h"

namespace neardup::hamming {
namespace {

template <class Table, fingerprint::AnyFingerprint F>
Result<std::vector<Table>> open_tables(const Plan& plan, uint64_t num_keys,
                                       std::span<const std::vector<TableSection>> sections) {
  std::vector<Table> tables;
  for (size_t t = 0; t < plan.tables.size(); ++t) {
    NEARDUP_ASSIGN(Table table, Table::open(sections[t], plan.tables[t], num_keys));
    tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace

template <fingerprint::AnyFingerprint F>
Result<std::shared_ptr<typename StaticIndex<F>::State>> StaticIndex<F>::State::open(
    Codec codec, const Plan& plan, uint64_t num_distinct, uint64_t num_documents,
    std::span<const std::vector<TableSection>> table_sections, std::span<const TableSection> record_sections,
    std::shared_ptr<const void> owner) {
  const auto open_with = [&]<class Table>() -> Result<std::shared_ptr<State>> {
    NEARDUP_ASSIGN(std::vector<Table> opened, (open_tables<Table, F>(plan, num_distinct, table_sections)));
    const int rest_bits = fingerprint::kBitsOf<F> - opened.front().known_bits();
    NEARDUP_ASSIGN(Records<F> found, Records<F>::open(record_sections, num_distinct, rest_bits));
    if (found.shape().num_documents() != num_documents) {
      return fail(Code::kCorruption, fmt::format("it says {} documents, its records hold {}", num_documents,
                                                 found.shape().num_documents()));
    }
    auto state = std::make_shared<State>(plan, Searcher<F, Table>(plan, std::move(opened)), std::move(found));
    state->num_documents = num_documents;
    state->owner = std::move(owner);
    return state;
  };
  switch (codec) {
    case Codec::kPlain:
      return open_with.template operator()<PlainTable<F>>();
    case Codec::kDelta:
      return open_with.template operator()<DeltaTable<F>>();
    case Codec::kPacked:
      break;
  }
  return open_with.template operator()<PackedTable<F>>();
}

template <fingerprint::AnyFingerprint F>
uint64_t StaticIndex<F>::size() const {
  return state_->num_documents;
}

template <fingerprint::AnyFingerprint F>
uint64_t StaticIndex<F>::num_distinct() const {
  return state_->records.shape().num_records;
}

template <fingerprint::AnyFingerprint F>
uint64_t StaticIndex<F>::bytes() const {
  uint64_t sum = 0;
  const auto add = [&sum](const std::vector<TableSection>& sections) {
    for (const TableSection& section : sections) sum += section.bytes.size();
  };
  for (size_t t = 0; t < state_->plan.tables.size(); ++t) add(state_->table_sections(t));
  add(state_->record_sections());
  return sum;
}

template <fingerprint::AnyFingerprint F>
const Plan& StaticIndex<F>::plan() const {
  return state_->plan;
}

template <fingerprint::AnyFingerprint F>
const std::string& StaticIndex<F>::note() const {
  return state_->note;
}

template <fingerprint::AnyFingerprint F>
void StaticIndex<F>::query(F query, int max_distance, std::vector<Match<F>>& matches) const {
  if (max_distance > plan().max_distance) std::abort();
  std::visit([&](const auto& searcher) { searcher.query(state_->records, query, max_distance, matches); },
             state_->tables);
}

template <fingerprint::AnyFingerprint F>
void StaticIndex<F>::query_batch(std::span<const F> queries, int max_distance, const Sink& sink) const {
  if (max_distance > plan().max_distance) std::abort();
  std::visit([&](const auto& searcher) { searcher.query_batch(state_->records, queries, max_distance, sink); },
             state_->tables);
}

template <fingerprint::AnyFingerprint F>
bool StaticIndex<F>::contains(F fingerprint, uint64_t document) const {
  return std::visit([&](const auto& searcher) { return searcher.contains(state_->records, fingerprint, document); },
                    state_->tables);
}

template <fingerprint::AnyFingerprint F>
void StaticIndex<F>::for_each(const std::function<void(F fingerprint, uint64_t document)>& visit) const {
  std::visit([&](const auto& searcher) { searcher.for_each(state_->records, visit); }, state_->tables);
}

template class StaticIndex<fingerprint::Fingerprint>;
template class StaticIndex<fingerprint::Fingerprint128>;

}  // namespace neardup::hamming
