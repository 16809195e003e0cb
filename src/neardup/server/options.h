// What the service is told when it starts. Each member is a flag of `neardup serve`.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace neardup::server {

struct Limits {
  uint64_t body_bytes = uint64_t{32} << 20;      // of what is not sent in lines
  uint64_t document_bytes = uint64_t{16} << 20;  // a line, or a document of a batch
  uint64_t batch_documents = 10000;              // of what is not sent in lines
  uint64_t answer_bytes = uint64_t{64} << 20;    // to lines
  uint64_t header_bytes = uint64_t{32} << 10;    // and what is read at once of a body
  uint64_t connections = 1024;
  uint64_t waiting = 4096;                               // requests, in each lane
  uint64_t waiting_bytes = uint64_t{256} << 20;          // bodies and answers that are held
  std::chrono::seconds idle{60};                         // a connection without complete headers
  std::chrono::seconds request{60};                      // from the headers to the end of the answer,
  uint64_t least_bytes_per_second = uint64_t{64} << 10;  // and a second more for each so many bytes
  std::chrono::seconds stop{30};                         // for what was accepted, at the end
};

struct ServerOptions {
  std::string address = "127.0.0.1";  // to listen on: an IPv4 or IPv6 address
  uint16_t port = 0;                  // 0: one that is free
  Limits limits;
  std::string full_key_path, read_key_path;        // files of keys; empty: none
  std::string tls_certificate_path, tls_key_path;  // PEM; empty: plain HTTP
  std::string snapshot_folder;                     // where POST /v1/snapshot may write; empty: nowhere
  size_t io_threads = 2;                           // that read and write
  size_t work_threads = 0;                         // that check and insert; 0: one for each core, and two
  bool log_requests = false;
};

}  // namespace neardup::server
