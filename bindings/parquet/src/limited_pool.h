// A memory pool that gives no piece beyond a limit: what a page claims to unpack to is taken from here.
#pragma once

#include <arrow/memory_pool.h>
#include <arrow/status.h>

#include <string>

namespace neardup::parquet_module {

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
    return ::arrow::Status::OutOfMemory("a page needs ", size, " bytes at once, more than the ", most_bytes_,
                                        " allowed; give more --memory or --max-record-bytes");
  }

  ::arrow::MemoryPool* const pool_ = ::arrow::system_memory_pool();
  const int64_t most_bytes_;
};

}  // namespace neardup::parquet_module
