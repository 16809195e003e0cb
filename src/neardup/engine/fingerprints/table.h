// What stands for documents, in memory: of files of fingerprints, or of values that a program has.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/fingerprint/file.h"

namespace neardup::engine {

/// Documents in their order.
class FingerprintTable {
 public:
  /// Reads what `neardup fingerprint` has written: text (also .gz, .zst, "-") or the binary form, told apart by its
  /// first bytes. Errors: kNotFound, kIo; kCorruption naming file and line; kMismatch where documents have different
  /// numbers of fingerprints, or lines different recipes. `memory_bytes` is that of read_lines().
  [[nodiscard]] static Result<FingerprintTable> load(const std::string& path, const Context& context,
                                                     uint64_t memory_bytes = 0);

  /// One without documents, of fingerprints or signatures made under that recipe; both may be empty: not known.
  explicit FingerprintTable(std::string recipe_id = {}, std::string recipe_json = {})
      : id_ends_{0}, recipe_id_(std::move(recipe_id)), recipe_json_(std::move(recipe_json)) {}
  /// Adds a document; one with neither fingerprints nor a signature has no features. Errors: kMismatch where it has
  /// not as many values as those before.
  [[nodiscard]] Status add(const fingerprint::Record& record);

  [[nodiscard]] size_t size() const { return is_featured_.size(); }
  /// Fingerprints of each document that has any; 0 where none has.
  [[nodiscard]] size_t num_columns() const { return num_columns_; }
  /// Values of each document's MinHash signature; 0 in files of fingerprints.
  [[nodiscard]] size_t num_values() const { return num_values_; }
  [[nodiscard]] std::string_view id(size_t document) const {
    return std::string_view(ids_).substr(id_ends_[document], id_ends_[document + 1] - id_ends_[document]);
  }
  /// Id of the recipe that made the fingerprints; empty where the file does not say.
  [[nodiscard]] const std::string& recipe_id() const { return recipe_id_; }
  [[nodiscard]] uint64_t memory_bytes() const;

  /// The fingerprints of one column, and the document of each.
  struct Column {
    std::vector<fingerprint::Fingerprint> values;
    std::vector<uint32_t> documents;
  };
  [[nodiscard]] Column column(size_t index) const;

  /// The signatures, num_values() each, and the document of each.
  [[nodiscard]] std::span<const fingerprint::SignatureValue> signatures() const { return signatures_; }
  [[nodiscard]] std::vector<uint32_t> signed_documents() const;
  /// Tokens of a document's text; 0 where the file does not say.
  [[nodiscard]] uint64_t num_tokens(size_t document) const { return num_tokens_[document]; }
  /// The recipe in its canonical form; empty where the file does not say.
  [[nodiscard]] const std::string& recipe_json() const { return recipe_json_; }

 private:
  Status load_binary(const std::string& path, const Context& context);
  Status load_text(const std::string& path, const Context& context, uint64_t memory_bytes);
  Status add_line(const std::string& path, std::string_view line);

  std::string ids_;
  std::vector<uint64_t> id_ends_;                 // ids_ of document i is [id_ends_[i], id_ends_[i + 1])
  std::vector<fingerprint::Fingerprint> values_;  // of those that have any, side by side
  std::vector<fingerprint::SignatureValue> signatures_;
  std::vector<bool> is_featured_;  // fingerprints or a signature
  std::vector<uint64_t> num_tokens_;
  size_t num_columns_ = 0;
  size_t num_values_ = 0;
  std::string recipe_id_, recipe_json_;
};

}  // namespace neardup::engine
