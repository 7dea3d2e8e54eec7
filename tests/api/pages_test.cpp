// The page of the API's description: where it is, what it loads, and that it alone may style itself.
#include <string>

#include <gtest/gtest.h>

#include "server/api/pages.hpp"

namespace costcurve::tests {
namespace {

std::string page_header(std::string_view path, std::string_view name) {
    http::Response response;
    api::add_security_headers(path, response);
    for (const http::Header& header : response.headers) {
        if (header.name == name) {
            return header.value;
        }
    }
    return "";
}

std::string policy_of(std::string_view path) { return page_header(path, "Content-Security-Policy"); }

TEST(Pages, ShowTheDescriptionWithAViewerOfOurOwn) {
    const auto page = api::find_page("/docs");
    ASSERT_TRUE(page.has_value());
    EXPECT_EQ(page->content_type, "text/html; charset=utf-8");
    EXPECT_EQ(page->body, api::find_page("/static/docs.html")->body);
    EXPECT_EQ(page->body.find("://"), std::string::npos) << "it asks elsewhere";
    std::size_t loaded = 0;
    for (const std::string attribute : {"src=\"", "rel=\"stylesheet\" href=\""}) {
        for (std::size_t at = page->body.find(attribute); at != std::string::npos; at = page->body.find(attribute, at + 1)) {
            const std::size_t begin = at + attribute.size();
            const std::string path = page->body.substr(begin, page->body.find('"', begin) - begin);
            EXPECT_TRUE(api::find_page(path).has_value()) << path;
            ++loaded;
        }
    }
    EXPECT_EQ(loaded, 5U); // the viewer, two scripts and two style sheets of ours
}

TEST(Pages, CarryTheLicencesOfWhatTheyLoad) {
    for (const char* path : {"/static/packages/rapidoc/LICENSE.txt", "/static/packages/rapidoc/dist/rapidoc-min.js.LICENSE.txt",
                             "/static/packages/echarts/LICENSE", "/static/packages/echarts/NOTICE"}) {
        const auto page = api::find_page(path);
        ASSERT_TRUE(page.has_value()) << path;
        EXPECT_EQ(page->content_type, "text/plain; charset=utf-8");
    }
}

TEST(Pages, KeepWhatHasItsHashInItsName) {
    const auto passes_on = api::find_page("/static/packages/echarts.js");
    ASSERT_TRUE(passes_on.has_value());
    const std::size_t begin = passes_on->body.find("./kept/echarts-");
    ASSERT_NE(begin, std::string::npos) << passes_on->body;
    const std::string name = passes_on->body.substr(begin + 2, passes_on->body.find('"', begin) - begin - 2);
    const std::string path = "/static/packages/" + name;
    const auto kept = api::find_page(path);
    ASSERT_TRUE(kept.has_value()) << path;
    EXPECT_TRUE(kept->gzip.starts_with("\x1f\x8b")) << "it would be packed for every visitor anew";
    EXPECT_LT(2 * kept->gzip.size(), kept->body.size());
    EXPECT_NE(api::find_page("/")->body.find("href=\"" + path + "\""), std::string::npos) << "it is asked for late";
    EXPECT_EQ(page_header(path, "Cache-Control"), "public, max-age=31536000, immutable");
    EXPECT_EQ(page_header("/static/packages/echarts.js", "Cache-Control"), "no-store");
    EXPECT_EQ(page_header("/v1/offers", "Cache-Control"), "no-store");
}

TEST(Pages, LetNoOtherPageStyleInline) {
    for (const char* path : {"/", "/static/index.html", "/v1/offers", "/docs/", "/nothing"}) {
        EXPECT_EQ(policy_of(path).find("unsafe"), std::string::npos) << path;
    }
    const std::string viewer = policy_of("/docs");
    EXPECT_NE(viewer.find("style-src 'self' 'unsafe-inline';"), std::string::npos) << viewer;
    EXPECT_NE(viewer.find("script-src 'self';"), std::string::npos) << viewer;
    EXPECT_NE(viewer.find("default-src 'none';"), std::string::npos) << viewer;
}

} // namespace
} // namespace costcurve::tests
