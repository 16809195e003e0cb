// Text and source code of any bytes, in each language: what is left comes from where it is said to come from.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/sif/fold_code.h"
#include "neardup/sif/fold_space.h"
#include "neardup/sif/languages.h"

inline int fuzz_fold_code(const uint8_t* data, size_t size) {
  using namespace neardup::sif;
  const std::string_view source(reinterpret_cast<const char*>(data), size);
  std::string folded, without_origins;
  std::vector<Origin> origins;
  fold_space(source, folded, &origins);
  fold_space(source, without_origins);
  if (folded != without_origins || folded.size() != origins.size() || folded.size() > size) std::abort();
  for (uint32_t language = 1; language <= languages().size(); ++language) {
    fold_code(source, language, folded, &origins);
    fold_code(source, language, without_origins);
    if (folded != without_origins || folded.size() != origins.size() || folded.size() > size) std::abort();
    uint32_t before = 0;
    for (const Origin& origin : origins) {
      if (origin.begin < before || origin.end <= origin.begin || origin.end > size) std::abort();
      before = origin.end;
    }
  }
  return 0;
}
