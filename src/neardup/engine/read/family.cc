#include "neardup/engine/read/family.h"

#include <algorithm>

#include "neardup/engine/record_limits.h"

namespace neardup::engine {
namespace {

using recipe::Family;

bool has_top_n(const recipe::Recipe& recipe) {
  return std::ranges::any_of(recipe.fingerprints, [](const recipe::FingerprintSpec& spec) { return spec.top_n > 0; });
}

}  // namespace

Family auto_family(const recipe::Recipe& recipe, bool asks_for_simhash) {
  if (recipe.fingerprints.empty()) return Family::kMinHash;
  return !asks_for_simhash && prefers_minhash(recipe) ? Family::kMinHash : Family::kSimHash;
}

bool prefers_minhash(const recipe::Recipe& recipe) { return recipe.family == Family::kMinHash || recipe.either_family; }

Result<uint64_t> estimate_documents(const std::vector<corpus::Input>& inputs, const corpus::ReadOptions& read) {
  uint64_t text_files = 0;
  std::vector<corpus::Input> others;
  for (const corpus::Input& input : inputs) {
    if (input.format == corpus::Format::kText) {
      ++text_files;
    } else {
      others.push_back(input);
    }
  }
  if (others.empty()) return text_files;
  NEARDUP_ASSIGN(corpus::Reader reader, corpus::Reader::open(others, read));
  corpus::Batch batch;
  uint64_t documents = 0, bytes = 0;
  constexpr uint64_t kEnough = 100;
  while (documents < kEnough) {
    NEARDUP_ASSIGN(const bool more, reader.next(batch));
    if (!more) break;
    NEARDUP_TRY(reader.load(batch));
    documents += batch.documents.size();
    bytes += batch.bytes;
    DocumentWorker::end_batch(batch);
  }
  if (bytes == 0) return text_files + documents;
  const double ratio = static_cast<double>(reader.total_bytes()) / static_cast<double>(bytes);
  return text_files + static_cast<uint64_t>(static_cast<double>(documents) * std::max(1.0, ratio));
}

Status choose_family(DedupOptions& options) { return settle_family(options, family_of_run(options)); }

Status settle_family(DedupOptions& options, Family family) {
  const bool takes_heaviest = !options.recipe.either_family && has_top_n(options.recipe);
  NEARDUP_TRY(recipe::take_family(options.recipe, family));
  if (options.recipe.family == Family::kMinHash) {
    if (takes_heaviest)
      return fail(Code::kInvalidArgument,
                  "top_n takes the heaviest words for SimHash fingerprints; leave it out, or take --family simhash");
    if (options.distance)
      return fail(Code::kInvalidArgument,
                  "--distance counts bits of SimHash fingerprints; leave it out, or take --family simhash");
    if (!options.idf_file.empty())
      return fail(Code::kInvalidArgument,
                  "idf=FILE weighs words of SimHash fingerprints; leave it out, or take --family simhash");
  }
  options.recipe.mark_numbers = true;
  return recipe::validate(options.recipe);
}

Family family_of_run(const DedupOptions& options) {
  if (options.family == FamilyChoice::kMinHash) return Family::kMinHash;
  if (options.family == FamilyChoice::kSimHash) return Family::kSimHash;
  return auto_family(options.recipe, options.distance || !options.idf_file.empty());
}

}  // namespace neardup::engine
