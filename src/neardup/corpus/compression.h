// How the bytes of an input are compressed.
#pragma once

namespace neardup::corpus {

enum class Compression { kNone, kGzip, kZstd };

}  // namespace neardup::corpus
