#include "list_columns.h"

#include <span>

#include "values.h"

namespace neardup::parquet_module {
namespace {

using ::parquet::schema::GroupNode;
using ::parquet::schema::Node;

constexpr std::string_view kEachItem = "[]";
constexpr size_t kMostSteps = 32;

bool is_list(const Node& node) { return node.is_repeated() || node.logical_type()->is_list(); }
bool is_struct(const Node& node) { return node.is_group() && node.logical_type()->is_none(); }

/// What the items of a list are: by the rules of the format, and those for files of old writers. nullptr: of none.
const Node* item_of(const Node& list) {
  if (list.is_repeated()) return &list;
  if (!list.is_group()) return nullptr;
  const auto& group = static_cast<const GroupNode&>(list);
  if (group.field_count() != 1 || !group.field(0)->is_repeated()) return nullptr;
  const Node& repeated = *group.field(0);
  if (!repeated.is_group()) return &repeated;
  const auto& wrapper = static_cast<const GroupNode&>(repeated);
  const bool is_item = wrapper.field_count() != 1 || wrapper.name() == "array" ||
                       wrapper.name() == list.name() + "_tuple" || wrapper.field(0)->is_repeated();
  return is_item ? &repeated : wrapper.field(0).get();
}

/// Follows the parts of a key. Where it adds what the key lacks, name() is a key that leads to the column.
class ListWalk {
 public:
  explicit ListWalk(bool adds_what_lacks) : adds_(adds_what_lacks) {}

  /// Returns the column of single values to which `parts` lead in `value`; nullptr where they lead to none. A name may
  /// have dots in it.
  const Node* run(const Node& value, std::span<const std::string> parts) {
    if (parts.empty() && !value.is_group()) return &value;
    if (!is_struct(value)) return nullptr;
    const auto& group = static_cast<const GroupNode&>(value);
    if (parts.empty()) return adds_ ? first_text(group) : nullptr;
    std::string name;
    for (size_t i = 0; i < parts.size(); ++i) {
      name += (i == 0 ? "" : ".") + parts[i];
      const bool each = name.ends_with(kEachItem);
      const int index = group.FieldIndex(each ? name.substr(0, name.size() - kEachItem.size()) : name);
      if (index < 0) continue;
      if (const Node* found = enter(*group.field(index), each, parts.subspan(i + 1))) return found;
    }
    return nullptr;
  }

  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  const Node* enter(const Node& field, bool each, std::span<const std::string> rest) {
    if (is_list(field) != each && !(adds_ && is_list(field))) return nullptr;
    const Node* const value = is_list(field) ? item_of(field) : &field;
    const size_t size = name_.size();
    add_name(field);
    const Node* const found = value == nullptr ? nullptr : run(*value, rest);
    if (found == nullptr) name_.resize(size);
    return found;
  }

  const Node* first_text(const GroupNode& group) {
    for (int i = 0; i < group.field_count(); ++i) {
      const Node& field = *group.field(i);
      if (!field.is_primitive() || field.is_repeated() || !field.logical_type()->is_string()) continue;
      add_name(field);
      return &field;
    }
    return nullptr;
  }

  void add_name(const Node& field) {
    name_ += (name_.empty() ? "" : ".") + field.name() + std::string(is_list(field) ? kEachItem : "");
  }

  const bool adds_;
  std::string name_;
};

const Node* find_in_lists(const ::parquet::SchemaDescriptor& schema, std::string_view key, ListWalk& walk) {
  const std::vector<std::string> parts = split_at_dots(key);
  return parts.size() <= kMostSteps ? walk.run(*schema.group_node(), parts) : nullptr;
}

std::string without_brackets(std::string_view key) {
  std::string plain;
  for (std::string part : split_at_dots(key)) {
    if (part.ends_with(kEachItem)) part.resize(part.size() - kEachItem.size());
    plain += (plain.empty() ? "" : ".") + part;
  }
  return plain;
}

}  // namespace

int find_text_column(const ::parquet::SchemaDescriptor& schema, std::string_view key) {
  const int single = find_column(schema, key);
  if (single != kNoColumnFound || key.empty()) return single;
  ListWalk walk(false);
  const Node* const found = find_in_lists(schema, key, walk);
  return found == nullptr ? kNoColumnFound : schema.ColumnIndex(*found);
}

std::string describe_no_text(const ::parquet::SchemaDescriptor& schema, std::string_view key) {
  const std::string plain = without_brackets(key);
  const std::string what = describe_nested(schema, plain);
  if (what.empty()) return what;
  ListWalk walk(true);
  const Node* const found = find_in_lists(schema, key, walk);
  const bool is_text = found != nullptr && ValueText(*schema.Column(schema.ColumnIndex(*found))).is_text();
  if (is_text && walk.name().find(kEachItem) != std::string::npos)
    return what + "; '" + walk.name() + "' takes its texts";
  return plain == key ? what : what + ", and '" + std::string(key) + "' names no texts in it";
}

}  // namespace neardup::parquet_module
