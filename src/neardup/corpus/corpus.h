// corpus: where documents come from and go to: JSONL, CSV, TSV, WARC, lines, text files, rows; plain, gzip or zstd.
//
// This is the door of the room: include it for everything, or one of the headers below for its part.
// A Reader cuts the inputs into batches in a fixed order that depends only on the inputs and the options, never on
// threads: next() hands batches out one after the other, load() fills them on any thread. Reader::open() with the same
// inputs reads the same again. What differs between formats stands behind Source and Sink, one file a format.
//
//   Result<uint64_t> count_documents(const std::vector<std::string>& arguments) {
//     NEARDUP_ASSIGN(auto inputs, corpus::discover(arguments, {}));
//     NEARDUP_ASSIGN(auto reader, corpus::Reader::open(inputs, {}));
//     uint64_t count = 0;
//     for (corpus::Batch batch;;) {
//       NEARDUP_ASSIGN(const bool more, reader.next(batch));
//       if (!more) return count;
//       NEARDUP_TRY(reader.load(batch));
//       count += batch.documents.size();
//     }
//   }
#pragma once

#include "neardup/corpus/batch.h"
#include "neardup/corpus/each_batch.h"
#include "neardup/corpus/field_names.h"
#include "neardup/corpus/find/discover.h"
#include "neardup/corpus/find/glob.h"
#include "neardup/corpus/find/spool.h"
#include "neardup/corpus/find/standard_input.h"
#include "neardup/corpus/formats.h"
#include "neardup/corpus/input.h"
#include "neardup/corpus/output.h"
#include "neardup/corpus/reader.h"
#include "neardup/corpus/rows.h"
#include "neardup/corpus/sink.h"
#include "neardup/corpus/source.h"
