#include "neardup/api/deduplicator.h"

#include "neardup/api/field_words.h"
#include "neardup/api/options_of.h"
#include "neardup/corpus/read_options.h"
#include "neardup/engine/online/deduplicator.h"

namespace neardup {
namespace {

// n-gram sets of what was compared last: an eighth of it; runs of long texts likewise.
constexpr uint64_t kMemoryBytes = uint64_t{512} << 20;

Arrival::Kind kind_of(engine::Arrival::Kind kind) {
  switch (kind) {
    case engine::Arrival::Kind::kExact:
      return Arrival::Kind::kExact;
    case engine::Arrival::Kind::kNear:
      return Arrival::Kind::kNear;
    case engine::Arrival::Kind::kContained:
      return Arrival::Kind::kContained;
    case engine::Arrival::Kind::kNew:
      break;
  }
  return Arrival::Kind::kNew;
}

}  // namespace

struct Deduplicator::Impl {
  engine::Deduplicator inner;
};

Deduplicator::Deduplicator(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Deduplicator::Deduplicator(Deduplicator&&) noexcept = default;
Deduplicator& Deduplicator::operator=(Deduplicator&&) noexcept = default;
Deduplicator::~Deduplicator() = default;

Result<Deduplicator> Deduplicator::create(const Matching& matching, double contained) {
  NEARDUP_ASSIGN(engine::DedupOptions options, options_of(matching));
  options.memory_bytes = kMemoryBytes;
  if (contained != 0) options.contained = contained;
  NEARDUP_ASSIGN(auto inner, in_field_words(engine::Deduplicator::create(std::move(options))));
  return Deduplicator(std::make_unique<Impl>(Impl{std::move(inner)}));
}

Result<Arrival> Deduplicator::add(std::string_view id, std::string_view text) {
  if (impl_ == nullptr) return fail(Code::kInvalidArgument, "this Deduplicator was moved from; use the other one");
  if (text.size() > corpus::kMostRecordBytes)
    return fail(Code::kUnsupported, "the text is longer than 1 GiB; give its parts one by one");
  NEARDUP_ASSIGN(engine::Arrival arrival, impl_->inner.add(id, text));
  return Arrival{.kind = kind_of(arrival.kind),
                 .duplicate_of = std::move(arrival.duplicate_of),
                 .similarity = arrival.similarity,
                 .distance = static_cast<int>(arrival.distance)};
}

DeduplicatorFigures Deduplicator::figures() const {
  if (impl_ == nullptr) return {};
  const engine::DeduplicatorFigures figures = impl_->inner.figures();
  return {figures.new_texts, figures.different_texts, figures.size_bytes};
}

}  // namespace neardup
