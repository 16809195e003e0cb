#include "neardup/cli/store_actions.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>

#include "neardup/base/json.h"
#include "neardup/base/shell_word.h"
#include "neardup/base/sizes.h"
#include "neardup/cli/index_outcomes.h"
#include "neardup/cli/line_output.h"
#include "neardup/cli/progress.h"
#include "neardup/cli/same_file.h"
#include "neardup/cli/store_facts.h"
#include "neardup/corpus/find/input_set.h"
#include "neardup/engine/index/actions.h"
#include "neardup/engine/online/open_text_store.h"
#include "neardup/engine/online/store_documents.h"
#include "neardup/engine/online/store_place.h"
#include "neardup/engine/online/verdict_json.h"
#include "neardup/fingerprint/text_line.h"
#include "neardup/recipe/recipe_words.h"

namespace neardup::cli {
namespace {

using engine::TextStore;
using StoreOpened = Result<std::unique_ptr<TextStore>>;

constexpr size_t kRecordsAtOnce = 1000;  // of an export

store::StoreOptions options_of(const Io& io) {
  store::StoreOptions options;
  options.context = {nullptr, io.cancel};
  return options;
}

StoreOpened open_store(const IndexArguments& arguments, const Io& io) {
  return engine::open_text_store(arguments.folder, options_of(io), arguments.settings);
}

Result<corpus::InputSet> inputs_of(const IndexArguments& arguments, const Context& context) {
  if (arguments.rest.empty())
    return fail(Code::kInvalidArgument, "FILE is missing: documents, as neardup dedup takes them");
  corpus::DiscoverOptions discover = arguments.discover;
  NEARDUP_TRY(apply_input_flags(arguments.input, discover));
  return corpus::InputSet::open(arguments.rest, discover, context);
}

// Says the first ones, and how many there were; and what else was no document.
class Rejections {
 public:
  explicit Rejections(ProgressDisplay& progress) : progress_(progress) {}
  /// To be told on the way.
  [[nodiscard]] engine::StoringCalls calls() {
    return {.verdict = {},
            .rejected = [this](const std::string& message) { tell(message); },
            .noted = [this](const std::string& message) { progress_.say(fmt::format("warning: {}\n", message)); }};
  }
  void tell(const std::string& message) {
    if (++count_ <= kShownRejections) progress_.say(fmt::format("warning: rejected {}\n", message));
  }
  void finish() const {
    if (count_ > kShownRejections)
      progress_.say(fmt::format("warning: {} records were rejected in all\n", human_count(count_)));
  }

 private:
  ProgressDisplay& progress_;
  uint64_t count_ = 0;
};

engine::StoringOptions storing_options(const IndexArguments& arguments) {
  engine::StoringOptions options{.read = arguments.read, .tag = arguments.tag, .num_threads = arguments.num_threads};
  if (arguments.memory_bytes > 0) options.memory_bytes = arguments.memory_bytes;
  return options;
}

// Who is contained is told of where it is looked for.
void tell_stored(const engine::StoredCounts& counts, uint64_t held, bool tells_contained,
                 const IndexArguments& arguments, Io& io) {
  if (arguments.json) {
    const std::string contained = tells_contained ? fmt::format(",\"contained\":{}", counts.contained) : "";
    return io.print(fmt::format(
        "{{\"read\":{},\"new\":{},\"exact\":{},\"near\":{}{},\"repeated\":{},\"rejected\":{},\"documents\":{}}}\n",
        counts.read(), counts.fresh, counts.exact, counts.near, contained, counts.repeated, counts.rejected, held));
  }
  const std::string contained = tells_contained ? fmt::format(" {} contained,", human_count(counts.contained)) : "";
  io.say(fmt::format(
      "{} read: {} new, {} exact copies, {} near-duplicates,{} {} that were there, {} rejected; the store "
      "knows {}\n",
      human_count(counts.read()), human_count(counts.fresh), human_count(counts.exact), human_count(counts.near),
      contained, human_count(counts.repeated), human_count(counts.rejected), human_count(held)));
}

void append_found(std::string& out, IndexFormat format, std::string_view query, const store::StoredNeighbours& near) {
  for (const store::StoredNeighbour& neighbour : near.found) {
    if (format == IndexFormat::kJsonl) {
      std::string line;
      engine::append_neighbour(line, neighbour);
      out += "{\"query\":";
      append_json_string(out, query);
      out += ',' + line.substr(1) + '\n';
      continue;
    }
    fingerprint::append_escaped_id(out, query);
    out += '\t';
    fingerprint::append_escaped_id(out, neighbour.id);
    const std::string distance = neighbour.is_container ? "-" : fmt::format("{}", neighbour.likeness.distance);
    fmt::format_to(std::back_inserter(out), "\t{}\t{:.4f}\n", distance, neighbour.likeness.similarity);
  }
}

void append_exported(std::string& out, const store::Record& record, const std::string& text) {
  fmt::format_to(std::back_inserter(out), "{{\"number\":{},\"id\":", record.number);
  append_json_string(out, record.id);
  fmt::format_to(std::back_inserter(out), ",\"kind\":\"{}\",\"checksum\":\"{}\",\"size_bytes\":{},\"time\":{}",
                 engine::name_of(record.fate.kind), to_hex(record.checksum), record.size_bytes, record.time);
  for (const auto& [name, value] : {std::pair{"within", record.within}, {"tag", record.tag}}) {
    fmt::format_to(std::back_inserter(out), ",\"{}\":", name);
    append_json_string(out, value);
  }
  if (record.fate.kind != store::Kind::kNew)
    fmt::format_to(std::back_inserter(out), ",\"duplicate_of_number\":{}", record.fate.kept);
  if (!text.empty()) {
    out += ",\"text\":";
    append_json_string(out, text);
  }
  out += "}\n";
}

// What else a server would be asked for without a word.
Status check_of_store(const IndexArguments& arguments) {
  if (!engine::is_on_server(arguments.folder)) return {};
  if (arguments.plan.empty() && arguments.codec == hamming::Codec::kPacked) return {};
  return fail(Code::kInvalidArgument,
              fmt::format("{} is a store of texts on a server: --plan and --codec are of an index in a folder",
                          engine::shown_place(arguments.folder)));
}

Status check_is_new(const std::string& place) {
  NEARDUP_ASSIGN(const engine::PlaceKind kind, engine::kind_of_place(place));
  if (kind != engine::PlaceKind::kFolder) return {};
  return fail(Code::kInvalidArgument,
              fmt::format("'{}' holds a store already; add to it (neardup index add {}), or choose another folder",
                          place, shell_word(place)));
}

// A new store takes the place of an old one where that is dropped; who only wants to have one opens it.
Result<std::unique_ptr<TextStore>> make_new(const std::string& place, const engine::TextStoreSettings& settings,
                                            const store::StoreOptions& options) {
  NEARDUP_TRY(check_is_new(place));
  auto made = TextStore::create(place, settings, options);
  if (made || !engine::was_made_meanwhile(made.error(), place, options.context)) return made;
  const std::string shown = engine::shown_place(place);
  return fail(made.error().code, fmt::format("{} (to begin anew: neardup index drop {})", made.error().message, shown));
}

// What was told of is stored, and gets the same verdict when it comes again: so does all that a server stored of a call
// whose answer did not come.
tl::unexpected<Error> stopped(uint64_t num_stored, const std::string& again, const IndexArguments& arguments) {
  const bool reads_standard_input = std::ranges::find(arguments.rest, "-") != arguments.rest.end();
  return fail(Code::kCancelled,
              fmt::format("stopped; of the documents that were given {}{} are stored; {} goes on{}",
                          engine::is_on_server(arguments.folder) ? "at least " : "", human_count(num_stored), again,
                          reads_standard_input ? " where standard input, which is gone, is given again" : ""));
}

// `prepare` is called when it is known that there is something to read. `again`: what goes on with it where it is
// stopped.
Status add_documents(const IndexArguments& arguments, const std::function<Status()>& prepare, const std::string& again,
                     Io& io) {
  NEARDUP_TRY(check_output_is_no_input(arguments.output, arguments.rest));
  ProgressDisplay progress(ProgressDisplay::style_beside(arguments.progress, false, io), io.err, io.columns);
  LineOutput output(arguments.output, io);
  if (!arguments.output.empty()) NEARDUP_TRY(output.begin());  // before standard input is read
  NEARDUP_ASSIGN(const corpus::InputSet inputs, inputs_of(arguments, {&progress, io.cancel}));
  NEARDUP_TRY(prepare());
  NEARDUP_ASSIGN(const auto store, open_store(arguments, io));
  Rejections rejections(progress);
  uint64_t num_stored = 0;
  const auto verdict = [&](std::string_view id, const engine::TextVerdict& told) -> Status {
    ++num_stored;
    if (arguments.output.empty()) return {};
    output.lines() += '{';
    engine::append_verdict(output.lines(), id, told);
    output.lines() += "}\n";
    return output.flush_if_full();
  };
  engine::StoringCalls calls = rejections.calls();
  calls.verdict = verdict;
  const auto counts =
      engine::store_documents(*store, inputs.inputs(), storing_options(arguments), {&progress, io.cancel}, calls);
  if (counts) rejections.finish();
  const Status done = counts ? store->store().checkpoint() : Status(tl::unexpected<Error>(counts.error()));
  if (!done && done.error().code == Code::kCancelled) return stopped(num_stored, again, arguments);
  NEARDUP_TRY(done);
  if (!arguments.output.empty()) NEARDUP_TRY(output.finish());
  NEARDUP_ASSIGN(const store::Statistics statistics, store->store().statistics());
  tell_stored(*counts, statistics.documents, store->settings().matching.contained.has_value(), arguments, io);
  return {};
}

}  // namespace

Status create_store(const IndexArguments& arguments, Io& io) {
  NEARDUP_TRY(check_of_store(arguments));
  engine::TextStoreSettings settings = arguments.settings;
  if (arguments.max_distance >= 0) settings.matching.distance = arguments.max_distance;
  const auto make = [&]() -> Status {
    NEARDUP_ASSIGN(const auto made, make_new(arguments.folder, settings, options_of(io)));
    if (!arguments.rest.empty()) return {};
    if (arguments.json) tell_stored({}, 0, settings.matching.contained.has_value(), arguments, io);
    io.say(fmt::format("{} is an empty store of texts, recipe {}\n", engine::shown_place(arguments.folder),
                       recipe::recipe_words(made->recipe_id())));
    return {};
  };
  if (arguments.rest.empty()) return make();
  NEARDUP_TRY(check_is_new(arguments.folder));  // before standard input is read
  const std::string place = shell_word(engine::shown_place(arguments.folder));
  return add_documents(arguments, make, fmt::format("neardup index add {} with the same files", place), io);
}

Status add_to_store(const IndexArguments& arguments, Io& io) {
  return add_documents(
      arguments, [] { return Status(); }, "the same command again", io);
}

Status query_store(const IndexArguments& arguments, Io& io) {
  NEARDUP_TRY(check_output_is_no_input(arguments.output, arguments.rest));
  ProgressDisplay progress(ProgressDisplay::style_beside(arguments.progress, arguments.output.empty(), io), io.err,
                           io.columns);
  LineOutput output(arguments.output, io);
  NEARDUP_TRY(output.begin());
  NEARDUP_ASSIGN(const corpus::InputSet inputs, inputs_of(arguments, {&progress, io.cancel}));
  NEARDUP_ASSIGN(const auto store, open_store(arguments, io));
  Rejections rejections(progress);
  const IndexFormat format = arguments.json ? IndexFormat::kJsonl : arguments.format;
  uint64_t truncated = 0;
  const auto found = [&](std::string_view id, const store::StoredNeighbours& near) -> Status {
    truncated += near.truncated ? 1 : 0;
    append_found(output.lines(), format, id, near);
    return output.flush_if_full();
  };
  NEARDUP_TRY(engine::query_documents(*store, inputs.inputs(), storing_options(arguments),
                                      static_cast<size_t>(arguments.limit), {&progress, io.cancel}, found,
                                      rejections.calls()));
  rejections.finish();
  if (truncated > 0)
    io.say(fmt::format("warning: of {} documents not all that are near were shown; --limit N shows more\n",
                       human_count(truncated)));
  return output.finish();
}

Status delete_from_store(const IndexArguments& arguments, Io& io) {
  NEARDUP_ASSIGN(const std::vector<std::string> ids, ids_to_delete(arguments));
  NEARDUP_ASSIGN(const auto store, open_store(arguments, io));
  engine::IndexDeletion deletion;
  const std::vector<std::string_view> views(ids.begin(), ids.end());
  std::vector<size_t> missing;
  NEARDUP_ASSIGN(deletion.deleted, store->store().erase(views, &missing));
  for (const size_t i : missing) deletion.missing.push_back(ids[i]);
  NEARDUP_ASSIGN(const store::Statistics statistics, store->store().statistics());
  deletion.held = statistics.documents;
  tell_deleted(deletion, "store", arguments, io);
  return {};
}

Status show_store(const IndexArguments& arguments, Io& io) {
  const auto show = [&](const store::Store& store, const TextStore* texts) -> Status {
    NEARDUP_ASSIGN(const store::Statistics statistics, store.statistics());
    const StoreFacts facts{store, texts, statistics, arguments.folder};
    io.print(arguments.json ? store_facts_json(facts) : store_facts_text(facts));
    return {};
  };
  const auto texts = TextStore::open(arguments.folder, options_of(io));
  if (texts) return show((*texts)->store(), texts->get());
  if (texts.error().code != Code::kInvalidArgument) return tl::unexpected<Error>(texts.error());
  const auto store = engine::open_store_at(arguments.folder, options_of(io));
  const bool is_of_fingerprints = store && (*store)->settings().matching_json.empty();
  return is_of_fingerprints ? show(**store, nullptr) : Status(tl::unexpected<Error>(texts.error()));
}

Status export_store(const IndexArguments& arguments, Io& io) {
  NEARDUP_ASSIGN(const auto store, TextStore::open(arguments.folder, options_of(io)));
  LineOutput output(arguments.output, io);
  NEARDUP_TRY(output.begin());
  Status written;
  const auto visit = [&](const store::Record& record) {
    auto text = TextStore::text_of(record);
    if (!text && written) written = tl::unexpected<Error>(text.error());
    if (text) append_exported(output.lines(), record, text->text);
  };
  for (std::optional<uint64_t> next = 0; next;) {
    NEARDUP_TRY(options_of(io).context.check_cancel());
    NEARDUP_ASSIGN(next, store->store().for_each(*next, kRecordsAtOnce, visit));
    NEARDUP_TRY(written);
    NEARDUP_TRY(output.flush_if_full());
  }
  return output.finish();
}

}  // namespace neardup::cli
