// What programs that measure the words tower share: texts of a file, and a clock.
#pragma once

#include <simdjson.h>
#include <time.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace neardup::bench {

/// Returns the field "text" of each line of a .jsonl file; any other file is one text. Throws where it cannot be read.
inline std::vector<std::string> read_texts(const char* path) {
  std::vector<std::string> texts;
  const simdjson::padded_string file = simdjson::padded_string::load(path).value();
  if (!std::string_view(path).ends_with(".jsonl")) return {std::string(std::string_view(file))};
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document_stream documents = parser.iterate_many(file, size_t{64} << 20);
  for (auto document : documents) texts.emplace_back(std::string_view(document["text"]));
  return texts;
}

/// Returns the CPU time of this thread so far. (User time alone comes in steps of 4 ms.)
inline double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Returns the least CPU seconds of `rounds` runs of `work`.
template <class Work>
double best_seconds(int rounds, const Work& work) {
  double best = 1e9;
  for (int i = 0; i < rounds; ++i) {
    const double begin = cpu_seconds();
    work();
    best = std::min(best, cpu_seconds() - begin);
  }
  return best;
}

}  // namespace neardup::bench
