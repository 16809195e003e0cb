// What the URI of a store says of time, and a server that listens and says nothing.
#include "neardup/remote/open_remote.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "tests/loopback_listener.h"
#include "tests/quickest.h"

namespace neardup::remote {
namespace {

TEST(OpenRemoteTest, TheUriSaysHowLongIsWaited) {
  const LoopbackListener silent;
  const std::string place = "://127.0.0.1:" + std::to_string(silent.port()) + "/news?timeout=1";
  for (const std::string scheme : {"redis", "hbase"}) {
    constexpr std::chrono::seconds kMost(4);
    const auto took = quickest_call(kMost, [&] {
      const auto opened = open_remote_store(scheme + place);
      EXPECT_TRUE(!opened && opened.error().code == Code::kIo) << scheme;
    });
    EXPECT_GE(took, std::chrono::milliseconds(900)) << scheme;
    EXPECT_LT(took, kMost) << scheme;
  }
}

TEST(OpenRemoteTest, ATimeThatIsNoneIsRefused) {
  for (const char* value : {"0", "", "-1", "x", "1s", "86401", "99999999999"}) {
    const std::string uri = std::string("redis://u:secret@127.0.0.1:1/news?timeout=") + value;
    for (const Error& error : {open_remote_store(uri).error(), create_remote_store(uri, {}).error(),
                               is_remote_store(uri).error(), drop_remote_store(uri).error()}) {
      EXPECT_EQ(error.code, Code::kInvalidArgument) << value;
      EXPECT_NE(error.message.find("timeout=1 to 86400"), std::string::npos) << error.message;
      EXPECT_EQ(error.message.find("secret"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace neardup::remote
