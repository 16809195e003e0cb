// The lines of `neardup pairs`: id, id, distance or similarity.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "neardup/base/disk/file.h"
#include "neardup/cli/io.h"
#include "neardup/engine/fingerprints/pair_receiver.h"

namespace neardup::cli {

/// Writes lines to a file that appears when it is complete, or to standard output.
class PairsOutput final : public engine::PairReceiver {
 public:
  /// An empty `path` is standard output.
  [[nodiscard]] static Result<PairsOutput> create(const std::string& path, Io& io);
  /// Ids are escaped here. Errors: kIo, kDiskFull.
  [[nodiscard]] Status add(std::string_view a, std::string_view b, int distance) override;
  /// The same with an estimated similarity and its standard error instead of the distance.
  [[nodiscard]] Status add(std::string_view a, std::string_view b, float similarity, float error) override;
  [[nodiscard]] Status finish() override;

 private:
  explicit PairsOutput(Io& io) : io_(&io) {}
  Status end_line();
  Status flush();

  Io* io_;
  std::optional<AtomicFile> file_;
  std::string lines_;
};

}  // namespace neardup::cli
