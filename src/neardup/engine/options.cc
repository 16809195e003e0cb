#include "neardup/engine/options.h"

namespace neardup::engine {

std::string to_string(Mode mode) {
  switch (mode) {
    case Mode::kRemove:
      return "remove";
    case Mode::kAnnotate:
      return "annotate";
    case Mode::kIds:
      return "ids";
  }
  return {};
}

std::string to_string(ClusterKind kind) { return kind == ClusterKind::kStar ? "star" : "components"; }

}  // namespace neardup::engine
