#include "arrow_chunks.h"

#include <algorithm>

namespace nb = nanobind;

namespace neardup::python {
namespace {

using nanoarrow::UniqueArray;
using nanoarrow::UniqueArrayStream;
using nanoarrow::UniqueArrayView;

void check_arrow(ArrowErrorCode code, const ArrowError& error, const char* what) {
  if (code == NANOARROW_OK) return;
  throw nb::value_error((std::string(what) + ": " + error.message).c_str());
}

/// Takes what a capsule holds: it is released once, by `to`.
template <class Unique>
void take_capsule(const nb::handle& capsule, const char* name, Unique& to) {
  using Held = std::remove_pointer_t<decltype(to.get())>;
  auto* held = static_cast<Held*>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (held == nullptr) throw nb::python_error();
  if (held->release == nullptr) throw nb::value_error("the Arrow data were released: a stream is read once");
  to.reset(held);
}

UniqueArrayView view_of_type(const ArrowSchema& schema) {
  ArrowError error{};
  UniqueArrayView view;
  check_arrow(ArrowArrayViewInitFromSchema(view.get(), &schema, &error), error, "an Arrow type");
  return view;
}

}  // namespace

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

ArrowType value_type(const ArrowSchema& schema) {
  const ArrowSchema& values = schema.dictionary == nullptr ? schema : *schema.dictionary;
  ArrowSchemaView view{};
  return ArrowSchemaViewInit(&view, &values, nullptr) == NANOARROW_OK ? view.storage_type
                                                                      : NANOARROW_TYPE_UNINITIALIZED;
}

ArrowChunks::ArrowChunks(const nb::object& exporter, void (*check)(const ArrowSchema&)) : check_(check) {
  if (nb::hasattr(exporter, "__arrow_c_stream__"))
    take_stream(exporter.attr("__arrow_c_stream__")());
  else
    take_array(exporter.attr("__arrow_c_array__")());
}

void ArrowChunks::take_array(const nb::object& pair) {
  UniqueArray array;
  take_capsule(pair[0], "arrow_schema", schema_);
  take_capsule(pair[1], "arrow_array", array);
  check_type();
  add(std::move(array));
}

void ArrowChunks::take_stream(const nb::object& capsule) {
  UniqueArrayStream stream;
  take_capsule(capsule, "arrow_array_stream", stream);
  ArrowError error{};
  check_arrow(ArrowArrayStreamGetSchema(stream.get(), schema_.get(), &error), error, "an Arrow stream");
  check_type();
  while (true) {
    UniqueArray array;
    check_arrow(ArrowArrayStreamGetNext(stream.get(), array.get(), &error), error, "an Arrow stream");
    if (array->release == nullptr) return;
    add(std::move(array));
  }
}

void ArrowChunks::check_type() const {
  view_of_type(schema());
  if (check_ != nullptr) check_(schema());
}

void ArrowChunks::add(UniqueArray array) {
  Chunk chunk{.array = std::move(array), .view = view_of_type(schema()), .first_row = size_};
  if (chunk.array->length == 0) return;
  if (chunk.view->storage_type != NANOARROW_TYPE_NA) {  // some send nulls with a buffer, some without
    ArrowError error{};
    check_arrow(ArrowArrayViewSetArray(chunk.view.get(), chunk.array.get(), &error), error, "an Arrow array");
    // Of indices, too: none lies beyond its dictionary.
    check_arrow(ArrowArrayViewValidate(chunk.view.get(), NANOARROW_VALIDATION_LEVEL_FULL, &error), error,
                "an Arrow array");
  }
  size_ += static_cast<uint64_t>(chunk.array->length);
  chunks_.push_back(std::move(chunk));
}

ArrowValue ArrowChunks::value(uint64_t row) const {
  const auto behind = std::ranges::upper_bound(chunks_, row, {}, &Chunk::first_row);
  const Chunk& chunk = *(behind - 1);
  return ArrowValue{chunk.view.get(), static_cast<int64_t>(row - chunk.first_row)}.resolved();
}

}  // namespace neardup::python
