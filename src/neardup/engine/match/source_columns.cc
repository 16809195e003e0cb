#include "neardup/engine/match/source_columns.h"

#include "neardup/base/disk/folders.h"

namespace neardup::engine {

Result<SourceColumns> SourceColumns::of(const join::SignatureSource& source, const std::string& folder,
                                        const std::string& name, const Context& context) {
  SourceColumns result(source);
  if (source.values != nullptr || folder.empty()) return result;
  NEARDUP_TRY(create_directories(folder));
  NEARDUP_ASSIGN(auto columns, join::ValueColumns::write(source, folder + "/" + name, context));
  result.columns_.emplace(std::move(columns));
  return result;
}

}  // namespace neardup::engine
