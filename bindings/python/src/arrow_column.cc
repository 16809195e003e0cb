// Columns of Arrow's C data interface (https://arrow.apache.org/docs/format/CDataInterface.html), by nanoarrow.
#include <algorithm>
#include <nanoarrow/nanoarrow.hpp>
#include <string>
#include <vector>

#include "column.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

using nanoarrow::UniqueArray;
using nanoarrow::UniqueArrayStream;
using nanoarrow::UniqueArrayView;
using nanoarrow::UniqueSchema;

void check(ArrowErrorCode code, const ArrowError& error, const char* what) {
  if (code == NANOARROW_OK) return;
  throw nb::value_error((std::string(what) + ": " + error.message).c_str());
}

bool is_of_texts(ArrowType type) {
  switch (type) {
    case NANOARROW_TYPE_STRING:
    case NANOARROW_TYPE_LARGE_STRING:
    case NANOARROW_TYPE_STRING_VIEW:
    case NANOARROW_TYPE_BINARY:
    case NANOARROW_TYPE_LARGE_BINARY:
    case NANOARROW_TYPE_BINARY_VIEW:
    case NANOARROW_TYPE_FIXED_SIZE_BINARY:
    case NANOARROW_TYPE_NA:  // every row is null
      return true;
    default:
      return false;
  }
}

std::string name_of_arrow_type(const ArrowSchema& schema) {
  char buffer[256];
  ArrowSchemaToString(&schema, buffer, sizeof(buffer), 0);
  return buffer;
}

void check_texts(const ArrowSchema& schema, const ArrowArrayView& view) {
  const ArrowArrayView& values = view.dictionary != nullptr ? *view.dictionary : view;
  if (is_of_texts(values.storage_type)) return;
  throw nb::type_error(
      ("a column of type " + name_of_arrow_type(schema) + " holds no texts; cast it to string").c_str());
}

/// One array, in the place of whoever gave it.
struct Chunk {
  UniqueArray array;
  UniqueArrayView view;
  uint64_t first_row = 0;

  struct Value {
    const ArrowArrayView* array;
    int64_t index;
  };

  /// Returns where the value of a row is, through its dictionary where it has one.
  [[nodiscard]] Value value(uint64_t row) const {
    const auto index = static_cast<int64_t>(row - first_row);
    const bool is_value = view->dictionary == nullptr || ArrowArrayViewIsNull(view.get(), index) != 0;
    if (is_value) return {view.get(), index};
    return {view->dictionary, ArrowArrayViewGetIntUnsafe(view.get(), index)};
  }
};

class ArrowColumn : public Column {
 public:
  ArrowColumn(UniqueSchema schema, bool texts) : schema_(std::move(schema)) {
    if (texts) check_texts(*schema_.get(), *new_view().get());
  }

  void add(UniqueArray array) {
    Chunk chunk{.array = std::move(array), .view = new_view(), .first_row = size_};
    if (chunk.array->length == 0) return;
    if (chunk.view->storage_type != NANOARROW_TYPE_NA) set_array(chunk);  // some send nulls with a buffer, some without
    size_ += static_cast<uint64_t>(chunk.array->length);
    chunks_.push_back(std::move(chunk));
  }

  uint64_t size() const override { return size_; }
  bool is_null(uint64_t row) const override {
    const auto [array, index] = chunk_of(row).value(row);
    return ArrowArrayViewIsNull(array, index) != 0;
  }
  std::optional<std::string_view> text(uint64_t row, corpus::Arena&) const override { return view_of(row); }
  uint64_t text_bytes(uint64_t row) const override { return view_of(row).value_or("").size(); }

 private:
  [[nodiscard]] std::optional<std::string_view> view_of(uint64_t row) const {
    const auto [array, index] = chunk_of(row).value(row);
    if (ArrowArrayViewIsNull(array, index) != 0) return {};
    const ArrowBufferView bytes = ArrowArrayViewGetBytesUnsafe(array, index);
    return std::string_view(bytes.data.as_char, static_cast<size_t>(bytes.size_bytes));
  }
  [[nodiscard]] UniqueArrayView new_view() const {
    ArrowError error{};
    UniqueArrayView view;
    check(ArrowArrayViewInitFromSchema(view.get(), schema_.get(), &error), error, "an Arrow type");
    return view;
  }
  static void set_array(Chunk& chunk) {
    ArrowError error{};
    check(ArrowArrayViewSetArray(chunk.view.get(), chunk.array.get(), &error), error, "an Arrow array");
    // Of indices, too: none lies beyond its dictionary.
    check(ArrowArrayViewValidate(chunk.view.get(), NANOARROW_VALIDATION_LEVEL_FULL, &error), error, "an Arrow array");
  }
  [[nodiscard]] const Chunk& chunk_of(uint64_t row) const {
    const auto behind = std::ranges::upper_bound(chunks_, row, {}, &Chunk::first_row);
    return *(behind - 1);
  }

  UniqueSchema schema_;
  std::vector<Chunk> chunks_;
  uint64_t size_ = 0;
};

/// Takes what a capsule holds: it is released once, by `to`.
template <class Unique>
void take(const nb::handle& capsule, const char* name, Unique& to) {
  using Held = std::remove_pointer_t<decltype(to.get())>;
  auto* held = static_cast<Held*>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (held == nullptr) throw nb::python_error();
  if (held->release == nullptr) throw nb::value_error("the Arrow data were released: a stream is read once");
  to.reset(held);
}

std::unique_ptr<Column> column_of_stream(const nb::object& capsule, bool texts) {
  UniqueArrayStream stream;
  take(capsule, "arrow_array_stream", stream);
  ArrowError error{};
  UniqueSchema schema;
  check(ArrowArrayStreamGetSchema(stream.get(), schema.get(), &error), error, "an Arrow stream");
  auto column = std::make_unique<ArrowColumn>(std::move(schema), texts);
  while (true) {
    UniqueArray array;
    check(ArrowArrayStreamGetNext(stream.get(), array.get(), &error), error, "an Arrow stream");
    if (array->release == nullptr) return column;
    column->add(std::move(array));
  }
}

std::unique_ptr<Column> column_of_array(const nb::object& pair, bool texts) {
  UniqueSchema schema;
  UniqueArray array;
  take(pair[0], "arrow_schema", schema);
  take(pair[1], "arrow_array", array);
  auto column = std::make_unique<ArrowColumn>(std::move(schema), texts);
  column->add(std::move(array));
  return column;
}

}  // namespace

std::unique_ptr<Column> column_of_arrow(const nb::object& exporter, bool texts) {
  if (nb::hasattr(exporter, "__arrow_c_stream__"))
    return column_of_stream(exporter.attr("__arrow_c_stream__")(), texts);
  return column_of_array(exporter.attr("__arrow_c_array__")(), texts);
}

}  // namespace neardup::python
