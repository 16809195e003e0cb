#include "neardup/sif/fingerprint_file.h"

#include <algorithm>

#include "neardup/base/hash.h"
#include "neardup/sif/file_bytes.h"
#include "neardup/sif/polynomial.h"

namespace neardup::sif {
namespace {

constexpr uint64_t kMostBytes = UINT32_MAX;      // of a file: sums of its weights have 32 bits
constexpr size_t kKeptBytes = size_t{16} << 20;  // work arrays of larger files are not kept for the next one

}  // namespace

// One turn a text, so that the table need not be emptied. It is at most half full.
bool Sampler::is_new(uint32_t polynomial) {
  const uint64_t mine = turn_ << 32 | polynomial;
  for (size_t i = mix64(polynomial) & (seen_.size() - 1);; i = (i + 1) & (seen_.size() - 1)) {
    if (seen_[i] == mine) return false;
    if (seen_[i] >> 32 == turn_) continue;
    seen_[i] = mine;
    return true;
  }
}

const Samples& Sampler::samples(std::string_view text, size_t length) {
  seen_.resize(2 * kSmallSubstrings);
  turn_ = turn_ == UINT32_MAX ? 1 : turn_ + 1;
  positions_.clear();
  polynomials_.clear();
  RollingPolynomial rolling(text.substr(0, length));
  for (size_t i = 0;; ++i) {
    if (is_new(rolling.value())) {
      positions_.push_back(i);
      polynomials_.push_back(rolling.value());
    }
    if (i + length == text.size()) break;
    rolling.roll(text[i], text[i + length]);
  }
  samples_.positions.clear();
  samples_.polynomials.clear();
  const size_t count = positions_.size();
  const uint64_t step = (count + kSmallSamples - 1) / kSmallSamples;
  for (size_t i = 0; i < count; i += step) {
    samples_.positions.push_back(positions_[i]);
    samples_.polynomials.push_back(polynomials_[i]);
    samples_.last_step = static_cast<uint32_t>(std::min<uint64_t>(step, count - i));
  }
  samples_.step = static_cast<uint32_t>(step);
  return samples_;
}

Status FileReader::load(const std::string& path) {
  return load_bytes(path, std::min<uint64_t>(options_.memory_bytes / 4, kMostBytes), bytes_);
}

void FileReader::release() {
  if (bytes_.capacity() <= kKeptBytes) return;
  std::string().swap(bytes_);
  std::vector<Fingerprint>().swap(fingerprints_);
  std::vector<Fingerprint>().swap(hits_);
  std::vector<Entry>().swap(entries_);
}

bool FileReader::is_small(std::string_view text) const {
  const uint64_t length = options_.selection.substring_bytes;
  return options_.selection.kind == SelectionKind::kWinnow && text.size() >= length &&
         text.size() - length < kSmallSubstrings;
}

void FileReader::append_samples(std::vector<uint32_t>& polynomials) {
  if (!is_small(bytes_)) return;
  const auto& found = sampler_.samples(bytes_, options_.selection.substring_bytes).polynomials;
  polynomials.insert(polynomials.end(), found.begin(), found.end());
}

// Of the substrings of a file each counts for the fingerprint that begins nearest to where it begins.
void FileReader::weigh(std::string_view text, uint32_t number) {
  uint64_t begin = 0;
  for (size_t i = 0; i < fingerprints_.size(); ++i) {
    const bool is_last = i + 1 == fingerprints_.size();
    const uint64_t end = is_last ? text.size() - options_.selection.substring_bytes + 1
                                 : (fingerprints_[i].position + fingerprints_[i + 1].position) / 2 + 1;
    entries_.push_back(
        {fingerprints_[i].value, number, static_cast<uint32_t>(std::min<uint64_t>(end - begin, kMaxWeight))});
    begin = end;
  }
}

void FileReader::sample(std::string_view text, uint32_t number) {
  const size_t length = options_.selection.substring_bytes;
  const Samples& samples = sampler_.samples(text, length);
  for (const uint64_t position : samples.positions)
    entries_.push_back({hash64(text.substr(position, length)), number, samples.step});
  entries_.back().weight = samples.last_step;
}

const std::vector<Entry>& FileReader::entries(File& file, uint32_t number, const HashFilter& filter) {
  const std::string_view text = bytes_;
  entries_.clear();
  selector_.select(text, fingerprints_, &filter, &hits_);
  file.is_small = is_small(text);
  file.is_small ? sample(text, number) : weigh(text, number);
  for (const Fingerprint& hit : hits_) entries_.push_back({hit.value, number, 0});
  // Of equal values the one that counts comes first, the one of the greatest weight.
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return a.value != b.value ? a.value < b.value : a.weight > b.weight;
  });
  const auto same = [](const Entry& a, const Entry& b) { return a.value == b.value; };
  entries_.erase(std::unique(entries_.begin(), entries_.end(), same), entries_.end());
  for (const Entry& entry : entries_) {
    file.weight += entry.weight;
    file.num_fingerprints += entry.weight > 0 ? 1 : 0;
  }
  return entries_;
}

}  // namespace neardup::sif
