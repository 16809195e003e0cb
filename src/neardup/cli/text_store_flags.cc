#include "neardup/cli/text_store_flags.h"

#include "neardup/cli/contained_flag.h"
#include "neardup/cli/family_flag.h"
#include "neardup/cli/recipe_flag.h"
#include "neardup/cli/verify_flag.h"

namespace neardup::cli {

void define_text_store_flags(Flags& flags, engine::TextStoreSettings& settings) {
  using engine::RecordsKept;
  engine::DedupOptions& matching = settings.matching;
  define_recipe_flags(flags, matching.recipe, matching.idf_file, nullptr, &matching.recipe_is_given);
  define_verify_flags(flags, matching.verify, matching.verify_is_given);
  define_commonness_flag(flags, matching.commonness_file);
  define_family_flag(flags, matching.family, kFamilyOfCandidates);
  flags.choice<RecordsKept>(
      {"--records", "",
       "What is kept of each document to compare others with it; without tokens verdicts are estimates"},
      settings.records,
      {{"tokens", RecordsKept::kTokens}, {"signature", RecordsKept::kSignature}, {"none", RecordsKept::kNone}});
  define_contained_flag(flags, matching.contained,
                        "Also tell of documents of which a longer one that came before holds so much, such as 0.8: "
                        "quotes, excerpts");
  flags.on({"--keep-texts", "", "Keep the texts too, to be shown and explained"}, settings.keep_texts);
}

const std::vector<std::string>& text_store_flags() {
  static const std::vector<std::string> list = {"--recipe", "--verify",  "--templates", "--commonness",
                                                "--family", "--records", "--contained", "--keep-texts"};
  return list;
}

}  // namespace neardup::cli
