#include <algorithm>
#include <numeric>

#include "neardup/base/threads.h"
#include "neardup/hamming/searcher_impl.h"
#include "neardup/hamming/static_index_state.h"

namespace neardup::hamming {
namespace {

using fingerprint::kBitsOf;

// Behind its prefix a table of ours continues in the order of the first one, so that the head of its keys tells where
// the first table holds them.
Plan in_our_order(Plan plan) {
  const std::vector<uint8_t> first = plan.tables.front().order;
  for (TableLayout& table : plan.tables) {
    std::vector<uint8_t> order(table.order.begin(), table.order.begin() + table.prefix_bits);
    std::copy_if(first.begin(), first.end(), std::back_inserter(order), [&](uint8_t bit) {
      return std::find(order.begin(), order.begin() + table.prefix_bits, bit) == order.begin() + table.prefix_bits;
    });
    table.order = std::move(order);
  }
  return plan;
}

template <fingerprint::AnyFingerprint F>
struct Entry {
  F key;
  uint64_t document;
  auto operator<=>(const Entry&) const = default;
};

template <fingerprint::AnyFingerprint F>
std::vector<Entry<F>> sorted_entries(std::span<const F> fingerprints, std::span<const uint64_t> documents,
                                     const KeyOrder<F>& order) {
  std::vector<Entry<F>> entries(fingerprints.size());
  for (size_t i = 0; i < entries.size(); ++i) {
    entries[i] = {order.key_of(fingerprints[i]), documents.empty() ? i : documents[i]};
  }
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  return entries;
}

template <fingerprint::AnyFingerprint F>
Records<F> make_records(std::span<const Entry<F>> entries, int rest_bits) {
  typename Records<F>::Shape shape{.rest_bits = static_cast<uint64_t>(rest_bits)};
  const auto for_runs = [&](const auto& body) {
    for (size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
      while (end < entries.size() && entries[end].key == entries[begin].key) ++end;
      body(entries.subspan(begin, end - begin));
    }
  };
  shape.first_document = entries.empty() ? 0 : UINT64_MAX;
  for (const Entry<F>& entry : entries) {
    shape.first_document = std::min(shape.first_document, entry.document);
    shape.last_document = std::max(shape.last_document, entry.document);
  }
  for_runs([&](std::span<const Entry<F>> run) {
    ++shape.num_records;
    shape.num_lists += run.size() > 1;
    shape.num_listed += run.size() > 1 ? run.size() : 0;
  });
  Records<F> records(shape);
  typename Records<F>::Writer writer(records, 0, 0, 0);
  std::vector<uint64_t> documents;
  const F rest = low_ones<F>(rest_bits);
  for_runs([&](std::span<const Entry<F>> run) {
    documents.clear();
    for (const Entry<F>& entry : run) documents.push_back(entry.document);
    writer.push(run.front().key & rest, documents);
  });
  return records;
}

}  // namespace

template <fingerprint::AnyFingerprint F>
Result<StaticIndex<F>> StaticIndex<F>::build(std::span<const F> fingerprints, std::span<const uint64_t> documents,
                                             const Plan& plan, const BuildOptions& options) {
  if (!documents.empty() && documents.size() != fingerprints.size()) {
    return fail(Code::kInvalidArgument, "an index needs one document number for each fingerprint");
  }
  if (plan.num_bits != kBitsOf<F>) return fail(Code::kInvalidArgument, "the plan is for fingerprints of another width");
  NEARDUP_TRY(check_plan(plan));
  const Plan ours = in_our_order(plan);
  const KeyOrder<F> first(ours.tables.front().order);
  const auto entries = sorted_entries<F>(fingerprints, documents, first);
  std::vector<F> keys;
  for (const Entry<F>& entry : entries) keys.push_back(entry.key);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  const auto build_with = [&]<class Table>() {
    std::vector<Table> tables;
    for (const TableLayout& layout : ours.tables) {
      const KeyOrder<F> order(layout.order);
      std::vector<F> table_keys(keys);
      for (F& key : table_keys) key = order.key_of(first.value_of(key));
      std::sort(table_keys.begin(), table_keys.end());
      tables.push_back(Table::build(table_keys, layout));
    }
    auto records = make_records<F>(entries, kBitsOf<F> - tables.front().known_bits());
    auto state = std::make_shared<State>(ours, Searcher<F, Table>(ours, std::move(tables)), std::move(records));
    state->num_documents = entries.size();
    return StaticIndex(std::move(state));
  };
  switch (options.codec) {
    case Codec::kPlain:
      return build_with.template operator()<PlainTable<F>>();
    case Codec::kDelta:
      return build_with.template operator()<DeltaTable<F>>();
    case Codec::kPacked:
      break;
  }
  return build_with.template operator()<PackedTable<F>>();
}

template Result<StaticIndex<fingerprint::Fingerprint>> StaticIndex<fingerprint::Fingerprint>::build(
    std::span<const fingerprint::Fingerprint>, std::span<const uint64_t>, const Plan&, const BuildOptions&);
template Result<StaticIndex<fingerprint::Fingerprint128>> StaticIndex<fingerprint::Fingerprint128>::build(
    std::span<const fingerprint::Fingerprint128>, std::span<const uint64_t>, const Plan&, const BuildOptions&);

}  // namespace neardup::hamming
