// Table: one table of HBase, and questions to it that take several calls.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/remote/hbase/gateway.h"

namespace neardup::remote::hbase {

/// The column families of a store: what is found and what was sent, which may have a time to live, and what the store
/// itself is. Their names have a part of the id of the store, which no other one has: a client of a table that was
/// dropped and made again names families that the server does not find, so that it refuses each of its writes.
struct Families {
  Families() = default;
  explicit Families(std::string_view id) : documents("d" + std::string(id.substr(0, 3))), meta("m" + std::string(id)) {}
  std::string documents, meta;
};

/// What is known of a table before anything in it is read.
struct TableState {
  std::string id, layout;  // as its store was made; empty where it is none
  bool is_disabled = false;
};

/// Threads: as Gateway.
struct Table {
  std::shared_ptr<Gateway> gateway;
  std::string name;
  std::string id = {};  // of the store; empty where it is not known yet
  Families families = {};

  void set_id(std::string of_store);
  /// As those of Gateway. Errors: kIo where the table is there no more, or is another store's, with the cure.
  [[nodiscard]] Status call(std::string_view what, const Exchange& exchange) const;
  [[nodiscard]] Status call_all(std::string_view what, std::span<const Exchange> exchanges) const;
  /// Asks what there is under this name; nullopt where there is nothing.
  [[nodiscard]] Result<std::optional<TableState>> state() const;
  [[nodiscard]] hbase_wire::TTableName wire_name() const;
  /// Gets these rows. Errors: as call(); kIo where the answer has not as many.
  [[nodiscard]] Result<std::vector<hbase_wire::TResult>> get(std::string_view what,
                                                             const std::vector<hbase_wire::TGet>& gets) const;
  [[nodiscard]] tl::unexpected<Error> failed(Code code, std::string_view words) const;  // with the URI
  /// Likewise, of what was read from it; where that is damaged, with the cure.
  [[nodiscard]] tl::unexpected<Error> failed(const Error& error) const;
  template <class T>
  [[nodiscard]] Result<T> located(Result<T> result) const {
    if (!result) return failed(result.error());
    return result;
  }

 private:
  [[nodiscard]] Status explained(Status status) const;
};

/// Of a question whose refusal says nothing of the table: makes kNotFound kIo.
[[nodiscard]] Status refused(Status status);
/// Of a table that is disabled.
inline constexpr std::string_view kHalfDropped =
    "somebody began to drop the store and did not come to the end: its table is disabled; drop it again to finish "
    "that, "
    "or enable the table in HBase's shell";
/// What the attributes of a table are named that tell the id of its store, and how it was made (to_text()).
inline constexpr std::string_view kIdAttribute = "NEARDUP_ID", kLayoutAttribute = "NEARDUP_LAYOUT";

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

/// Of answers that have not as many rows as were asked for.
[[nodiscard]] tl::unexpected<Error> too_few_rows();

/// A call whose answer goes to `out`, which must outlive it, as must what it is given.
[[nodiscard]] Exchange get_rows(const std::string& table, const std::vector<hbase_wire::TGet>& gets,
                                std::vector<hbase_wire::TResult>& out);
[[nodiscard]] Exchange scan_rows(const std::string& table, const hbase_wire::TScan& scan, int most,
                                 std::vector<hbase_wire::TResult>& out);
/// Puts a row unless it has that cell; `is_written`: whether it did.
[[nodiscard]] Exchange put_if_absent(const Table& table, std::string_view column, const hbase_wire::TPut& put,
                                     bool& is_written);
[[nodiscard]] Exchange put_rows(const std::string& table, const std::vector<hbase_wire::TPut>& puts);
[[nodiscard]] Exchange delete_cells(const std::string& table, const std::vector<hbase_wire::TDelete>& deletes);

[[nodiscard]] hbase_wire::TColumn column_of(std::string_view family);
[[nodiscard]] hbase_wire::TColumn column_of(std::string_view family, std::string_view qualifier);
[[nodiscard]] hbase_wire::TColumnValue cell_of(std::string_view family, std::string_view qualifier,
                                               std::string_view value);

}  // namespace neardup::remote::hbase
