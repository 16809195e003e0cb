#include "neardup/api/index.h"

#include <mutex>

#include "neardup/api/field_words.h"
#include "neardup/api/options_of.h"
#include "neardup/engine/index/actions.h"
#include "neardup/recipe/fingerprinter.h"

namespace neardup {
namespace {

using Directory = engine::FingerprintIndex;

}  // namespace

struct Index::Impl {
  Directory directory;
  recipe::Fingerprinter fingerprinter;
  int max_distance = 0;
  std::mutex mutex = {};  // of the fingerprinter
  recipe::TextFingerprint text_fingerprint = {};

  std::vector<fingerprint::Fingerprint> fingerprints_of(std::string_view text) {
    const std::lock_guard lock(mutex);
    fingerprinter.fingerprint(text, text_fingerprint);
    return text_fingerprint.has_features ? text_fingerprint.fingerprints : std::vector<fingerprint::Fingerprint>();
  }
};

Recipe default_index_recipe() { return *find_recipe("grams"); }

Index::Index(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Index::Index(Index&&) noexcept = default;
Index& Index::operator=(Index&&) noexcept = default;
Index::~Index() = default;

Result<Index> Index::create(const std::string& folder, const IndexOptions& options) {
  NEARDUP_TRY(check_set(options.recipe));
  recipe::Recipe recipe = options.recipe.inner();
  NEARDUP_TRY(in_field_words(recipe::take_family(recipe, recipe::Family::kSimHash)));
  NEARDUP_ASSIGN(auto idf, idf_of(recipe, options.idf_file));
  NEARDUP_ASSIGN(auto fingerprinter, recipe::Fingerprinter::create(recipe, std::move(idf)));
  store::IndexSettings settings;
  settings.max_distance = options.max_distance;
  NEARDUP_ASSIGN(Directory directory, Directory::create(folder, settings));
  NEARDUP_TRY(directory.join_recipe(recipe::recipe_id(recipe), recipe::to_json(recipe),
                                    static_cast<uint32_t>(recipe.num_fingerprints())));
  return Index(std::unique_ptr<Impl>(new Impl{std::move(directory), std::move(fingerprinter), options.max_distance}));
}

Result<Index> Index::open(const std::string& folder, const std::string& idf_file) {
  NEARDUP_ASSIGN(Directory directory, Directory::open_to_write(folder));
  NEARDUP_ASSIGN(recipe::Recipe recipe, engine::recipe_of(directory.settings()));
  NEARDUP_ASSIGN(auto idf, idf_of(recipe, idf_file));
  NEARDUP_ASSIGN(auto fingerprinter, recipe::Fingerprinter::create(recipe, std::move(idf)));
  const int max_distance = directory.settings().max_distance;
  return Index(std::unique_ptr<Impl>(new Impl{std::move(directory), std::move(fingerprinter), max_distance}));
}

Result<bool> Index::add(std::string_view id, std::string_view text) {
  NEARDUP_TRY(check_there());
  return impl_->directory.put(id, impl_->fingerprints_of(text));
}

Result<std::vector<Neighbour>> Index::query(std::string_view text) const {
  NEARDUP_TRY(check_there());
  std::vector<Neighbour> found;
  const std::vector<fingerprint::Fingerprint> fingerprints = impl_->fingerprints_of(text);
  if (fingerprints.empty()) return found;
  for (store::NamedNeighbour& each : impl_->directory.neighbours(fingerprints, impl_->max_distance))
    found.push_back({std::move(each.id), each.distance});
  return found;
}

Result<bool> Index::erase(std::string_view id) {
  NEARDUP_TRY(check_there());
  return impl_->directory.erase(id);
}

Status Index::flush() {
  NEARDUP_TRY(check_there());
  return impl_->directory.flush();
}

uint64_t Index::size() const { return impl_ == nullptr ? 0 : impl_->directory.figures().documents; }

Status Index::check_there() const {
  if (impl_ != nullptr) return {};
  return fail(Code::kInvalidArgument, "this Index was moved from; use the other one");
}

}  // namespace neardup
