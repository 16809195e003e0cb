// The sub-commands. Each is defined in the source file of its name and adds itself to a CommandLine.
#pragma once

#include "neardup/cli/command.h"

namespace neardup::cli {

void add_dedup_command(CommandLine& line);
void add_fingerprint_command(CommandLine& line);
void add_evaluate_command(CommandLine& line);
void add_explain_command(CommandLine& line);
void add_lines_command(CommandLine& line);
void add_pairs_command(CommandLine& line);
void add_similar_command(CommandLine& line);
void add_index_command(CommandLine& line);
void add_crawl_filter_command(CommandLine& line);
void add_text_command(CommandLine& line);
void add_tokens_command(CommandLine& line);
void add_plan_command(CommandLine& line);
void add_idf_command(CommandLine& line);
void add_phrases_command(CommandLine& line);
void add_serve_command(CommandLine& line);
void add_bench_command(CommandLine& line);
void add_recipes_command(CommandLine& line);
void add_completion_command(CommandLine& line);
void add_help_command(CommandLine& line);

}  // namespace neardup::cli
