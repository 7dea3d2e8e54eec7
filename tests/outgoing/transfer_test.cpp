// What a request of ours that failed says.
#include <gtest/gtest.h>

#include "server/outgoing/transfer.hpp"

namespace costcurve::outgoing {
namespace {

TEST(Transfers, SayWhyARedirectIsNotFollowed) {
    const AddressJudge judge{false, "--allow-private-feeds", ""};
    const std::string detail = R"(Protocol "file" not supported or disabled in libcurl)";
    const TransferFailure redirected = failure_of(CURLE_UNSUPPORTED_PROTOCOL, judge, "https://prices.example/a.csv", detail);
    EXPECT_EQ(redirected.problem,
              "it redirects to a URL that is not followed: from http to http and https, from https to https (" + detail + ")");
    EXPECT_TRUE(redirected.is_refused);
    const TransferFailure own = failure_of(CURLE_UNSUPPORTED_PROTOCOL, judge, "gopher://prices.example/", detail);
    EXPECT_TRUE(own.problem.starts_with("its URL can't be called: ")) << own.problem;
    EXPECT_GT(own.problem.size(), std::string("its URL can't be called: ").size());
}

} // namespace
} // namespace costcurve::outgoing
