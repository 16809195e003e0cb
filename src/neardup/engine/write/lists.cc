#include "neardup/engine/write/lists.h"

#include <cmath>

#include "neardup/cluster/candidate.h"
#include "neardup/engine/match/shown_pair.h"

namespace neardup::engine {

Result<uint64_t> write_duplicates(const Documents& documents, const Outcome& outcome, const Clusters& clusters,
                                  const std::string& path, const Context& context) {
  NEARDUP_ASSIGN(AtomicFile file, AtomicFile::create(path));
  std::string line;
  uint64_t num_lines = 0;
  for (uint32_t document = 0; document < documents.size(); ++document) {
    const DocumentFate& fate = outcome.fates[document];
    if (!is_removed(fate.fate)) continue;
    NEARDUP_TRY(context.check_cancel());
    line = "{\"id\":";
    append_json_string(line, documents.id(document));
    line += ",\"duplicate_of\":";
    append_json_string(line, documents.id(fate.kept));
    line += ",\"cluster\":" + std::to_string(clusters.find(fate.kept));
    line += ",\"kind\":\"" + std::string(name_of(fate.fate)) + "\"";
    line += ",\"distance\":" + (fate.distance >= cluster::kUnknownDistance ? "null" : std::to_string(fate.distance));
    line += ",\"similarity\":";
    append_json_number(line, shown_similarity(fate.similarity));
    if (fate.fate == Fate::kNear && by_characters(documents, document, fate.kept)) line += ",\"route\":\"short\"";
    line += "}\n";
    NEARDUP_TRY(file.write(line));
    ++num_lines;
  }
  NEARDUP_TRY(file.commit());
  return num_lines;
}

Status write_clusters(const Documents& documents, const Clusters& clusters, const std::string& path,
                      const Context& context) {
  NEARDUP_ASSIGN(AtomicFile file, AtomicFile::create(path));
  std::string line;
  for (uint32_t cluster = 0; cluster < clusters.size(); ++cluster) {
    NEARDUP_TRY(context.check_cancel());
    std::string kept;
    append_json_string(kept, documents.id(clusters.kept(cluster)));
    line = "{\"cluster\":" + std::to_string(cluster) + ",\"kept\":" + kept + ",\"members\":[" + kept;
    for (const uint32_t document : clusters.removed(cluster)) {
      line += ',';
      append_json_string(line, documents.id(document));
      if (line.size() > (size_t{1} << 20)) {
        NEARDUP_TRY(file.write(line));
        line.clear();
      }
    }
    line += "]}\n";
    NEARDUP_TRY(file.write(line));
  }
  return file.commit();
}

Result<uint64_t> write_rejected(const Documents& documents, const std::string& stdin_copy, const std::string& path) {
  NEARDUP_ASSIGN(AtomicFile file, AtomicFile::create(path));
  std::string line;
  uint64_t num_lines = 0;
  NEARDUP_TRY(documents.for_each_rejected([&](const Documents::Rejected& rejected) {
    line = "{\"file\":";
    const std::string& input = documents.input(rejected.input).path;
    append_json_string(line, input == stdin_copy ? "-" : input);
    if (!rejected.is_reference && !rejected.is_note) ++num_lines;
    line += ",\"line\":" + (rejected.line == 0 ? "null" : std::to_string(rejected.line)) + ",";
    line += rejected.json;
    line += "}\n";
    return file.write(line);
  }));
  NEARDUP_TRY(file.commit());
  return num_lines;
}

}  // namespace neardup::engine
