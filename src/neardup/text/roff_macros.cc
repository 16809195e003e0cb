#include "neardup/text/roff_macros.h"

#include <algorithm>
#include <iterator>

namespace neardup::text {
namespace {

struct NamedMacro {
  std::string_view name;
  RoffMacro macro;
};

// Ordered by name. man, mdoc, pod2man (IX, Sp, Vb, Ve), Tcl (AS, BS, CS, ...), rst2man (INDENT).
constexpr NamedMacro kMacros[] = {
    {"AS", RoffMacro::kNothing},     {"AT", RoffMacro::kNothing},       {"BE", RoffMacro::kNothing},
    {"BI", RoffMacro::kJoined},      {"BR", RoffMacro::kJoined},        {"BS", RoffMacro::kNothing},
    {"Bd", RoffMacro::kNothing},     {"Bf", RoffMacro::kNothing},       {"Bk", RoffMacro::kNothing},
    {"Bl", RoffMacro::kNothing},     {"CE", RoffMacro::kNothing},       {"CS", RoffMacro::kNothing},
    {"DE", RoffMacro::kNothing},     {"DS", RoffMacro::kNothing},       {"DT", RoffMacro::kNothing},
    {"Db", RoffMacro::kNothing},     {"Dd", RoffMacro::kNothing},       {"Dt", RoffMacro::kTitle},
    {"Ed", RoffMacro::kNothing},     {"Ef", RoffMacro::kNothing},       {"Ek", RoffMacro::kNothing},
    {"El", RoffMacro::kNothing},     {"HP", RoffMacro::kNothing},       {"IB", RoffMacro::kJoined},
    {"INDENT", RoffMacro::kNothing}, {"IP", RoffMacro::kFirstWord},     {"IR", RoffMacro::kJoined},
    {"IX", RoffMacro::kNothing},     {"LP", RoffMacro::kNothing},       {"Os", RoffMacro::kNothing},
    {"P", RoffMacro::kNothing},      {"PD", RoffMacro::kNothing},       {"PP", RoffMacro::kNothing},
    {"RB", RoffMacro::kJoined},      {"RE", RoffMacro::kNothing},       {"RI", RoffMacro::kJoined},
    {"RS", RoffMacro::kNothing},     {"Sm", RoffMacro::kNothing},       {"Sp", RoffMacro::kNothing},
    {"TE", RoffMacro::kTableEnd},    {"TH", RoffMacro::kTitle},         {"TP", RoffMacro::kNothing},
    {"TQ", RoffMacro::kNothing},     {"TS", RoffMacro::kTable},         {"UC", RoffMacro::kNothing},
    {"UE", RoffMacro::kNothing},     {"UNINDENT", RoffMacro::kNothing}, {"VE", RoffMacro::kNothing},
    {"VS", RoffMacro::kNothing},     {"Vb", RoffMacro::kNothing},       {"Ve", RoffMacro::kNothing},
    {"YS", RoffMacro::kNothing},     {"am", RoffMacro::kDefinition},    {"am1", RoffMacro::kDefinition},
    {"de", RoffMacro::kDefinition},  {"de1", RoffMacro::kDefinition},   {"ds", RoffMacro::kString},
    {"ds1", RoffMacro::kString},     {"el", RoffMacro::kElse},          {"ie", RoffMacro::kIfElse},
    {"if", RoffMacro::kIf},          {"ig", RoffMacro::kDefinition},    {"nop", RoffMacro::kWords}};
static_assert(std::ranges::is_sorted(kMacros, {}, &NamedMacro::name));

constexpr std::string_view kMdocMacros[] = {
    "Ac", "Ad", "An", "Ao", "Ap", "Aq", "Ar", "At", "Bc", "Bo", "Bq", "Brc", "Bro", "Brq", "Bsx", "Bx",
    "Cd", "Cm", "Dc", "Dl", "Do", "Dq", "Dv", "Dx", "Ec", "Em", "En", "Eo",  "Er",  "Ev",  "Fa",  "Fc",
    "Fd", "Fl", "Fn", "Fo", "Fr", "Ft", "Fx", "Ic", "In", "It", "Lb", "Li",  "Lk",  "Ms",  "Mt",  "Nm",
    "No", "Ns", "Nx", "Oc", "Oo", "Op", "Ot", "Ox", "Pa", "Pc", "Pf", "Po",  "Pp",  "Pq",  "Qc",  "Ql",
    "Qo", "Qq", "Sc", "So", "Sq", "Sx", "Sy", "Tn", "Ux", "Va", "Vt", "Xc",  "Xo",  "Xr"};
static_assert(std::ranges::is_sorted(kMdocMacros));

bool is_request_letter(char c) { return c >= 'a' && c <= 'z'; }

}  // namespace

RoffMacro roff_macro_of(std::string_view name) {
  if (name.starts_with("\\\"") || name.starts_with("\\#")) return RoffMacro::kComment;
  const auto* const known = std::ranges::lower_bound(kMacros, name, {}, &NamedMacro::name);
  if (known != std::end(kMacros) && known->name == name) return known->macro;
  return !name.empty() && is_request_letter(name.front()) && is_request_letter(name.back()) ? RoffMacro::kNothing
                                                                                            : RoffMacro::kWords;
}

bool is_mdoc_macro(std::string_view word) { return std::ranges::binary_search(kMdocMacros, word); }

}  // namespace neardup::text
