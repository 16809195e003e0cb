// Long work: beside the interpreter, which goes on to hear of Ctrl-C and shows progress.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "errors.h"
#include "neardup/base/context.h"

namespace neardup::python {

/// Gives each message to neardup._warnings, in Python's words, which tells it when the call has its result.
void warn(const std::vector<std::string>& messages);

/// Runs `work` in a thread that ends before this returns, without the GIL. Every 50 ms signals are looked at, and
/// `progress` (None, or a callable that is given stage, done, total and what is counted) is called by the caller's
/// thread. What either raises stops the work and is raised again. Warnings of the work go to warn(). Raises its
/// error.
void run_beside(const nanobind::object& progress, const std::function<Status(const Context&)>& work);

/// The same of work with a result.
template <class T>
T run_for(const nanobind::object& progress, const std::function<Result<T>(const Context&)>& work) {
  std::optional<T> value;
  run_beside(progress, [&](const Context& context) -> Status {
    NEARDUP_ASSIGN(T made, work(context));
    value.emplace(std::move(made));
    return {};
  });
  return std::move(*value);
}

}  // namespace neardup::python
