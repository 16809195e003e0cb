// Where commands without an output folder put their work files.
#pragma once

#include "neardup/base/disk/temporary_folder.h"

namespace neardup {

/// Makes an empty folder in the system's place for temporary files (TMPDIR). Errors: kIo, kDiskFull.
[[nodiscard]] Result<TemporaryFolder> make_work_place();

}  // namespace neardup
