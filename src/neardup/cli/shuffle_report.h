// What `neardup plan` says of a deduplication on Spark.
#pragma once

#include <string>

#include "neardup/base/result.h"
#include "neardup/planner/spark_shuffle.h"
#include "neardup/recipe/spec.h"

namespace neardup::cli {

/// Returns `request` with what `recipe` makes of each document: MinHash where it has it, else SimHash within
/// `max_distance` bits. Errors: kInvalidArgument for a recipe that does not go with its family.
[[nodiscard]] Result<planner::ShuffleRequest> shuffle_request(planner::ShuffleRequest request, recipe::Recipe recipe,
                                                              int max_distance);

/// Returns the lines for people: each stage and the sum.
[[nodiscard]] std::string shuffle_text(const planner::ShuffleRequest& request);
/// Returns a JSON object: what was given, "stages" and "bytes".
[[nodiscard]] std::string shuffle_json(const planner::ShuffleRequest& request);

}  // namespace neardup::cli
