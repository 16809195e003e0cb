#include "guard.h"

namespace neardup::parquet_module {

std::string first_line(const char* message) {
  std::string line(message);
  line.resize(std::min(line.find('\n'), line.size()));
  while (line.ends_with('.') || line.ends_with(' ')) line.pop_back();
  return line;
}

}  // namespace neardup::parquet_module
