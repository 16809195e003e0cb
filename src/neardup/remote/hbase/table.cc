#include "neardup/remote/hbase/table.h"

#include <fmt/format.h>

#include <utility>

namespace neardup::remote::hbase {

void Table::set_id(std::string of_store) {
  families = Families(of_store);
  id = std::move(of_store);
}

Status Table::call(std::string_view what, const Exchange& exchange) const {
  return explained(gateway->call(what, exchange));
}

Status Table::call_all(std::string_view what, std::span<const Exchange> exchanges) const {
  return explained(gateway->call_all(what, exchanges));
}

hbase_wire::TTableName Table::wire_name() const {
  hbase_wire::TTableName wire;
  wire.qualifier = name;
  return wire;
}

tl::unexpected<Error> Table::failed(Code code, std::string_view words) const {
  return fail(code, fmt::format("{}: {}", gateway->shown(), words));
}

tl::unexpected<Error> Table::failed(const Error& error) const {
  const bool is_damage = error.code == Code::kCorruption;
  return failed(error.code, error.message + (is_damage ? "; restore the table from a snapshot" : ""));
}

Result<std::vector<hbase_wire::TResult>> Table::get(std::string_view what,
                                                    const std::vector<hbase_wire::TGet>& gets) const {
  std::vector<hbase_wire::TResult> rows;
  NEARDUP_TRY(call(what, get_rows(name, gets, rows)));
  if (rows.size() != gets.size()) return failed(too_few_rows().value());
  return rows;
}

tl::unexpected<Error> too_few_rows() {
  return fail(Code::kIo,
              "HBase's gateway answered fewer questions than it was asked; look into its log, and try again");
}

Status refused(Status status) {
  if (!status && status.error().code == Code::kNotFound) status.error().code = Code::kIo;
  return status;
}

// The table may go between two of the questions: then one of them is refused.
Result<std::optional<TableState>> Table::state() const {
  const auto wire = wire_name();
  TableState state;
  bool is_there = false;
  const Exchange exists{[&](Client& client) { client.send_tableExists(wire); },
                        [&](Client& client) { is_there = client.recv_tableExists(); }};
  NEARDUP_TRY(refused(gateway->call("asking for the table", exists)));
  if (!is_there) return std::nullopt;
  hbase_wire::TTableDescriptor descriptor;
  const auto is_refused = [](const Status& status) { return !status && status.error().code == Code::kNotFound; };
  Status asked = gateway->call("asking what the table is",
                               {[&](Client& client) { client.send_getTableDescriptor(wire); },
                                [&](Client& client) { client.recv_getTableDescriptor(descriptor = {}); }});
  if (asked)
    asked = gateway->call("asking for the table's state",
                          {[&](Client& client) { client.send_isTableDisabled(wire); },
                           [&](Client& client) { state.is_disabled = client.recv_isTableDisabled(); }});
  if (is_refused(asked)) {
    NEARDUP_TRY(refused(gateway->call("asking for the table", exists)));
    if (!is_there) return std::nullopt;
  }
  NEARDUP_TRY(refused(asked));
  state.id = descriptor.attributes[std::string(kIdAttribute)];
  state.layout = descriptor.attributes[std::string(kLayoutAttribute)];
  return state;
}

// What the server refused it may have refused for what became of the table.
Status Table::explained(Status status) const {
  if (status || status.error().code != Code::kNotFound) return status;
  NEARDUP_ASSIGN(const auto now, state());
  if (!now)
    return failed(
        Code::kIo,
        "the store is there no more; somebody dropped it: make it again, and open that (start a service anew)");
  if (!id.empty() && now->id != id)
    return failed(Code::kIo,
                  "the store was dropped and another one made in its place; open the store again (start a service "
                  "anew)");
  if (now->is_disabled) return failed(Code::kIo, kHalfDropped);
  return refused(std::move(status));
}

Status ask_all(const Table& table, std::string_view what, std::vector<Asker*> askers) {
  while (!askers.empty()) {
    std::vector<Exchange> exchanges;
    for (Asker* const asker : askers) asker->ask(exchanges);
    NEARDUP_TRY(table.call_all(what, exchanges));
    std::vector<Asker*> not_done;
    for (Asker* const asker : askers) {
      NEARDUP_ASSIGN(const bool has_more, table.located(asker->take()));
      if (has_more) not_done.push_back(asker);
    }
    askers = std::move(not_done);
  }
  return {};
}

Exchange get_rows(const std::string& table, const std::vector<hbase_wire::TGet>& gets,
                  std::vector<hbase_wire::TResult>& out) {
  return {[&](Client& client) { client.send_getMultiple(table, gets); },
          [&](Client& client) { client.recv_getMultiple(out); }};
}

Exchange scan_rows(const std::string& table, const hbase_wire::TScan& scan, int most,
                   std::vector<hbase_wire::TResult>& out) {
  return {[&table, &scan, most](Client& client) { client.send_getScannerResults(table, scan, most); },
          [&out](Client& client) { client.recv_getScannerResults(out); }};
}

Exchange put_if_absent(const Table& table, std::string_view column, const hbase_wire::TPut& put, bool& is_written) {
  return {[&table, column = std::string(column), &put](Client& client) {
            client.send_checkAndPut(table.name, put.row, table.families.meta, column, put);
          },
          [&is_written](Client& client) { is_written = client.recv_checkAndPut(); }};
}

Exchange put_rows(const std::string& table, const std::vector<hbase_wire::TPut>& puts) {
  return {[&](Client& client) { client.send_putMultiple(table, puts); },
          [](Client& client) { client.recv_putMultiple(); }};
}

Exchange delete_cells(const std::string& table, const std::vector<hbase_wire::TDelete>& deletes) {
  return {[&](Client& client) { client.send_deleteMultiple(table, deletes); },
          [](Client& client) {
            std::vector<hbase_wire::TDelete> refused;
            client.recv_deleteMultiple(refused);
            if (refused.empty()) return;
            hbase_wire::TIOError error;
            error.__set_message("some cells were not deleted");
            error.__set_canRetry(true);
            throw error;
          }};
}

hbase_wire::TColumn column_of(std::string_view family) {
  hbase_wire::TColumn column;
  column.family = family;
  return column;
}
hbase_wire::TColumn column_of(std::string_view family, std::string_view qualifier) {
  hbase_wire::TColumn column = column_of(family);
  column.__set_qualifier(std::string(qualifier));
  return column;
}
hbase_wire::TColumnValue cell_of(std::string_view family, std::string_view qualifier, std::string_view value) {
  hbase_wire::TColumnValue cell;
  cell.family = family;
  cell.qualifier = qualifier;
  cell.value = value;
  return cell;
}

}  // namespace neardup::remote::hbase
