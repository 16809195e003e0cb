#include "neardup/corpus/formats.h"

#include <array>
#include <cstddef>

namespace neardup::corpus {
namespace {

constexpr std::string_view kJsonlEndings[] = {".jsonl", ".ndjson"};
constexpr std::string_view kTextEndings[] = {".txt", ".text", ".md",  ".markdown", ".rst", ".adoc", ".org", ".html",
                                             ".htm", ".xml",  ".tex", ".csv",      ".tsv", ".log",  ".srt", ".eml"};

constexpr FormatRow kFormats[] = {
    {Format::kJsonl, "jsonl", "JSONL", kJsonlEndings, ".jsonl", jsonl_source, jsonl_sink},
    {Format::kLines, "lines", "lines", {}, ".txt", lines_source, lines_sink},
    {Format::kText, "text", "text", kTextEndings, ".txt", text_source, text_sink},
    {Format::kCsv, "csv", "CSV", {}, ".csv", text_source, text_sink},
    {Format::kTsv, "tsv", "TSV", {}, ".tsv", text_source, text_sink},
    {Format::kRows, "", "rows", {}, "", rows_source, text_sink},
};

}  // namespace

std::span<const FormatRow> formats() { return kFormats; }
const FormatRow& row_of(Format format) { return kFormats[static_cast<size_t>(format)]; }

}  // namespace neardup::corpus
