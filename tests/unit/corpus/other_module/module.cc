// A Parquet module of another build.
#define NEARDUP_SEAM_DIGEST "0.0.0-other"
#include "neardup/corpus/parquet/module.h"

extern "C" const neardup::corpus::parquet::ModuleHead* neardup_parquet_module() {
  using namespace neardup::corpus::parquet;
  static const ModuleHead head{{'n', 'd', 'p', 'a', 'r', 'q', '0', '1'}, kSeamBuild, "libarrow.so.1", nullptr};
  return &head;
}
