#include "neardup/lines/unique_lines.h"

#include "neardup/base/guard.h"
#include "neardup/lines/run_lines.h"

namespace neardup::lines {

Result<LinesTotals> unique_lines(const LinesOptions& options, const WriteBytes& write) {
  return guarded([&] { return LinesRun(options, write).run(); });
}

}  // namespace neardup::lines
