// RemoteStore: a Store over a Backend.
//
// Who comes is looked up on the server, decided here by the same code as in a folder (store/arrival_decision.h), and
// committed with what was seen; where another client changed any of that, the documents concerned are decided again.
// So of two duplicates that come at once, from whatever clients, exactly one is kNew. docs/design/remote.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/remote/backend.h"
#include "neardup/store/check_store.h"
#include "neardup/store/document_store.h"

namespace neardup::remote {

/// What differs from the store in a folder: where a call fails, some of its documents may be stored; the same call
/// again mends it, and gives each the answer that it would have got. Threads: as Store.
class RemoteStore : public store::Store {
 public:
  /// `most_compared`: as store::StoreOptions::most_compared.
  explicit RemoteStore(std::unique_ptr<Backend> backend, uint64_t most_compared = 0);
  ~RemoteStore() override;

  [[nodiscard]] const store::StoreSettings& settings() const override;
  [[nodiscard]] std::string file_path(std::string_view name) const override;
  /// Nothing: a server keeps what it has by itself.
  [[nodiscard]] Status checkpoint() override;
  [[nodiscard]] Status compact() override;
  [[nodiscard]] Result<std::vector<store::Answer>> check_and_insert(std::span<const store::Record> arriving,
                                                                    const store::Judge& judge) override;
  [[nodiscard]] Result<std::vector<store::Answer>> check(std::span<const store::Record> arriving,
                                                         const store::Judge& judge) const override;
  [[nodiscard]] Result<store::StoredNeighbours> query(const store::Record& document, const store::Judge& judge,
                                                      size_t limit) const override;
  [[nodiscard]] Result<std::optional<uint64_t>> find_repeated(const store::Record& document, const store::Judge& judge,
                                                              std::span<const uint64_t> but = {}) const override;
  [[nodiscard]] Result<std::vector<uint64_t>> find_holders(const store::Record& document, size_t most,
                                                           std::span<const uint64_t> but = {}) const override;
  [[nodiscard]] Status put(std::span<const store::Record> documents) override;
  [[nodiscard]] Result<uint64_t> erase(std::span<const std::string_view> ids,
                                       std::vector<size_t>* missing = nullptr) override;
  [[nodiscard]] Result<uint64_t> erase_tag(std::string_view tag) override;
  [[nodiscard]] Result<uint64_t> expire(int64_t before) override;
  [[nodiscard]] Result<bool> begin_tag(std::string_view tag) override;
  [[nodiscard]] Result<bool> commit_tag(std::string_view tag) override;
  [[nodiscard]] Result<bool> cancel_tag(std::string_view tag) override;
  [[nodiscard]] Result<bool> find(std::string_view id, const Visitor& visit) const override;
  [[nodiscard]] Result<bool> find_number(uint64_t number, const Visitor& visit) const override;
  [[nodiscard]] Result<std::optional<uint64_t>> for_each(uint64_t first, size_t limit,
                                                         const Visitor& visit) const override;
  [[nodiscard]] Result<std::vector<store::Member>> duplicates_of(std::string_view id, uint64_t first,
                                                                 size_t limit) const override;
  [[nodiscard]] Result<std::vector<store::TagCount>> tags() const override;
  [[nodiscard]] Result<store::Statistics> statistics() const override;
  [[nodiscard]] Result<std::optional<uint64_t>> for_each_to_copy(uint64_t first, size_t limit,
                                                                 const CopyVisitor& visit) const override;
  [[nodiscard]] Status restore(std::span<const store::Record> documents) override;
  [[nodiscard]] Status set_copied_into(bool is_so) override;
  /// Whether all of it is found that must be (check_lists.h).
  [[nodiscard]] Result<store::StoreCheck> check_whole(const Context& context = {}) const;
  /// Makes a store in a folder of this machine (store/embedded_store.h) of all that is in this one.
  [[nodiscard]] Status snapshot(const std::string& folder) override;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace neardup::remote
