// The files of the web page, which the build makes of web/ (web/build.mjs) and the program holds.
#pragma once

#include <span>
#include <string_view>

namespace neardup::server {

struct PageAsset {
  std::string_view path;  // "/app.js"; the page itself is "/"
  std::string_view content_type;
  std::string_view etag;     // with its quotes: it stands for the content
  std::string_view content;  // as it is
  std::string_view packed;   // the same by gzip
};

/// Returns all files, by name; none where the program was built without (NEARDUP_WEB=OFF).
[[nodiscard]] std::span<const PageAsset> page_assets();

}  // namespace neardup::server
