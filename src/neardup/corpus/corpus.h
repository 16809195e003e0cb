// corpus: where documents come from and go to: JSONL, lines, text files and folders, plain, gzip or zstd.
//
// This is the door of the room: include it for everything, or one of the headers below for its part.
// A Reader cuts the inputs into batches in a fixed order that depends only on the inputs and the options, never on
// threads: next() hands batches out one after the other, load() fills them on any thread.
//
//   NEARDUP_ASSIGN(auto inputs, corpus::discover(arguments, {}));
//   NEARDUP_ASSIGN(auto reader, corpus::Reader::open(inputs, {}));
//   for (corpus::Batch batch; *reader.next(batch);) { *reader.load(batch); use(batch.documents); }
#pragma once

#include "neardup/corpus/batch.h"
#include "neardup/corpus/each_batch.h"
#include "neardup/corpus/field_names.h"
#include "neardup/corpus/input.h"
#include "neardup/corpus/output.h"
#include "neardup/corpus/reader.h"
#include "neardup/corpus/standard_input.h"
