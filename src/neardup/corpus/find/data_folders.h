// Files told by those that lie beside them: in the folders that Spark, Hadoop and their kind write not every file is
// data.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "neardup/corpus/input.h"

namespace neardup::corpus {

/// What the bytes of a file that is taken for text leave open.
struct Doubt {
  bool may_be_objects = false;  // it is one line with one JSON object: a record, or a text that is made of one
  bool is_empty = false;
  size_t below = 0;  // where in the path the part begins that nobody typed
};

/// Settles it, and leaves out what is no document. A folder is one of data where a file in it is read record by record.
/// There an empty file is JSONL without a line; a single object is JSONL where the other files with its ending are; and
/// gone from `inputs` are the marks and notes of who wrote the folder: _SUCCESS, _metadata, _common_metadata,
/// _committed_NUMBER, _started_NUMBER, X.crc beside X, and what lies in _delta_log, _spark_metadata and _temporary.
/// What was given itself stays, and of a path counts what was found, not what was typed. The paths of those that are
/// gone and not empty stand in `left_out` of the first input that stays. `doubts`: of each of `inputs`.
void settle_data_folders(std::vector<Input>& inputs, std::span<const Doubt> doubts);

/// Returns a warning where folders or patterns gave files of both kinds, those of records and those that are a text
/// each; empty where they did not.
[[nodiscard]] std::string why_mixed(std::span<const Input> inputs);

/// Returns a warning that counts what settle_data_folders() left out; empty where there is none.
[[nodiscard]] std::string why_left_out(std::span<const Input> inputs);

/// Returns all that is to be said of inputs that were found: the warnings above that are not empty.
[[nodiscard]] std::vector<std::string> warnings_of(std::span<const Input> inputs);

}  // namespace neardup::corpus
