// neardup bench query: its flags, and the line that it prints.
#pragma once

#include <string>

#include "neardup/bench/query.h"
#include "neardup/cli/flags.h"

namespace neardup::cli {

/// Adds the flags that bench query has for itself. Those it shares with bench join (count, distance, threads, spread,
/// memory, queries) are the caller's.
void define_bench_query_flags(Flags& flags, bench::QueryBench& options);

/// Measures and returns the line to print. Zeros in `options` stand for defaults. Errors: those of run_query_bench().
[[nodiscard]] Result<std::string> bench_query(bench::QueryBench options, bool json);

}  // namespace neardup::cli
