// neardup bench store: its flags, and the lines that it prints.
#pragma once

#include "neardup/bench/store.h"
#include "neardup/cli/flags.h"
#include "neardup/cli/io.h"

namespace neardup::cli {

/// Adds the flags that bench store has for itself. Those it shares with others (count, distance, threads) are the
/// caller's.
void define_bench_store_flags(Flags& flags, bench::StoreBench& options);

/// Measures and prints a line for each kind of work when it is done. Zeros in `options` stand for defaults. Errors:
/// those of run_store_bench().
[[nodiscard]] Status bench_store(bench::StoreBench options, bool json, Io& io);

}  // namespace neardup::cli
