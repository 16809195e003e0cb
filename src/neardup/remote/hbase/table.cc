#include "neardup/remote/hbase/table.h"

#include <utility>

namespace neardup::remote::hbase {

Status ask_all(const Table& table, std::string_view what, std::vector<Asker*> askers) {
  while (!askers.empty()) {
    std::vector<Exchange> exchanges;
    for (Asker* const asker : askers) asker->ask(exchanges);
    NEARDUP_TRY(table.gateway->call_all(what, exchanges));
    std::vector<Asker*> not_done;
    for (Asker* const asker : askers) {
      NEARDUP_ASSIGN(const bool has_more, asker->take());
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
