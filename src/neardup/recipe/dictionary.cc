#include "neardup/recipe/dictionary.h"

#include <fmt/format.h>
#include <glob.h>

#include <array>

#include "neardup/base/disk/file.h"
#include "neardup/token/jieba.h"

namespace neardup::recipe {
namespace {

bool is_there(const std::string& path) { return file_info(path).has_value(); }

/// Where pip and Debian's python3-jieba put it: a virtual environment, the user's packages, the system's.
std::vector<std::string> patterns_of(const DictionaryPlaces& places) {
  std::vector<std::string> patterns = places.folders;
  if (!places.virtual_environment.empty())
    patterns.push_back(places.virtual_environment + "/lib/python3*/site-packages/jieba");
  if (!places.home.empty()) patterns.push_back(places.home + "/.local/lib/python3*/site-packages/jieba");
  for (const char* place : {"/usr/lib/python3/dist-packages/jieba", "/usr/local/lib/python3*/dist-packages/jieba",
                            "/usr/local/lib/python3*/site-packages/jieba"}) {
    patterns.emplace_back(place);
  }
  return patterns;
}

/// Returns the first usual place with a dict.txt, or an empty name.
std::string usual_folder(const DictionaryPlaces& places) {
  for (const std::string& pattern : patterns_of(places)) {
    glob_t found{};
    std::string first;
    if (glob((pattern + "/dict.txt").c_str(), 0, nullptr, &found) == 0) first = found.gl_pathv[0];
    globfree(&found);
    if (!first.empty()) return first.substr(0, first.rfind('/'));
  }
  return {};
}

Result<token::JiebaFiles> jieba_files_of(const DictionaryFiles& asked, const DictionaryPlaces& places,
                                         const std::string& recipe) {
  const auto info = file_info(asked.path);
  const bool is_folder = !asked.path.empty() && info && info->is_directory;
  if (!asked.path.empty() && !info) {
    return fail(Code::kNotFound, fmt::format("dictionary '{}' is not there", asked.path));
  }
  const std::string folder = is_folder ? asked.path : usual_folder(places);
  if (folder.empty()) {
    return fail(
        Code::kNotFound,
        fmt::format("recipe '{}' needs jieba's dictionary, and none is in the usual places; install it (apt "
                    "install python3-jieba), or pip install jieba and name its folder: --recipe NAME,dictionary=FOLDER",
                    recipe));
  }
  token::JiebaFiles files = token::jieba_files(folder);
  if (!is_there(files.idf)) files.idf.clear();
  if (!is_folder && !asked.path.empty()) files.words = asked.path;
  files.user_words = asked.user_words;
  return files;
}

Result<bool> is_compiled(const std::string& path) {
  NEARDUP_ASSIGN(const ReadFile file, ReadFile::open(path));
  std::array<char, 8> first{};
  NEARDUP_ASSIGN(const size_t size, file.read_at(0, first));
  return token::is_compiled_dictionary({first.data(), size});
}

}  // namespace

Status provide_dictionary(const DictionaryFiles& asked, const DictionaryPlaces& places, Recipe& recipe) {
  if (!recipe.needs_dictionary()) {
    if (asked.is_empty()) return {};
    return fail(Code::kInvalidArgument,
                fmt::format("recipe '{}' uses no dictionary; dictionary= and user-dictionary= need one that does, "
                            "such as --recipe jieba",
                            recipe.name));
  }
  NEARDUP_ASSIGN(token::JiebaFiles files, jieba_files_of(asked, places, recipe.name));
  if (files.words == asked.path) {
    NEARDUP_ASSIGN(const bool compiled, is_compiled(files.words));
    if (compiled && !files.user_words.empty()) {
      return fail(Code::kInvalidArgument, "user-dictionary= cannot add to a compiled dictionary; give its sources");
    }
    if (compiled) {
      NEARDUP_ASSIGN(auto dictionary, token::JiebaDictionary::open_compiled(files.words));
      return attach_dictionary(recipe, std::move(dictionary));
    }
  }
  NEARDUP_ASSIGN(auto dictionary, token::JiebaDictionary::open(files, places.cache_folder));
  return attach_dictionary(recipe, std::move(dictionary));
}

}  // namespace neardup::recipe
