// The symbol that the program looks for.
#include <arrow/util/config.h>

#include <algorithm>

#include "writer.h"

namespace neardup::parquet_module {
namespace {

class ParquetModule : public corpus::parquet::Module {
 public:
  std::unique_ptr<corpus::parquet::Table> open(const HostFile& file, uint64_t most_bytes,
                                               Problem& problem) const override {
    std::unique_ptr<corpus::parquet::Table> table;
    guard(file, "", problem, [&] { table = std::make_unique<FileTable>(file, most_bytes); });
    return table;
  }
  std::unique_ptr<corpus::parquet::Writer> write(corpus::parquet::Table& table, bool takes_notes,
                                                 corpus::parquet::HostOutput& output, Problem& problem) const override {
    const Source& source = static_cast<FileTable&>(table).source();
    std::unique_ptr<corpus::parquet::Writer> writer;
    guard(*source.file, "", problem, [&] { writer = std::make_unique<RowWriter>(source, takes_notes, output); });
    return writer;
  }
};

}  // namespace
}  // namespace neardup::parquet_module

extern "C" __attribute__((visibility("default"))) const neardup::corpus::parquet::ModuleHead* neardup_parquet_module() {
  using namespace neardup::corpus::parquet;
  static const neardup::parquet_module::ParquetModule module;
  static const ModuleHead head = [] {
    ModuleHead made{{}, kSeamBuild, "Arrow " ARROW_VERSION_STRING, &module};
    std::copy(std::begin(kModuleMagic), std::end(kModuleMagic), made.magic);
    return made;
  }();
  return &head;
}
