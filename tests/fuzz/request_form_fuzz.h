// The header of a request, a field a line: what is let through has one length and one host for whoever reads it.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/trim.h"
#include "neardup/server/ascii.h"
#include "neardup/server/request_form.h"

inline int fuzz_request_form(const uint8_t* data, size_t size) {
  using namespace neardup::server;
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const auto cut = [&rest](char mark) {
    const std::string_view part = rest.substr(0, rest.find(mark));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    return part;
  };
  RequestForm request;
  request.method = cut(' ');
  request.target = cut(' ');
  request.version = cut('\n');
  std::vector<HeaderField> fields;
  size_t hosts = 0, lengths = 0;
  while (!rest.empty()) {
    const std::string_view name = cut(':');
    fields.push_back({name, cut('\n')});
    hosts += is_equal_but_case(neardup::trim_blanks(name), "host") ? 1 : 0;
    lengths += is_equal_but_case(neardup::trim_blanks(name), "content-length") ? 1 : 0;
    lengths += is_equal_but_case(neardup::trim_blanks(name), "transfer-encoding") ? 1 : 0;
  }
  request.fields = fields;
  const auto refusal = check_form(request);
  if (refusal && refusal->status != 400 && refusal->status != 501) std::abort();
  if (!refusal && (hosts > 1 || lengths > 1 || request.target.find(' ') != std::string_view::npos)) std::abort();
  const TargetForm apart = take_target_apart(request.target);
  if (apart.path.size() > request.target.size() + 1) std::abort();
  return 0;
}
