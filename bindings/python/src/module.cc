// The native part of the Python package: what neardup/*.py calls, and nobody else.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>

#include "column.h"
#include "dedup.h"
#include "errors.h"
#include "evaluate.h"
#include "fingerprints.h"
#include "lines.h"
#include "matching.h"
#include "neardup/base/version.h"
#include "online.h"
#include "pairs.h"
#include "report.h"
#include "similar.h"
#include "sketches.h"
#include "spark.h"
#include "text.h"
#include "text_column.h"

NB_MODULE(_native, module) {
  using namespace neardup::python;
  module.attr("__version__") = neardup::kVersion;
  define_errors(module);
  define_columns(module);
  define_text_columns(module);
  define_matching(module);
  define_report(module);
  define_dedup(module);
  define_fingerprints(module);
  define_online(module);
  define_lines(module);
  define_pairs(module);
  define_similar(module);
  define_evaluate(module);
  define_text(module);
  define_sketches(module);
  define_spark_texts(module);
  define_spark_sketches(module);
  define_spark_streams(module);
  define_stored_index(module);
}
