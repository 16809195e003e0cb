#include "neardup/server/page.h"

#include <algorithm>

#include "neardup/server/page_assets.h"

namespace neardup::server {
namespace {

// Nothing from elsewhere, no script or style but our files, and no text that becomes markup: whatever a document says,
// and whatever a mistake of the page would make of it.
constexpr std::string_view kContentPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const PageAsset* find_asset(std::string_view path) {
  const auto assets = page_assets();
  const auto found = std::ranges::find(assets, path, &PageAsset::path);
  return found == assets.end() ? nullptr : &*found;
}

Route page_route(std::string_view path, std::string_view content_type) {
  return {.method = Method::kGet,
          .path = path,
          .name = "",  // for people
          .summary = "The web page",
          .access = Access::kNone,
          .place = Place::kAtOnce,
          .parameters = {},
          .request = "",
          .answer = content_type,
          .handler = &get_page_file};
}

/// The same file may be sent as it is or packed: both have one strong tag in what is kept of them, so each gets its
/// own.
std::string tag_of(const PageAsset& asset, bool packed) {
  std::string tag(asset.etag);
  if (packed) tag.insert(tag.size() - 1, "-gzip");
  return tag;
}

bool is_known(std::string_view if_none_match, std::string_view tag) {
  return if_none_match == "*" || if_none_match.find(tag) != std::string_view::npos;
}

std::string_view trim(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
  return text;
}

/// Takes off and returns what is before the first `separator`.
std::string_view next_part(std::string_view& text, char separator) {
  const size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return trim(part);
}

/// "q=0", "q=0.000": what the client does not want.
bool is_refused(std::string_view parameter) {
  if (!parameter.starts_with("q=") && !parameter.starts_with("Q=")) return false;
  return parameter.find_first_not_of("0.", 2) == std::string_view::npos;
}

}  // namespace

bool accepts_gzip(std::string_view accept_encoding) {
  while (!accept_encoding.empty()) {
    std::string_view coding = next_part(accept_encoding, ',');
    const std::string_view name = next_part(coding, ';');
    if (name == "gzip" || name == "x-gzip") return !is_refused(trim(coding));
  }
  return false;
}

std::vector<Route> page_routes() {
  std::vector<Route> rows;
  for (const PageAsset& asset : page_assets()) rows.push_back(page_route(asset.path, asset.content_type));
  if (rows.empty()) rows.push_back(page_route("/", "text/html"));
  return rows;
}

Response get_page_file(ServiceState& /*state*/, const Request& request) {
  const PageAsset* asset = find_asset(request.path);
  if (asset == nullptr) {
    return refuse(Refusal{404, "not_found",
                          "this program was built without its web page (NEARDUP_WEB=OFF); /openapi.json names what "
                          "there is for programs"});
  }
  const std::string tag = tag_of(*asset, request.accepts_gzip);
  Response response{.content_type = asset->content_type,
                    .headers = {{"ETag", tag},
                                {"Vary", "Accept-Encoding"},
                                {"Cache-Control", "no-cache"},
                                {"Content-Security-Policy", std::string(kContentPolicy)},
                                {"Referrer-Policy", "no-referrer"},
                                {"Cross-Origin-Opener-Policy", "same-origin"},
                                {"Cross-Origin-Resource-Policy", "same-origin"}}};
  if (is_known(request.if_none_match, tag)) {
    response.status = 304;
    return response;
  }
  if (request.accepts_gzip) response.headers.emplace_back("Content-Encoding", "gzip");
  response.body = request.accepts_gzip ? asset->packed : asset->content;
  return response;
}

}  // namespace neardup::server
