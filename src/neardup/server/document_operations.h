// What is done with documents: checked, inserted, looked for.
#pragma once

#include <span>
#include <string_view>

#include "neardup/server/backend.h"
#include "neardup/server/document_batch.h"
#include "neardup/server/metrics.h"

namespace neardup::server {

/// What an operation needs beside the documents.
struct OperationContext {
  Backend& backend;
  Metrics& metrics;
  size_t limit = 10;  // of what a query finds for each
};

/// So many neighbours one call of query_documents() may find.
inline constexpr size_t kMostFoundAtOnce = 100000;

/// Does something with documents, all or nothing, and returns how each is answered: valid as long as `texts` are.
using DocumentOperation = Result<AppendObject> (*)(const OperationContext& context,
                                                   std::span<const engine::ArrivingText> texts);

[[nodiscard]] Result<AppendObject> check_and_insert_documents(const OperationContext& context,
                                                              std::span<const engine::ArrivingText> texts);
[[nodiscard]] Result<AppendObject> check_documents(const OperationContext& context,
                                                   std::span<const engine::ArrivingText> texts);
[[nodiscard]] Result<AppendObject> insert_documents(const OperationContext& context,
                                                    std::span<const engine::ArrivingText> texts);
[[nodiscard]] Result<AppendObject> query_documents(const OperationContext& context,
                                                   std::span<const engine::ArrivingText> texts);

}  // namespace neardup::server
