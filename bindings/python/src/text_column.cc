#include "text_column.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <array>

#include "errors.h"
#include "words.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

using corpus::PathText;
using corpus::TextKey;
using StepWords = std::pair<std::string, bool>;

std::vector<corpus::TextStep> steps_of(const std::vector<StepWords>& words) {
  std::vector<corpus::TextStep> steps;
  for (const auto& [name, each] : words) steps.push_back({name, each});
  return steps;
}

/// Of each path its name, and its steps: name, and whether it is a list whose items are meant.
std::vector<std::pair<std::string, std::vector<StepWords>>> text_paths(const std::string& typed) {
  std::vector<std::pair<std::string, std::vector<StepWords>>> paths;
  const TextKey key = value_of(TextKey::parse(typed));
  for (const corpus::TextPath& path : key.paths()) {
    std::vector<StepWords> steps;
    for (const auto& [name, each] : path.steps) steps.emplace_back(name, each);
    paths.emplace_back(path.name, std::move(steps));
  }
  return paths;
}

/// Values that Python has looked for in its objects, with what was found of each.
class FoundColumn : public Column {
 public:
  FoundColumn(const nb::list& values, std::string found) : values_(column_of_list(values)), found_(std::move(found)) {
    if (found_.size() != values_->size()) throw nb::value_error("as many values as marks are needed");
  }
  uint64_t size() const override { return values_->size(); }
  bool is_null(uint64_t row) const override { return values_->is_null(row); }
  PathText::Found found(uint64_t row) const override { return static_cast<PathText::Found>(found_[row]); }
  std::optional<std::string_view> text(uint64_t row, corpus::Arena& room) const override {
    return values_->text(row, room);
  }
  uint64_t text_bytes(uint64_t row) const override { return values_->text_bytes(row); }

 private:
  const std::unique_ptr<Column> values_;
  const std::string found_;  // bytes: PathText::Found
};

class TextColumn : public Column {
 public:
  /// `columns`: of each path of the key a Column, or None where there is none of that name.
  TextColumn(TextKey key, const nb::list& columns, uint64_t size) : key_(std::move(key)), keep_(columns), size_(size) {
    for (nb::handle each : columns) {
      columns_.push_back(each.is_none() ? nullptr : nb::cast<const Column*>(each));
      if (columns_.back() != nullptr && columns_.back()->size() != size)
        throw nb::value_error("the columns of a text have different lengths");
    }
  }

  uint64_t size() const override { return size_; }
  bool is_null(uint64_t row) const override { return choose(row).found != PathText::Found::kText; }
  std::optional<std::string_view> text(uint64_t row, corpus::Arena& room) const override {
    const TextKey::Choice choice = choose(row);
    if (choice.found != PathText::Found::kText) return {};
    std::array<PathText, kMost> texts;
    for (const size_t part : choice.parts) texts[part].text = columns_[part]->text(row, room).value_or("");
    return corpus::join_texts(choice.parts, texts, room);
  }
  uint64_t text_bytes(uint64_t row) const override {
    const TextKey::Choice choice = choose(row);
    uint64_t bytes = 0;
    if (choice.found != PathText::Found::kText) return 0;
    for (const size_t part : choice.parts) bytes += columns_[part]->text_bytes(row) + corpus::kBetweenTexts.size();
    return bytes;
  }

  /// Raises TypeError for the first row in which something else than texts stands, and InvalidArgument where no row has
  /// what is named.
  void check(const std::string& there) const {
    uint64_t num_missing = 0;
    for (uint64_t row = 0; row < size_; ++row) {
      const TextKey::Choice choice = choose(row);
      if (choice.found == PathText::Found::kMissing) ++num_missing;
      if (choice.found == PathText::Found::kOther)
        throw nb::type_error(("row " + std::to_string(row) + ": " + problem(choice)).c_str());
    }
    if (size_ > 0 && num_missing == size_)
      raise({Code::kInvalidArgument, "no row has what text names: " + problem(choose(0)) + there});
  }

 private:
  static constexpr size_t kMost = TextKey::kMostPaths;

  [[nodiscard]] TextKey::Choice choose(uint64_t row) const {
    std::array<PathText, kMost> found;
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i] == nullptr) continue;
      found[i].found = columns_[i]->found(row);
      if (columns_[i]->text_bytes(row) > 0) found[i].text = "?";  // what it is does not count here
    }
    return key_.choose(std::span(found).first(columns_.size()));
  }
  [[nodiscard]] std::string problem(const TextKey::Choice& choice) const {
    return in_python_words(corpus::text_problem(key_, choice, "column"));
  }

  const TextKey key_;
  const nb::list keep_;  // what columns_ belong to
  std::vector<const Column*> columns_;
  const uint64_t size_;
};

std::unique_ptr<Column> text_column(const std::string& typed, const nb::list& columns, uint64_t size,
                                    const std::string& there) {
  auto column = std::make_unique<TextColumn>(value_of(TextKey::parse(typed)), columns, size);
  column->check(there);
  return column;
}

}  // namespace

void define_text_columns(nb::module_& module) {
  module.def("text_paths", &text_paths, nb::arg("typed"));
  module.def(
      "column_of_arrow_path",
      [](const nb::object& exporter, const std::vector<StepWords>& steps) {
        return column_of_arrow_path(exporter, steps_of(steps));
      },
      nb::arg("exporter"), nb::arg("steps"));
  module.def(
      "column_of_found",
      [](const nb::list& values, const nb::bytes& found) -> std::unique_ptr<Column> {
        return std::make_unique<FoundColumn>(values, std::string(found.c_str(), found.size()));
      },
      nb::arg("values"), nb::arg("found"));
  module.def("text_column", &text_column, nb::arg("typed"), nb::arg("columns"), nb::arg("size"), nb::arg("there"));
}

}  // namespace neardup::python
