// Columns of Arrow's C data interface (https://arrow.apache.org/docs/format/CDataInterface.html), by nanoarrow.
#include <algorithm>
#include <nanoarrow/nanoarrow.hpp>
#include <optional>
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

std::string name_of_type(const ArrowSchema& schema) {
  char buffer[256];
  ArrowSchemaToString(&schema, buffer, sizeof(buffer), 0);
  return buffer;
}

void check_texts(const ArrowSchema& schema, const ArrowArrayView& view) {
  const ArrowArrayView& values = view.dictionary != nullptr ? *view.dictionary : view;
  if (is_of_texts(values.storage_type)) return;
  throw nb::type_error(("a column of type " + name_of_type(schema) + " holds no texts; cast it to string").c_str());
}

/// One array, in the place of whoever gave it.
struct Chunk {
  UniqueArray array;
  UniqueArrayView view;
  uint64_t first_row = 0;

  [[nodiscard]] std::optional<std::string_view> value(uint64_t row) const {
    const ArrowArrayView* values = view.get();
    auto index = static_cast<int64_t>(row - first_row);
    if (ArrowArrayViewIsNull(values, index) != 0) return {};
    if (values->dictionary != nullptr) {
      index = ArrowArrayViewGetIntUnsafe(values, index);
      values = values->dictionary;
      if (ArrowArrayViewIsNull(values, index) != 0) return {};
    }
    const ArrowBufferView bytes = ArrowArrayViewGetBytesUnsafe(values, index);
    return std::string_view(bytes.data.as_char, static_cast<size_t>(bytes.size_bytes));
  }
};

/// Indices beyond a dictionary are found here, once, so that no row need be checked when it is read.
void check_indices(const Chunk& chunk) {
  const ArrowArrayView* view = chunk.view.get();
  if (view->dictionary == nullptr) return;
  for (int64_t i = 0; i < view->length; ++i) {
    if (ArrowArrayViewIsNull(view, i) != 0) continue;
    const int64_t index = ArrowArrayViewGetIntUnsafe(view, i);
    if (index < 0 || index >= view->dictionary->length)
      throw nb::value_error("an index lies beyond its dictionary: the Arrow array is damaged");
  }
}

class ArrowColumn : public Column {
 public:
  ArrowColumn(UniqueSchema schema, bool texts) : schema_(std::move(schema)), texts_(texts) {}

  void add(UniqueArray array) {
    ArrowError error{};
    Chunk chunk{.array = std::move(array), .view = {}, .first_row = size_};
    check(ArrowArrayViewInitFromSchema(chunk.view.get(), schema_.get(), &error), error, "an Arrow type");
    if (texts_) check_texts(*schema_.get(), *chunk.view.get());
    check(ArrowArrayViewSetArray(chunk.view.get(), chunk.array.get(), &error), error, "an Arrow array");
    check(ArrowArrayViewValidate(chunk.view.get(), NANOARROW_VALIDATION_LEVEL_FULL, &error), error, "an Arrow array");
    if (chunk.array->length == 0) return;
    if (texts_) check_indices(chunk);
    size_ += static_cast<uint64_t>(chunk.array->length);
    chunks_.push_back(std::move(chunk));
  }

  uint64_t size() const override { return size_; }
  bool is_null(uint64_t row) const override {
    const Chunk& chunk = chunk_of(row);
    if (texts_) return !chunk.value(row);
    return ArrowArrayViewIsNull(chunk.view.get(), static_cast<int64_t>(row - chunk.first_row)) != 0;
  }
  std::string_view text(uint64_t row) const override { return *chunk_of(row).value(row); }

 private:
  [[nodiscard]] const Chunk& chunk_of(uint64_t row) const {
    const auto behind = std::ranges::upper_bound(chunks_, row, {}, &Chunk::first_row);
    return *(behind - 1);
  }

  UniqueSchema schema_;
  bool texts_;
  std::vector<Chunk> chunks_;
  uint64_t size_ = 0;
};

/// Takes what a capsule holds: it is released once, by `to`.
template <class Unique>
void take(const nb::handle& capsule, const char* name, Unique& to) {
  using Held = std::remove_pointer_t<decltype(to.get())>;
  auto* held = static_cast<Held*>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (held == nullptr) throw nb::python_error();
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
  if (nb::hasattr(exporter, "__arrow_c_stream__")) return column_of_stream(exporter.attr("__arrow_c_stream__")(), texts);
  return column_of_array(exporter.attr("__arrow_c_array__")(), texts);
}

}  // namespace neardup::python
