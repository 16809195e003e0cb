#include "text.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <vector>

#include "errors.h"
#include "neardup/text/charset.h"
#include "neardup/text/extract.h"
#include "neardup/text/mask.h"
#include "utf8.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

text::Extraction extraction_of(const std::string& word) {
  if (const auto extraction = text::extraction_of_name(word)) return *extraction;
  raise({Code::kInvalidArgument, "extraction is html, auto or none, not \"" + word + "\""});
}

uint32_t mask_of(const std::vector<std::string>& names) {
  uint32_t mask = 0;
  for (const std::string& name : names) {
    const uint32_t kind = text::mask_kind(name);
    if (kind == 0)
      raise({Code::kInvalidArgument,
             "there is no mask \"" + name + "\"; there are dates, times, numbers, urls, emails and tracking"});
    mask |= kind;
  }
  return mask;
}

void check_charset(const std::string& charset, text::Extraction extraction) {
  if (charset.empty()) return;
  if (extraction == text::Extraction::kNone)
    raise(
        {Code::kInvalidArgument,
         "extraction=\"none\" leaves the bytes as they are, and reads no charset: take extraction=\"auto\", or decode "
         "the bytes"});
  if (!text::encoding_of_label(charset).empty()) return;
  raise({Code::kInvalidArgument,
         "the charset \"" + charset + "\" is not known; encodings are " + std::string(text::encoding_names())});
}

nb::object text_of(const nb::bytes& page, const std::string& extraction, bool all, const std::vector<std::string>& mask,
                   bool own, const std::string& charset) {
  text::ExtractOptions options{
      .extraction = extraction_of(extraction), .main_only = !all, .mask = mask_of(mask), .charset = charset};
  check_charset(charset, options.extraction);
  options.own_lines = own;
  text::Extract extract(options);
  const std::string_view bytes(page.c_str(), page.size());
  const auto extracted = [&] {
    const nb::gil_scoped_release release;
    return extract.from(bytes);
  }();
  return str_of(extracted.text);
}

}  // namespace

void define_text(nb::module_& module) {
  module.def("text_of", &text_of, nb::arg("page"), nb::arg("extraction"), nb::arg("all"), nb::arg("mask"),
             nb::arg("own"), nb::arg("charset"));
}

}  // namespace neardup::python
