#include "neardup/engine/output_names.h"

namespace neardup::engine {

const std::vector<std::string>& output_names() {
  static const std::vector<std::string> names = {"kept",           "annotated",      "kept_ids.txt", "duplicates.jsonl",
                                                 "clusters.jsonl", "rejected.jsonl", "pairs.jsonl",  "commonness.bin",
                                                 "report.json",    "report.html"};
  return names;
}

}  // namespace neardup::engine
