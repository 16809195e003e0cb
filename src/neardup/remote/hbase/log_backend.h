// LogBackend: a Backend over the rows of a table and a log that orders what happens to them.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "neardup/base/disk/temporary_folder.h"
#include "neardup/remote/backend.h"
#include "neardup/remote/hbase/layout.h"
#include "neardup/remote/hbase/log.h"
#include "neardup/remote/hbase/store_table.h"

namespace neardup::remote::hbase {

/// Threads: as Backend.
class LogBackend : public Backend {
 public:
  /// Reads the end of the log.
  [[nodiscard]] static Result<std::unique_ptr<LogBackend>> open(StoreTable store, Layout layout);

  [[nodiscard]] const store::StoreSettings& settings() const override { return store_.settings; }
  [[nodiscard]] std::string file_path(std::string_view name) const override;
  [[nodiscard]] Result<uint64_t> reserve_numbers(uint64_t count) override;
  [[nodiscard]] Result<Found> look_up(const Question& question) override;
  [[nodiscard]] Result<std::vector<std::string>> read(std::span<const uint64_t> numbers) override;
  [[nodiscard]] Result<std::vector<uint64_t>> numbers_from(uint64_t first, size_t limit) override;
  [[nodiscard]] Result<std::vector<bool>> commit(const Seen& seen, std::span<const Change> changes) override;
  [[nodiscard]] bool commits_in_turn() const override { return true; }
  [[nodiscard]] Status compact() override;
  [[nodiscard]] Result<BackendFigures> figures() override;

  /// For tests: asked when an entry of the log is written and its rows are not; an error ends the commit there, as the
  /// death of this client would.
  std::function<Status()> before_rows = [] { return Status(); };

 private:
  LogBackend(StoreTable store, Layout layout, TemporaryFolder files);
  class Committing;

  // Asks the rows and what came to the log meanwhile: `of_log` takes from the latter what is not surely in the rows.
  template <class OfLog>
  [[nodiscard]] Result<uint64_t> ask(std::string_view what, std::vector<Asker*> askers, const OfLog& of_log);
  [[nodiscard]] uint64_t oldest_stamp() const;
  [[nodiscard]] Status write_rows_of(const RecentEntry& recent);
  [[nodiscard]] Status mend();

  const StoreTable store_;
  const Table& table_ = store_.table;
  const Layout layout_;
  const TemporaryFolder files_;
  Log log_;
  std::mutex commit_mutex_;  // one commit at a time
};

}  // namespace neardup::remote::hbase
