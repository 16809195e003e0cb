// Bytes of documents, and of the list of open tags, as a server may give them back: what is read is written as what is
// read as the same.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "neardup/remote/crawls.h"
#include "neardup/remote/stored_bytes.h"

inline void fuzz_stored_bytes(std::string_view bytes) {
  using namespace neardup::remote;
  StoredDocumentBytes read, again;
  if (const auto done = read.read(7, std::string(bytes)); !done) {
    if (done.error().code != neardup::Code::kCorruption) std::abort();
    return;
  }
  std::string written;
  append_stored(written, read.record(), read.standing());
  if (!again.read(7, written) || again.record().id != read.record().id || again.record().number != 7 ||
      again.record().fate.kind != read.record().fate.kind || again.standing().scope != read.standing().scope ||
      again.standing().contested != read.standing().contested ||
      keys_of_stored(again.record(), again.standing()) != keys_of_stored(read.record(), read.standing()))
    std::abort();
}

inline int fuzz_remote_bytes(const uint8_t* data, size_t size) {
  using namespace neardup::remote;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  fuzz_stored_bytes(bytes);
  const auto crawls = Crawls::parse(bytes);
  if (!crawls) {
    if (crawls.error().code != neardup::Code::kCorruption) std::abort();
    return 0;
  }
  const auto again = Crawls::parse(crawls->bytes());
  if (!again || again->bytes() != crawls->bytes()) std::abort();
  for (const Crawls::Ended& ended : crawls->ended())
    if (crawls->order_of(ended.generation) > crawls->ended().size()) std::abort();
  return 0;
}
