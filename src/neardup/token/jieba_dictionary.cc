// Opening a dictionary: from its files, or from the compiled form that an earlier run has left in a cache folder.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "neardup/base/disk/file.h"
#include "neardup/base/disk/mapped_file.h"
#include "neardup/base/hash.h"
#include "neardup/token/jieba.h"
#include "neardup/token/jieba_file.h"

namespace neardup::token {

struct JiebaDictionary::Impl {
  std::string memory;
  MappedFile file;
  JiebaView view;

  [[nodiscard]] std::string_view bytes() const { return memory.empty() ? file.bytes() : std::string_view(memory); }
};

namespace {

constexpr uint64_t kMaxSourceBytes = uint64_t{256} << 20;

/// One of the files of a dictionary, open.
struct Source {
  std::string path;
  MappedFile file;
};

Result<Source> open_source(const std::string& path) {
  NEARDUP_ASSIGN(MappedFile file, MappedFile::open(path));
  if (file.bytes().size() > kMaxSourceBytes) {
    return fail(Code::kUnsupported, fmt::format("'{}' has {} bytes; the files of a dictionary may have {}", path,
                                                file.bytes().size(), kMaxSourceBytes));
  }
  return Source{path, std::move(file)};
}

/// All files of a dictionary. user[i] is JiebaFiles::user_words[i].
struct Sources {
  Source words, start, transition, emission;
  Source idf;
  std::vector<Source> user;
};

Result<Sources> open_sources(const JiebaFiles& files) {
  Sources sources;
  NEARDUP_ASSIGN(sources.words, open_source(files.words));
  NEARDUP_ASSIGN(sources.start, open_source(files.hmm_folder + "/prob_start.py"));
  NEARDUP_ASSIGN(sources.transition, open_source(files.hmm_folder + "/prob_trans.py"));
  NEARDUP_ASSIGN(sources.emission, open_source(files.hmm_folder + "/prob_emit.py"));
  if (!files.idf.empty()) {
    NEARDUP_ASSIGN(sources.idf, open_source(files.idf));
  }
  for (const std::string& path : files.user_words) {
    NEARDUP_ASSIGN(Source user, open_source(path));
    sources.user.push_back(std::move(user));
  }
  return sources;
}

std::string id_of(const Sources& sources) {
  std::string digests = fmt::format("jieba {}\n", kJiebaVersion);
  const auto add = [&digests](const Source& source) { digests += to_hex(hash128(source.file.bytes())) + "\n"; };
  for (const Source* source : {&sources.words, &sources.start, &sources.transition, &sources.emission, &sources.idf}) {
    add(*source);
  }
  for (const Source& user : sources.user) add(user);
  return to_hex(hash128(digests));
}

Result<std::string> compile(const Sources& sources, const std::string& id) {
  JiebaModel model;
  model.id = id;
  NEARDUP_TRY(parse_words(sources.words.file.bytes(), sources.words.path, model.words));
  for (const Source& user : sources.user) {
    NEARDUP_TRY(parse_user_words(user.file.bytes(), user.path, model.words));
  }
  const std::string folder = sources.start.path.substr(0, sources.start.path.rfind('/'));
  NEARDUP_ASSIGN(model.hmm, parse_hmm({sources.start.file.bytes(), sources.transition.file.bytes(),
                                       sources.emission.file.bytes(), folder}));
  NEARDUP_ASSIGN(model.idf, parse_idf_words(sources.idf.file.bytes(), sources.idf.path));
  return compile_jieba(model);
}

Result<std::shared_ptr<const JiebaDictionary>> open_impl(std::unique_ptr<JiebaDictionary::Impl> impl,
                                                         const std::string& where, DictionaryCheck check) {
  NEARDUP_ASSIGN(impl->view, view_jieba(impl->bytes(), where, check));
  return std::make_shared<const JiebaDictionary>(std::move(impl));
}

}  // namespace

JiebaDictionary::JiebaDictionary(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
JiebaDictionary::~JiebaDictionary() = default;

JiebaFiles jieba_files(const std::string& folder) {
  return {.words = folder + "/dict.txt",
          .hmm_folder = folder + "/finalseg",
          .idf = folder + "/analyse/idf.txt",
          .user_words = {}};
}

Result<std::shared_ptr<const JiebaDictionary>> JiebaDictionary::open(const JiebaFiles& files,
                                                                     const std::string& cache_folder) {
  NEARDUP_ASSIGN(const Sources sources, open_sources(files));
  const std::string id = id_of(sources);
  const std::string cached = cache_folder.empty() ? std::string() : fmt::format("{}/jieba-{}.bin", cache_folder, id);
  if (!cached.empty()) {
    auto dictionary = open_compiled(cached, DictionaryCheck::kBounds);
    if (dictionary && (*dictionary)->id() == id) return dictionary;
  }
  NEARDUP_ASSIGN(std::string bytes, compile(sources, id));
  // The cache only saves time: whatever is wrong with it, the dictionary is here.
  if (!cached.empty() && create_directories(cache_folder) && write_file_atomically(cached, bytes)) {
    auto dictionary = open_compiled(cached, DictionaryCheck::kBounds);
    if (dictionary) return dictionary;
  }
  return from_bytes(std::move(bytes), DictionaryCheck::kBounds);
}

Result<std::shared_ptr<const JiebaDictionary>> JiebaDictionary::open_compiled(const std::string& path,
                                                                              DictionaryCheck check) {
  auto impl = std::make_unique<Impl>();
  NEARDUP_ASSIGN(impl->file, MappedFile::open(path));
  return open_impl(std::move(impl), path, check);
}

Result<std::shared_ptr<const JiebaDictionary>> JiebaDictionary::from_bytes(std::string bytes, DictionaryCheck check) {
  auto impl = std::make_unique<Impl>();
  impl->memory = std::move(bytes);
  return open_impl(std::move(impl), "memory", check);
}

bool is_compiled_dictionary(std::string_view first_bytes) { return first_bytes.starts_with(kJiebaMagic); }

std::string_view JiebaDictionary::bytes() const { return impl_->bytes(); }
std::string JiebaDictionary::id() const { return std::string(impl_->view.id); }
bool JiebaDictionary::has_idf() const { return !impl_->view.idf_ends.empty(); }
const JiebaView& JiebaDictionary::view() const { return impl_->view; }

double JiebaDictionary::idf(std::string_view word) const {
  const JiebaView& view = impl_->view;
  const auto word_at = [&view](size_t i) {
    const uint32_t begin = i == 0 ? 0 : view.idf_ends[i - 1];
    return view.idf_words.substr(begin, view.idf_ends[i] - begin);
  };
  size_t low = 0;
  for (size_t high = view.idf_ends.size(); low < high;) {
    const size_t middle = low + (high - low) / 2;
    word_at(middle) < word ? low = middle + 1 : high = middle;
  }
  return low < view.idf_ends.size() && word_at(low) == word ? view.idf_values[low] : view.median_idf;
}

}  // namespace neardup::token
