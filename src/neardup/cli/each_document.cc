#include "neardup/cli/each_document.h"

#include <fmt/format.h>

namespace neardup::cli {
namespace {

std::string place_of(const corpus::Input& input, uint64_t line) {
  return input.format == corpus::Format::kText ? input.path : fmt::format("{}:{}", input.path, line);
}

}  // namespace

Status for_each_document(const std::vector<corpus::Input>& inputs, const corpus::ReadOptions& read,
                         const Context& context, const EachDocument& each) {
  NEARDUP_ASSIGN(corpus::Reader reader, corpus::Reader::open(inputs, read));
  uint64_t lines_before = 0;
  for (corpus::Batch batch;;) {
    NEARDUP_TRY(context.check_cancel());
    NEARDUP_ASSIGN(const bool more, reader.next(batch));
    if (!more) return {};
    NEARDUP_TRY(reader.load(batch));
    if (batch.begins_input) lines_before = 0;
    for (const corpus::Document& document : batch.documents) {
      const uint64_t line = lines_before + document.line + 1;
      if (!each.visit(document, document.has_id ? std::string(document.id)
                                                : fmt::format("{}:{}", inputs[document.input].name, line)))
        return {};
    }
    if (!batch.rejections.empty() && batch.documents.empty() && inputs.size() == 1 &&
        inputs[0].format == corpus::Format::kText) {
      return fail(Code::kIo, fmt::format("{}: {}", inputs[0].path, batch.rejections[0].message));
    }
    for (const corpus::Rejection& rejection : batch.rejections) {
      if (each.rejected)
        each.rejected(fmt::format("{}: {}", place_of(inputs[rejection.input], lines_before + rejection.line + 1),
                                  rejection.message));
    }
    lines_before += batch.num_lines;
  }
}

}  // namespace neardup::cli
