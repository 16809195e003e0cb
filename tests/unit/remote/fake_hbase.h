// A gateway of HBase in this process: one table in memory, the calls that a store makes, and answers that can be
// twisted.
#pragma once

#include <gtest/gtest.h>
#include <hbase_wire/THBaseService.h>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/server/TThreadedServer.h>
#include <thrift/transport/TBufferTransports.h>
#include <thrift/transport/TServerSocket.h>

#include <algorithm>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "neardup/remote/remote_uri.h"

namespace neardup::remote {

/// Scans know no filters: open the store with scans=prefix. Of times it knows nothing: who puts last wins.
class FakeHBase : public hbase_wire::THBaseServiceNull {
 public:
  using Row = std::map<std::pair<std::string, std::string>, std::string>;  // family and qualifier
  using Results = std::vector<hbase_wire::TResult>;

  /// Changes answers to getMultiple, to getScannerResults, to increment; set while no call is under way.
  std::function<void(Results&)> twist_gets, twist_scans;
  std::function<void(hbase_wire::TResult&)> twist_increment;
  std::string refuses_tables;  // with these words, unless empty
  using Meets = std::function<void(std::string_view call)>;
  /// Called when a call of this name begins, of those that are counted, by the thread that serves it; may refuse().
  void set_meets(Meets meets) {
    const std::lock_guard lock(meets_mutex_);
    meets_ = std::move(meets);
  }
  /// Returns how many calls of this name have begun. Of those about tables and getClusterId; others are not counted.
  [[nodiscard]] size_t num_calls(const std::string& name) {
    const std::lock_guard lock(meets_mutex_);
    return calls_[name];
  }
  void forget_calls() {
    const std::lock_guard lock(meets_mutex_);
    calls_.clear();
  }
  static hbase_wire::TColumnValue cell(const std::string& qualifier, const std::string& value) {
    hbase_wire::TColumnValue cell;
    cell.qualifier = qualifier, cell.value = value;
    return cell;
  }
  [[noreturn]] static void refuse(const std::string& words, bool can_retry = false) {
    hbase_wire::TIOError error;
    error.__set_message(words);
    error.__set_canRetry(can_retry);
    throw error;
  }

  void getMultiple(Results& out, const std::string& /*table*/, const std::vector<hbase_wire::TGet>& gets) override {
    const std::lock_guard lock(mutex_);
    check_there();
    for (const auto& get : gets) out.push_back(result_of(get.row, get.columns));
    if (twist_gets) twist_gets(out);
  }
  bool checkAndPut(const std::string& /*table*/, const std::string& row, const std::string& family,
                   const std::string& qualifier, const hbase_wire::TPut& put) override {
    const std::lock_guard lock(mutex_);
    check(family);
    if (rows_[row].contains({family, qualifier})) return false;
    write(put);
    return true;
  }
  void putMultiple(const std::string& /*table*/, const std::vector<hbase_wire::TPut>& puts) override {
    const std::lock_guard lock(mutex_);
    for (const auto& put : puts) write(put);
  }
  void deleteMultiple(std::vector<hbase_wire::TDelete>& /*refused*/, const std::string& /*table*/,
                      const std::vector<hbase_wire::TDelete>& deletes) override {
    const std::lock_guard lock(mutex_);
    for (const auto& one : deletes) {
      for (const auto& column : one.columns) {
        check(column.family);
        rows_[one.row].erase({column.family, column.qualifier});
      }
    }
  }
  void increment(hbase_wire::TResult& out, const std::string& /*table*/, const hbase_wire::TIncrement& by) override {
    const std::lock_guard lock(mutex_);
    const auto& column = by.columns.at(0);
    check(column.family);
    std::string& value = rows_[by.row][{column.family, column.qualifier}];
    uint64_t number = 0;
    for (const char byte : value) number = number << 8 | static_cast<uint8_t>(byte);
    number += static_cast<uint64_t>(column.amount);
    value.assign(8, '\0');
    for (size_t i = 0; i < 8; ++i) value[7 - i] = static_cast<char>(number >> 8 * i & 0xff);
    hbase_wire::TColumn wanted;
    wanted.family = column.family;
    wanted.__set_qualifier(column.qualifier);
    out = result_of(by.row, {wanted});
    if (twist_increment) twist_increment(out);
  }
  void getScannerResults(Results& out, const std::string& /*table*/, const hbase_wire::TScan& scan,
                         int32_t most) override {
    const std::lock_guard lock(mutex_);
    check_there();
    for (const auto& column : scan.columns) check(column.family);
    const auto& [low, high] =
        scan.reversed ? std::pair(scan.stopRow, scan.startRow + '\0') : std::pair(scan.startRow, scan.stopRow);
    for (auto row = rows_.lower_bound(low); row != rows_.lower_bound(high); ++row)
      if (auto found = result_of(row->first, scan.columns); !found.columnValues.empty()) out.push_back(found);
    if (scan.reversed) std::reverse(out.begin(), out.end());
    out.resize(std::min(out.size(), static_cast<size_t>(most)));
    if (twist_scans) twist_scans(out);
  }

  bool tableExists(const hbase_wire::TTableName& /*name*/) override {
    meets("tableExists");
    const std::lock_guard lock(mutex_);
    return table_.has_value();
  }
  void getTableDescriptor(hbase_wire::TTableDescriptor& out, const hbase_wire::TTableName& /*name*/) override {
    meets("getTableDescriptor");
    const std::lock_guard lock(mutex_);
    check_there();
    out = *table_;
  }
  void createTable(const hbase_wire::TTableDescriptor& table, const std::vector<std::string>& /*splits*/) override {
    const std::lock_guard lock(mutex_);
    if (table_) refuse("it is there");
    if (!refuses_tables.empty()) refuse(refuses_tables);
    table_ = table;
    rows_.clear();
    is_disabled_ = false;
  }
  void disableTable(const hbase_wire::TTableName& /*name*/) override {
    const std::lock_guard lock(mutex_);
    is_disabled_ = true;
  }
  bool isTableDisabled(const hbase_wire::TTableName& /*name*/) override {
    meets("isTableDisabled");
    const std::lock_guard lock(mutex_);
    return is_disabled_;
  }
  void deleteTable(const hbase_wire::TTableName& /*name*/) override {
    meets("deleteTable");
    const std::lock_guard lock(mutex_);
    check_there();
    table_.reset();
  }
  void getClusterId(std::string& out) override {
    meets("getClusterId");
    out = "fake";
  }

 private:
  // What is done of it takes no lock: it may make calls itself.
  void meets(std::string_view call) {
    Meets meets;
    {
      const std::lock_guard lock(meets_mutex_);
      ++calls_[std::string(call)];
      meets = meets_;
    }
    if (meets) meets(call);
  }
  void check_there() const {
    if (!table_) refuse("table");  // as HBase does: its name is all that it says
  }
  void check(const std::string& family) const {
    check_there();
    for (const auto& there : table_->columns)
      if (there.name == family) return;
    refuse("NoSuchColumnFamilyException: " + family);
  }
  void write(const hbase_wire::TPut& put) {
    for (const auto& cell : put.columnValues) check(cell.family);
    for (const auto& cell : put.columnValues) rows_[put.row][{cell.family, cell.qualifier}] = cell.value;
  }
  // Of no columns: all.
  hbase_wire::TResult result_of(const std::string& row, const std::vector<hbase_wire::TColumn>& columns) {
    for (const auto& column : columns) check(column.family);
    hbase_wire::TResult result;
    result.__set_row(row);
    if (!rows_.contains(row)) return result;
    for (const auto& [name, value] : rows_[row]) {
      const auto is_it = [&](const hbase_wire::TColumn& column) {
        return column.family == name.first && (!column.__isset.qualifier || column.qualifier == name.second);
      };
      if (!columns.empty() && std::none_of(columns.begin(), columns.end(), is_it)) continue;
      auto& cell = result.columnValues.emplace_back();
      cell.family = name.first, cell.qualifier = name.second, cell.value = value;
    }
    return result;
  }

  std::mutex meets_mutex_;  // of these two
  Meets meets_;
  std::map<std::string, size_t> calls_;
  std::mutex mutex_;  // of what follows
  std::optional<hbase_wire::TTableDescriptor> table_;
  bool is_disabled_ = false;
  std::map<std::string, Row> rows_;
};

/// Serves a FakeHBase at a port of this machine.
class FakeGateway {
 public:
  FakeGateway() {
    using apache::thrift::transport::TServerSocket;
    const auto socket = std::make_shared<TServerSocket>("127.0.0.1", 0);
    server_ = std::make_unique<apache::thrift::server::TThreadedServer>(
        std::make_shared<hbase_wire::THBaseServiceProcessor>(hbase), socket,
        std::make_shared<apache::thrift::transport::TBufferedTransportFactory>(),
        std::make_shared<apache::thrift::protocol::TBinaryProtocolFactory>());
    const auto ready = std::make_shared<Ready>();
    server_->setServerEventHandler(ready);
    serving_ = std::thread([this] { server_->serve(); });
    ready->is_ready.get_future().wait();
    port_ = static_cast<uint16_t>(socket->getPort());
  }
  ~FakeGateway() {
    server_->stop();
    serving_.join();
  }
  [[nodiscard]] RemoteUri uri() const {
    const auto uri = parse_remote_uri("hbase://127.0.0.1:" + std::to_string(port_) + "/table?scans=prefix");
    EXPECT_TRUE(uri);
    return *uri;
  }

  const std::shared_ptr<FakeHBase> hbase = std::make_shared<FakeHBase>();

 private:
  struct Ready : apache::thrift::server::TServerEventHandler {
    void preServe() override { is_ready.set_value(); }
    std::promise<void> is_ready;
  };
  std::unique_ptr<apache::thrift::server::TThreadedServer> server_;
  std::thread serving_;
  uint16_t port_ = 0;
};

}  // namespace neardup::remote
