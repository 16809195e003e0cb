// Texts in structs and lists of an Arrow column.
#include <cstring>
#include <string_view>
#include <vector>

#include "arrow_chunks.h"
#include "text_column.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

using Found = corpus::PathText::Found;

/// A step into the type of a value: to the items of a list (child < 0), or to a field of a struct.
struct ArrowStep {
  int64_t child = -1;
  [[nodiscard]] bool is_each() const { return child < 0; }
};

/// Where a path leads in a type: `found` is kText where it leads to texts.
struct ArrowWay {
  std::vector<ArrowStep> steps;
  Found found = Found::kText;
};

bool is_list(ArrowType type) {
  return type == NANOARROW_TYPE_LIST || type == NANOARROW_TYPE_LARGE_LIST || type == NANOARROW_TYPE_FIXED_SIZE_LIST ||
         type == NANOARROW_TYPE_LIST_VIEW || type == NANOARROW_TYPE_LARGE_LIST_VIEW;
}

const ArrowSchema& values_of(const ArrowSchema& schema) {
  return schema.dictionary == nullptr ? schema : *schema.dictionary;
}

int64_t child_of(const ArrowSchema& schema, const std::string& name) {
  for (int64_t child = 0; child < schema.n_children; ++child) {
    if (schema.children[child]->name != nullptr && name == schema.children[child]->name) return child;
  }
  return -1;
}

ArrowWay way_of(const ArrowSchema& column, const std::vector<corpus::TextStep>& steps) {
  ArrowWay way;
  const ArrowSchema* at = &values_of(column);
  const auto go = [&](int64_t child, int64_t place) {
    way.steps.push_back({child});
    at = &values_of(*at->children[place]);
  };
  for (size_t step = 0; step < steps.size(); ++step) {
    if (step > 0) {
      const bool is_item = steps[step - 1].each;
      if (value_type(*at) != NANOARROW_TYPE_STRUCT) return {{}, is_item ? Found::kOther : Found::kMissing};
      const int64_t child = child_of(*at, steps[step].name);
      if (child < 0) return {{}, Found::kMissing};
      go(child, child);
    }
    if (!steps[step].each) continue;
    if (!is_list(value_type(*at))) return {{}, Found::kOther};
    go(-1, 0);
  }
  if (!is_of_texts(value_type(*at))) way.found = Found::kOther;
  return way;
}

/// First and behind the last item of a list.
struct ArrowItems {
  int64_t begin, end;
};

ArrowItems items_of(const ArrowArrayView& array, int64_t index) {
  const int64_t at = index + array.offset;
  if (array.storage_type == NANOARROW_TYPE_FIXED_SIZE_LIST)
    return {at * array.layout.child_size_elements, (at + 1) * array.layout.child_size_elements};
  const int64_t begin = ArrowArrayViewListChildOffset(&array, at);
  if (array.storage_type == NANOARROW_TYPE_LIST_VIEW) return {begin, begin + array.buffer_views[2].data.as_int32[at]};
  if (array.storage_type == NANOARROW_TYPE_LARGE_LIST_VIEW)
    return {begin, begin + array.buffer_views[2].data.as_int64[at]};
  return {begin, ArrowArrayViewListChildOffset(&array, at + 1)};
}

/// Calls `take` with each text that is there.
template <class Take>
void for_each_piece(ArrowValue value, std::span<const ArrowStep> steps, const Take& take) {
  value = value.resolved();
  if (value.is_null()) return;
  if (steps.empty()) return take(value.text());
  const auto follow = [&](int64_t child, int64_t index) {
    for_each_piece(ArrowValue{value.array->children[child], index}, steps.subspan(1), take);
  };
  if (!steps[0].is_each()) return follow(steps[0].child, value.index + value.array->offset);
  const ArrowItems items = items_of(*value.array, value.index);
  for (int64_t item = items.begin; item < items.end; ++item) follow(0, item);
}

class ArrowPathColumn : public Column {
 public:
  ArrowPathColumn(ArrowChunks chunks, const std::vector<corpus::TextStep>& steps)
      : chunks_(std::move(chunks)), way_(way_of(chunks_.schema(), steps)) {}

  uint64_t size() const override { return chunks_.size(); }
  bool is_null(uint64_t row) const override { return found(row) != Found::kText; }
  Found found(uint64_t row) const override {
    if (way_.found != Found::kText) return way_.found;
    bool is_there = false;
    pieces(row, [&](std::string_view) { is_there = true; });
    return is_there ? Found::kText : Found::kNull;
  }
  uint64_t text_bytes(uint64_t row) const override {
    uint64_t bytes = 0;
    pieces(row, [&](std::string_view piece) { bytes += piece.size(); });
    return bytes;
  }
  std::optional<std::string_view> text(uint64_t row, corpus::Arena& room) const override {
    if (is_null(row)) return {};
    std::vector<corpus::PathText> texts;
    std::vector<size_t> parts;
    pieces(row, [&](std::string_view piece) {
      parts.push_back(texts.size());
      texts.push_back({Found::kText, piece});
    });
    return corpus::join_texts(parts, texts, room);
  }

 private:
  template <class Take>
  void pieces(uint64_t row, const Take& take) const {
    if (way_.found == Found::kText) for_each_piece(chunks_.value(row), way_.steps, take);
  }

  ArrowChunks chunks_;
  ArrowWay way_;
};

}  // namespace

std::unique_ptr<Column> column_of_arrow_path(const nb::object& exporter, const std::vector<corpus::TextStep>& steps) {
  return std::make_unique<ArrowPathColumn>(ArrowChunks(exporter), steps);
}

}  // namespace neardup::python
