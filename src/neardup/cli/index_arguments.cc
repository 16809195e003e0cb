#include "neardup/cli/index_arguments.h"

#include "neardup/cli/family_flag.h"
#include "neardup/cli/recipe_flag.h"
#include "neardup/cli/verify_flag.h"

namespace neardup::cli {

void define_document_flags(Flags& flags, IndexArguments& arguments) {
  flags.group("Documents");
  define_input_flags(flags, arguments.input, arguments.read, arguments.discover);
  flags.text({"--within", "FIELD", "add, query: only documents with the same value of this field are compared"},
             arguments.read.within_key);
  flags.text({"--tag", "NAME", "add: of the crawl that brought the documents"}, arguments.tag);
  flags.whole({"--limit", "N", "query: at most so many for each document"}, arguments.limit, 1, 1'000'000, "10");
}

void define_text_flags(Flags& flags, IndexArguments& arguments) {
  engine::DedupOptions& matching = arguments.settings.matching;
  flags.group("A store of texts");
  define_recipe_flags(flags, matching.recipe, matching.idf_file);
  define_verify_flags(flags, matching.verify, matching.verify_is_given);
  define_commonness_flag(flags, matching.commonness_file);
  define_family_flag(flags, matching.family, kFamilyOfCandidates);
  flags.choice<engine::RecordsKept>(
      {"--records", "",
       "What is kept of each document to compare others with it; without tokens verdicts are estimates"},
      arguments.settings.records,
      {{"tokens", engine::RecordsKept::kTokens},
       {"signature", engine::RecordsKept::kSignature},
       {"none", engine::RecordsKept::kNone}});
  flags.on({"--keep-texts", "", "Keep the texts too, to be shown and explained"}, arguments.settings.keep_texts);
}

const std::vector<std::string>& text_flags() {
  static const std::vector<std::string> list = {"--recipe", "--verify",  "--templates", "--commonness",
                                                "--family", "--records", "--keep-texts"};
  return list;
}

const std::vector<std::string>& document_flags() {
  static const std::vector<std::string> list = {"--text-key", "--id-key",          "--format", "--lines",
                                                "--include",  "--exclude",         "--pre",    "--pre-glob",
                                                "--within",   "--max-record-bytes"};
  return list;
}

}  // namespace neardup::cli
