#include "neardup/server/document_operations.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "neardup/base/json.h"
#include "neardup/engine/online/verdict_json.h"
#include "neardup/server/json_pieces.h"

namespace neardup::server {
namespace {

void count(Metrics& metrics, const std::vector<engine::TextVerdict>& verdicts) {
  uint64_t counts[kNumKinds] = {};
  for (const engine::TextVerdict& verdict : verdicts) ++counts[static_cast<size_t>(verdict.kind)];
  for (size_t kind = 0; kind < kNumKinds; ++kind) metrics.checked(static_cast<store::Kind>(kind), counts[kind]);
}

Result<AppendObject> append_verdicts(Metrics& metrics, Result<std::vector<engine::TextVerdict>> verdicts,
                                     std::span<const engine::ArrivingText> texts) {
  if (!verdicts) return tl::unexpected<Error>(std::move(verdicts).error());
  count(metrics, *verdicts);
  auto kept = std::make_shared<std::vector<engine::TextVerdict>>(std::move(*verdicts));
  return AppendObject([kept, texts](std::string& out, size_t i) {
    out += '{';
    engine::append_verdict(out, texts[i].id, (*kept)[i]);
    return (*kept)[i].is_truncated;
  });
}

/// Of a document that asks for what is like it, it is no answer itself.
Result<store::StoredNeighbours> others_like(const OperationContext& context, const engine::ArrivingText& text) {
  if (text.id.empty()) return context.backend.query(text, context.limit);
  NEARDUP_ASSIGN(auto neighbours, context.backend.query(text, context.limit + 1));
  std::erase_if(neighbours.found, [&](const store::StoredNeighbour& one) { return one.id == text.id; });
  if (neighbours.found.size() <= context.limit) return neighbours;
  neighbours.found.resize(context.limit);
  neighbours.truncated = true;
  return neighbours;
}

void append_neighbours(std::string& out, std::string_view id, const store::StoredNeighbours& neighbours) {
  out += '{';
  append_text_or_null(out, "id", id);
  append_key(out, "found");
  out += '[';
  for (const store::StoredNeighbour& neighbour : neighbours.found) {
    if (out.back() != '[') out += ',';
    engine::append_neighbour(out, neighbour);
  }
  out += ']';
  append_bool(out, "truncated", neighbours.truncated);
}

}  // namespace

Result<AppendObject> check_and_insert_documents(const OperationContext& context,
                                                std::span<const engine::ArrivingText> texts) {
  return append_verdicts(context.metrics, context.backend.check_and_insert(texts), texts);
}

Result<AppendObject> check_documents(const OperationContext& context, std::span<const engine::ArrivingText> texts) {
  return append_verdicts(context.metrics, context.backend.check(texts), texts);
}

Result<AppendObject> insert_documents(const OperationContext& context, std::span<const engine::ArrivingText> texts) {
  NEARDUP_TRY(context.backend.put(texts));
  return AppendObject([texts](std::string& out, size_t i) {
    out += '{';
    append_text(out, "id", texts[i].id);
    append_bool(out, "inserted", true);
    return false;
  });
}

Result<AppendObject> query_documents(const OperationContext& context, std::span<const engine::ArrivingText> texts) {
  if (texts.size() > std::max<size_t>(kMostFoundAtOnce / context.limit, 1))
    return fail(Code::kInvalidArgument,
                fmt::format("{} documents may find more than {} neighbours: lower the limit, or send lines",
                            texts.size(), kMostFoundAtOnce));
  context.metrics.queried(texts.size());
  auto found = std::make_shared<std::vector<store::StoredNeighbours>>();
  for (const engine::ArrivingText& text : texts) {
    NEARDUP_ASSIGN(found->emplace_back(), others_like(context, text));
  }
  return AppendObject([found, texts](std::string& out, size_t i) {
    append_neighbours(out, texts[i].id, (*found)[i]);
    return (*found)[i].truncated;
  });
}

}  // namespace neardup::server
