#include "neardup/text/preamble.h"

#include "neardup/text/front_matter.h"
#include "neardup/text/latex.h"
#include "neardup/text/licence_comments.h"
#include "neardup/text/text_lines.h"

namespace neardup::text {
namespace {

// So many letters are more than a name and a bracket: some eight words of English, fourteen ideographs.
constexpr size_t kFewestLetters = 40;

bool has_text(std::string_view text) {
  size_t num_letters = 0;
  for (const char c : text) {
    num_letters += is_letter_byte(c) ? 1 : 0;
    if (num_letters == kFewestLetters) return true;
  }
  return false;
}

bool leave_out(std::string_view text, std::string& out) {
  return leave_out_front_matter(text, out) || leave_out_latex_preamble(text, out) || leave_out_licence(text, out);
}

}  // namespace

size_t leave_out_preamble(std::string_view text, std::string& out) {
  return leave_out(text, out) && has_text(out) ? text.size() - out.size() : 0;
}

}  // namespace neardup::text
