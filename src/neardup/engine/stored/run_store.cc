#include "neardup/engine/stored/run_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "neardup/base/disk/file.h"
#include "neardup/engine/match/given_commonness.h"
#include "neardup/engine/online/matcher.h"
#include "neardup/engine/online/open_text_store.h"
#include "neardup/engine/online/store_place.h"
#include "neardup/feature/idf.h"
#include "neardup/store/store_files.h"

namespace neardup::engine {
namespace {

tl::unexpected<Error> cannot(std::string_view flag, std::string_view why) {
  return fail(Code::kUnsupported, fmt::format("{} cannot go with a store of texts: {}", flag, why));
}

Status check_supported(const DedupOptions& options) {
  if (options.cluster == ClusterKind::kComponents)
    return cannot("--cluster components", "a text stored long ago could join what is kept apart; leave it out");
  if (options.write_pairs)
    return cannot("--pairs", "of the store only those documents are looked at that an input repeats; leave it out");
  if (!options.read.within_key.empty())
    return cannot("--within", "its documents would have to be in the same categories; leave it out");
  if (options.shard_index || options.merge_shards)
    return cannot(options.shard_index ? "--shard" : "--merge-shards",
                  "one process has it open; run without shards, or put what is kept there in a run of its own");
  return {};
}

Result<PlaceKind> kind_of(const std::string& path) {
  const auto info = file_info(path);
  if (!is_on_server(path) && (!info || !info->is_directory)) return PlaceKind::kNothing;  // a file, a pattern, -
  return kind_of_place(path);
}

bool may_be_store(PlaceKind kind) { return kind == PlaceKind::kFolder || kind == PlaceKind::kServer; }

// Leaves the store among the references out of them.
Result<std::string> take_reference_store(DedupOptions& options) {
  std::vector<std::string> stores, others;
  for (const std::string& reference : options.references) {
    NEARDUP_ASSIGN(const PlaceKind kind, kind_of(reference));
    (may_be_store(kind) ? stores : others).push_back(reference);
  }
  if (stores.size() + (options.into.empty() ? 0 : 1) > 1)
    return fail(Code::kUnsupported,
                fmt::format("'{}' and '{}' are two stores; a run takes one: run again on what is kept for the other",
                            shown_place(stores[0]), shown_place(stores.size() > 1 ? stores[1] : options.into)));
  options.references = std::move(others);
  return stores.empty() ? std::string() : stores[0];
}

tl::unexpected<Error> differs(const std::string& folder, std::string_view what, std::string_view flag,
                              const std::string& of_store, const std::string& named) {
  return fail(Code::kMismatch,
              fmt::format("the store '{}' has the {} {}, and {} names {}: leave {} out, and the store's "
                          "is taken, or choose another store",
                          shown_place(folder), what, of_store, flag, named, flag));
}

std::string words_of(const recipe::Recipe& recipe) {
  return fmt::format("{} ({}, {} bands of {}, short texts of less than {} tokens)", recipe.name,
                     recipe::recipe_id(recipe), recipe.minhash.bands, recipe.minhash.rows, recipe.short_tokens);
}

bool names_recipe(const DedupOptions& options) {
  return options.recipe_is_given || options.recipe != recipe::default_recipe();
}

// The recipe that is asked for, as it would be in such a store, weighed by the store's IDF.
Status check_recipe(const DedupOptions& options, const std::string& folder, const TextStore& texts) {
  if (!names_recipe(options)) return {};
  const recipe::Recipe& stored = texts.recipe();
  DedupOptions asked = options;
  asked.verify = texts.settings().matching.verify;
  asked.verify_is_given = true;
  asked.family = texts.settings().matching.family;
  asked.commonness_file.clear();
  asked.distance.reset();
  asked.idf_file = texts.settings().matching.idf_file;
  const auto matcher = make_matcher(asked);
  const bool no_store_has_it =  // of this family and IDF
      !matcher && (matcher.error().code == Code::kInvalidArgument || matcher.error().code == Code::kMismatch);
  if (!matcher && !no_store_has_it) return tl::unexpected<Error>(matcher.error());
  const recipe::Recipe& found = matcher ? matcher->recipe : options.recipe;
  const bool is_same = matcher && recipe::recipe_id(found) == recipe::recipe_id(stored) &&
                       found.minhash == stored.minhash && found.short_tokens == stored.short_tokens;
  return is_same ? Status() : differs(folder, "recipe", "--recipe", words_of(stored), words_of(found));
}

// Of whatever recipe the store has.
Status check_idf(const DedupOptions& options, const std::string& folder, const TextStore& texts) {
  if (options.idf_file.empty()) return {};
  NEARDUP_ASSIGN(const auto asked, feature::Idf::load(options.idf_file, options.memory_bytes));
  const std::string& stored = texts.recipe().idf_id;
  if (asked->id() == stored) return {};
  if (!stored.empty()) return differs(folder, "IDF dictionary", "idf=FILE", stored, asked->id());
  return fail(Code::kMismatch,
              fmt::format("the store '{}' was made without idf=FILE: leave idf=FILE out, or choose another store",
                          shown_place(folder)));
}

Status check_share(const DedupOptions& options, const std::string& folder, const TextStore& texts) {
  const auto& stored = texts.settings().matching.contained;
  if (!options.contained || options.contained == stored) return {};
  const bool is_run = !options.into.empty() || !options.reference_store.empty();
  if (!stored)
    return fail(
        Code::kMismatch,
        fmt::format("the store '{}' was made without --contained: leave --contained out, or make another "
                    "store with --contained {}{}",
                    shown_place(folder), *options.contained, is_run ? ", or name the files of it as --reference" : ""));
  return differs(folder, "share of contained documents", "--contained", fmt::format("{}", *stored),
                 fmt::format("{}", *options.contained));
}

Status check_family(const DedupOptions& options, const std::string& folder, const TextStore& texts) {
  const FamilyChoice stored = texts.settings().matching.family;
  if (options.family != FamilyChoice::kAuto && options.family != stored) {
    const bool is_simhash = stored == FamilyChoice::kSimHash;
    return differs(folder, "family", "--family", is_simhash ? "simhash" : "minhash",
                   is_simhash ? "minhash" : "simhash");
  }
  const auto& distance = texts.settings().matching.distance;
  if (options.distance && !distance)
    return fail(Code::kMismatch, fmt::format("the store '{}' has MinHash signatures, and --distance counts bits of "
                                             "SimHash fingerprints: leave --distance out, or choose another store",
                                             shown_place(folder)));
  if (options.distance && distance && *options.distance != *distance)
    return differs(folder, "distance", "--distance", std::to_string(*distance), std::to_string(*options.distance));
  return {};
}

Status check_rule_of_store(const DedupOptions& options, const std::string& folder, const TextStore& texts) {
  const std::string asked = verify::to_string(options.verify),
                    stored = verify::to_string(texts.settings().matching.verify);
  const bool is_given = options.verify_is_given || asked != verify::to_string(verify::Rule());
  return is_given && asked != stored ? differs(folder, "rule", "--verify", stored, asked) : Status();
}

Status check_counts(const DedupOptions& options, const std::string& folder, const TextStore& texts) {
  if (options.commonness_file.empty()) return {};
  NEARDUP_ASSIGN(const auto asked, given_commonness(options.commonness_file, options.memory_bytes / 4));
  NEARDUP_ASSIGN(const auto none, given_commonness(kNoCommonness));
  const auto& common = texts.matcher().common;
  const std::string stored = (common == nullptr ? *none : *common).id();
  return asked->id() == stored ? Status() : differs(folder, "counts", "--commonness", stored, asked->id());
}

// What explain must be told, as nobody has typed it.
std::string explain_flags_of(const DedupOptions& options, const recipe::Recipe& recipe, const DedupOptions& stored) {
  std::string flags;
  const bool is_named = names_recipe(options);
  const auto names = recipe::recipe_names();
  if (!is_named && recipe.name != "default" && std::ranges::find(names, recipe.name) != names.end())
    flags += " --recipe " + recipe.name;
  const bool is_simhash = recipe.family == recipe::Family::kSimHash;
  if (is_simhash && options.family == FamilyChoice::kAuto) flags += " --family simhash";
  if (is_simhash && !options.distance && stored.distance) flags += fmt::format(" --distance {}", *stored.distance);
  if (!options.contained && stored.contained) flags += fmt::format(" --contained {}", *stored.contained);
  return flags;
}

void take_settings(DedupOptions& options, const TextStore& texts) {
  const DedupOptions& stored = texts.settings().matching;
  options.explain_flags += explain_flags_of(options, texts.recipe(), stored);
  options.commonness_is_stored = options.commonness_file.empty();
  options.recipe = texts.recipe();
  options.checksum = fingerprint::Checksum::kXxh3;  // the recipe says which
  options.family = stored.family;
  if (stored.distance) options.distance = stored.distance;
  options.verify = stored.verify;
  options.verify.common = nullptr;
  options.verify_is_given = true;
  options.contained = stored.contained;
  options.idf_file = stored.idf_file;
  options.commonness_file = stored.commonness_file;
  const bool weighs = stored.verify.kind == verify::Rule::Kind::kContent;
  if (weighs && options.commonness_file.empty()) options.commonness_file = kNoCommonness;
}

Status check_stored(const DedupOptions& options, const RunStore& store) {
  if (store.texts->settings().records != RecordsKept::kTokens)
    return fail(Code::kUnsupported,
                fmt::format("the store '{}' keeps no tokens of its documents ({}), so that it can only estimate what "
                            "dedup compares: take a store that keeps them",
                            shown_place(store.folder), name_of(store.texts->settings().records)));
  if (is_on_server(store.folder) || store.size_bytes() <= options.memory_bytes / 2) return {};
  return fail(Code::kMemory,
              fmt::format("the store '{}' takes {} MiB of memory, and --memory allows {} MiB in all; give "
                          "more than twice of what the store takes",
                          store.folder, (store.size_bytes() >> 20) + 1, options.memory_bytes >> 20));
}

// A quote goes to a reference before it goes to what is kept: the same run again, of which that is then a part of the
// store, would have it go elsewhere.
tl::unexpected<Error> cannot_put_with_contained() {
  return fail(
      Code::kUnsupported,
      "--into does not go with --contained, nor with a store that was made with it: the same command again would "
      "find other containers. Leave one of them out, read the store as --reference, or fill it by neardup index "
      "add");
}

Status open_stored(DedupOptions& options, RunStore& store, const Context& context) {
  NEARDUP_ASSIGN(store.texts, TextStore::open(store.folder, store_options(options, context)));
  NEARDUP_TRY(check_stored(options, store));
  NEARDUP_TRY(check_same_settings(options, store.folder, *store.texts));
  if (store.takes_kept && store.texts->settings().matching.contained) return cannot_put_with_contained();
  take_settings(options, *store.texts);
  return {};
}

Status check_can_be_made(const std::string& place) {
  NEARDUP_ASSIGN(const PlaceKind kind, kind_of_place(place));
  if (kind == PlaceKind::kServer) return {};
  const auto info = file_info(place);
  if (info && !info->is_directory)
    return fail(Code::kInvalidArgument, fmt::format("'{}' is a file; --into takes the place of a store", place));
  if (kind == PlaceKind::kIndex)
    return fail(Code::kInvalidArgument,
                fmt::format("'{}' is an index without texts; --into makes a store in a folder of "
                            "its own",
                            place));
  return info ? store::check_empty(place) : Status();
}

// What would fail when the store is made fails now, and what its documents decide elsewhere is settled beforehand.
Status settle_new(DedupOptions& options, const std::string& folder) {
  NEARDUP_TRY(check_can_be_made(folder));
  if (options.contained) return cannot_put_with_contained();
  DedupOptions made = options;
  made.commonness_file.clear();
  NEARDUP_ASSIGN(const Matcher matcher, make_matcher(made));
  const bool is_simhash = matcher.recipe.family == recipe::Family::kSimHash;
  const int distance = matcher.decision.bounds().max_distance;
  if (is_simhash && !options.distance) options.explain_flags += fmt::format(" --distance {}", distance);
  options.family = is_simhash ? FamilyChoice::kSimHash : FamilyChoice::kMinHash;
  if (is_simhash) options.distance = distance;
  options.commonness_is_stored = options.commonness_file.empty();
  return {};
}

// All that the run decided by must be so in what another process has made meanwhile.
Status open_others(RunStore& store, const DedupOptions& options, const Context& context) {
  DedupOptions decided = options;
  decided.recipe_is_given = decided.verify_is_given = true;
  return open_stored(decided, store, context);
}

}  // namespace

uint64_t RunStore::size_bytes() const {
  if (texts == nullptr) return 0;
  const auto statistics = texts->store().statistics();
  return statistics ? statistics->memory_bytes : 0;
}

bool is_store_of_texts(const std::string& path) {
  const auto kind = kind_of(path);
  return kind && may_be_store(*kind);
}

store::StoreOptions store_options(const DedupOptions& options, const Context& context) {
  store::StoreOptions result;
  result.log_bytes = std::clamp(options.memory_bytes / 64, uint64_t{1} << 20, result.log_bytes);
  constexpr uint64_t kBytesPerKey = 20;
  result.map_keys =
      static_cast<uint32_t>(std::clamp<uint64_t>(options.memory_bytes / 16 / kBytesPerKey, 1 << 16, result.map_keys));
  result.context = context;
  result.context.progress = nullptr;
  return result;
}

Status check_same_kept(std::optional<RecordsKept> records, std::optional<bool> keep_texts, const std::string& folder,
                       const TextStore& texts) {
  const TextStoreSettings& stored = texts.settings();
  const auto differs_in = [&](std::string_view flag, const std::string& of_store) {
    return fail(Code::kMismatch, fmt::format("the store '{}' was made {}: leave {} out, or choose another store",
                                             shown_place(folder), of_store, flag));
  };
  if (records && *records != stored.records)
    return differs_in("--records", fmt::format("with --records {}, and --records names {}", name_of(stored.records),
                                               name_of(*records)));
  if (keep_texts && *keep_texts != stored.keep_texts)
    return differs_in("--keep-texts", stored.keep_texts ? "with --keep-texts" : "without --keep-texts");
  return {};
}

Status check_same_settings(const DedupOptions& options, const std::string& folder, const TextStore& texts) {
  NEARDUP_TRY(check_family(options, folder, texts));
  NEARDUP_TRY(check_share(options, folder, texts));
  NEARDUP_TRY(check_recipe(options, folder, texts));
  NEARDUP_TRY(check_idf(options, folder, texts));
  NEARDUP_TRY(check_rule_of_store(options, folder, texts));
  return check_counts(options, folder, texts);
}

Result<std::optional<RunStore>> open_run_store(DedupOptions& options, const Context& context) {
  NEARDUP_ASSIGN(options.reference_store, take_reference_store(options));
  if (options.into.empty() && options.reference_store.empty()) return std::optional<RunStore>();
  RunStore store{.folder = options.into.empty() ? options.reference_store : options.into,
                 .takes_kept = !options.into.empty(),
                 .texts = nullptr};
  NEARDUP_TRY(check_supported(options));
  NEARDUP_ASSIGN(const PlaceKind kind, kind_of(store.folder));
  bool is_there = kind == PlaceKind::kFolder;
  if (kind == PlaceKind::kServer) {
    NEARDUP_ASSIGN(is_there, is_store_at(store.folder, context));
    if (!is_there && !store.takes_kept)
      return fail(Code::kNotFound, fmt::format("--reference: there is no store {}; neardup index create makes one",
                                               shown_place(store.folder)));
  }
  NEARDUP_TRY(is_there ? open_stored(options, store, context) : settle_new(options, store.folder));
  return std::optional(std::move(store));
}

Status make_run_store(RunStore& store, const TextStoreSettings& settings, const DedupOptions& options,
                      const Context& context) {
  auto made = TextStore::create(store.folder, settings, store_options(options, context));
  if (made) return store.texts = std::move(*made), Status();
  if (was_made_meanwhile(made.error(), store.folder, context)) return open_others(store, options, context);
  return tl::unexpected<Error>(std::move(made).error());
}

}  // namespace neardup::engine
