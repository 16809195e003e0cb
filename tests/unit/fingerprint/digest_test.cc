#include "neardup/fingerprint/digest.h"

#include <gtest/gtest.h>

namespace neardup::fingerprint {
namespace {

// FIPS 180-4 and RFC 1321 give these digests of "abc"; base32 by Python's base64.
TEST(Digest, Sha1IsWrittenAsArchivesDo) {
  EXPECT_EQ(sha1_label("abc"), "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5");
  EXPECT_EQ(sha1_label(""), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
}

TEST(Digest, LabelsOfManyKindsAreRead) {
  for (const char* label : {"sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5", "SHA-1:vgmt4nsha2awvor6evyxqugcnsonbwe5",
                            "sha1:a9993e364706816aba3e25717850c26c9cd0d89d", "md5:900150983cd24fb0d6963f7d28e17f72",
                            "md5:SAAVBGB42JH3BVUWH56SRYL7OI======",
                            "sha256:BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD",
                            "sha-256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                            "sha512:ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                            "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"}) {
    EXPECT_EQ(is_digest_of(label, "abc"), true) << label;
    EXPECT_EQ(is_digest_of(label, "abd"), false) << label;
  }
}

TEST(Digest, OtherLabelsSayNothing) {
  for (const char* label : {"", "sha1", "crc32:12345678", ":", "sha3:a9993e364706816aba3e25717850c26c9cd0d89d"})
    EXPECT_EQ(is_digest_of(label, "abc"), std::nullopt) << label;
  EXPECT_EQ(is_digest_of("sha1:", "abc"), false);
}

}  // namespace
}  // namespace neardup::fingerprint
