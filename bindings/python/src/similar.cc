#include "similar.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "neardup/api/similar.h"
#include "run.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

using ListOfBytes = std::vector<nb::bytes>;

std::vector<std::string> strings_of(const ListOfBytes& names) {
  std::vector<std::string> strings;
  for (const nb::bytes& name : names) strings.emplace_back(name.c_str(), name.size());
  return strings;
}

nb::bytes name_of(const std::string& name) { return nb::bytes(name.data(), name.size()); }

nb::tuple range_of(const FileRange& range) {
  return nb::make_tuple(range.begin, range.end, range.first_line, range.last_line);
}

nb::tuple tuple_of(const SimilarFilePair& pair) {
  nb::list passages;
  const nb::object reason =
      pair.passages_reason.empty() ? nb::object(nb::none()) : nb::object(name_of(pair.passages_reason));
  for (const SharedPassage& passage : pair.passages)
    passages.append(nb::make_tuple(range_of(passage.a), range_of(passage.b)));
  const char* basis = pair.is_equal ? "equal" : pair.is_exact ? "exact" : "estimate";
  return nb::make_tuple(name_of(pair.a), name_of(pair.b), pair.a_in_b, pair.b_in_a, basis, pair.a_bytes, pair.b_bytes,
                        passages, reason);
}

// (pairs, groups, skipped, files, files of the index, bytes read).
nb::tuple tuple_of(const SimilarFilesResult& found) {
  nb::list pairs, groups, skipped;
  for (const SimilarFilePair& pair : found.pairs) pairs.append(tuple_of(pair));
  for (const auto& group : found.groups) {
    nb::list names;
    for (const std::string& name : group) names.append(name_of(name));
    groups.append(names);
  }
  for (const SkippedPath& path : found.skipped)
    skipped.append(nb::make_tuple(name_of(path.path), name_of(path.reason)));
  return nb::make_tuple(pairs, groups, skipped, found.num_files, found.num_reused, found.read_bytes);
}

nb::tuple search(const ListOfBytes& paths, const ListOfBytes& reference, const ListOfBytes& include,
                 const ListOfBytes& exclude, bool hidden, bool binary, const nb::bytes& index, double threshold,
                 bool verify, const std::string& fold, const std::string& common, uint64_t common_files,
                 const std::string& select, uint32_t substring, uint32_t window, uint32_t zero_bits,
                 const ListOfBytes& anchor, uint64_t show, uint64_t memory, int threads, const nb::object& progress) {
  SimilarFilesOptions options;
  options.references = strings_of(reference);
  options.include = strings_of(include);
  options.exclude = strings_of(exclude);
  options.hidden = hidden;
  options.binary = binary;
  options.index = std::string(index.c_str(), index.size());
  options.threshold = threshold;
  options.verify = verify;
  options.fold = fold;
  options.common = common;
  options.common_files = common_files;
  options.select = select;
  options.substring = substring;
  options.window = window;
  options.zero_bits = zero_bits;
  options.anchor = strings_of(anchor);
  options.show = show;
  options.memory_bytes = memory;
  options.num_threads = threads;
  const std::vector<std::string> inputs = strings_of(paths);
  return tuple_of(run_for<SimilarFilesResult>(
      progress, [&](const Context& context) { return similar_files(inputs, options, context); }));
}

}  // namespace

void define_similar(nb::module_& module) {
  module.def("similar_files", &search, nb::arg("paths"), nb::arg("reference"), nb::arg("include"), nb::arg("exclude"),
             nb::arg("hidden"), nb::arg("binary"), nb::arg("index"), nb::arg("threshold"), nb::arg("verify"),
             nb::arg("fold"), nb::arg("common"), nb::arg("common_files"), nb::arg("select"), nb::arg("substring"),
             nb::arg("window"), nb::arg("zero_bits"), nb::arg("anchor"), nb::arg("show"), nb::arg("memory"),
             nb::arg("threads"), nb::arg("progress").none());
}

}  // namespace neardup::python
