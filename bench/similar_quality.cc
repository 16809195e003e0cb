// How right is `neardup similar`? Every pair of files by their whole sets of substrings, against what the search finds.
//
//   bench_similar_quality FOLDER [winnow|sample|anchors] [WINDOW or BITS]
//   bench_similar_quality FOLDER --truth FILE      writes the truth as TSV, for the results of other programs
//
// The truth is counted from all substrings of 50 bytes of all files, by other code than the search has: XXH3 of each,
// sorted. A pair is true where at least 25 % of the substrings of one file are in the other (also 50 %). Folders hold
// different files: equal ones are left out. Needs some 40 times the bytes of the folder in memory.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "neardup/base/disk/file.h"
#include "neardup/base/hash.h"
#include "neardup/bench/measurement.h"
#include "neardup/sif/sif.h"

namespace {

using namespace neardup;

constexpr size_t kLength = 50;
constexpr double kThresholds[] = {0.25, 0.5};

struct Truth {
  std::vector<uint64_t> sizes;                               // different substrings, by file
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> shared;  // of pairs that matter
  [[nodiscard]] double of(const std::pair<uint32_t, uint32_t>& pair) const {
    const auto found = shared.find(pair);
    const uint64_t least = std::min(sizes[pair.first], sizes[pair.second]);
    return found == shared.end() || least == 0 ? 0 : static_cast<double>(found->second) / static_cast<double>(least);
  }
};

struct Item {
  uint64_t hash;
  uint32_t file;
};

std::vector<uint64_t> hashes_of(const std::string& bytes) {
  std::vector<uint64_t> hashes;
  for (size_t i = 0; i + kLength <= bytes.size(); ++i)
    hashes.push_back(hash64(std::string_view(bytes).substr(i, kLength)));
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  return hashes;
}

Truth find_truth(const std::vector<sif::File>& files) {
  Truth truth;
  std::vector<std::vector<Item>> buckets(1024);
  for (uint32_t f = 0; f < files.size(); ++f) {
    const auto hashes = hashes_of(read_file(files[f].path).value());
    truth.sizes.push_back(hashes.size());
    for (const uint64_t hash : hashes) buckets[hash >> 54].push_back({hash, f});
  }
  // Lists of files of each substring; then file by file, the sums with all others.
  std::vector<std::vector<uint32_t>> lists_of(files.size());
  std::vector<uint32_t> lists;
  std::vector<size_t> begins;
  for (auto& bucket : buckets) {
    std::sort(bucket.begin(), bucket.end(),
              [](const Item& a, const Item& b) { return a.hash != b.hash ? a.hash < b.hash : a.file < b.file; });
    for (size_t begin = 0, end = 0; begin < bucket.size(); begin = end) {
      while (end < bucket.size() && bucket[end].hash == bucket[begin].hash) ++end;
      if (end - begin < 2) continue;
      begins.push_back(lists.size());
      for (size_t i = begin; i < end; ++i) {
        lists_of[bucket[i].file].push_back(static_cast<uint32_t>(begins.size() - 1));
        lists.push_back(bucket[i].file);
      }
    }
    std::vector<Item>().swap(bucket);
  }
  begins.push_back(lists.size());
  std::vector<uint64_t> sums(files.size());
  for (uint32_t f = 0; f < files.size(); ++f) {
    std::fill(sums.begin(), sums.end(), 0);
    for (const uint32_t list : lists_of[f])
      for (size_t i = begins[list]; i < begins[list + 1]; ++i) ++sums[lists[i]];
    for (uint32_t g = f + 1; g < files.size(); ++g) {
      const uint64_t least = std::min(truth.sizes[f], truth.sizes[g]);
      if (10 * sums[g] >= least && sums[g] > 0) truth.shared[{f, g}] = sums[g];
    }
  }
  return truth;
}

void write_truth(const Truth& truth, const std::vector<sif::File>& files, const std::string& path) {
  std::string out;
  for (const auto& [pair, shared] : truth.shared)
    out += fmt::format("{:.4f}\t{}\t{}\n", truth.of(pair), files[pair.first].path, files[pair.second].path);
  write_file_atomically(path, out).value();
}

// Counted for the pairs whose smaller file has between `least` and `most` substrings.
void score(const Truth& truth, const sif::SimilarFiles& found, double threshold, uint64_t least, uint64_t most) {
  uint64_t num_true = 0, num_found = 0, right = 0, far = 0, num_listed = 0;
  double error = 0;
  const auto counts = [&](uint32_t a, uint32_t b) {
    const uint64_t size = std::min(truth.sizes[a], truth.sizes[b]);
    return size >= least && size < most;
  };
  for (const auto& [pair, shared] : truth.shared)
    num_true += counts(pair.first, pair.second) && truth.of(pair) >= threshold ? 1 : 0;
  for (const sif::SimilarPair& pair : found.pairs) {
    if (!counts(pair.a, pair.b)) continue;
    const double true_share = truth.of({pair.a, pair.b}), listed = static_cast<double>(pair.similarity());
    ++num_listed;
    error += std::abs(true_share - listed);
    far += std::abs(true_share - listed) > 0.1 ? 1 : 0;
    if (listed < threshold) continue;
    ++num_found;
    right += true_share >= threshold ? 1 : 0;
  }
  const auto share = [](uint64_t part, uint64_t all) {
    return static_cast<double>(part) / static_cast<double>(std::max<uint64_t>(all, 1));
  };
  fmt::print("  from {:.0f} %, smaller file of {} to {}: {} true, {} found, recall {:.4f}, precision {:.4f}; ",
             100 * threshold, least, most == UINT64_MAX ? "any" : std::to_string(most), num_true, num_found,
             share(right, num_true), share(right, num_found));
  fmt::print("mean error {:.4f}, over 10 points {:.4f}\n",
             error / static_cast<double>(std::max<uint64_t>(num_listed, 1)), share(far, num_listed));
}

void score_all(const char* name, const Truth& truth, const sif::SimilarFiles& found) {
  fmt::print("{}:\n", name);
  score(truth, found, kThresholds[0], 0, UINT64_MAX);
  for (const uint64_t least : {1, 250, 1000, 4000, 16000})
    score(truth, found, kThresholds[0], least, least == 1 ? 250 : least == 16000 ? UINT64_MAX : 4 * least);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return std::fputs("usage: bench_similar_quality FOLDER [winnow|sample|anchors [N]]\n", stderr), 1;
  const std::string how = count > 2 ? arguments[2] : "winnow";
  sif::SimilarOptions options;
  options.inputs = {arguments[1]};
  options.fold = sif::Fold::kNone;  // the truth is of all bytes
  options.threshold = kThresholds[0];
  if (how == "sample") options.selection.kind = sif::SelectionKind::kSample;
  if (how == "anchors") options.selection.kind = sif::SelectionKind::kAnchors;
  if (count > 3 && how != "--truth") {
    options.selection.window = options.selection.zero_bits = static_cast<uint32_t>(std::atoi(arguments[3]));
  }
  const bench::Stopwatch search;
  const sif::SimilarFiles estimated = sif::find_similar(options).value();
  fmt::print("{} files, {:.1f} MB, {} fingerprints, {:.2f} s\n", estimated.num_read,
             static_cast<double>(estimated.read_bytes) / 1e6, estimated.num_fingerprints, search.seconds());
  options.verify = true;
  const bench::Stopwatch verify;
  const sif::SimilarFiles verified = sif::find_similar(options).value();
  fmt::print("verified: {:.2f} s\n", verify.seconds());
  const bench::Stopwatch exact;
  const Truth truth = find_truth(estimated.files);
  fmt::print("the truth: {:.2f} s\n", exact.seconds());
  if (how == "--truth") return write_truth(truth, estimated.files, arguments[3]), 0;
  score_all("as it comes", truth, estimated);
  score_all("verified", truth, verified);
  for (const double threshold : kThresholds) {  // each is asked for itself: near it pairs are counted
    options.verify = false;
    options.threshold = threshold;
    fmt::print("asked for {:.0f} %:\n", 100 * threshold);
    score(truth, sif::find_similar(options).value(), threshold, 0, UINT64_MAX);
  }
  return 0;
}
