// Replies: what a server answered to one exchange, in two pieces of memory instead of one for each value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace neardup::remote::redis {

enum class ReplyType : uint8_t { kText, kArray, kInteger, kNil, kStatus, kError };

/// Replies in the order of their requests; behind an array stand its elements. Threads: as a vector.
class Replies {
 public:
  struct Node {
    ReplyType type = ReplyType::kNil;
    size_t begin = 0;  // in the bytes, of a text
    size_t size = 0;   // bytes of a text, elements of an array
    int64_t integer = 0;
  };

  void add(Node node) { nodes_.push_back(node); }
  void add_text(ReplyType type, std::string_view text) {
    nodes_.push_back({type, bytes_.size(), text.size(), 0});
    bytes_ += text;
  }
  /// What is added next is the reply to the next request.
  void begin_reply() { roots_.push_back(nodes_.size()); }

  [[nodiscard]] size_t size() const { return roots_.size(); }
  [[nodiscard]] const Node& operator[](size_t reply) const { return nodes_[roots_[reply]]; }
  /// Returns element i of a reply that is an array without arrays in it.
  [[nodiscard]] const Node& element(size_t reply, size_t i) const { return nodes_[roots_[reply] + 1 + i]; }
  /// Valid until the next add_text(); empty of what has none.
  [[nodiscard]] std::string_view text(const Node& node) const {
    if (node.type == ReplyType::kArray) return {};
    return std::string_view(bytes_).substr(node.begin, node.size);
  }

 private:
  std::vector<Node> nodes_;
  std::vector<size_t> roots_;
  std::string bytes_;
};

}  // namespace neardup::remote::redis
