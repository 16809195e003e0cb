// Standard input copied to a file, since it is read more than once.
#pragma once

#include <string>

#include "neardup/base/context.h"
#include "neardup/corpus/find/discover.h"

namespace neardup::corpus {

/// Copies what `descriptor` (such as standard input) still gives to the new file `path` and returns it as an input. Its
/// format is `options.format`, else WARC where it begins with such a record, JSONL where the first byte that is not
/// white space is "{", else text; lines, which are no document, where nothing comes. Its name is "stdin" with the usual
/// ending: "stdin.jsonl", "stdin.txt.gz". The descriptor stays open. Of `context` the wish to stop is heard, also while
/// nothing comes. Errors: kIo, kDiskFull, kCancelled; kUnsupported
/// for records in UTF-16 or UTF-32.
[[nodiscard]] Result<Input> spool(int descriptor, const std::string& path, const DiscoverOptions& options,
                                  const Context& context = {});

}  // namespace neardup::corpus
