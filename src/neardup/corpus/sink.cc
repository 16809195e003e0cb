#include "neardup/corpus/sink.h"

namespace neardup::corpus {

Result<std::unique_ptr<Assembly>> Sink::assemble(const Input&, bool) const { return nullptr; }

}  // namespace neardup::corpus
