// What the tasks of Spark do with their batches of Arrow: neardup/spark.py calls it.
#pragma once

#include <nanobind/nanobind.h>

namespace neardup::python {

/// Texts become what is compared, and pairs of these are compared.
void define_spark_texts(nanobind::module_& module);
/// Sketches of texts: which keys they share, which pairs meet.
void define_spark_sketches(nanobind::module_& module);
/// Sorted streams: buckets become pairs, pairs become stars, counts of n-grams are added up.
void define_spark_streams(nanobind::module_& module);

/// An index in a folder is asked.
void define_stored_index(nanobind::module_& module);

}  // namespace neardup::python
