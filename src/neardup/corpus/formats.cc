#include "neardup/corpus/formats.h"

#include <array>
#include <cstddef>

namespace neardup::corpus {
namespace {

constexpr std::string_view kJsonlEndings[] = {".jsonl", ".ndjson"};
constexpr std::string_view kTextEndings[] = {".txt",  ".text", ".md",  ".markdown", ".rst", ".adoc", ".org",
                                             ".html", ".htm",  ".xml", ".tex",      ".log", ".srt",  ".eml"};
constexpr std::string_view kCsvEndings[] = {".csv"};
constexpr std::string_view kTsvEndings[] = {".tsv", ".tab"};

constexpr FormatRow kFormats[] = {
    {Format::kJsonl, "jsonl", "JSONL", kJsonlEndings, true, ".jsonl", jsonl_source, jsonl_sink},
    {Format::kLines, "lines", "lines", {}, false, ".txt", lines_source, lines_sink},
    {Format::kText, "text", "text", kTextEndings, false, ".txt", text_source, text_sink},
    {Format::kCsv, "csv", "CSV", kCsvEndings, true, ".csv", csv_source, csv_sink},
    {Format::kTsv, "tsv", "TSV", kTsvEndings, true, ".tsv", tsv_source, tsv_sink},
    {Format::kRows, "", "rows", {}, false, "", rows_source, text_sink},
};

}  // namespace

std::span<const FormatRow> formats() { return kFormats; }
const FormatRow& row_of(Format format) { return kFormats[static_cast<size_t>(format)]; }

}  // namespace neardup::corpus
