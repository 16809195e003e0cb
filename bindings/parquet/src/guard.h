// Nothing is thrown across the seam: what libparquet throws becomes a Problem.
#pragma once

#include <parquet/exception.h>

#include <exception>
#include <new>
#include <string>

#include "neardup/corpus/parquet/module.h"

namespace neardup::parquet_module {

using corpus::parquet::Fault;
using corpus::parquet::HostFile;
using corpus::parquet::Problem;

/// What this module itself finds wrong.
class Refusal : public std::exception {
 public:
  Refusal(Fault fault, std::string message) : fault_(fault), message_(std::move(message)) {}
  [[nodiscard]] const char* what() const noexcept override { return message_.c_str(); }
  [[nodiscard]] Fault fault() const { return fault_; }

 private:
  Fault fault_;
  std::string message_;
};

/// Returns the first line of what a library says, without a full stop.
[[nodiscard]] std::string first_line(const char* message);

/// Does `work`; returns whether it ended well, else says in `problem` what was wrong. `where` stands before that.
template <class Work>
bool guard(const HostFile& file, const std::string& where, Problem& problem, Work&& work) {
  try {
    work();
    return true;
  } catch (const Refusal& refusal) {
    problem = {refusal.fault(), where + refusal.what()};
  } catch (const std::bad_alloc&) {
    problem = {Fault::kTooLarge, where + "there is not enough memory"};
  } catch (const ::parquet::ParquetStatusException& e) {
    const bool is_memory = e.status().IsOutOfMemory();
    problem = {is_memory ? Fault::kTooLarge : Fault::kCorrupt, where + first_line(e.status().message().c_str())};
  } catch (const std::exception& e) {
    problem = {Fault::kCorrupt, where + first_line(e.what())};
  }
  if (file.failed()) problem.fault = Fault::kHost;
  return false;
}

}  // namespace neardup::parquet_module
