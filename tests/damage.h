// Damage to files: a bit in some places, cuts, files in the places of others.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace neardup {

/// How many places of each file are tried: `few`, or NEARDUP_ROT_PLACES (make torture).
inline size_t num_rot_places(size_t few) {
  const char* const places = std::getenv("NEARDUP_ROT_PLACES");
  return places == nullptr ? few : std::strtoull(places, nullptr, 10);
}

/// Some places of a file of `size_bytes`, all where it has no more.
inline std::vector<uint64_t> rot_places(uint64_t size_bytes, size_t few, uint64_t seed) {
  const size_t count = num_rot_places(few);
  std::vector<uint64_t> places;
  std::mt19937_64 random(seed);
  const bool all = size_bytes <= count;
  for (uint64_t i = 0; i < std::min<uint64_t>(count, size_bytes); ++i)
    places.push_back(all ? i : random() % size_bytes);
  return places;
}

inline void flip_bit(const std::string& path, uint64_t byte, int bit) {
  const int file = ::open(path.c_str(), O_RDWR);
  char value = 0;
  ASSERT_EQ(::pread(file, &value, 1, static_cast<off_t>(byte)), 1);
  value = static_cast<char>(value ^ 1 << bit);
  ASSERT_EQ(::pwrite(file, &value, 1, static_cast<off_t>(byte)), 1);
  ::close(file);
}

/// A folder, kept as it is beside, and damaged in one way after the other.
class DamagedFolder {
 public:
  explicit DamagedFolder(std::string folder) : folder_(std::move(folder)), whole_(folder_ + ".whole") {
    std::filesystem::remove_all(whole_);
    std::filesystem::copy(folder_, whole_, std::filesystem::copy_options::recursive);
  }
  DamagedFolder(const DamagedFolder&) = delete;
  DamagedFolder& operator=(const DamagedFolder&) = delete;
  ~DamagedFolder() { std::filesystem::remove_all(whole_); }

  /// Makes the folder as it was.
  void restore() const {
    std::filesystem::remove_all(folder_);
    std::filesystem::copy(whole_, folder_, std::filesystem::copy_options::recursive);
  }
  /// The paths of its files within it, ascending.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(whole_))
      if (entry.is_regular_file()) names.push_back(std::filesystem::relative(entry.path(), whole_).string());
    std::ranges::sort(names);
    return names;
  }

  using Look = std::function<void(const std::string& what)>;
  /// Calls look("NAME byte 7 bit 3") with that bit of that file another one, for some places of each file.
  void flip_each(size_t few, const Look& look) const {
    int bit = 0;
    for (const std::string& name : names()) {
      for (const uint64_t place : rot_places(std::filesystem::file_size(whole_ + "/" + name), few, name.size())) {
        restore();
        flip_bit(folder_ + "/" + name, place, bit);
        look(name + " byte " + std::to_string(place) + " bit " + std::to_string(bit));
        bit = (bit + 3) % 8;
      }
    }
  }
  /// With each file empty, and cut in the middle, before its last byte, and longer by a byte.
  void cut_each(const Look& look) const {
    for (const std::string& name : names()) {
      const uint64_t size = std::filesystem::file_size(whole_ + "/" + name);
      for (const uint64_t cut : {uint64_t{0}, size / 2, size - std::min<uint64_t>(size, 1), size + 1}) {
        if (cut == size) continue;
        restore();
        std::filesystem::resize_file(folder_ + "/" + name, cut);
        look(name + " with " + std::to_string(cut) + " of " + std::to_string(size) + " bytes");
      }
    }
  }
  /// With each file in the place of the next one of that ending; under `make torture` of each.
  void exchange_each(const Look& look) const {
    const std::vector<std::string> all = names();
    for (size_t i = 0; i < all.size(); ++i) {
      size_t left = std::max<size_t>(num_rot_places(1), 1);
      for (size_t step = 1; step < all.size() && left > 0; ++step) {
        const std::string& instead = all[(i + step) % all.size()];
        if (std::filesystem::path(all[i]).extension() != std::filesystem::path(instead).extension()) continue;
        replace(all[i], whole_ + "/" + instead, look);
        --left;
      }
    }
  }
  /// With each file that `other` has, too, taken from there.
  void take_each_from(const std::string& other, const Look& look) const {
    for (const std::string& name : names())
      if (std::filesystem::exists(other + "/" + name)) replace(name, other + "/" + name, look);
  }

 private:
  void replace(const std::string& name, const std::string& by, const Look& look) const {
    restore();
    std::filesystem::copy_file(by, folder_ + "/" + name, std::filesystem::copy_options::overwrite_existing);
    look(name + " is " + by);
  }

  std::string folder_, whole_;
};

}  // namespace neardup
