#include "neardup/cli/dictionary_flags.h"

#include <fmt/format.h>
#include <glob.h>

#include <array>
#include <cstdlib>
#include <memory>

#include "neardup/base/disk/file.h"
#include "neardup/token/jieba.h"

namespace neardup::cli {
namespace {

struct DictionaryArguments {
  std::string dictionary;
  std::vector<std::string> user_words;
};

bool is_there(const std::string& path) { return file_info(path).has_value(); }

/// Where pip and Debian's python3-jieba put it: a virtual environment, the user's packages, the system's.
std::vector<std::string> places() {
  std::vector<std::string> patterns;
  if (const char* environment = std::getenv("VIRTUAL_ENV")) {
    patterns.push_back(std::string(environment) + "/lib/python3*/site-packages/jieba");
  }
  if (const char* home = std::getenv("HOME")) {
    patterns.push_back(std::string(home) + "/.local/lib/python3*/site-packages/jieba");
  }
  for (const char* place : {"/usr/lib/python3/dist-packages/jieba", "/usr/local/lib/python3*/dist-packages/jieba",
                            "/usr/local/lib/python3*/site-packages/jieba"}) {
    patterns.emplace_back(place);
  }
  return patterns;
}

/// Returns the first usual place with a dict.txt, or an empty name.
std::string usual_folder() {
  for (const std::string& place : places()) {
    glob_t found{};
    std::string first;
    if (glob((place + "/dict.txt").c_str(), 0, nullptr, &found) == 0) first = found.gl_pathv[0];
    globfree(&found);
    if (!first.empty()) return first.substr(0, first.rfind('/'));
  }
  return {};
}

Result<token::JiebaFiles> files_of(const DictionaryArguments& arguments, const std::string& recipe) {
  const auto info = file_info(arguments.dictionary);
  const bool is_folder = !arguments.dictionary.empty() && info && info->is_directory;
  if (!arguments.dictionary.empty() && !info) {
    return fail(Code::kNotFound, fmt::format("dictionary '{}' is not there", arguments.dictionary));
  }
  const std::string folder = is_folder ? arguments.dictionary : usual_folder();
  if (folder.empty()) {
    return fail(
        Code::kNotFound,
        fmt::format("recipe '{}' needs jieba's dictionary, and none is in the usual places; install it (apt "
                    "install python3-jieba), or pip install jieba and name its folder: --recipe NAME,dictionary=FOLDER",
                    recipe));
  }
  token::JiebaFiles files = token::jieba_files(folder);
  if (!is_there(files.idf)) files.idf.clear();
  if (!is_folder && !arguments.dictionary.empty()) files.words = arguments.dictionary;
  files.user_words = arguments.user_words;
  return files;
}

Result<bool> is_compiled(const std::string& path) {
  NEARDUP_ASSIGN(const ReadFile file, ReadFile::open(path));
  std::array<char, 8> first{};
  NEARDUP_ASSIGN(const size_t size, file.read_at(0, first));
  return token::is_compiled_dictionary({first.data(), size});
}

Status provide_dictionary(const DictionaryArguments& arguments, const Io& io, recipe::Recipe& recipe) {
  if (!recipe.needs_dictionary()) {
    if (arguments.dictionary.empty() && arguments.user_words.empty()) return {};
    return fail(Code::kInvalidArgument,
                fmt::format("recipe '{}' uses no dictionary; dictionary= and user-dictionary= need one that does, "
                            "such as --recipe jieba",
                            recipe.name));
  }
  NEARDUP_ASSIGN(token::JiebaFiles files, files_of(arguments, recipe.name));
  if (files.words == arguments.dictionary) {
    NEARDUP_ASSIGN(const bool compiled, is_compiled(files.words));
    if (compiled && !files.user_words.empty()) {
      return fail(Code::kInvalidArgument, "user-dictionary= cannot add to a compiled dictionary; give its sources");
    }
    if (compiled) {
      NEARDUP_ASSIGN(auto dictionary, token::JiebaDictionary::open_compiled(files.words));
      return recipe::attach_dictionary(recipe, std::move(dictionary));
    }
  }
  NEARDUP_ASSIGN(auto dictionary, token::JiebaDictionary::open(files, io.cache_folder));
  return recipe::attach_dictionary(recipe, std::move(dictionary));
}

}  // namespace

std::vector<RecipeOverride> dictionary_overrides(Flags& flags, recipe::Recipe& recipe) {
  const auto arguments = std::make_shared<DictionaryArguments>();
  flags.before_run([arguments, &recipe](const Io& io) { return provide_dictionary(*arguments, io, recipe); });
  return {
      {"dictionary", "PATH", [arguments](const std::string& typed) { return arguments->dictionary = typed, Status{}; }},
      {"user-dictionary", "FILE",
       [arguments](const std::string& typed) { return arguments->user_words.push_back(typed), Status{}; }}};
}

}  // namespace neardup::cli
