#include "neardup/engine/read/phrase_training.h"

#include "neardup/base/disk/temporary_folder.h"
#include "neardup/base/per_thread.h"
#include "neardup/recipe/recipe_tokens.h"

namespace neardup::engine {
namespace {

void count_words(recipe::Fingerprinter& fingerprinter, std::string_view text, feature::IdfBuilder& builder) {
  builder.add_each(fingerprinter.token_hashes(text));
}

}  // namespace

Result<CountTotals> train_phrases(const CountInput& input, const feature::PhraseOptions& options,
                                  const std::string& output) {
  NEARDUP_ASSIGN(const TemporaryFolder folder, TemporaryFolder::create(output + ".tmp"));
  const std::string words_file = folder.path() + "/words", pairs_file = folder.path() + "/pairs";
  const feature::IdfOptions frequent{.min_documents = options.min_count, .tokens = recipe::tokens_json(input.recipe)};
  NEARDUP_ASSIGN(const CountTotals totals, count_documents(input, "count words", count_words, frequent, words_file));
  NEARDUP_ASSIGN(const feature::FrequentWords words, feature::FrequentWords::open(words_file));
  CountInput again = input;
  again.on_rejected = {};  // told once
  const CountDocument count_pairs = [&words](recipe::Fingerprinter& fingerprinter, std::string_view text,
                                             feature::IdfBuilder& builder) {
    static PerThread<std::vector<uint64_t>> buffers;
    std::vector<uint64_t>& keys = buffers.get();
    keys.clear();
    words.pair_keys(fingerprinter.token_hashes(text), keys);
    builder.add_each(keys);
  };
  NEARDUP_TRY(count_documents(again, "count pairs", count_pairs, frequent, pairs_file));
  NEARDUP_ASSIGN(const auto phrases, words.choose(pairs_file, options));
  NEARDUP_TRY(phrases->save(output));
  return totals;
}

}  // namespace neardup::engine
