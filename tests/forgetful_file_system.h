// A file system that forgets at a loss of power what was not synced, names in folders included.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>

#include "neardup/base/disk/file_system.h"

namespace neardup {

/// Works on the real folder `root` and notes beside it what is on the disk: of a file the bytes of its last fsync, of a
/// folder the names of its last fsync, all of both after a syncfs. What is outside of `root` is not noted. What was
/// there at the start is on the disk. Requires: no links in `root`; all that changes it goes through this object.
/// Threads: as FileSystem.
class ForgetfulFileSystem : public FileSystem {
 public:
  /// The power is lost at the n-th call that changes or syncs something: from it on all such calls fail, with EIO, and
  /// do nothing, so that the work ends; 0 = never.
  ForgetfulFileSystem(std::string root, uint64_t n) : root_(std::move(root)), n_(n), top_(noted(root_)) {}
  /// Whether the power was lost.
  [[nodiscard]] bool lost_power() const { return lost_; }

  /// What a disk had written of its own accord when the power was lost, beside what was synced.
  enum class Unsynced {
    kNone,
    kNewNames,  // names that were added are there (empty files), those that were removed too
    kRemovals,  // names that were removed are gone, those that were added are not there
    kByChance,  // any of the names, and of each file no bytes, some, all, or as many zeros
  };

  /// Makes the real folder what the disk holds. Call it once, when all work has ended.
  void crash(Unsynced unsynced, uint64_t seed = 0) {
    std::mt19937_64 random(seed);
    keep(*top_, root_, unsynced, random);
    std::filesystem::remove_all(root_);
    restore(*top_, root_);
  }

  [[nodiscard]] int open(const char* path, int flags, mode_t mode) override {
    const std::lock_guard guard(mutex_);
    const bool reads = (flags & (O_CREAT | O_TRUNC)) == 0;
    if (!reads && loses_power()) return -1;
    const int descriptor = FileSystem::open(path, flags, mode);
    if (descriptor < 0 || !is_inside(path)) return descriptor;
    Names& names = folder_of(path).names;
    const std::string name = name_of(path);
    if (path != root_ && !names.contains(name)) names.emplace(name, std::make_shared<Node>());
    opened_[descriptor] = path == root_ ? top_ : names.at(name);
    return descriptor;
  }
  int close(int descriptor) override {
    const std::lock_guard guard(mutex_);
    opened_.erase(descriptor);
    return FileSystem::close(descriptor);
  }
  [[nodiscard]] ssize_t write(int descriptor, const void* bytes, size_t size) override {
    return now_loses_power() ? -1 : FileSystem::write(descriptor, bytes, size);
  }
  [[nodiscard]] ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t offset) override {
    const std::lock_guard guard(mutex_);
    if (loses_power()) return -1;
    if (const auto found = opened_.find(descriptor); found != opened_.end()) found->second->is_overwritten = true;
    return FileSystem::pwrite(descriptor, bytes, size, offset);
  }
  [[nodiscard]] int ftruncate(int descriptor, off_t size) override {
    return now_loses_power() ? -1 : FileSystem::ftruncate(descriptor, size);
  }
  [[nodiscard]] int fsync(int descriptor) override {
    const std::lock_guard guard(mutex_);
    if (loses_power()) return -1;
    if (const auto found = opened_.find(descriptor); found != opened_.end())
      sync(*found->second, descriptor_path(descriptor));
    return 0;
  }
  [[nodiscard]] int fdatasync(int descriptor) override { return fsync(descriptor); }
  [[nodiscard]] int syncfs(int) override {
    const std::lock_guard guard(mutex_);
    if (loses_power()) return -1;
    sync_all(*top_, root_);
    return 0;
  }
  [[nodiscard]] int rename(const char* from, const char* to) override {
    const std::lock_guard guard(mutex_);
    if (loses_power()) return -1;
    const int done = FileSystem::rename(from, to);
    if (done != 0) return done;
    std::shared_ptr<Node> node;
    if (is_inside(from)) {
      node = folder_of(from).names.at(name_of(from));
      folder_of(from).names.erase(name_of(from));
    }
    if (is_inside(to)) folder_of(to).names[name_of(to)] = node != nullptr ? node : noted(to);
    return done;
  }
  [[nodiscard]] int link(const char* from, const char* to) override {
    const std::lock_guard guard(mutex_);
    if (loses_power()) return -1;
    const int done = FileSystem::link(from, to);
    if (done == 0 && is_inside(to))
      folder_of(to).names[name_of(to)] = is_inside(from) ? folder_of(from).names.at(name_of(from)) : noted(to);
    return done;
  }
  int unlink(const char* path) override {
    return removed(path, [&] { return FileSystem::unlink(path); });
  }
  int rmdir(const char* path) override {
    return removed(path, [&] { return FileSystem::rmdir(path); });
  }
  [[nodiscard]] int mkdir(const char* path, mode_t mode) override {
    const std::lock_guard guard(mutex_);
    if (std::filesystem::exists(path)) return FileSystem::mkdir(path, mode);
    if (loses_power()) return -1;
    const int done = FileSystem::mkdir(path, mode);
    if (done != 0 || !is_inside(path)) return done;
    const auto node = std::make_shared<Node>();
    node->is_folder = true;
    folder_of(path).names[name_of(path)] = node;
    return done;
  }

 private:
  struct Node;
  using Names = std::map<std::string, std::shared_ptr<Node>>;
  struct Node {
    bool is_folder = false;
    bool is_overwritten = false;  // within, by pwrite
    std::string bytes_on_disk;
    Names names, names_on_disk;
  };

  static std::string bytes_of(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  }
  // Also where its name is gone already.
  static std::string descriptor_path(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }
  static std::string name_of(const std::string& path) { return std::filesystem::path(path).filename(); }

  // What lies at `path`, all of it on the disk.
  static std::shared_ptr<Node> noted(const std::string& path) {
    auto node = std::make_shared<Node>();
    node->is_folder = std::filesystem::is_directory(path);
    if (!node->is_folder) node->bytes_on_disk = bytes_of(path);
    if (node->is_folder)
      for (const auto& entry : std::filesystem::directory_iterator(path))
        node->names[entry.path().filename()] = noted(entry.path());
    node->names_on_disk = node->names;
    return node;
  }
  [[nodiscard]] bool is_inside(const std::string& path) const { return path == root_ || path.starts_with(root_ + "/"); }
  // The folder of `path`, which is inside and there; top_ for the root itself.
  [[nodiscard]] Node& folder_of(const std::string& path) const {
    Node* node = top_.get();
    if (path == root_) return *node;
    const auto folder = std::filesystem::path(path.substr(root_.size() + 1)).lexically_normal().parent_path();
    for (const auto& name : folder) node = node->names.at(name).get();
    return *node;
  }
  bool loses_power() {
    if (++calls_ == n_) lost_ = true;
    if (lost_) errno = EIO;
    return lost_;
  }
  bool now_loses_power() {
    const std::lock_guard guard(mutex_);
    return loses_power();
  }
  template <class Remove>
  int removed(const char* path, const Remove& remove) {
    const std::lock_guard guard(mutex_);
    if (loses_power()) return -1;
    const int done = remove();
    if (done == 0 && is_inside(path)) folder_of(path).names.erase(name_of(path));
    return done;
  }
  static void sync(Node& node, const std::string& path) {
    node.names_on_disk = node.names;
    if (!node.is_folder) node.bytes_on_disk = bytes_of(path);
  }
  static void sync_all(Node& node, const std::string& path) {
    sync(node, path);
    for (const auto& [name, child] : node.names) sync_all(*child, path + "/" + name);
  }
  // A file of which the disk has the name and not the bytes: cut at some length, or as long as it was, and zeros.
  static void keep_some_bytes(Node& node, const std::string& path, std::mt19937_64& random) {
    std::string bytes = bytes_of(path);
    if (bytes == node.bytes_on_disk) return;
    const uint64_t way = random() % 4;
    if (way == 0) return;
    if (node.is_overwritten) return keep_some_sectors(node, bytes, random);
    if (way == 1 && !bytes.empty()) bytes.resize(random() % bytes.size());
    if (way == 2) bytes.assign(bytes.size(), '\0');
    node.bytes_on_disk = bytes;
  }
  // Of each sector the old bytes or the new ones; what is new behind the old end may be cut off.
  static void keep_some_sectors(Node& node, std::string bytes, std::mt19937_64& random) {
    constexpr size_t kSectorBytes = 512;
    const std::string& old = node.bytes_on_disk;
    if (bytes.size() > old.size()) bytes.resize(old.size() + random() % (bytes.size() - old.size() + 1));
    for (size_t at = 0; at < bytes.size(); at += kSectorBytes) {
      if (random() % 2 == 0) continue;
      const size_t size = std::min(kSectorBytes, bytes.size() - at);
      std::string sector = at < old.size() ? old.substr(at, size) : std::string();
      sector.resize(size);
      bytes.replace(at, size, sector);
    }
    node.bytes_on_disk = bytes;
  }
  static bool is_kept(Unsynced unsynced, bool is_added, std::mt19937_64& random) {
    if (unsynced == Unsynced::kByChance) return random() % 2 == 0;
    return unsynced == (is_added ? Unsynced::kNewNames : Unsynced::kRemovals);
  }
  static void keep(Node& node, const std::string& path, Unsynced unsynced, std::mt19937_64& random) {
    if (!node.is_folder && unsynced == Unsynced::kByChance) keep_some_bytes(node, path, random);
    for (const auto& [name, child] : node.names) keep(*child, path + "/" + name, unsynced, random);
    Names on_disk;
    for (const auto& [name, child] : node.names_on_disk)
      if (node.names.contains(name) || !is_kept(unsynced, false, random)) on_disk.emplace(name, child);
    for (const auto& [name, child] : node.names)
      if ((!on_disk.contains(name) || on_disk.at(name) != child) && is_kept(unsynced, true, random))
        on_disk[name] = child;
    node.names_on_disk = std::move(on_disk);
  }
  static void restore(const Node& node, const std::string& path) {
    if (!node.is_folder) {
      std::ofstream(path, std::ios::binary) << node.bytes_on_disk;
      return;
    }
    std::filesystem::create_directory(path);
    for (const auto& [name, child] : node.names_on_disk) restore(*child, path + "/" + name);
  }

  std::string root_;
  uint64_t n_;
  uint64_t calls_ = 0;
  std::atomic<bool> lost_{false};
  std::mutex mutex_;
  std::shared_ptr<Node> top_;
  std::map<int, std::shared_ptr<Node>> opened_;
};

}  // namespace neardup
