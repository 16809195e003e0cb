// What the URI of a store says of time, and a server that listens and says nothing.
#include "neardup/remote/open_remote.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <string>

namespace neardup::remote {
namespace {

// A port that takes connections, and answers nothing.
class Mute {
 public:
  Mute() : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = ::htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(socket_, reinterpret_cast<const sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(socket_, 64), 0);
    EXPECT_EQ(::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ::ntohs(address.sin_port);
  }
  ~Mute() { ::close(socket_); }
  Mute(const Mute&) = delete;
  Mute& operator=(const Mute&) = delete;
  [[nodiscard]] std::string at(const std::string& scheme) const {
    return scheme + "://127.0.0.1:" + std::to_string(port_) + "/news";
  }

 private:
  int socket_;
  uint16_t port_ = 0;
};

TEST(OpenRemoteTest, TheUriSaysHowLongIsWaited) {
  const Mute mute;
  for (const char* scheme : {"redis", "hbase"}) {
    const auto begin = std::chrono::steady_clock::now();
    const auto opened = open_remote_store(mute.at(scheme) + "?timeout=1");
    const auto took = std::chrono::steady_clock::now() - begin;
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, Code::kIo) << opened.error().message;
    EXPECT_GE(took, std::chrono::milliseconds(900)) << scheme;
    EXPECT_LT(took, std::chrono::seconds(4)) << scheme;
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
