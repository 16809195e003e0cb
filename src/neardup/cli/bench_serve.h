// neardup bench serve: its flags, and the lines that it prints.
#pragma once

#include "neardup/bench/serve.h"
#include "neardup/cli/flags.h"
#include "neardup/cli/io.h"

namespace neardup::cli {

/// Adds the flags that bench serve has for itself. Those it shares with bench store and others are the caller's.
void define_bench_serve_flags(Flags& flags, bench::ServeBench& options);

/// Measures and prints a line for each load when it is done. Zeros in `options` stand for defaults. Errors: those of
/// run_serve_bench().
[[nodiscard]] Status bench_serve(bench::ServeBench options, bool json, Io& io);

}  // namespace neardup::cli
