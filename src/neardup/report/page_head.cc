#include <fmt/format.h>

#include "neardup/report/page.h"

namespace neardup::report {

std::string page_head(std::string_view title, std::string_view more_style, bool has_script) {
  // The policy lets nothing in from elsewhere, whatever a document's text may say.
  return fmt::format(R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; {}base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{}</title>
<style>
{}{}</style>
</head>
<body>
<main>
)",
                     has_script ? "script-src 'unsafe-inline'; " : "", title, page_style(), more_style);
}

}  // namespace neardup::report
