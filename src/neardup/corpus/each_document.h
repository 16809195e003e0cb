// The documents of some inputs one after the other, for commands that show them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/corpus/reader.h"

namespace neardup::corpus {

/// Returns the name of what stands on a line (from 1) of `input`: the id of a document that has none.
[[nodiscard]] std::string line_name(const Input& input, uint64_t line);
/// Returns where that is, for people: "path:line", of a text file its path.
[[nodiscard]] std::string line_place(const Input& input, uint64_t line);

struct EachDocument {
  /// Called for each document in the order of the input; `id` is its own, or "name:line". False ends the walk.
  std::function<bool(const corpus::Document& document, const std::string& id)> visit;
  /// Called with "file:line: why" for each record that is rejected; may be empty.
  std::function<void(const std::string& message)> rejected = {};
  /// Called with "file: what" for what in an input is no document (Batch::notes); may be empty.
  std::function<void(const std::string& message)> noted = {};
};

/// Errors: those of reading; kIo where the only input is a text file that cannot be taken; kCancelled.
[[nodiscard]] Status for_each_document(const std::vector<corpus::Input>& inputs, const corpus::ReadOptions& read,
                                       const Context& context, const EachDocument& each);

}  // namespace neardup::corpus
