#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "neardup/base/disk/file.h"
#include "neardup/base/shell_word.h"
#include "neardup/cli/commands.h"
#include "neardup/cli/contained_flag.h"
#include "neardup/cli/family_flag.h"
#include "neardup/cli/input_flags.h"
#include "neardup/cli/pair_filter_flags.h"
#include "neardup/cli/recipe_flag.h"
#include "neardup/cli/same_file.h"
#include "neardup/cli/verify_flag.h"
#include "neardup/corpus/each_document.h"
#include "neardup/corpus/find/input_set.h"
#include "neardup/corpus/find/standard_input.h"
#include "neardup/corpus/formats.h"
#include "neardup/engine/chosen_families.h"
#include "neardup/engine/match/given_commonness.h"
#include "neardup/engine/match/input_commonness.h"
#include "neardup/engine/read/family.h"
#include "neardup/engine/read/idf_of_texts.h"
#include "neardup/engine/read/idf_pass.h"
#include "neardup/engine/record_limits.h"
#include "neardup/explain/explain.h"
#include "neardup/explain/worked_example.h"

namespace neardup::cli {
namespace {

struct ExplainArguments {
  std::vector<std::string> names;  // files, ids or texts
  bool are_texts = false;
  std::vector<std::string> corpus;      // where the ids are looked for
  std::vector<std::string> references;  // likewise, before it
  InputArguments input;
  corpus::DiscoverOptions discover;
  std::string features;
  corpus::ReadOptions read;
  engine::DedupOptions dedup;  // recipe, IDF file, family, distance and rule
  explain::Style style;
  bool json = false;
  std::string html;
};

/// Many records are no text, however alike two files of them are.
tl::unexpected<Error> holds_records(const corpus::Input& input, const std::string& typed) {
  return fail(Code::kInvalidArgument,
              fmt::format("'{}' holds records ({}), and explain takes two texts: name the ids of two of them, neardup "
                          "explain --input {} ID ID, or take each file as a whole, --format text",
                          typed, corpus::row_of(input.format).says, shell_word(typed)));
}

/// The text of the one document in a file of JSON objects, a line each; nothing where that object has no text.
Result<std::optional<std::string>> only_record(const corpus::InputSet& set, const std::string& typed,
                                               const ExplainArguments& arguments, const Context& context) {
  std::optional<std::string> text;
  int records = 0;
  const auto count = [&](const corpus::Document& document, const std::string&) {
    text = document.text;
    return ++records < 2;
  };
  NEARDUP_TRY(corpus::for_each_document(set.inputs(), arguments.read, context,
                                        {count, [&](const std::string&) { ++records; }}));
  if (records > 1) return holds_records(set.inputs().front(), typed);
  return text;
}

Result<explain::NamedText> read_text_file(const std::string& path, const ExplainArguments& arguments,
                                          const Context& context) {
  corpus::DiscoverOptions options = arguments.discover;
  options.object_is_text = true;  // as it is in a folder
  NEARDUP_ASSIGN(const auto set, corpus::InputSet::open({path}, options, context));
  if (set.inputs().size() != 1) return fail(Code::kInvalidArgument, fmt::format("{}: expected one file", path));
  corpus::Input input = set.inputs().front();
  if (input.format == corpus::Format::kJsonl) {
    NEARDUP_ASSIGN(std::optional<std::string> text, only_record(set, path, arguments, context));
    if (text) return explain::NamedText{path, *std::move(text)};
    input.format = corpus::Format::kText;
  }
  if (input.size_bytes == 0) input.format = corpus::Format::kText;  // none at all, where it came from a pipe
  if (input.format != corpus::Format::kText) return holds_records(input, path);
  explain::NamedText text{path, ""};
  NEARDUP_TRY(corpus::for_each_document({input}, arguments.read, context,
                                        {[&](const corpus::Document& document, const std::string&) {
                                          text.text = document.text;
                                          return false;
                                        }}));
  return text;
}

/// Takes the document for the first wanted id that is still to be found; where both ids are one, the second document of
/// that id is for the second.
void take_wanted(const corpus::Document& document, const std::string& id, std::vector<explain::NamedText>& texts,
                 std::vector<bool>& found) {
  for (size_t i = 0; i < texts.size(); ++i) {
    if (found[i] || texts[i].name != id) continue;
    texts[i].text = document.text;
    texts[i].within = document.within;
    found[i] = true;
    return;
  }
}

/// Finds the documents with the wanted ids, in the order in which they were asked for.
Result<std::vector<explain::NamedText>> find_documents(const ExplainArguments& arguments,
                                                       const std::vector<corpus::Input>& inputs,
                                                       const Context& context) {
  std::vector<explain::NamedText> texts;
  for (const std::string& id : arguments.names) texts.push_back({id, ""});
  std::vector<bool> found(texts.size(), false);
  std::string first_id, first_rejected;
  NEARDUP_TRY(corpus::for_each_document(inputs, arguments.read, context,
                                        {[&](const corpus::Document& document, const std::string& id) {
                                           if (first_id.empty()) first_id = id;
                                           take_wanted(document, id, texts, found);
                                           return std::find(found.begin(), found.end(), false) != found.end();
                                         },
                                         [&](const std::string& message) {
                                           if (first_rejected.empty()) first_rejected = message;
                                         }}));
  if (texts.size() == 2 && texts[0].name == texts[1].name && found[0] && !found[1])
    texts[1] = texts[0], found[1] = true;
  for (size_t i = 0; i < texts.size(); ++i) {
    if (!found[i])
      return fail(
          Code::kNotFound,
          fmt::format("{}: no document with id \"{}\"{}{}", fmt::join(arguments.corpus, ", "), texts[i].name,
                      first_id.empty() ? "" : fmt::format("; ids there look like \"{}\"", first_id),
                      first_rejected.empty() ? "" : "; it may be among what cannot be read: " + first_rejected));
  }
  return texts;
}

struct Loaded {
  std::vector<explain::NamedText> texts;
  std::shared_ptr<const feature::Idf> idf;
  std::shared_ptr<const verify::Commonness> common;
};

bool weighs_ngrams(const ExplainArguments& arguments) {
  return arguments.names.size() == 2 && arguments.dedup.verify.kind == verify::Rule::Kind::kContent;
}

// As dedup has it of that corpus.
Result<std::shared_ptr<const verify::Commonness>> learn_from(const std::vector<corpus::Input>& inputs,
                                                             const ExplainArguments& arguments,
                                                             const Context& context) {
  engine::DedupOptions dedup = arguments.dedup;
  NEARDUP_TRY(engine::choose_family(dedup));
  const int num_threads = engine::num_batch_threads(dedup);
  const corpus::ReadOptions read = engine::within_memory(arguments.read, dedup.recipe, dedup.memory_bytes, num_threads);
  return engine::learn_commonness(inputs, read, dedup.recipe, {dedup.memory_bytes, num_threads}, context);
}

Result<Loaded> load_from_corpus(ExplainArguments& arguments, const Context& context) {
  NEARDUP_ASSIGN(const corpus::InputSet set, corpus::InputSet::open(arguments.corpus, arguments.discover, context));
  std::vector<corpus::Input> inputs;
  if (!arguments.references.empty()) {
    NEARDUP_ASSIGN(inputs, corpus::discover(arguments.references, arguments.discover));
  }
  inputs.insert(inputs.end(), set.inputs().begin(), set.inputs().end());  // in the order of dedup
  Loaded loaded;
  NEARDUP_ASSIGN(loaded.texts, find_documents(arguments, inputs, context));
  NEARDUP_ASSIGN(loaded.idf, engine::provide_idf(arguments.dedup.recipe, arguments.dedup.idf_file, inputs,
                                                 arguments.read, {}, context));
  if (!arguments.dedup.distance && engine::family_of_run(arguments.dedup) == recipe::Family::kSimHash) {
    NEARDUP_ASSIGN(arguments.dedup.num_documents, engine::estimate_documents(inputs, arguments.read));
  }
  if (weighs_ngrams(arguments) && arguments.dedup.commonness_file.empty()) {
    NEARDUP_ASSIGN(loaded.common, learn_from(inputs, arguments, context));
  }
  return loaded;
}

Result<Loaded> load_texts(ExplainArguments& arguments, const Context& context) {
  Loaded loaded;
  if (!arguments.are_texts) NEARDUP_TRY(corpus::check_given_once(arguments.names));
  for (const std::string& name : arguments.names) {
    if (arguments.are_texts) {
      loaded.texts.push_back({fmt::format("\"{}\"", name), name});
      continue;
    }
    NEARDUP_ASSIGN(explain::NamedText text, read_text_file(name, arguments, context));
    loaded.texts.push_back(std::move(text));
  }
  if (arguments.dedup.idf_file.empty() && arguments.dedup.recipe.learns_idf()) {
    std::vector<std::string_view> texts;
    for (const explain::NamedText& text : loaded.texts) texts.push_back(text.text);
    NEARDUP_ASSIGN(loaded.idf, engine::idf_of_texts(texts, arguments.dedup.recipe));
  } else {
    NEARDUP_ASSIGN(loaded.idf, engine::provide_idf(arguments.dedup.recipe, arguments.dedup.idf_file, {}, arguments.read,
                                                   {1}, context));
  }
  return loaded;
}

Status run_worked_example(const ExplainArguments& arguments, Io& io) {
  NEARDUP_ASSIGN(const std::string json, read_file(arguments.features, uint64_t{1} << 24));
  auto example = explain::parse_worked_example(json);
  if (!example) return fail(Code::kInvalidArgument, fmt::format("{}: {}", arguments.features, example.error().message));
  io.print(arguments.json ? explain::worked_json(*example) : explain::worked_text(*example));
  return {};
}

/// Flags that say how the documents of --input are read do nothing without it; but a file may be taken as a text.
Status check_documents(const ExplainArguments& arguments) {
  if (!arguments.corpus.empty())
    return arguments.are_texts ? fail(Code::kInvalidArgument, "--text and --input cannot go together") : Status{};
  for (const auto& [flag, is_given] :
       {std::pair("--reference", !arguments.references.empty()),
        {"--within", !arguments.dedup.read.within_key.empty()},
        {"--format", arguments.input.format.value_or(corpus::Format::kText) != corpus::Format::kText},
        {"--table", arguments.dedup.read.table != corpus::CsvDialect{}},
        {"--lines", arguments.input.lines}})
    if (is_given)
      return fail(Code::kInvalidArgument, fmt::format("{} is about the documents that --input PATH holds, and none is "
                                                      "given",
                                                      flag));
  return {};
}

Status run(ExplainArguments& arguments, Io& io) {
  NEARDUP_TRY(apply_input_flags(arguments.input, arguments.discover));
  if (!arguments.features.empty()) return run_worked_example(arguments, io);
  std::vector<std::string> read = arguments.corpus;
  if (!arguments.are_texts) read.insert(read.end(), arguments.names.begin(), arguments.names.end());
  NEARDUP_TRY(check_output(arguments.html, read));
  if (arguments.names.empty())
    return fail(Code::kInvalidArgument, "A is missing: one or two files, or --text and one or two texts");
  engine::settle_rule(arguments.dedup);
  NEARDUP_TRY(engine::check_rule(arguments.dedup.verify, arguments.dedup.recipe));
  NEARDUP_TRY(engine::check_commonness(arguments.dedup));
  NEARDUP_TRY(engine::check_contained(arguments.dedup));
  NEARDUP_TRY(check_documents(arguments));
  arguments.read.within_key = arguments.dedup.read.within_key;
  const Context context{nullptr, io.cancel};
  NEARDUP_ASSIGN(const engine::ShownFamilies shown,
                 engine::shown_families(arguments.dedup.recipe, arguments.dedup.family));
  if (!shown.simhash)
    NEARDUP_TRY(recipe::take_family(arguments.dedup.recipe, recipe::Family::kMinHash));  // it needs no IDF
  NEARDUP_ASSIGN(Loaded loaded,
                 arguments.corpus.empty() ? load_texts(arguments, context) : load_from_corpus(arguments, context));
  if (!arguments.dedup.commonness_file.empty()) {
    NEARDUP_ASSIGN(loaded.common, engine::given_commonness(arguments.dedup.commonness_file));
  }
  arguments.dedup.verify.common = loaded.common.get();
  NEARDUP_ASSIGN(const auto explained,
                 explain::explain_texts(std::move(loaded.texts), arguments.dedup, shown, loaded.idf));
  arguments.style.color = io.color;
  if (!arguments.html.empty())
    NEARDUP_TRY(write_file_atomically(arguments.html, explain::explain_html(*explained, arguments.style)));
  io.print(arguments.json ? explain::explain_json(*explained) : explain::explain_page(*explained, arguments.style));
  return {};
}

}  // namespace

void add_explain_command(CommandLine& line) {
  auto arguments = std::make_shared<ExplainArguments>();
  Command& command = line.add(
      {"explain",
       "Show why two documents are near-duplicates or not",
       "Says what dedup would do with two documents if it were given these alone, why, how similar they are and where "
       "they differ; with --details also the features, votes and signatures. Of a single document: its features.",
       "A [B] [FLAGS]",
       {{"neardup explain a.txt b.txt", "Two files."},
        {"neardup explain --input corpus.jsonl id1 id2 --html why.html", "Two documents of a corpus, also as a page."},
        {"neardup explain --features examples/worked/vectors.json",
         "SimHash by hand: the counters after each feature."}},
       {"A file for --features is JSON: {\"bits\": 3, \"features\": [{\"name\": \"w1\", "
        "\"signs\": [1, -1, 1], \"weight\": 1}, "
        "...]}, or \"hash\": \"101\" in place of signs.",
        "A recipe that learns its IDF from the input learns it from all that --input names, "
        "else from A and B alone. How common n-grams are, which is how --verify content weighs them, is learnt from "
        "the "
        "same documents; from A and B alone nothing is learnt, and all weigh the same. --commonness takes what a run "
        "of dedup has learnt."},
       {"--text", "--input", "--text-key", "--id-key", "--recipe", "--verify", "--commonness", "--details", "--json",
        "--html"}});
  Flags flags(command);
  flags.group("Documents");
  flags.arguments({"A", "", "A file, and perhaps a second one; ids with --input, texts with --text"}, arguments->names,
                  2);
  flags.on({"--text", "", "A and B are the texts themselves"}, arguments->are_texts);
  flags.list({"--input", "PATH", "A and B are ids of documents in this file or folder; - is standard input", "--jsonl"},
             arguments->corpus);
  flags.list({"--reference", "PATH", "Or in this one, as dedup was given it"}, arguments->references);
  define_input_flags(flags, arguments->input, arguments->read, arguments->discover);
  flags.text({"--features", "FILE", "Explain these features with given hashes instead of a document"},
             arguments->features);
  flags.group("Fingerprints");
  define_recipe_flags(flags, arguments->dedup.recipe, arguments->dedup.idf_file);
  define_family_flag(flags, arguments->dedup.family,
                     "As in dedup; auto: --details shows both where the recipe has both");
  define_distance_flag(flags, arguments->dedup.distance);
  define_bands_flag(flags, arguments->dedup.recipe, arguments->dedup.family);
  define_verify_flags(flags, arguments->dedup.verify, arguments->dedup.verify_is_given);
  define_commonness_flag(flags, arguments->dedup.commonness_file);
  define_contained_flag(flags, arguments->dedup.contained);
  define_pair_filter_flags(flags, arguments->dedup.read.within_key, arguments->dedup.size_within);
  flags.group("Output");
  flags.whole({"--top", "N", "Features to list; 0 is all"}, arguments->style.top, 0, INT32_MAX, "20");
  flags.on({"--details", "", "Show everything: features, votes, signatures and the whole difference"},
           arguments->style.details);
  flags.on({"--each-bit", "", "Also show the features that made each bit", "--bits"}, arguments->style.bits);
  flags.on({"--json", "", "One JSON object with everything"}, arguments->json);
  flags.output({"--html", "FILE", "Also write a page to look at"}, arguments->html);
  command.run = [arguments](Io& io) { return run(*arguments, io); };
}

}  // namespace neardup::cli
