// The dictionary of recipes that cut Chinese into words: where it is, and that it gets there.
#pragma once

#include <string>
#include <vector>

#include "neardup/recipe/spec.h"

namespace neardup::recipe {

/// What was asked for.
struct DictionaryFiles {
  std::string path = {};                     // a folder of jieba's, a word list or a compiled file; empty: the usual
  std::vector<std::string> user_words = {};  // files of words

  [[nodiscard]] bool is_empty() const { return path.empty() && user_words.empty(); }
};

/// What the process knows of the machine; empty where it does not.
struct DictionaryPlaces {
  std::vector<std::string> folders = {};  // of jieba, looked at first
  std::string virtual_environment = {};   // the folder of an environment of Python
  std::string home = {};
  std::string cache_folder = {};  // for the compiled form
};

/// Gives a recipe that needs a dictionary the one that is asked for, or the first that is in `places` and where Debian
/// and pip put jieba; one that needs none stays. Errors: kNotFound: none is there; kInvalidArgument: files for a recipe
/// that needs none, or that do not go together; those of JiebaDictionary::open() and attach_dictionary().
[[nodiscard]] Status provide_dictionary(const DictionaryFiles& files, const DictionaryPlaces& places, Recipe& recipe);

}  // namespace neardup::recipe
