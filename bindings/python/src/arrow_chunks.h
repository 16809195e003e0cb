// Arrays of Arrow's C data interface, in the place of whoever gave them, by nanoarrow.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <nanoarrow/nanoarrow.hpp>
#include <string>
#include <vector>

namespace neardup::python {

/// A value: `array`[`index`].
struct ArrowValue {
  const ArrowArrayView* array;
  int64_t index;

  /// Returns the value itself where this is an index of a dictionary.
  [[nodiscard]] ArrowValue resolved() const {
    const bool is_value = array->dictionary == nullptr || ArrowArrayViewIsNull(array, index) != 0;
    return is_value ? *this : ArrowValue{array->dictionary, ArrowArrayViewGetIntUnsafe(array, index)};
  }
  [[nodiscard]] bool is_null() const { return ArrowArrayViewIsNull(array, index) != 0; }
  /// Requires: it is a text, and not null.
  [[nodiscard]] std::string_view text() const {
    const ArrowBufferView bytes = ArrowArrayViewGetBytesUnsafe(array, index);
    return {bytes.data.as_char, static_cast<size_t>(bytes.size_bytes)};
  }
};

/// All rows of a column. Threads: const members from many at once.
class ArrowChunks {
 public:
  /// Takes what `exporter` has to give: __arrow_c_stream__ or __arrow_c_array__. Raises ValueError for types that there
  /// are not, and for arrays that are not what they say, and what `check` raises of the type, before any array is
  /// taken.
  explicit ArrowChunks(const nanobind::object& exporter, void (*check)(const ArrowSchema&) = nullptr);

  [[nodiscard]] uint64_t size() const { return size_; }
  [[nodiscard]] const ArrowSchema& schema() const { return *schema_.get(); }
  /// Returns the value of a row, through its dictionary where it has one.
  [[nodiscard]] ArrowValue value(uint64_t row) const;

 private:
  struct Chunk {
    nanoarrow::UniqueArray array;
    nanoarrow::UniqueArrayView view;
    uint64_t first_row = 0;
  };
  void add(nanoarrow::UniqueArray array);
  void take_array(const nanobind::object& pair);
  void take_stream(const nanobind::object& capsule);
  void check_type() const;

  void (*const check_)(const ArrowSchema&);
  nanoarrow::UniqueSchema schema_;
  std::vector<Chunk> chunks_;
  uint64_t size_ = 0;
};

/// Whether values of a type are texts, or all null.
[[nodiscard]] bool is_of_texts(ArrowType type);
/// Returns the type of what a schema describes, NANOARROW_TYPE_UNINITIALIZED where it is none; of a dictionary that of
/// its values.
[[nodiscard]] ArrowType value_type(const ArrowSchema& schema);

}  // namespace neardup::python
