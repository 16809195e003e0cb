#include "neardup/cli/index_arguments.h"

namespace neardup::cli {

void define_document_flags(Flags& flags, IndexArguments& arguments) {
  flags.group("Documents");
  define_input_flags(flags, arguments.input, arguments.read, arguments.discover);
  flags.text({"--within", "FIELD", "add, query: only documents with the same value of this field are compared"},
             arguments.read.within_key);
  flags.text({"--tag", "NAME", "add: of the crawl that brought the documents"}, arguments.tag);
  flags.whole({"--limit", "N", "query: at most so many for each document"}, arguments.limit, 1, 1'000'000, "10");
}

const std::vector<std::string>& document_flags() {
  static const std::vector<std::string> list = {"--text-key", "--id-key",  "--format",          "--table",
                                                "--lines",    "--include", "--exclude",         "--pre",
                                                "--pre-glob", "--within",  "--max-record-bytes"};
  return list;
}

}  // namespace neardup::cli
