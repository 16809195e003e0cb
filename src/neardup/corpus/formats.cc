#include "neardup/corpus/formats.h"

#include <array>
#include <cstddef>

namespace neardup::corpus {
namespace {

constexpr FileSigns with_endings(const std::array<std::string_view, 16>& endings) { return {{}, 0, endings}; }

constexpr FormatRow kFormats[] = {
    {Format::kJsonl, "jsonl", "JSONL",
     with_endings({".jsonl", ".ndjson", ".jsonlines", ".json_lines", ".json-lines", ".ldjson", ".ldj", ".ndjsonl",
                   ".geojsonl", ".geojsons", ".ndgeojson"}),
     true, ".jsonl", jsonl_source, jsonl_sink},
    {Format::kLines, "lines", "lines", {}, false, ".txt", lines_source, lines_sink},
    {Format::kText, "text", "text",
     with_endings({".txt", ".text", ".md", ".markdown", ".rst", ".adoc", ".org", ".html", ".htm", ".xml", ".tex",
                   ".log", ".srt", ".eml"}),
     false, ".txt", text_source, text_sink},
    {Format::kCsv, "csv", "CSV", with_endings({".csv"}), true, ".csv", csv_source, csv_sink},
    {Format::kTsv, "tsv", "TSV", with_endings({".tsv", ".tab"}), true, ".tsv", tsv_source, tsv_sink},
    {Format::kWarc, "warc", "WARC", {"WARC/1.", 0, {".warc", ".wet", ".wat"}}, true, ".warc", warc_source, warc_sink},
    {Format::kParquet, "parquet", "Parquet", {"PAR1", 0, {".parquet"}}, true, ".parquet", parquet_source, parquet_sink},
    {Format::kRows, "", "rows", {}, false, "", rows_source, text_sink},
};

}  // namespace

std::span<const FormatRow> formats() { return kFormats; }
const FormatRow& row_of(Format format) { return kFormats[static_cast<size_t>(format)]; }

}  // namespace neardup::corpus
