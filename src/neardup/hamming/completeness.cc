// No plan is used that is not proven, those from files and command lines included. The proof is this search: it looks
// for a difference that all tables miss, and every step keeps every such difference, so finding none is a proof and
// finding one names it. What is searched for: docs/hamming.md, "Every plan is proven before it is used".
#include "neardup/hamming/completeness.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <utility>

#include "neardup/fingerprint/wide.h"

namespace neardup::hamming {
namespace {

using fingerprint::count_ones;
using Set = fingerprint::Fingerprint128;  // of cells

// Prefixes cut the bits into cells: bits that are in the same prefixes. Only how many bits of each cell differ matters,
// so a difference is one number x for each cell, and it is missed where the sum of x over each prefix is >= flips + 1.
// The least weight of such an x is an integer covering problem. It is decided by branch and bound:
// - Drop a constraint that the least numbers settled so far meet, or that another one implies. If a constraint needs
//   more than its cells have room for, this branch has no x.
// - Bound: constraints whose open cells are disjoint must each be met by bits of their own, so their needs add up. If
//   the sum and the bits settled so far exceed k, this branch has no x. If all constraints are disjoint, the bound is
//   reached and x is found. A plan with flips ends here, as its blocks are disjoint.
// - Branch: some cells S that several constraints share hold a further bit, or none of them does. (Branching on shared
//   sets and not on single cells is what keeps plans cut in two levels easy: once it is settled which outer blocks
//   hold a bit, the bound says the rest.) A set that already must hold a further bit is not branched on, unless it is a
//   single cell, whose least number then rises. So each branch closes a cell, raises a number or adds a set, and the
//   search ends.
constexpr int kMaxCells = 128;
constexpr int kMaxNodes = 20'000;

struct Constraint {
  Set cells = 0;
  int need = 0;
};

struct Node {
  std::array<uint8_t, kMaxCells> least{};  // x of each cell is between least and most
  std::array<uint8_t, kMaxCells> most{};
  std::vector<Constraint> constraints;
};

template <class Visit>
void for_each_cell(Set set, const Visit& visit) {
  for (; set != 0; set &= set - 1) {
    const auto low = static_cast<uint64_t>(set);
    visit(low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(static_cast<uint64_t>(set >> 64)));
  }
}

class Search {
 public:
  Search(int num_cells, int max_weight) : num_cells_(num_cells), max_weight_(max_weight) {}

  // Returns whether there is an x within the node; it then stands in found().
  bool run(Node node) {
    // Bounded on hostile plans; gave_up() tells this false from a proof.
    if (++num_nodes_ > kMaxNodes) return false;
    if (!reduce(node)) return false;
    int weight = 0;
    for (int cell = 0; cell < num_cells_; ++cell) weight += node.least[cell];
    bool disjoint = false;
    // Needs that share no cell add up.
    if (weight + least_more(node, disjoint) > max_weight_) return false;
    // Then the sum is not only a bound: it is reached.
    if (disjoint) return settle(node);
    return branch(node);
  }
  [[nodiscard]] const std::array<uint8_t, kMaxCells>& found() const { return found_; }
  [[nodiscard]] bool gave_up() const { return num_nodes_ > kMaxNodes; }

 private:
  // Leaves of each constraint what is still needed from the cells that may take more. Returns whether all can be met.
  bool reduce(Node& node) {
    Set open = 0;
    for (int cell = 0; cell < num_cells_; ++cell) {
      if (node.least[cell] < node.most[cell]) open |= Set{1} << cell;
    }
    std::vector<Constraint> rest;
    for (const Constraint& constraint : node.constraints) {
      int need = constraint.need, room = 0;
      for_each_cell(constraint.cells, [&](int cell) {
        need -= node.least[cell];
        room += node.most[cell] - node.least[cell];
      });
      if (need > room) return false;
      if (need <= 0) continue;
      // Cells that are closed are done with; the need of the others counts from 0 again.
      rest.push_back({constraint.cells & open, need});
      for_each_cell(rest.back().cells, [&](int cell) { rest.back().need += node.least[cell]; });
    }
    node.constraints = without_implied(std::move(rest), node);
    return true;
  }

  static int missing(const Constraint& constraint, const Node& node) {
    int need = constraint.need;
    for_each_cell(constraint.cells, [&](int cell) { need -= node.least[cell]; });
    return need;
  }

  // Drops constraints that follow from one over fewer cells, and sorts: the fewest cells first.
  static std::vector<Constraint> without_implied(std::vector<Constraint> constraints, const Node& node) {
    std::stable_sort(constraints.begin(), constraints.end(), [](const Constraint& a, const Constraint& b) {
      return count_ones(a.cells) < count_ones(b.cells);
    });
    std::vector<Constraint> kept;
    for (const Constraint& constraint : constraints) {
      const bool implied = std::any_of(kept.begin(), kept.end(), [&](const Constraint& other) {
        return (other.cells & ~constraint.cells) == 0 && missing(other, node) >= missing(constraint, node);
      });
      if (!implied) kept.push_back(constraint);
    }
    return kept;
  }

  // Returns how many bits more are needed at least, by constraints that share no cell; tells whether that is all.
  static int least_more(const Node& node, bool& disjoint) {
    int more = 0;
    Set used = 0;
    disjoint = true;
    for (const Constraint& constraint : node.constraints) {
      if ((constraint.cells & used) != 0) {
        disjoint = false;
        continue;
      }
      used |= constraint.cells;
      more += missing(constraint, node);
    }
    return more;
  }

  // Meets constraints that share no cell.
  bool settle(Node& node) {
    for (const Constraint& constraint : node.constraints) {
      int need = missing(constraint, node);
      for_each_cell(constraint.cells, [&](int cell) {
        const int more = std::min(need, node.most[cell] - node.least[cell]);
        node.least[cell] = static_cast<uint8_t>(node.least[cell] + more);
        need -= more;
      });
    }
    found_ = node.least;
    return true;
  }

  bool branch(const Node& node) {
    const Set shared = shared_cells(node);
    Node with = node;
    if (count_ones(shared) == 1) {
      for_each_cell(shared, [&](int cell) { ++with.least[cell]; });
    } else {
      Constraint more{shared, 1};
      for_each_cell(shared, [&](int cell) { more.need += node.least[cell]; });
      with.constraints.push_back(more);
    }
    // One of the two holds of every x: the cells hold a further bit, or none.
    if (run(std::move(with))) return true;
    Node without = node;
    for_each_cell(shared, [&](int cell) { without.most[cell] = without.least[cell]; });
    return run(std::move(without));
  }

  // Returns the cells to branch on: those that the most pairs of constraints share, wide ones first. Not cells that
  // are known to hold a further bit, unless it is one.
  static Set shared_cells(const Node& node) {
    std::map<Set, int> pairs;
    for (size_t i = 0; i < node.constraints.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        const Set both = node.constraints[i].cells & node.constraints[j].cells;
        if (both != 0) ++pairs[both];
      }
    }
    Set best = 0;
    int64_t best_score = -1;
    for (const auto& [cells, count] : pairs) {
      int64_t score = 0;
      for_each_cell(cells, [&](int cell) { score += node.most[cell] - node.least[cell]; });
      score *= count;
      if (score <= best_score || (count_ones(cells) > 1 && is_settled(cells, node))) continue;
      best = cells;
      best_score = score;
    }
    return best != 0 ? best : node.constraints[0].cells & (~node.constraints[0].cells + 1);
  }
  static bool is_settled(Set cells, const Node& node) {
    return std::any_of(node.constraints.begin(), node.constraints.end(),
                       [&](const Constraint& constraint) { return (constraint.cells & ~cells) == 0; });
  }

  int num_cells_;
  int max_weight_;
  int num_nodes_ = 0;
  std::array<uint8_t, kMaxCells> found_{};
};

// The bits in groups: those that are in the same prefixes.
struct Cells {
  std::vector<uint64_t> tables;            // bit t set: in the prefix of table t
  std::vector<std::vector<uint8_t>> bits;  // which they are
};

Cells cells_of(const Plan& plan) {
  std::array<uint64_t, kMaxCells> tables_of_bit{};
  for (size_t t = 0; t < plan.tables.size(); ++t) {
    for (int place = 0; place < plan.tables[t].prefix_bits; ++place) {
      tables_of_bit[plan.tables[t].order[place]] |= uint64_t{1} << t;
    }
  }
  std::map<uint64_t, std::vector<uint8_t>> groups;
  for (int bit = 0; bit < plan.num_bits; ++bit) groups[tables_of_bit[bit]].push_back(static_cast<uint8_t>(bit));
  Cells cells;
  for (auto& [tables, bits] : groups) {
    cells.tables.push_back(tables);
    cells.bits.push_back(std::move(bits));
  }
  return cells;
}

Node root_of(const Plan& plan, const Cells& cells) {
  Node root;
  for (size_t cell = 0; cell < cells.bits.size(); ++cell)
    root.most[cell] = static_cast<uint8_t>(cells.bits[cell].size());
  for (size_t t = 0; t < plan.tables.size(); ++t) {
    Constraint constraint{0, plan.tables[t].flips + 1};
    for (size_t cell = 0; cell < cells.bits.size(); ++cell) {
      if ((cells.tables[cell] >> t & 1) != 0) constraint.cells |= Set{1} << cell;
    }
    root.constraints.push_back(constraint);
  }
  return root;
}

}  // namespace

Result<std::optional<fingerprint::Fingerprint128>> find_missed(const Plan& plan) {
  const Cells cells = cells_of(plan);
  Search search(static_cast<int>(cells.bits.size()), plan.max_distance);
  const bool missed = search.run(root_of(plan, cells));
  if (search.gave_up()) {
    return fail(Code::kInvalidArgument,
                "the plan is too intricate for a proof that it misses nothing; give one with fewer tables, or one "
                "whose prefixes are made of the same blocks");
  }
  if (!missed) return std::nullopt;
  fingerprint::Fingerprint128 difference = 0;
  for (size_t cell = 0; cell < cells.bits.size(); ++cell) {
    for (int i = 0; i < search.found()[cell]; ++i) difference |= fingerprint::Fingerprint128{1} << cells.bits[cell][i];
  }
  return difference;
}

}  // namespace neardup::hamming
