// Reads what an HTTP service answers on a connection: of HTTP/1.1 what neardup serve sends, and no more.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace neardup::bench {

/// One answer, in the pieces in which it comes. Its length has to be in Content-Length: chunked bodies are not
/// understood, and 1xx answers are not expected. Threads: one at a time.
class ResponseReader {
 public:
  enum class State : uint8_t { kMore, kDone, kBroken };

  /// Of the body the first `most_kept` bytes are kept.
  explicit ResponseReader(size_t most_kept) : most_kept_(most_kept) {}
  /// Forgets the last answer.
  void clear();
  /// Takes the next bytes of one answer. kBroken: no such answer, or bytes behind its end; nothing more of the
  /// connection can be understood.
  [[nodiscard]] State take(std::string_view bytes);

  /// Of a complete answer.
  [[nodiscard]] int status() const { return status_; }
  [[nodiscard]] std::string_view body() const { return body_; }
  /// Whether the other side ends the connection behind it.
  [[nodiscard]] bool closes() const { return closes_; }

 private:
  [[nodiscard]] bool read_head();
  [[nodiscard]] bool read_status(std::string_view line);
  [[nodiscard]] bool read_header(std::string_view line);
  State take_body(std::string_view bytes);

  const size_t most_kept_;
  std::string head_, body_;
  bool has_head_ = false, closes_ = false, has_length_ = false;
  int status_ = 0;
  uint64_t body_left_ = 0;
};

}  // namespace neardup::bench
