// The formats of inputs; formats.h has what each one is.
#pragma once

namespace neardup::corpus {

/// kJsonl: a JSON object a line; kLines: a document a line; kText: a document a file; kCsv and kTsv: a header row, then
/// a document a row; kWarc: records of a crawl; kParquet: a document a row of a table in columns; kRows: no file,
/// documents that a program holds (rows.h).
enum class Format { kJsonl, kLines, kText, kCsv, kTsv, kWarc, kParquet, kRows };

}  // namespace neardup::corpus
