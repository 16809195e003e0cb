#include "neardup/evaluate/evaluation.h"

namespace neardup::evaluate {
namespace {

double quotient(double part, double whole) {
  return whole == 0 ? std::numeric_limits<double>::quiet_NaN() : part / whole;
}

}  // namespace

double f1_of(uint64_t right, uint64_t wrong, uint64_t num_same) {
  return quotient(2 * static_cast<double>(right), static_cast<double>(right + wrong + num_same));
}

double Evaluation::precision(const Setting& setting) const {
  const Cell& found = cell(setting);
  return quotient(static_cast<double>(found.right), static_cast<double>(found.right + found.wrong));
}

double Evaluation::recall(const Setting& setting) const {
  return quotient(static_cast<double>(cell(setting).right), static_cast<double>(num_same));
}

double Evaluation::f1(const Setting& setting) const {
  const Cell& found = cell(setting);
  return f1_of(found.right, found.wrong, num_same);
}

}  // namespace neardup::evaluate
