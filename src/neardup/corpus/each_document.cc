#include "neardup/corpus/each_document.h"

#include <fmt/format.h>

#include "neardup/corpus/each_batch.h"

namespace neardup::corpus {

std::string line_name(const Input& input, uint64_t line) { return fmt::format("{}:{}", input.name, line); }

std::string line_place(const Input& input, uint64_t line) {
  return input.format == Format::kText ? input.path : fmt::format("{}:{}", input.path, line);
}

Status for_each_document(const std::vector<corpus::Input>& inputs, const corpus::ReadOptions& read,
                         const Context& context, const EachDocument& each) {
  const auto take = [&](const corpus::Batch& batch, uint64_t lines_before) -> Result<bool> {
    for (const corpus::Document& document : batch.documents) {
      const uint64_t line = lines_before + document.line + 1;
      if (!each.visit(document, document.has_id ? std::string(document.id) : line_name(inputs[document.input], line)))
        return false;
    }
    if (!batch.rejections.empty() && batch.documents.empty() && inputs.size() == 1 &&
        inputs[0].format == corpus::Format::kText) {
      return fail(Code::kIo, fmt::format("{}: {}", inputs[0].path, batch.rejections[0].message));
    }
    for (const corpus::Rejection& rejection : batch.rejections) {
      if (each.rejected)
        each.rejected(fmt::format("{}: {}", line_place(inputs[rejection.input], lines_before + rejection.line + 1),
                                  rejection.message));
    }
    for (const corpus::Rejection& note : batch.notes)
      if (each.noted) each.noted(fmt::format("{}: {}", inputs[note.input].path, note.message));
    return true;
  };
  return corpus::for_each_batch(inputs, read, context, take);
}

}  // namespace neardup::corpus
