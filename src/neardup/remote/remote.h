// remote: the same Store on servers that operators run already: Redis and HBase.
//
//   remote_uri.h     redis://host:port/prefix and hbase://host:port/table, read
//   remote_store.h   a Store over a Backend: looks up, decides, commits, and again where others came first
//   backend.h        what a server must do: look up, read, and change all or nothing of what was looked at
//   redis/, hbase/   the two
#pragma once

#include "neardup/remote/remote_store.h"
#include "neardup/remote/remote_uri.h"
