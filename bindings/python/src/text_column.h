// The text of rows that text="title,body" or "messages[].content" names, of several columns and of lists.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <vector>

#include "column.h"
#include "neardup/corpus/text_path.h"

namespace neardup::python {

/// Returns the column of the texts to which the steps of a path lead in an Arrow column, which stands for the first of
/// them. What they do not lead to is Column::found(). Raises as column_of_arrow().
[[nodiscard]] std::unique_ptr<Column> column_of_arrow_path(const nanobind::object& exporter,
                                                           const std::vector<corpus::TextStep>& steps);

/// Puts text_paths(), column_of_arrow_path(), column_of_found() and text_column() into the module.
void define_text_columns(nanobind::module_& module);

}  // namespace neardup::python
