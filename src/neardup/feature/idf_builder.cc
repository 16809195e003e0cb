#include <algorithm>
#include <vector>

#include "neardup/feature/count_table.h"
#include "neardup/feature/idf.h"
#include "neardup/feature/idf_impl.h"

namespace neardup::feature {
namespace {

constexpr size_t kPrefetchAhead = 12;

IdfEntry entry_of(const HashCount& counted) {
  return {static_cast<uint32_t>(counted.hash), static_cast<uint32_t>(counted.hash >> 32), counted.count};
}

}  // namespace

struct IdfBuilder::Impl {
  CountTable table;
  uint64_t num_documents = 0;

  void count(std::span<const uint64_t> hashes) {
    for (size_t i = 0; i < hashes.size(); ++i) {
      if (i + kPrefetchAhead < hashes.size()) table.prefetch(hashes[i + kPrefetchAhead]);
      table.add(hashes[i], 1);
    }
  }

  [[nodiscard]] IdfHead head(const IdfOptions& options) const {
    DfHistogram histogram;
    table.for_each([&histogram](uint64_t, uint32_t df) { histogram.add(df); });
    return {num_documents,      table.size(),          histogram.num_at_least(options.min_documents),
            histogram.median(), options.min_documents, options.tokens};
  }

  /// Calls visit(entries) for all entries in ascending order, some at a time.
  template <class Visit>
  Status visit_entries(uint32_t min_documents, const Visit& visit) const {
    std::vector<IdfEntry> entries;
    return table.for_each_sorted_part([&](const std::vector<HashCount>& part) -> Status {
      entries.clear();
      for (const HashCount& counted : part) {
        if (counted.count >= min_documents) entries.push_back(entry_of(counted));
      }
      return visit(entries);
    });
  }
};

IdfBuilder::IdfBuilder() : impl_(std::make_unique<Impl>()) {}
IdfBuilder::IdfBuilder(IdfBuilder&&) noexcept = default;
IdfBuilder& IdfBuilder::operator=(IdfBuilder&&) noexcept = default;
IdfBuilder::~IdfBuilder() = default;

void IdfBuilder::add(std::span<const uint64_t> distinct_hashes) {
  ++impl_->num_documents;
  impl_->count(distinct_hashes);
}

void IdfBuilder::add_each(std::span<const uint64_t> hashes) {
  impl_->num_documents += hashes.size();
  impl_->count(hashes);
}

void IdfBuilder::merge(const IdfBuilder& other) {
  impl_->num_documents += other.impl_->num_documents;
  other.impl_->table.for_each([this](uint64_t hash, uint32_t count) { impl_->table.add(hash, count); });
}

Status IdfBuilder::merge(const Idf& other) {
  if (!other.impl_->has_counts) {
    return fail(Code::kUnsupported,
                "cannot merge an IDF dictionary whose counts were not kept; build it with keep_counts");
  }
  impl_->num_documents += other.num_documents();
  for (const IdfEntry& entry : other.impl_->counts.entries) impl_->table.add(entry.hash(), entry.num_documents);
  return {};
}

uint64_t IdfBuilder::num_documents() const { return impl_->num_documents; }

uint64_t IdfBuilder::num_tokens() const { return impl_->table.size(); }

uint64_t IdfBuilder::memory_bytes() const { return impl_->table.memory_bytes(); }

std::shared_ptr<const Idf> IdfBuilder::build(const IdfOptions& options) const {
  IdfCounts counts{impl_->head(options), {}};
  counts.entries.reserve(counts.head.num_entries);
  // Nothing that can fail: entries go to memory.
  (void)impl_->visit_entries(options.min_documents, [&counts](const std::vector<IdfEntry>& entries) -> Status {
    counts.entries.insert(counts.entries.end(), entries.begin(), entries.end());
    return {};
  });
  return std::make_shared<const Idf>(make_idf(std::move(counts), options.keep_counts));
}

Status IdfBuilder::save(const std::string& path, const IdfOptions& options) const {
  NEARDUP_ASSIGN(IdfWriter writer, IdfWriter::create(path, impl_->head(options)));
  NEARDUP_TRY(impl_->visit_entries(options.min_documents,
                                   [&writer](const std::vector<IdfEntry>& part) { return writer.add(part); }));
  return writer.commit();
}

}  // namespace neardup::feature
