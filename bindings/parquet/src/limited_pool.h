// A memory pool that gives no piece beyond a limit: what a page claims to unpack to is taken from here.
#pragma once

#include <arrow/memory_pool.h>
#include <arrow/status.h>

#include <string>

#include "neardup/corpus/parquet/module.h"

namespace neardup::parquet_module {

/// Returns what lets a page have `size` bytes.
inline std::string larger_page_cure(uint64_t size) {
  return "give --max-record-bytes " + std::to_string(corpus::parquet::record_mib_of(size)) +
         "M, and the --memory that this asks for";
}

/// Threads: any.
class LimitedPool : public ::arrow::MemoryPool {
 public:
  explicit LimitedPool(int64_t most_bytes) : most_bytes_(most_bytes) {}

  ::arrow::Status Allocate(int64_t size, int64_t alignment, uint8_t** out) override {
    ARROW_RETURN_NOT_OK(check(size));
    return pool_->Allocate(size, alignment, out);
  }
  ::arrow::Status Reallocate(int64_t old_size, int64_t new_size, int64_t alignment, uint8_t** ptr) override {
    ARROW_RETURN_NOT_OK(check(new_size));
    return pool_->Reallocate(old_size, new_size, alignment, ptr);
  }
  void Free(uint8_t* buffer, int64_t size, int64_t alignment) override { pool_->Free(buffer, size, alignment); }
  [[nodiscard]] int64_t bytes_allocated() const override { return pool_->bytes_allocated(); }
  [[nodiscard]] int64_t total_bytes_allocated() const override { return pool_->total_bytes_allocated(); }
  [[nodiscard]] int64_t num_allocations() const override { return pool_->num_allocations(); }
  [[nodiscard]] std::string backend_name() const override { return pool_->backend_name(); }

 private:
  [[nodiscard]] ::arrow::Status check(int64_t size) const {
    if (size <= most_bytes_) return ::arrow::Status::OK();
    return ::arrow::Status::OutOfMemory("a page needs ", size, " bytes at once, more than ", most_bytes_, "; ",
                                        larger_page_cure(static_cast<uint64_t>(size)));
  }

  ::arrow::MemoryPool* const pool_ = ::arrow::system_memory_pool();
  const int64_t most_bytes_;
};

}  // namespace neardup::parquet_module
