// Replies: what a server answered to one exchange, in two pieces of memory instead of one for each value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace neardup::remote::redis {

enum class ReplyType : uint8_t { kText, kArray, kInteger, kNil, kStatus, kError };

/// What a reply must be before anything of it is used.
struct Shape {
  enum class Kind : uint8_t {
    kAny,
    kText,  // or nil
    kInteger,
    kTexts,   // an array of texts, some perhaps nil
    kPairs,   // the same, of an even number
    kCursor,  // a text and an array of texts
  };
  static constexpr size_t kAnyCount = SIZE_MAX;
  Kind kind = Kind::kAny;
  size_t count = kAnyCount;  // of the texts of an array

  static constexpr Shape text() { return {Kind::kText}; }
  static constexpr Shape integer() { return {Kind::kInteger}; }
  static constexpr Shape texts(size_t count = kAnyCount) { return {Kind::kTexts, count}; }
  static constexpr Shape pairs() { return {Kind::kPairs}; }
  static constexpr Shape cursor() { return {Kind::kCursor}; }
};

/// Replies in the order of their requests; behind an array stand its elements. What a reply has not is nil, whatever
/// the server sent. Threads: as a vector.
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
  [[nodiscard]] const Node& operator[](size_t reply) const { return node(reply, 0); }
  /// Returns element i of a reply that is an array without arrays in it; of others the node i + 1 behind its first.
  [[nodiscard]] const Node& element(size_t reply, size_t i) const { return node(reply, i + 1); }
  /// Valid until the next add_text(); empty of what has none.
  [[nodiscard]] std::string_view text(const Node& node) const {
    if (node.type == ReplyType::kArray) return {};
    return std::string_view(bytes_).substr(node.begin, node.size);
  }
  /// Whether a reply is what it must be: then element() has each of them.
  [[nodiscard]] bool fits(size_t reply, const Shape& shape) const;

 private:
  [[nodiscard]] size_t num_nodes(size_t reply) const {
    return (reply + 1 < roots_.size() ? roots_[reply + 1] : nodes_.size()) - roots_[reply];
  }
  [[nodiscard]] const Node& node(size_t reply, size_t i) const {
    static constexpr Node kNone;
    return reply < roots_.size() && i < num_nodes(reply) ? nodes_[roots_[reply] + i] : kNone;
  }
  // Whether these nodes, from `first` on to the end of the reply, are an array of texts and nothing else.
  [[nodiscard]] bool are_texts(size_t reply, size_t first) const;

  std::vector<Node> nodes_;
  std::vector<size_t> roots_;
  std::string bytes_;
};

inline bool Replies::are_texts(size_t reply, size_t first) const {
  const size_t count = num_nodes(reply);
  if (first >= count || node(reply, first).type != ReplyType::kArray) return false;
  if (count - first - 1 != node(reply, first).size) return false;
  for (size_t i = first + 1; i < count; ++i)
    if (const ReplyType type = node(reply, i).type; type != ReplyType::kText && type != ReplyType::kNil) return false;
  return true;
}

inline bool Replies::fits(size_t reply, const Shape& shape) const {
  if (reply >= roots_.size()) return false;
  const Node& root = node(reply, 0);
  switch (shape.kind) {
    case Shape::Kind::kAny:
      return true;
    case Shape::Kind::kText:
      return root.type == ReplyType::kText || root.type == ReplyType::kNil;
    case Shape::Kind::kInteger:
      return root.type == ReplyType::kInteger;
    case Shape::Kind::kTexts:
      return are_texts(reply, 0) && (shape.count == Shape::kAnyCount || root.size == shape.count);
    case Shape::Kind::kPairs:
      return are_texts(reply, 0) && root.size % 2 == 0;
    case Shape::Kind::kCursor:
      return root.type == ReplyType::kArray && root.size == 2 && node(reply, 1).type == ReplyType::kText &&
             are_texts(reply, 2);
  }
  return false;
}

}  // namespace neardup::remote::redis
