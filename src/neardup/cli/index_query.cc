#include <fmt/format.h>

#include <optional>

#include "neardup/base/file.h"
#include "neardup/base/stale_temporaries.h"
#include "neardup/base/json.h"
#include "neardup/cli/index_actions.h"
#include "neardup/cli/print_line.h"
#include "neardup/cli/print_stream.h"
#include "neardup/cli/same_file.h"

namespace neardup::cli {

namespace {

void append_match(std::string& out, IndexFormat format, std::string_view query, std::string_view id, int distance) {
  if (format == IndexFormat::kTsv) {
    append_escaped_id(out, query);
    out += '\t';
    append_escaped_id(out, id);
    out += fmt::format("\t{}\n", distance);
    return;
  }
  out += "{\"query\":";
  append_json_string(out, query);
  out += ",\"id\":";
  append_json_string(out, id);
  out += fmt::format(",\"distance\":{}}}\n", distance);
}

/// Asks the index for the documents of a file, and prints what it finds.
class Asker {
 public:
  Asker(Index& index, const IndexArguments& arguments, int max_distance, AtomicFile* file, Io& io)
      : index_(index), arguments_(arguments), max_distance_(max_distance), file_(file), io_(io) {}

  Status take(std::span<const fingerprint::Record> records) {
    NEARDUP_TRY(join_file(index_, arguments_.rest.front(), {}, records));
    std::vector<std::string_view> ids;
    std::vector<fingerprint::Fingerprint> queries;
    for (const fingerprint::Record& record : records) {
      if (record.fingerprints.empty()) continue;
      ids.push_back(record.id);
      queries.insert(queries.end(), record.fingerprints.begin(), record.fingerprints.end());
    }
    std::string lines;
    index_.query(queries, max_distance_, [&](size_t i, std::span<const store::Neighbour> neighbours) {
      for (const store::Neighbour& neighbour : neighbours)
        append_match(lines, arguments_.format, ids[i], index_.id(neighbour.document), neighbour.distance);
    });
    if (file_ != nullptr) return file_->write(lines);
    io_.print(lines);
    io_.flush();
    return {};
  }

 private:
  Index& index_;
  const IndexArguments& arguments_;
  int max_distance_;
  AtomicFile* file_;
  Io& io_;
};

}  // namespace

Status query_index(const IndexArguments& arguments, Io& io) {
  if (arguments.rest.size() != 1)
    return fail(Code::kInvalidArgument, "expected one FILE of fingerprints, as neardup fingerprint writes them");
  const std::string& path = arguments.rest.front();
  NEARDUP_TRY(check_output_is_no_input(arguments.output, arguments.rest));
  NEARDUP_ASSIGN(Index index, Index::open_to_read(arguments.folder, directory_options(arguments, io)));
  const int most = index.settings().max_distance;
  if (arguments.max_distance > most) {
    return fail(Code::kInvalidArgument,
                fmt::format("the index finds what differs in at most {} bits; for --distance {} make another one with "
                            "neardup index create --distance {}",
                            most, arguments.max_distance, arguments.max_distance));
  }
  std::optional<AtomicFile> file;
  if (!arguments.output.empty()) {
    static_cast<void>(remove_stale_temporaries(arguments.output));  // where they cannot go they are no hindrance
    NEARDUP_ASSIGN(file, AtomicFile::create(arguments.output));
  }
  const int max_distance = arguments.max_distance < 0 ? most : arguments.max_distance;
  Asker asker(index, arguments, max_distance, file ? &*file : nullptr, io);
  NEARDUP_TRY(read_prints(path, {nullptr, io.cancel},
                          {[&](const fingerprint::FileHeader& header) { return join_file(index, path, header, {}); },
                           [&](std::span<const fingerprint::Record> records) { return asker.take(records); }}));
  return file ? file->commit() : Status{};
}

}  // namespace neardup::cli
