// Columns of Arrow's C data interface (https://arrow.apache.org/docs/format/CDataInterface.html), by nanoarrow.
#include <string>

#include "arrow_chunks.h"
#include "column.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

std::string name_of_arrow_type(const ArrowSchema& schema) {
  char buffer[256];
  ArrowSchemaToString(&schema, buffer, sizeof(buffer), 0);
  return buffer;
}

void check_texts(const ArrowSchema& schema) {
  if (is_of_texts(value_type(schema))) return;
  throw nb::type_error(
      ("a column of type " + name_of_arrow_type(schema) + " holds no texts; cast it to string").c_str());
}

class ArrowColumn : public Column {
 public:
  ArrowColumn(const nb::object& exporter, bool texts) : chunks_(exporter, texts ? &check_texts : nullptr) {}

  uint64_t size() const override { return chunks_.size(); }
  bool is_null(uint64_t row) const override { return chunks_.value(row).is_null(); }
  std::optional<std::string_view> text(uint64_t row, corpus::Arena&) const override { return view_of(row); }
  uint64_t text_bytes(uint64_t row) const override { return view_of(row).value_or("").size(); }

 private:
  [[nodiscard]] std::optional<std::string_view> view_of(uint64_t row) const {
    const ArrowValue value = chunks_.value(row);
    if (value.is_null()) return {};
    return value.text();
  }

  ArrowChunks chunks_;
};

}  // namespace

std::unique_ptr<Column> column_of_arrow(const nb::object& exporter, bool texts) {
  return std::make_unique<ArrowColumn>(exporter, texts);
}

}  // namespace neardup::python
