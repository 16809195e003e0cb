#include "list_slice.h"

#include <algorithm>
#include <array>
#include <span>

namespace neardup::parquet_module {
namespace {

constexpr int64_t kBatchLevels = 256;  // few: of values with a common beginning each is unpacked whole
constexpr std::string_view kBetweenStrings = "\n\n";

/// The levels of a column and its strings, batch by batch.
class ListLevels {
 public:
  ListLevels(std::shared_ptr<::parquet::ColumnReader> reader, const ::parquet::ColumnDescriptor& column)
      : reader_(std::move(reader)),
        most_(column.max_definition_level()),
        values_(std::make_unique<::parquet::ByteArray[]>(kBatchLevels)) {
    if (reader_->type() != ::parquet::Type::BYTE_ARRAY) throw Refusal(Fault::kNotText, "a list holds no strings");
  }

  /// Calls use(begins_row, value) for each level; `value` is nullptr where there is none.
  template <class Use>
  void each(Use&& use) {
    auto& reader = static_cast<::parquet::ByteArrayReader&>(*reader_);
    while (reader.HasNext()) {
      int64_t num_values = 0;
      const int64_t got =
          reader.ReadBatch(kBatchLevels, definitions_.data(), repetitions_.data(), values_.get(), &num_values);
      if (got <= 0) break;
      for (int64_t i = 0, next = 0; i < got; ++i) {
        const bool has_value = definitions_[static_cast<size_t>(i)] == most_;
        if (has_value && next >= num_values) throw Refusal(Fault::kCorrupt, "values are missing");
        const ::parquet::ByteArray* const value = has_value ? &values_[static_cast<size_t>(next++)] : nullptr;
        use(repetitions_[static_cast<size_t>(i)] == 0, value);
      }
    }
  }

 private:
  const std::shared_ptr<::parquet::ColumnReader> reader_;
  const int16_t most_;
  std::array<int16_t, kBatchLevels> definitions_{};
  std::array<int16_t, kBatchLevels> repetitions_{};
  const std::unique_ptr<::parquet::ByteArray[]> values_;
};

/// The text of one row after the other.
class ListTexts {
 public:
  ListTexts(uint64_t first_row, Range rows, uint64_t most_bytes, const TakeValue& take)
      : next_row_(first_row), rows_(rows), most_bytes_(most_bytes), take_(take) {}

  void add(bool begins_row, const ::parquet::ByteArray* value) {
    if (begins_row) begin_row();
    if (value == nullptr || !is_wanted()) return;
    is_null_ = false;
    append({reinterpret_cast<const char*>(value->ptr), value->len});
  }

  void finish() {
    end_row();
    if (next_row_ < rows_.end) throw Refusal(Fault::kCorrupt, "rows are missing");
  }

 private:
  /// Of the row that has begun.
  [[nodiscard]] bool is_wanted() const { return has_begun_ && next_row_ > rows_.begin && next_row_ <= rows_.end; }

  void begin_row() {
    end_row();
    has_begun_ = true;
    ++next_row_;
  }

  void end_row() {
    if (is_wanted() && !take_(next_row_ - 1 - rows_.begin, is_null_ ? Kind::kNull : Kind::kText, text_))
      throw Refusal(Fault::kTooLarge, "its values need more memory than there is for a batch; give more --memory");
    has_begun_ = false;
    is_null_ = true;
    text_.clear();
  }

  void append(std::string_view piece) {
    if (piece.empty() || text_.size() > most_bytes_) return;
    if (!text_.empty()) text_ += kBetweenStrings;
    text_ += piece.substr(0, most_bytes_ + 1);
  }

  uint64_t next_row_;  // that begins next
  const Range rows_;
  const uint64_t most_bytes_;
  const TakeValue& take_;
  bool has_begun_ = false;
  bool is_null_ = true;
  std::string text_;
};

/// Where a row before `rows` goes on in the first of them it is passed over.
struct ListPages {
  std::vector<Range> ranges;
  uint64_t first_row = 0;
  uint64_t num_values = 0;
};

ListPages list_pages(const PageMap& map, Range rows) {
  const auto begins_before = [](const PagePlace& page, uint64_t row) { return page.first_row + page.num_rows <= row; };
  const auto first = std::lower_bound(map.pages.begin(), map.pages.end(), rows.begin, begins_before);
  if (first == map.pages.end()) throw Refusal(Fault::kCorrupt, "rows are missing");
  ListPages pages;
  pages.first_row = first->first_row;
  auto last = first;
  for (; last != map.pages.end(); ++last) {
    if (last->first_row > rows.end || (last->first_row == rows.end && !last->continues)) break;
    pages.num_values += last->num_values;
  }
  if (map.dictionary.end > map.dictionary.begin) pages.ranges.push_back(map.dictionary);
  pages.ranges.push_back({first->begin, std::prev(last)->end});
  return pages;
}

}  // namespace

void find_rows_of_lists(const Source& source, int group, int column, PageMap& map) {
  uint64_t num_rows = 0, in_page = 0;
  size_t page = 0;
  ListLevels(open_column(source, group, column), *source.column(column)).each([&](bool begins_row, const void*) {
    while (page < map.pages.size() && in_page == map.pages[page].num_values) ++page, in_page = 0;
    if (page == map.pages.size()) throw Refusal(Fault::kCorrupt, "there are more values than the footer says");
    PagePlace& place = map.pages[page];
    if (in_page++ == 0) {
      place.first_row = num_rows;
      place.num_rows = 0;
      place.continues = !begins_row;
    }
    place.num_rows += begins_row ? 1 : 0;
    num_rows += begins_row ? 1 : 0;
  });
  while (page < map.pages.size() && in_page == map.pages[page].num_values) ++page, in_page = 0;
  if (page < map.pages.size()) throw Refusal(Fault::kCorrupt, "values are missing");
  const auto wanted = static_cast<uint64_t>(source.footer->RowGroup(group)->num_rows());
  const bool begins_well = map.pages.empty() || !map.pages.front().continues;
  if (num_rows != wanted || !begins_well)
    throw Refusal(Fault::kCorrupt, "the lists have " + std::to_string(num_rows) + " rows, and the footer says " +
                                       std::to_string(wanted));
  std::erase_if(map.pages, [](const PagePlace& place) { return place.num_values == 0; });
}

void read_lists(const Source& source, int group, int column, const PageMap& map, Range rows, const TakeValue& take) {
  ListPages pages = list_pages(map, rows);
  auto reader = open_column(source, group, column, std::move(pages.ranges), static_cast<int64_t>(pages.num_values));
  ListTexts texts(pages.first_row, rows, source.most_bytes / 4, take);
  ListLevels(std::move(reader), *source.column(column)).each([&](bool begins_row, const ::parquet::ByteArray* value) {
    texts.add(begins_row, value);
  });
  texts.finish();
}

}  // namespace neardup::parquet_module
