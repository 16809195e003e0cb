// The table of a store: made, opened, dropped; what it says of itself.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "neardup/base/disk/temporary_folder.h"
#include "neardup/remote/hbase/layout.h"
#include "neardup/remote/hbase/table.h"
#include "neardup/remote/hbase/table_options.h"
#include "neardup/store/own_files.h"
#include "neardup/store/settings.h"

namespace neardup::remote::hbase {

/// What a store on HBase is, fixed when it was made.
struct StoreTable {
  Table table;
  uint64_t maker = 0;  // of its files
  store::StoreSettings settings;
  TableOptions options;
  std::string cluster_id;
};

/// Makes the table, with all that it says of itself; goes on where whoever began that died. Of several at once one
/// makes it. Errors: kInvalidArgument where there is one of this name, or one that was begun with other options;
/// kUnsupported with the server's words where it refuses what the options say, as a compression of which it has no
/// library; kIo.
[[nodiscard]] Result<StoreTable> create_table(Table table, store::StoreSettings settings, const TableOptions& options,
                                              std::span<const store::GivenFile> files);
/// Errors: kNotFound where there is no such table, or it is no store, or none yet, or half of it is dropped;
/// kCorruption.
[[nodiscard]] Result<StoreTable> open_table(Table table);
/// Whether it was made to its end and nobody began to drop it.
[[nodiscard]] Result<bool> is_store_table(Table table);
/// Removes the table of a store, also where that was begun before, or where the store was not made to its end. Errors:
/// kNotFound.
[[nodiscard]] Status drop_table(const Table& table);

/// Fetches the files that the store was given into a folder. Errors: kIo, kCorruption.
[[nodiscard]] Result<TemporaryFolder> fetch_files(const StoreTable& store);
/// Returns the shared bytes as the last entry whose rows are there left them.
[[nodiscard]] Result<std::string> read_shared(const Table& table);
/// Returns a put of them.
[[nodiscard]] hbase_wire::TPut put_of_shared(const Table& table, std::string_view shared, uint64_t stamp);

/// Increments the counter of numbers. One that is tried again leaves numbers out.
class Reservation : public Asker {
 public:
  Reservation(const Table& table, uint64_t count);
  void ask(std::vector<Exchange>& exchanges) override;
  [[nodiscard]] Result<bool> take() override;
  [[nodiscard]] uint64_t first() const { return first_; }

 private:
  const Table& table_;
  uint64_t count_, first_ = 0;
  hbase_wire::TIncrement increment_;
  hbase_wire::TResult answer_;
};

}  // namespace neardup::remote::hbase
