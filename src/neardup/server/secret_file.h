// Files that hold keys: who may read them may do what the keys are good for, who may change them gives himself some.
#pragma once

#include <cstdint>
#include <string>

#include "neardup/base/result.h"

namespace neardup::server {

/// Whose a file is, and who may do what: as stat() tells.
struct FileRights {
  uint32_t owner = 0, group = 0;
  uint32_t mode = 0;
};

/// Returns whether a file is alone that of `user`, by whom it is read, and of root. One of root may be read by its
/// group where root has handed it to one: to who is not root, or to another group than root's own (ssl-cert; secrets
/// that Kubernetes mounts). Errors: kInvalidArgument, with the cure.
[[nodiscard]] Status check_rights(const std::string& path, const FileRights& rights, uint32_t user);

/// Returns the bytes of such a file, or of a pipe; links are followed. Errors: of reading, of check_rights(); kMemory
/// where there are more than 1 MiB.
[[nodiscard]] Result<std::string> read_secret_file(const std::string& path);

}  // namespace neardup::server
