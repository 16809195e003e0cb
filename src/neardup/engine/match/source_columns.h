// Signatures that do not fit in memory, as the passes over their bands read them.
#pragma once

#include <optional>
#include <string>

#include "neardup/base/context.h"
#include "neardup/join/band_words.h"
#include "neardup/join/disk/value_columns.h"

namespace neardup::engine {

/// A source, and beside it a copy in columns in a scratch file. Move it before source() is called, not after.
class SourceColumns {
 public:
  /// Makes the copy, unless the source lies in memory or `folder`, which is created, is empty: as `name` there, which
  /// no other one has at that time.
  /// Errors: those of join::ValueColumns::write().
  [[nodiscard]] static Result<SourceColumns> of(const join::SignatureSource& source, const std::string& folder,
                                                const std::string& name, const Context& context);
  /// This object must outlive it.
  [[nodiscard]] join::SignatureSource source() const { return columns_ ? columns_->in(source_) : source_; }

 private:
  explicit SourceColumns(join::SignatureSource source) : source_(std::move(source)) {}

  join::SignatureSource source_;
  std::optional<join::ValueColumns> columns_;
};

}  // namespace neardup::engine
