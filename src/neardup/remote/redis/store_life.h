// How a store on Redis begins and ends.
#pragma once

#include <cstdint>
#include <span>

#include "neardup/base/result.h"
#include "neardup/remote/redis/connection.h"
#include "neardup/remote/redis/store_header.h"
#include "neardup/remote/redis/store_identity.h"
#include "neardup/store/own_files.h"

namespace neardup::remote::redis {

/// Makes a store that has no documents, or nothing. Errors: kInvalidArgument where there is one of this name, or one
/// that is being dropped; those of ask().
[[nodiscard]] Status make_store(ConnectionPool& pool, const StoreIdentity& identity, Fields fields,
                                std::span<const store::GivenFile> files);
/// Returns the header. Errors: kNotFound where there is no store of this name, or one that is being dropped; those of
/// ask().
[[nodiscard]] Result<Fields> read_fields(ConnectionPool& pool);
/// Returns StoreIdentity::id. Errors: kCorruption.
[[nodiscard]] Result<uint64_t> id_of(const RemoteUri& uri, const Fields& fields);
/// Returns a file that the store was given. Errors: kCorruption where it is another one; those of ask().
[[nodiscard]] Result<store::GivenFile> fetch_file(ConnectionPool& pool, uint64_t id, const store::OwnFile& file);
/// Whether there is a store of this name, or one that is being dropped.
[[nodiscard]] Result<bool> has_header(ConnectionPool& pool);
/// Removes all keys of a store, or of one that somebody began to drop. Errors: kNotFound where there is none; those of
/// ask(): then it is to be called again.
[[nodiscard]] Status drop_store(ConnectionPool& pool);

}  // namespace neardup::remote::redis
