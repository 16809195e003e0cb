#include "neardup/engine/run/run_identity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "neardup/base/parse_json.h"
#include "neardup/base/version.h"
#include "neardup/engine/checked_json.h"
#include "neardup/engine/online/store_place.h"
#include "neardup/engine/output_names.h"
#include "neardup/engine/read/part.h"
#include "neardup/engine/record_limits.h"

namespace neardup::engine {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 4;  // of run.json
constexpr const char* kLearntIdf = "idf";
constexpr const char* kTemp = "temp";  // of "reading"

Json describe(const std::vector<corpus::Input>& inputs) {
  Json list = Json::array();
  for (const corpus::Input& input : inputs) {
    list.push_back({{"path", input.path},
                    {"name", input.name},
                    {"size_bytes", input.size_bytes},
                    {"modified_ns", input.modified_ns},
                    {"format", static_cast<int>(input.format)},
                    {"compression", static_cast<int>(input.compression)}});
    if (!input.pre.empty()) list.back()["pre"] = input.pre;
  }
  return list;
}

// What the read stage depends on. Threads and the shard's number change nothing, and memory only what it chooses: the
// family, the longest record, and how much of a page is read. The IDF is known by its id, which the recipe's id covers,
// not by where it lies.
Json describe_reading(const DedupOptions& options) {
  Json json = Json::object();
  json["family"] = recipe::family_name(options.recipe.family);
  json["recipe"] = fmt::format("{}, short_tokens {}", recipe::recipe_id(options.recipe), options.recipe.short_tokens);
  json["text-key"] = options.read.text_key;
  json["id-key"] = options.read.id_key;
  if (const std::string table = corpus::dialect_words(options.read.table); !table.empty()) json["table"] = table;
  json["within"] = options.read.within_key;
  json["group-key"] = options.read.group_key;
  json["batch-bytes"] = options.read.batch_bytes;
  json["max-record-bytes"] = options.read.max_record_bytes;
  if (options.recipe.extraction != "none") json["page-bytes"] = longest_page_bytes(options.read);
  if (options.read.window_bytes < corpus::ReadOptions().window_bytes) json["window-bytes"] = options.read.window_bytes;
  json["keep"] = cluster::to_string(options.keep);
  json["strict"] = options.strict;
  json["shard"] = options.shard_count;
  if (!options.temp.empty()) json[kTemp] = options.temp;  // where the parts lie
  return json;
}

// A store that a run makes has its counts when the run goes on.
std::string commonness_of(const DedupOptions& options) {
  if (options.commonness_is_stored) return "stored";
  return options.verify.common == nullptr ? "learnt" : options.verify.common->id();
}

// What the stages after it depend on.
Json describe_deciding(const DedupOptions& options) {
  Json json = Json::object();
  json["recipe"] = fmt::format("bands {}, rows {}", options.recipe.minhash.bands, options.recipe.minhash.rows);
  json["distance"] = options.distance ? std::to_string(*options.distance) : "auto";
  json["verify"] = verify::to_string(options.verify);
  json["commonness"] = commonness_of(options);
  json["size-within"] = options.size_within ? Json(*options.size_within) : Json();
  if (options.contained) json["contained"] = *options.contained;
  json["cluster"] = to_string(options.cluster);
  json["mode"] = to_string(options.mode);
  json["pairs"] = options.write_pairs;
  if (!options.into.empty()) json["into"] = shown_place(options.into);
  if (!options.reference_store.empty()) json["reference"] = shown_place(options.reference_store);
  return json;
}

// As it stands in run.json: names of files may hold any bytes, JSON may not.
Json identity(const DedupOptions& options, const Sources& sources) {
  const Json json = {{"format", kFormat},
                     {"version", kVersion},
                     {"inputs", describe(sources.inputs)},
                     {"references", describe(sources.references)},
                     {"reading", describe_reading(options)},
                     {"deciding", describe_deciding(options)}};
  return *parse_json<Json>(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

WorkFolder::RunMark mark_of_run(Json run) {
  const std::string deciding = run.at("deciding").dump();
  run.erase("deciding");
  return {.reading = hash64(run.dump()), .deciding = hash64(deciding)};
}

// What else than the flag of its name may have changed a value.
std::string_view other_causes(const std::string& key) {
  if (key == "recipe")
    return "; dictionaries, --bands and what follows its name, such as mask= and phrases=, change it, too";
  if (key == "family" || key == "max-record-bytes") return "; --memory chooses it where it is not given";
  if (key == "page-bytes") return "; so many bytes of a page are read at most";
  if (key == "window-bytes") return "; Zstandard files may ask for a window of so many bytes";
  return {};
}

// The flag that sets a value of the identity.
std::string_view flag_of(const std::string& key) {
  return key == "page-bytes" || key == "window-bytes" ? "memory" : std::string_view(key);
}

// Returns which option of `part` differs, as "another --distance ("auto" then, "3" now)".
std::string different_option(const Json& before, const Json& now, const char* part) {
  const Json old = json_member(before, part);
  Json all = now.at(part);
  for (const auto& [key, value] : old.items()) all.emplace(key, Json());  // what only the other run had
  for (const auto& [key, value] : all.items())
    if (json_member(old, key) != value)
      return fmt::format("another --{} ({} then, {} now{})", flag_of(key), json_member(old, key).dump(), value.dump(),
                         other_causes(key));
  return {};
}

std::string different_reading(const Json& before, const Json& now) {
  for (const char* part : {"format", "version"})
    if (json_member(before, part) != now.at(part)) return "another version of neardup, which has to finish it";
  for (const char* part : {"inputs", "references"})
    if (json_member(before, part) != now.at(part)) return fmt::format("other {}", part);
  return different_option(before, now, "reading");
}

Result<Json> read_json(const std::string& path) {
  NEARDUP_ASSIGN(const std::string bytes, read_file(path));
  Result<Json> json = parse_json<Json>(bytes);
  // Before version 4 there was no checksum; who wrote it has to finish it.
  const bool is_old = json && json->is_object() && !json->contains("xxh3") && json_member(*json, "format") != kFormat;
  return is_old ? std::move(json) : checked_json(bytes, path);
}

// Returns the first name in the output folder that a run would replace; empty where there is none.
Result<std::string> first_result(const WorkFolder& folder) {
  for (const std::string& name : output_names()) {
    NEARDUP_ASSIGN(const bool is_there, file_exists(folder.output() + "/" + name));
    if (is_there) return name;
  }
  return std::string();
}

// Lock files stay for ever: others may hold or wait for them.
bool is_lock(std::string_view name) { return name == "lock" || name == "begin.lock"; }

// Returns the names in a folder, none where it is not there: temporary folders are cleared by others, too.
Result<std::vector<std::string>> names_in(const std::string& folder) {
  auto names = list_folder(folder);
  if (!names && names.error().code == Code::kNotFound) return std::vector<std::string>();
  return names;
}

// Removes all in the folder but the locks, run.json and `but`.
Status clear_all_but(const std::string& folder, std::string_view but) {
  NEARDUP_ASSIGN(const auto names, names_in(folder));
  for (const std::string& name : names)
    if (!is_lock(name) && name != "run.json" && name != but) NEARDUP_TRY(remove_all(folder + "/" + name));
  return {};
}

// The folder as the run that run.json is of has it: its temporary folder may be another one.
WorkFolder folder_of(const Json& run, const WorkFolder& folder) {
  return WorkFolder(folder.output(), json_string(json_member(json_member(run, "reading"), kTemp)));
}

// Names the run that the folder is of. What was removed before is gone for good: the work of another run must not come
// back beside this name when the power is lost.
Status name_run(const Json& run, const WorkFolder& folder) {
  NEARDUP_TRY(sync_folder(folder.root()));
  return write_checked_json(folder.run_json(), run);
}

// Shards share the folder's lock, but each holds that of its part from begin_run() on.
Status check_no_part_in_use(const std::string& work) {
  NEARDUP_ASSIGN(const auto names, names_in(work));
  for (const std::string& name : names) {
    const std::string part = work + "/" + name;
    NEARDUP_ASSIGN(const bool has_lock, file_exists(part + "/lock"));
    if (!name.starts_with("part-") || !has_lock) continue;
    NEARDUP_ASSIGN(const auto lock, FolderLock::try_acquire(part + "/lock", false));
    if (lock) continue;
    return fail(Code::kMismatch,
                fmt::format("'{}' is being written by another process: a shard of the run that this one would replace; "
                            "wait until it has ended, or stop it",
                            part));
  }
  return {};
}

// Results of an earlier run, and its name, stay until there are better ones: who stops here may begin again. `former`:
// the folder as that run had it.
Result<Progressed> start_anew(const Json& now, const WorkFolder& folder, const WorkFolder& former) {
  for (const std::string& work : {former.work(), folder.work()}) NEARDUP_TRY(check_no_part_in_use(work));
  NEARDUP_TRY(clear_all_but(folder.root(), "stdin"));
  if (folder.has_own_work()) NEARDUP_TRY(clear_all_but(folder.work(), "stdin"));
  if (former.work() != folder.work() && former.has_own_work()) NEARDUP_TRY(remove_all(former.work()));
  NEARDUP_TRY(name_run(now, folder));
  return Progressed::kNew;
}

// Whether a run may begin in a folder whose run.json gave `error`: without one, results there are nobody's; a damaged
// one was of a run.
Status check_nameless(const Error& error, bool overwrite, const WorkFolder& folder) {
  if (error.code == Code::kCorruption && overwrite) return {};
  if (error.code != Code::kNotFound) return tl::unexpected<Error>(error);
  NEARDUP_ASSIGN(const std::string name, first_result(folder));
  if (name.empty()) return {};
  return fail(Code::kMismatch, fmt::format("'{}' holds '{}', and no run that wrote it; move it away or choose another "
                                           "folder",
                                           folder.output(), name));
}

// Keeps the parts and the dictionary, but not what an earlier merge made of them.
Status decide_anew(const Json& before, Json now, const WorkFolder& folder) {
  if (before.contains(kLearntIdf)) now[kLearntIdf] = before.at(kLearntIdf);
  NEARDUP_TRY(remove_all(folder.outcome()));
  NEARDUP_TRY(remove_all(folder.staged()));
  return name_run(now, folder);
}

// Whether an earlier run has left nothing that could be missed: it kept and removed no document, or has read none.
Result<bool> holds_nothing(const Json& before, const WorkFolder& folder) {
  if (before.contains("complete")) {
    const Json total = json_member(before, "complete"), contained = json_member(total, "contained");
    if (!contained.is_null() && contained != 0) return false;  // older runs know of none
    return std::ranges::all_of(std::to_array({"kept", "exact", "near"}),
                               [&](const char* count) { return json_member(total, count) == 0; });
  }
  NEARDUP_ASSIGN(const auto names, names_in(folder.work()));
  for (const std::string& name : names) {
    const auto checkpoint = load_checkpoint(folder.work() + "/" + name);
    const bool is_part = name.starts_with("part-");
    if (is_part && (checkpoint ? checkpoint->num_documents > 0 : checkpoint.error().code != Code::kNotFound))
      return false;
  }
  NEARDUP_ASSIGN(const std::string result, first_result(folder));
  return result.empty();  // of an older run, which this one had begun to replace
}

}  // namespace

Result<Progressed> begin_run(const DedupOptions& options, const Sources& sources, WorkFolder& folder) {
  const Json now = identity(options, sources);
  folder.set_run(mark_of_run(now));
  auto before = read_json(folder.run_json());
  const bool sharded = options.shard_index.has_value() || options.merge_shards;
  if (!before) {
    NEARDUP_TRY(check_nameless(before.error(), options.overwrite, folder));
    return start_anew(now, folder, folder);
  }
  const WorkFolder former = folder_of(*before, folder);
  const std::string reading = different_reading(*before, now), deciding = different_option(*before, now, "deciding");
  const bool complete = before->contains("complete");
  if (sharded && reading.empty() && !complete) {  // parts are the same whatever is decided about them later
    if (options.merge_shards && !deciding.empty()) NEARDUP_TRY(decide_anew(*before, now, folder));
    return Progressed::kStarted;
  }
  if (options.overwrite) return start_anew(now, folder, former);
  if (!options.resume && (!sharded || complete)) {
    NEARDUP_ASSIGN(const bool nothing, holds_nothing(*before, former));
    if (nothing) return start_anew(now, folder, former);
  }
  if (const std::string& differs = reading.empty() ? deciding : reading; !differs.empty())
    return fail(Code::kMismatch,
                fmt::format("'{}' holds a run with {}; repeat that run's command, choose another folder, "
                            "or --overwrite it",
                            folder.output(), differs));
  if (options.resume) return complete ? Progressed::kComplete : Progressed::kStarted;
  return fail(Code::kMismatch,
              complete
                  ? fmt::format("'{}' already holds the results of this very run; --overwrite them to run it again",
                                folder.output())
                  : fmt::format("'{}' holds a run that was stopped; go on with --resume or start anew with --overwrite",
                                folder.output()));
}

Status complete_run(const WorkFolder& folder, const report::Tally& total) {
  NEARDUP_ASSIGN(Json json, read_json(folder.run_json()));
  json["complete"] = {{"read", total.read},
                      {"kept", total.kept},
                      {"exact", total.exact},
                      {"near", total.near},
                      {"contained", total.contained},
                      {"rejected", total.rejected},
                      {"bytes_read", total.bytes_read},
                      {"bytes_removed", total.bytes_removed}};
  NEARDUP_TRY(write_checked_json(folder.run_json(), json));
  return clear_complete_run(folder);
}

Result<std::string> learnt_idf(const WorkFolder& folder) {
  NEARDUP_ASSIGN(const Json json, read_json(folder.run_json()));
  return json_string(json_member(json, kLearntIdf));
}

Status keep_learnt_idf(const WorkFolder& folder, const std::string& id) {
  NEARDUP_ASSIGN(Json json, read_json(folder.run_json()));
  if (json_member(json, kLearntIdf) == id) return {};
  json[kLearntIdf] = id;
  return write_checked_json(folder.run_json(), json);
}

Status clear_complete_run(const WorkFolder& folder) {
  if (folder.has_own_work()) NEARDUP_TRY(remove_all(folder.work()));
  return clear_all_but(folder.root(), "");
}

Result<report::Tally> completed_total(const WorkFolder& folder) {
  NEARDUP_ASSIGN(const Json json, read_json(folder.run_json()));
  const Json total = json_member(json, "complete");
  report::Tally tally;
  tally.name = "total";
  for (const auto& [key, field] :
       {std::pair("read", &tally.read), std::pair("kept", &tally.kept), std::pair("exact", &tally.exact),
        std::pair("near", &tally.near), std::pair("contained", &tally.contained),
        std::pair("rejected", &tally.rejected), std::pair("bytes_read", &tally.bytes_read),
        std::pair("bytes_removed", &tally.bytes_removed)})
    *field = json_integer<uint64_t>(json_member(total, key)).value_or(*field);
  return tally;
}

}  // namespace neardup::engine
