#include "neardup/diff/sequence_diff.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <optional>

namespace neardup::diff {
namespace {

using Numbers = std::span<const uint32_t>;

constexpr int32_t kUnreached = -1;

// Myers' V: for each diagonal k = x - y the largest x that a path of d edits reaches, kUnreached where there is none.
// It knows one direction; the caller gives it the equality of the sequences read forwards or backwards.
class Frontier {
 public:
  void reserve(int32_t max_edits) {
    offset_ = max_edits + 1;
    if (reach_.size() < static_cast<size_t>(2 * max_edits + 3)) reach_.resize(static_cast<size_t>(2 * max_edits + 3));
  }

  // Begins with the path of no edits at (0, 0): as if one had come down to it from (0, -1).
  void begin() { at(1) = 0, at(-1) = kUnreached; }

  // Makes room for paths of `edits` edits. Requires: edits >= 1.
  void widen(int32_t edits) { at(edits + 1) = at(-edits - 1) = kUnreached; }

  int32_t reach(int32_t diagonal) const { return reach_[static_cast<size_t>(offset_ + diagonal)]; }

  // Goes on by one edit to `diagonal` and then along equal elements; returns how many of those.
  template <class Equal>
  int32_t advance(int32_t diagonal, int32_t size_a, int32_t size_b, Equal equal) {
    int32_t down = reach(diagonal + 1);
    int32_t right = reach(diagonal - 1);
    int32_t x = kUnreached;
    if (down != kUnreached && down - diagonal <= size_b) x = down;
    if (right != kUnreached && right < size_a) x = std::max(x, right + 1);
    int32_t start = x;
    if (x != kUnreached) {
      while (x < size_a && x - diagonal < size_b && equal(x, x - diagonal)) ++x;
    }
    at(diagonal) = x;
    return x - start;
  }

 private:
  int32_t& at(int32_t diagonal) { return reach_[static_cast<size_t>(offset_ + diagonal)]; }

  std::vector<int32_t> reach_;
  int32_t offset_ = 0;
};

struct Point {
  size_t x, y;
};

class Differ {
 public:
  Differ(Numbers a, Numbers b, uint32_t num_different, uint64_t max_steps)
      : a_(a), b_(b), steps_left_(max_steps), num_different_(num_different) {
    result_.only_a.resize(a.size());
    result_.only_b.resize(b.size());
  }

  SequenceDiff run() {
    compare({0, 0}, {a_.size(), b_.size()});
    return std::move(result_);
  }

 private:
  // Moves both corners inwards over equal elements.
  void trim(Point& begin, Point& end) const {
    while (begin.x < end.x && begin.y < end.y && a_[begin.x] == b_[begin.y]) ++begin.x, ++begin.y;
    while (begin.x < end.x && begin.y < end.y && a_[end.x - 1] == b_[end.y - 1]) --end.x, --end.y;
  }

  void mark(Point begin, Point end) {
    std::fill(result_.only_a.begin() + static_cast<ptrdiff_t>(begin.x),
              result_.only_a.begin() + static_cast<ptrdiff_t>(end.x), true);
    std::fill(result_.only_b.begin() + static_cast<ptrdiff_t>(begin.y),
              result_.only_b.begin() + static_cast<ptrdiff_t>(end.y), true);
  }

  // Edits halve with each split, so the depth is about log2 of the number of edits.
  void compare(Point begin, Point end) {
    trim(begin, end);
    if (begin.x == end.x || begin.y == end.y) return mark(begin, end);
    std::optional<Point> split = middle(begin, end);
    if (!split) return compare_by_anchors(begin, end);
    compare(begin, *split);
    compare(*split, end);
  }

  // Returns a point in the middle of a shortest edit script; nothing where the steps run out.
  // Requires: neither side is empty, first and last elements differ: so the script has two edits or more and the point
  // is neither corner.
  std::optional<Point> middle(Point begin, Point end) {
    Numbers a = a_.subspan(begin.x, end.x - begin.x), b = b_.subspan(begin.y, end.y - begin.y);
    auto n = static_cast<int32_t>(a.size()), m = static_cast<int32_t>(b.size());
    int32_t delta = n - m, max_edits = (n + m + 1) / 2;
    bool is_odd = delta % 2 != 0;
    for (Frontier* frontier : {&forward_, &backward_}) frontier->reserve(max_edits), frontier->begin();
    auto forward_equal = [&](int32_t x, int32_t y) { return a[x] == b[y]; };
    auto backward_equal = [&](int32_t x, int32_t y) { return a[n - 1 - x] == b[m - 1 - y]; };
    for (int32_t edits = 0; edits <= max_edits; ++edits) {
      if (auto k = round(forward_, backward_, edits, is_odd ? edits - 1 : -1, n, m, forward_equal)) {
        auto x = static_cast<size_t>(forward_.reach(*k));
        return Point{begin.x + x, begin.y + x - static_cast<size_t>(static_cast<ptrdiff_t>(*k))};
      }
      if (auto k = round(backward_, forward_, edits, is_odd ? -1 : edits, n, m, backward_equal)) {
        auto x = static_cast<size_t>(backward_.reach(*k));
        return Point{end.x - x, end.y - (x - static_cast<size_t>(static_cast<ptrdiff_t>(*k)))};
      }
      if (steps_left_ == 0) return std::nullopt;
    }
    return std::nullopt;
  }

  // One more edit for all paths of `mine`. Returns the diagonal on which it meets `other`, whose paths have
  // `other_edits` edits (-1: this round cannot meet).
  template <class Equal>
  std::optional<int32_t> round(Frontier& mine, const Frontier& other, int32_t edits, int32_t other_edits, int32_t n,
                               int32_t m, Equal equal) {
    if (edits > 0) mine.widen(edits);
    int32_t first = edits <= m ? -edits : edits - 2 * m;
    int32_t last = edits <= n ? edits : 2 * n - edits;
    uint64_t steps = 0;
    for (int32_t k = first; k <= last; k += 2) {
      steps += 1 + static_cast<uint64_t>(mine.advance(k, n, m, equal));
      int32_t facing = n - m - k;  // the same diagonal as `other` counts it
      if (std::abs(facing) > other_edits || mine.reach(k) == kUnreached) continue;
      int32_t x = other.reach(facing);
      if (x != kUnreached && mine.reach(k) + x >= n) return k;
    }
    steps_left_ -= std::min(steps_left_, steps);
    return std::nullopt;
  }

  // Keeps a longest increasing sequence of the elements that occur once on each side, and what lies right beside them.
  void compare_by_anchors(Point begin, Point end) {
    Point from = begin;
    for (const Point& anchor : anchors(begin, end)) {
      compare_gap(from, anchor);
      from = {anchor.x + 1, anchor.y + 1};
    }
    compare_gap(from, end);
  }

  void compare_gap(Point begin, Point end) {
    trim(begin, end);
    mark(begin, end);
  }

  std::vector<Point> anchors(Point begin, Point end) {
    uses_.resize(num_different_);
    for (size_t x = begin.x; x < end.x; ++x) uses_[a_[x]] = {};
    for (size_t y = begin.y; y < end.y; ++y) uses_[b_[y]] = {};
    for (size_t x = begin.x; x < end.x; ++x) ++uses_[a_[x]].in_a;
    for (size_t y = begin.y; y < end.y; ++y) ++uses_[b_[y]].in_b, uses_[b_[y]].y = y;
    std::vector<Point> unique;
    for (size_t x = begin.x; x < end.x; ++x) {
      const Use& use = uses_[a_[x]];
      if (use.in_a == 1 && use.in_b == 1) unique.push_back({x, use.y});
    }
    return longest_increasing(unique);
  }

  // Patience sorting: points come by ascending x; returns a longest choice that ascends in y too.
  static std::vector<Point> longest_increasing(const std::vector<Point>& points) {
    std::vector<size_t> tops;  // index of the point that ends the best sequence of each length
    std::vector<size_t> before(points.size());
    for (size_t i = 0; i < points.size(); ++i) {
      auto place = std::lower_bound(tops.begin(), tops.end(), points[i].y,
                                    [&](size_t top, size_t y) { return points[top].y < y; });
      before[i] = place == tops.begin() ? i : *(place - 1);
      if (place == tops.end()) {
        tops.push_back(i);
      } else {
        *place = i;
      }
    }
    std::vector<Point> chosen(tops.size());
    size_t current = tops.empty() ? 0 : tops.back();
    for (size_t i = tops.size(); i-- > 0; current = before[current]) chosen[i] = points[current];
    return chosen;
  }

  struct Use {
    uint32_t in_a = 0, in_b = 0;
    size_t y = 0;
  };

  Numbers a_, b_;
  uint64_t steps_left_;
  uint32_t num_different_;
  SequenceDiff result_;
  Frontier forward_, backward_;
  std::vector<Use> uses_;
};

}  // namespace

SequenceDiff diff_sequences(std::span<const uint32_t> a, std::span<const uint32_t> b, uint32_t num_different,
                            uint64_t max_steps) {
  return Differ(a, b, num_different, max_steps).run();
}

}  // namespace neardup::diff
