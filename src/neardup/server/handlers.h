// What answers the routes that take no documents.
#pragma once

#include "neardup/server/route.h"

namespace neardup::server {

[[nodiscard]] Response get_document(ServiceState& state, const Request& request);
[[nodiscard]] Response delete_document(ServiceState& state, const Request& request);
[[nodiscard]] Response delete_documents(ServiceState& state, const Request& request);
[[nodiscard]] Response list_clusters(ServiceState& state, const Request& request);
[[nodiscard]] Response explain_pair(ServiceState& state, const Request& request);

[[nodiscard]] Response list_tags(ServiceState& state, const Request& request);
[[nodiscard]] Response begin_tag(ServiceState& state, const Request& request);
[[nodiscard]] Response commit_tag(ServiceState& state, const Request& request);
[[nodiscard]] Response cancel_tag(ServiceState& state, const Request& request);
[[nodiscard]] Response delete_tag(ServiceState& state, const Request& request);
[[nodiscard]] Response expire_documents(ServiceState& state, const Request& request);
[[nodiscard]] Response make_snapshot(ServiceState& state, const Request& request);

[[nodiscard]] Response get_recipe(ServiceState& state, const Request& request);
[[nodiscard]] Response get_stats(ServiceState& state, const Request& request);
[[nodiscard]] Response get_metrics(ServiceState& state, const Request& request);
[[nodiscard]] Response get_live(ServiceState& state, const Request& request);
[[nodiscard]] Response get_health(ServiceState& state, const Request& request);
[[nodiscard]] Response get_ready(ServiceState& state, const Request& request);
[[nodiscard]] Response get_openapi(ServiceState& state, const Request& request);

/// Ends the object in `body` with the recipe's id.
[[nodiscard]] Response answer_with_recipe(const ServiceState& state, std::string body);
/// Returns {"deleted":N,...}, or what went wrong.
[[nodiscard]] Response answer_deleted(const ServiceState& state, const Result<uint64_t>& deleted);

}  // namespace neardup::server
