// Table: one table of HBase, and questions to it that take several calls.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/remote/hbase/gateway.h"

namespace neardup::remote::hbase {

/// Threads: as Gateway.
struct Table {
  std::shared_ptr<Gateway> gateway;
  std::string name;
};

/// Something that is asked of a table, page by page, so that several are asked at once.
class Asker {
 public:
  virtual ~Asker() = default;
  /// Appends calls, which refer to this.
  virtual void ask(std::vector<Exchange>& exchanges) = 0;
  /// Called when they are answered. Returns whether there is more to ask.
  [[nodiscard]] virtual Result<bool> take() = 0;
};

/// Asks until all have what they want.
[[nodiscard]] Status ask_all(const Table& table, std::string_view what, std::vector<Asker*> askers);

/// A call whose answer goes to `out`, which must outlive it, as must what it is given.
[[nodiscard]] Exchange get_rows(const std::string& table, const std::vector<hbase_wire::TGet>& gets,
                                std::vector<hbase_wire::TResult>& out);
[[nodiscard]] Exchange scan_rows(const std::string& table, const hbase_wire::TScan& scan, int most,
                                 std::vector<hbase_wire::TResult>& out);
[[nodiscard]] Exchange put_rows(const std::string& table, const std::vector<hbase_wire::TPut>& puts);
[[nodiscard]] Exchange delete_cells(const std::string& table, const std::vector<hbase_wire::TDelete>& deletes);

[[nodiscard]] hbase_wire::TColumn column_of(std::string_view family);
[[nodiscard]] hbase_wire::TColumn column_of(std::string_view family, std::string_view qualifier);
[[nodiscard]] hbase_wire::TColumnValue cell_of(std::string_view family, std::string_view qualifier,
                                               std::string_view value);

}  // namespace neardup::remote::hbase
