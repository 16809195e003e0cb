// Tables are sorted one after the other, each in as many passes over the input as the memory limit asks for. Of a pass
// all parts are known before one is written, and what stands before each is counted first: so all threads encode at
// once, each to places of its own, and the bytes are the same for any number of them.
// Ranks are those of the first table, whose order the records have. The others lead to it by the head of their keys and
// need no pointer: what follows a table's prefix is free to choose, and is put in the order of the first table.
// docs/design/hamming_index.md, "Build".
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>

#include "neardup/base/threads.h"
#include "neardup/hamming/key_sort.h"
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
    const auto prefix_end = table.order.begin() + table.prefix_bits;
    std::vector<uint8_t> order(table.order.begin(), prefix_end);
    std::copy_if(first.begin(), first.end(), std::back_inserter(order),
                 [&](uint8_t bit) { return std::find(table.order.begin(), prefix_end, bit) == prefix_end; });
    table.order = std::move(order);
  }
  return plan;
}

/// Takes the sorted keys of a table of any codec part by part.
template <fingerprint::AnyFingerprint F, class Table>
class TableBuilder {
 public:
  TableBuilder(const Plan& plan, size_t table, uint64_t max_keys, int) : layout_(plan.tables[table]), keys_(max_keys) {}
  void put(uint64_t rank, std::span<const F> keys) { std::copy(keys.begin(), keys.end(), keys_.data() + rank); }
  Table finish(uint64_t size) { return Table::build({std::as_const(keys_).data(), size}, layout_); }
  int known_bits() const { return kBitsOf<F>; }

 private:
  const TableLayout& layout_;
  StoredArray<F> keys_;
};

template <fingerprint::AnyFingerprint F>
class TableBuilder<F, PackedTable<F>> : public PackedTable<F>::Builder {
 public:
  TableBuilder(const Plan& plan, size_t table, uint64_t max_keys, int word_bits)
      : TableBuilder(plan.tables[table], max_keys, shape_of(plan, table, max_keys, word_bits)) {}
  int known_bits() const { return shape_.directory_bits + shape_.word_bits; }

 private:
  TableBuilder(const TableLayout& layout, uint64_t max_keys, const PackedShape& shape)
      : PackedTable<F>::Builder(layout, max_keys, shape), shape_(shape) {}
  static PackedShape shape_of(const Plan& plan, size_t table, uint64_t max_keys, int word_bits) {
    PackedShape shape = table == 0 ? default_shape(max_keys) : shape_beside_first(plan, table, max_keys);
    if (table > 0 && word_bits != 0) shape.word_bits = word_bits;
    return shape;
  }

  PackedShape shape_;
};

template <fingerprint::AnyFingerprint F, class Table>
class IndexBuilder {
 public:
  IndexBuilder(std::span<const F> values, std::span<const uint64_t> documents, const Plan& plan,
               const BuildOptions& options)
      : source_{values, documents}, plan_(plan), options_(options) {
    options_.num_threads = resolve_num_threads(options.num_threads);
    if (!documents.empty()) {
      const auto [least, greatest] = std::minmax_element(documents.begin(), documents.end());
      source_.first_document = *least;
      last_document_ = *greatest;
    } else if (!values.empty()) {
      last_document_ = values.size() - 1;
    }
  }

  Status run() {
    // Half of the memory of a sort where numbers allow.
    if (last_document_ - source_.first_document <= UINT32_MAX) {
      NEARDUP_TRY(build_first<uint32_t>());
    } else {
      NEARDUP_TRY(build_first<uint64_t>());
    }
    for (size_t t = 1; t < plan_.tables.size(); ++t) NEARDUP_TRY(build_other(t));
    return {};
  }

  std::vector<Table> tables;
  Records<F> records;
  uint64_t num_documents = 0;

 private:
  // What stands before a part, in this pass and all before: keys, documents, lists and documents in lists.
  struct Counts {
    uint64_t keys = 0;
    uint64_t documents = 0;
    uint64_t lists = 0;
    uint64_t listed = 0;
    Counts& operator+=(const Counts& other) {
      keys += other.keys;
      documents += other.documents;
      lists += other.lists;
      listed += other.listed;
      return *this;
    }
  };

  // Passes and parts: parts that fit in a cache, passes that fit in the limit.
  Result<KeySortOptions> sort_options(uint64_t pair_bytes) const {
    constexpr int kPartKeysLog2 = 15, kMaxPartBits = 11, kMaxPassBits = 8;
    constexpr int kMinPartBits = 3;  // of a pass that is not the only one: it stays little below the limit
    const uint64_t size = source_.values.size(), limit = options_.memory_bytes;
    KeySortOptions sort{.num_threads = options_.num_threads, .context = options_.context};
    if (limit != 0) sort.max_keys = limit / pair_bytes;
    int pass_bits = 0;
    while (size >> pass_bits > sort.max_keys && pass_bits < kMaxPassBits) ++pass_bits;
    if (size >> pass_bits > sort.max_keys) {
      return fail(Code::kMemory, fmt::format("building an index of {} fingerprints takes at least {} bytes beyond its "
                                             "input, the limit is {}; raise it",
                                             size, (size >> pass_bits) * pair_bytes, limit));
    }
    const int part_bits = static_cast<int>(std::bit_width(size >> pass_bits)) - kPartKeysLog2;
    sort.digit_bits = pass_bits + std::clamp(part_bits, pass_bits == 0 ? 0 : kMinPartBits, kMaxPartBits);
    return sort;
  }

  // Calls body(documents) for each run of equal keys of a part.
  template <class P, class Body>
  static void for_runs(const SortedPart<F, P>& part, const Body& body) {
    for (size_t begin = 0, end = 0; begin < part.keys.size(); begin = end) {
      for (end = begin + 1; end < part.keys.size() && part.keys[end] == part.keys[begin];) ++end;
      body(part.keys[begin], part.payloads.subspan(begin, end - begin));
    }
  }

  template <class P>
  static Counts count(const SortedPart<F, P>& part) {
    Counts counts{.documents = part.keys.size()};
    for_runs(part, [&](F, std::span<const P> documents) {
      ++counts.keys;
      counts.lists += documents.size() > 1;
      counts.listed += documents.size() > 1 ? documents.size() : 0;
    });
    return counts;
  }

  // Returns what stands before each part; `total` grows by all of them.
  template <class P>
  Result<std::vector<Counts>> count_all(std::span<const SortedPart<F, P>> parts, Counts& total) {
    std::vector<Counts> before(parts.size());
    NEARDUP_TRY(parallel_for(options_.num_threads, parts.size(), [&](size_t i, int) -> Status {
      before[i] = count(parts[i]);
      return {};
    }));
    for (Counts& counts : before) {
      const Counts own = std::exchange(counts, total);
      total += own;
    }
    return before;
  }

  // The first table, and the records. How many bits a document takes depends on the number of lists, which is known
  // after the last pass only: where a guess from the first one was too low all is done once more.
  template <class P>
  Status build_first() {
    uint64_t max_lists = 0;
    for (;;) {
      Counts total;
      NEARDUP_ASSIGN(const bool fits, build_first_with<P>(max_lists, total));
      if (fits) return {};
      max_lists = source_.values.size() / 2;
    }
  }

  // What the lists seen so far say of all.
  [[nodiscard]] uint64_t expected_lists(const Counts& seen) const {
    constexpr double kMargin = 1.25;
    const auto size = static_cast<double>(source_.values.size());
    const double lists = static_cast<double>(seen.lists) * size / static_cast<double>(seen.documents) * kMargin;
    return static_cast<uint64_t>(std::min(lists, size / 2));
  }

  template <class P>
  Result<bool> build_first_with(uint64_t max_lists, Counts& total) {
    const uint64_t size = source_.values.size();
    const TableLayout& layout = plan_.tables.front();
    NEARDUP_ASSIGN(const KeySortOptions sort, sort_options(sizeof(F) + sizeof(P)));
    TableBuilder<F, Table> table(plan_, 0, size, options_.word_bits);
    std::optional<typename Records<F>::Builder> builder;
    const auto make_builder = [&] {
      builder.emplace(size, kBitsOf<F> - table.known_bits(), source_.first_document, last_document_, max_lists);
    };
    bool fits = true;
    const auto receive = [&](std::span<const SortedPart<F, P>> parts) -> Status {
      NEARDUP_ASSIGN(const std::vector<Counts> before, count_all<P>(parts, total));
      if (!builder) {
        max_lists = size <= sort.max_keys ? total.lists : std::max(max_lists, expected_lists(total));
        make_builder();
      }
      fits = fits && total.lists <= max_lists;
      if (!fits) return {};
      // Before any thread writes: their parts of the lists do not move any more in this pass.
      builder->reserve_lists(total.lists, total.listed);
      return parallel_for(options_.num_threads, parts.size(), [&](size_t i, int) -> Status {
        put_first(parts[i], before[i], table, *builder);
        return {};
      });
    };
    NEARDUP_TRY((sort_keys<F, P>(source_, KeyOrder<F>(layout.order), sort, receive)));
    if (!fits) return false;
    if (!builder) make_builder();  // no keys, no pass
    num_documents = total.documents;
    records = builder->finish(total.keys);
    tables.push_back(table.finish(total.keys));
    return true;
  }

  // Keys go to the table some at a time; records one by one, bits behind bits.
  template <class P>
  static void put_first(const SortedPart<F, P>& part, const Counts& before, TableBuilder<F, Table>& table,
                        typename Records<F>::Builder& builder) {
    constexpr size_t kAtOnce = 256;
    typename Records<F>::Builder::Writer writer(builder, before.keys, before.lists, before.listed);
    const F rest = low_ones<F>(kBitsOf<F> - table.known_bits());
    std::array<F, kAtOnce> keys;
    size_t num_keys = 0;
    uint64_t rank = before.keys;
    const auto flush = [&] {
      table.put(rank, {keys.data(), num_keys});
      rank += std::exchange(num_keys, 0);
    };
    for_runs(part, [&](F key, std::span<const P> documents) {
      writer.push(key & rest, documents);
      keys[num_keys++] = key;
      if (num_keys == kAtOnce) flush();
    });
    flush();
  }

  // Without payloads: only the first table leads to documents.
  Status build_other(size_t number) {
    const TableLayout& layout = plan_.tables[number];
    NEARDUP_ASSIGN(const KeySortOptions sort, sort_options(sizeof(F)));
    TableBuilder<F, Table> table(plan_, number, source_.values.size(), options_.word_bits);
    uint64_t rank = 0;
    const auto receive = [&](std::span<const SortedPart<F, NoPayload>> parts) -> Status {
      std::vector<uint64_t> ranks(parts.size());
      for (size_t i = 0; i < parts.size(); ++i) ranks[i] = std::exchange(rank, rank + parts[i].keys.size());
      return parallel_for(options_.num_threads, parts.size(), [&](size_t i, int) -> Status {
        table.put(ranks[i], parts[i].keys);
        return {};
      });
    };
    NEARDUP_TRY((sort_keys<F, NoPayload>(source_, KeyOrder<F>(layout.order), sort, receive)));
    tables.push_back(table.finish(rank));
    return {};
  }

  KeySource<F> source_;
  const Plan& plan_;
  BuildOptions options_;
  uint64_t last_document_ = 0;  // the greatest number: says how many bits one takes
};

}  // namespace

template <fingerprint::AnyFingerprint F>
Result<StaticIndex<F>> StaticIndex<F>::build(std::span<const F> fingerprints, std::span<const uint64_t> documents,
                                             const Plan& plan, const BuildOptions& options) {
  if (!documents.empty() && documents.size() != fingerprints.size()) {
    return fail(Code::kInvalidArgument, fmt::format("{} document numbers for {} fingerprints; give one for each",
                                                    documents.size(), fingerprints.size()));
  }
  if (plan.num_bits != kBitsOf<F>) {
    return fail(Code::kInvalidArgument,
                fmt::format("the plan is for {} bits, the fingerprints have {}", plan.num_bits, kBitsOf<F>));
  }
  if (options.word_bits != 0 && options.word_bits != 24 && options.word_bits != 32) {
    return fail(Code::kInvalidArgument, fmt::format("words of {} bits; expected 24 or 32", options.word_bits));
  }
  // Nothing is built by a plan that is not proven complete.
  NEARDUP_TRY(check_plan(plan));
  const Plan ours = in_our_order(plan);
  const auto build_with = [&]<class Table>() -> Result<StaticIndex> {
    IndexBuilder<F, Table> builder(fingerprints, documents, ours, options);
    try {
      NEARDUP_TRY(builder.run());
    } catch (const std::bad_alloc&) {
      return fail(Code::kMemory, "out of memory while building an index; set a memory limit for the build");
    }
    auto state =
        std::make_shared<State>(ours, Searcher<F, Table>(ours, std::move(builder.tables)), std::move(builder.records));
    state->num_documents = builder.num_documents;
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
