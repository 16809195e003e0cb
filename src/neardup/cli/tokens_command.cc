#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>

#include "neardup/base/json.h"
#include "neardup/cli/commands.h"
#include "neardup/cli/input_flags.h"
#include "neardup/cli/progress.h"
#include "neardup/cli/recipe_flag.h"
#include "neardup/corpus/each_document.h"
#include "neardup/corpus/find/input_set.h"
#include "neardup/engine/read/idf_pass.h"
#include "neardup/explain/changed_words.h"
#include "neardup/fingerprint/text_line.h"
#include "neardup/recipe/fingerprinter.h"
#include "neardup/token/jieba.h"

namespace neardup::cli {
namespace {

using token::Keyword;

enum class TokensFormat { kText, kJsonl };

struct TokensArguments {
  std::vector<std::string> inputs;
  InputArguments input;
  corpus::DiscoverOptions discover;
  corpus::ReadOptions read;
  recipe::Recipe recipe;
  std::string idf_file;
  token::CutMode mode = token::CutMode::kAccurate;
  size_t num_keywords = 0;
  bool dropped = false;
  TokensFormat format = TokensFormat::kText;
};

Status check(const TokensArguments& arguments) {
  if (arguments.inputs.empty())
    return fail(Code::kInvalidArgument, "FILE is missing: a file, a folder, or - for standard input");
  if (arguments.mode != token::CutMode::kAccurate && arguments.recipe.tokenizer != "jieba") {
    return fail(
        Code::kInvalidArgument,
        fmt::format("--mode search and full cut with a dictionary, and recipe '{}' uses none; add --recipe jieba",
                    arguments.recipe.name));
  }
  if (arguments.mode != token::CutMode::kAccurate && arguments.num_keywords > 0)
    return fail(Code::kInvalidArgument, "--keywords are made of the words of --mode accurate");
  return {};
}

void append_strings(std::string& out, std::string_view name, const std::vector<std::string>& strings) {
  out += fmt::format(",\"{}\":[", name);
  for (const std::string& string : strings) {
    if (&string != strings.data()) out += ',';
    append_json_string(out, string);
  }
  out += ']';
}

/// As in all tables: a tab or line end within a cell is no end of it.
std::string escaped_cell(std::string_view cell) {
  std::string out;
  fingerprint::append_escaped_id(out, cell);
  return out;
}

/// Shows the tokens or keywords of one document after the other.
class TokenPrinter {
 public:
  TokenPrinter(const TokensArguments& arguments, recipe::Fingerprinter fingerprinter,
               std::shared_ptr<const feature::Idf> idf, Io& io)
      : arguments_(arguments), fingerprinter_(std::move(fingerprinter)), idf_(std::move(idf)), io_(io) {
    if (arguments.recipe.dictionary.object) segmenter_.emplace_back(arguments.recipe.dictionary.object);
  }

  Status print(const std::string& id, std::string_view text) {
    cut_ = fingerprinter_.cut(text);
    if (arguments_.num_keywords == 0) {
      io_.print(arguments_.format == TokensFormat::kJsonl ? tokens_json(id) : tokens_text(id));
      return {};
    }
    NEARDUP_ASSIGN(const std::vector<Keyword> keywords, idf_ == nullptr ? keywords_of_jieba() : keywords_of_recipe());
    io_.print(arguments_.format == TokensFormat::kJsonl ? keywords_json(id, keywords) : keywords_text(id, keywords));
    return {};
  }

 private:
  [[nodiscard]] std::string word(const token::Token& token) const {
    return cut_.normalized.substr(token.begin, token.size_bytes);
  }

  /// What counts of the text: stems in place of words, without what is left out.
  [[nodiscard]] std::vector<std::string> kept() const {
    std::vector<std::string> words;
    for (const token::ExplainedToken& explained : cut_.tokens.tokens) {
      if (!explained.is_stop_word) words.push_back(explained.stem.empty() ? word(explained.token) : explained.stem);
    }
    return words;
  }

  [[nodiscard]] std::vector<std::string> dropped() const {
    std::vector<std::string> words;
    for (const token::ExplainedToken& explained : cut_.tokens.tokens) {
      if (explained.is_stop_word) words.push_back(word(explained.token));
    }
    return words;
  }

  /// The words of jieba's other modes that hold a letter or digit.
  std::vector<std::string> words_of_mode() {
    std::vector<token::Word> words;
    segmenter_[0].cut(cut_.normalized, {arguments_.mode, true}, words);
    std::vector<std::string> shown;
    for (const token::Word& found : words) {
      const auto inside = [&](const token::ExplainedToken& explained) {
        return explained.token.begin + explained.token.size_bytes <= found.begin;
      };
      const auto& tokens = cut_.tokens.tokens;
      const auto next = std::partition_point(tokens.begin(), tokens.end(), inside);
      if (next != tokens.end() && next->token.begin < found.begin + found.size_bytes)
        shown.push_back(cut_.normalized.substr(found.begin, found.size_bytes));
    }
    return shown;
  }

  std::vector<std::string> tokens() { return arguments_.mode == token::CutMode::kAccurate ? kept() : words_of_mode(); }

  std::string tokens_text(const std::string& id) {
    std::string line = escaped_cell(id) + '\t' + escaped_cell(fmt::format("{}", fmt::join(tokens(), " ")));
    if (arguments_.dropped) line += '\t' + escaped_cell(fmt::format("{}", fmt::join(dropped(), " ")));
    return line + '\n';
  }

  std::string tokens_json(const std::string& id) {
    std::string line = "{\"id\":";
    append_json_string(line, id);
    append_strings(line, "tokens", tokens());
    explain::append_changed_words(line, cut_.normalized, cut_.tokens);
    return line + "}\n";
  }

  /// jieba.analyse.extract_tags() of the folded text.
  Result<std::vector<Keyword>> keywords_of_jieba() {
    return token::extract_keywords(*arguments_.recipe.dictionary.object, segmenter_[0], cut_.normalized,
                                   arguments_.num_keywords);
  }

  /// TF times IDF of the recipe's tokens.
  Result<std::vector<Keyword>> keywords_of_recipe() {
    std::vector<Keyword> keywords;
    std::unordered_map<uint64_t, size_t> places;
    double total = 0;
    for (const token::ExplainedToken& explained : cut_.tokens.tokens) {
      if (explained.is_stop_word) continue;
      const auto [place, is_new] = places.try_emplace(explained.token.hash, keywords.size());
      if (is_new) keywords.push_back({word(explained.token), 0});
      keywords[place->second].weight += static_cast<double>(idf_->weight(explained.token.hash));
      total += 1;
    }
    for (Keyword& keyword : keywords) keyword.weight /= total;
    std::stable_sort(keywords.begin(), keywords.end(),
                     [](const Keyword& a, const Keyword& b) { return a.weight > b.weight; });
    if (keywords.size() > arguments_.num_keywords) keywords.resize(arguments_.num_keywords);
    return keywords;
  }

  static std::string keywords_text(const std::string& id, const std::vector<Keyword>& keywords) {
    std::string lines;
    for (const Keyword& keyword : keywords)
      lines += fmt::format("{}\t{}\t{:.6g}\n", escaped_cell(id), escaped_cell(keyword.word), keyword.weight);
    return lines;
  }

  static std::string keywords_json(const std::string& id, const std::vector<Keyword>& keywords) {
    std::string line = "{\"id\":";
    append_json_string(line, id);
    line += ",\"keywords\":[";
    for (const Keyword& keyword : keywords) {
      line += &keyword == keywords.data() ? "{\"word\":" : ",{\"word\":";
      append_json_string(line, keyword.word);
      line += fmt::format(",\"weight\":{:.6g}}}", keyword.weight);
    }
    return line + "]}\n";
  }

  const TokensArguments& arguments_;
  recipe::Fingerprinter fingerprinter_;
  std::shared_ptr<const feature::Idf> idf_;
  Io& io_;
  std::vector<token::JiebaSegmenter> segmenter_;  // one, where there is a dictionary
  recipe::CutText cut_;
};

/// The IDF that weighs keywords; null where that is jieba's own.
Result<std::shared_ptr<const feature::Idf>> keyword_idf(TokensArguments& arguments,
                                                        const std::vector<corpus::Input>& inputs,
                                                        const Context& context) {
  if (arguments.num_keywords == 0) return nullptr;
  if (arguments.recipe.tokenizer == "jieba" && arguments.idf_file.empty()) return nullptr;
  if (!arguments.recipe.needs_idf()) {
    return fail(Code::kInvalidArgument,
                fmt::format("recipe '{}' weighs no words, and --keywords needs weights; --recipe default and jieba do",
                            arguments.recipe.name));
  }
  return engine::provide_idf(arguments.recipe, arguments.idf_file, inputs, arguments.read, {}, context);
}

Status run(TokensArguments& arguments, Io& io) {
  NEARDUP_TRY(apply_input_flags(arguments.input, arguments.discover));
  NEARDUP_TRY(check(arguments));
  const Context context{nullptr, io.cancel};
  ProgressDisplay warnings(ProgressDisplay::Style::kOff, io.err, io.columns);
  NEARDUP_ASSIGN(const corpus::InputSet set,
                 corpus::InputSet::open(arguments.inputs, arguments.discover, {&warnings, io.cancel}));
  NEARDUP_ASSIGN(auto idf, keyword_idf(arguments, set.inputs(), context));
  NEARDUP_ASSIGN(auto fingerprinter, recipe::Fingerprinter::create(engine::counting_recipe(arguments.recipe), nullptr));
  TokenPrinter printer(arguments, std::move(fingerprinter), std::move(idf), io);
  Status printed;
  uint64_t num_rejected = 0;
  NEARDUP_TRY(
      corpus::for_each_document(set.inputs(), arguments.read, context,
                                {[&](const corpus::Document& document, const std::string& id) {
                                   printed = printer.print(id, document.text);
                                   return printed.has_value() && !io.failed();
                                 },
                                 [&](const std::string& message) {
                                   io.say(fmt::format("neardup tokens: {}\n", message));
                                   ++num_rejected;
                                 },
                                 [&](const std::string& note) { io.say(fmt::format("neardup tokens: {}\n", note)); }}));
  NEARDUP_TRY(printed);
  if (num_rejected == 0) return {};
  return fail(Code::kCorruption,
              fmt::format("{} {} could not be read", num_rejected, num_rejected == 1 ? "record" : "records"));
}

}  // namespace

void add_tokens_command(CommandLine& line) {
  auto arguments = std::make_shared<TokensArguments>();
  Command& command = line.add(
      {"tokens",
       "Show the words that documents are cut into, or their keywords",
       "Prints the tokens of each document as a recipe makes them: after extraction, masks, folding, stop words and "
       "stems.",
       "FILE... [FLAGS]",
       {{"neardup tokens news.jsonl --recipe jieba", "Chinese words, one document a line."},
        {"neardup tokens news.jsonl --recipe jieba --keywords 10 --output-format jsonl",
         "The ten words of each document that weigh most, by jieba's IDF."},
        {"neardup tokens news.jsonl --recipe jieba --mode search", "Before each long word the words in it."}},
       {"A line is: id, tab, tokens with spaces between; with --keywords: id, tab, word, tab, weight, a line each.",
        "Keywords weigh TF times IDF. With the recipe jieba they are those of jieba.analyse.extract_tags for the "
        "folded text (lower case, simplified); with other recipes, or idf=FILE, tokens weigh as the recipe's IDF says, "
        "which is learnt from the input where no idf=FILE is given. Phrases are not joined.",
        "--mode search gives before each long word the words in it, full gives all words that there are."},
       {"--text-key", "--id-key", "--recipe", "--mode", "--keywords", "--dropped", "--output-format"}});
  Flags flags(command);
  flags.group("Input");
  flags.arguments({"FILE", "", "Files, folders, patterns; - is standard input"}, arguments->inputs);
  define_input_flags(flags, arguments->input, arguments->read, arguments->discover);
  flags.group("Tokens");
  define_recipe_flags(flags, arguments->recipe, arguments->idf_file);
  flags.choice<token::CutMode>(
      {"--mode", "", "How jieba's dictionary cuts; accurate is what fingerprints are made of"}, arguments->mode,
      {{"accurate", token::CutMode::kAccurate}, {"search", token::CutMode::kSearch}, {"full", token::CutMode::kFull}});
  flags.whole({"--keywords", "N", "Show the N words that weigh most instead"}, arguments->num_keywords, 0, INT32_MAX,
              "0");
  flags.group("Output");
  flags.on({"--dropped", "", "After another tab, also the stop words that were left out"}, arguments->dropped);
  define_output_format<TokensFormat>(flags, arguments->input, arguments->format,
                                     {{"text", TokensFormat::kText}, {"jsonl", TokensFormat::kJsonl}});
  command.run = [arguments](Io& io) { return run(*arguments, io); };
}

}  // namespace neardup::cli
