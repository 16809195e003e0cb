// Copies of an article on the pages of two sites are found with default flags, in every language, and articles of one
// site are not taken for copies because of what stands around them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <set>

#include "tests/promise/engine/made_corpus.h"

namespace neardup::engine {
namespace {

struct Article {
  std::string id;
  std::vector<std::string> paragraphs;
};

/// Two articles of each language: an original with its edited text as a second part, and a stranger.
std::vector<Article> articles() {
  std::vector<Article> found;
  for (const nlohmann::json& json : read_jsonl(NEARDUP_TEST_DATA "/languages.jsonl")) {
    const std::string id = json["id"];
    const size_t dash = id.rfind('-');
    const std::string text = json["text"];
    if (id.substr(dash) == "-edited") {
      found.back().paragraphs.push_back(text);
    } else {
      found.push_back({id, {text}});
    }
  }
  return found;
}

std::string paragraphs_of(const Article& article, const std::string& open, const std::string& close) {
  std::string html;
  for (const std::string& paragraph : article.paragraphs) html += open + paragraph + close;
  return html;
}

std::string links(const std::string& word, int count) {
  std::string html;
  for (int i = 0; i < count; ++i) {
    html += "<li><a href=\"/" + word + std::to_string(i) + "\">" + word + " of the " + std::to_string(i) +
            "th day</a></li>";
  }
  return html;
}

std::string newspaper(const Article& article) {
  return "<!DOCTYPE html><html><head><title>" + article.id +
         " - The Harbour Post</title><style>.nav a { color: navy }</style></head><body><div class=\"nav-main\"><ul>" +
         links("News", 30) + "</ul></div><div id=\"wrap\"><h1>" + article.id +
         "</h1><p class=\"byline\">By Ann Example, 3 May 2026</p><div class=\"story\">" +
         paragraphs_of(article, "<p>", "</p>") + "</div><div class=\"related\"><h3>Related articles</h3><ul>" +
         links("Boats", 12) +
         "</ul></div></div><div class=\"cookie-note\"><p>We use cookies, as every harbour does, to "
         "count ships, guests, and gulls; go on reading if you agree.</p></div><div class=\"footer\"><p>The Harbour "
         "Post, "
         "printed since 1871 on the northern quay, reserves all rights.</p></div></body></html>";
}

std::string portal(const Article& article) {
  return "<script type=\"text/javascript\">var page = '<html>';</script>\n<br />\n<table><tr><td width=180>" +
         links("Portal", 40) + "</td><td><h2>" + article.id +
         "</h2><div><span>2026-05-04 10:30</span> | <a href=s>Share</a> | <a href=p>Print</a></div>" +
         paragraphs_of(article, "<div class=t>", "</div><br>") + "</td><td><div>" + links("Weather", 25) +
         "</div></td></tr><tr><td colspan=3><center>Impressum | Contact | Search | Home | Portal of the coast</center>"
         "</td></tr></table>";
}

class SiteTemplates : public ::testing::TestWithParam<FamilyChoice> {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder_);
    articles_ = articles();
    std::vector<std::string> pages;
    for (const Article& article : articles_) {
      pages.push_back(newspaper(article));
      pages.push_back(portal(article));
    }
    write_jsonl(folder_ + "/in/a.jsonl", pages);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  /// The numbers of articles of which the second page is removed for the first one, or -1 - number for another one.
  std::set<int> removed(const std::string& output, const std::string& extraction) const {
    DedupOptions options;
    options.inputs = {folder_ + "/in"};
    options.output = folder_ + "/" + output;
    options.recipe = *recipe::find_recipe("default");
    options.recipe.extraction = extraction.empty() ? options.recipe.extraction : extraction;
    options.family = GetParam();
    const auto report = dedup(options, {});
    EXPECT_TRUE(report) << report.error().message;
    std::set<int> found;
    for (const nlohmann::json& json : read_jsonl(options.output + "/duplicates.jsonl")) {
      const int copy = std::stoi(json["id"].get<std::string>().substr(1));
      const int original = std::stoi(json["duplicate_of"].get<std::string>().substr(1));
      found.insert(copy / 2 == original / 2 ? copy / 2 : -1 - copy);
    }
    return found;
  }

  std::string folder_ = ::testing::TempDir() + "neardup_site_templates_" + std::to_string(getpid());
  std::vector<Article> articles_;
};

TEST_P(SiteTemplates, CopiesBetweenTwoSitesAreFoundByDefault) {
  const std::set<int> found = removed("out", "");
  ASSERT_EQ(articles_.size(), 26U);
  for (size_t i = 0; i < articles_.size(); ++i) {
    EXPECT_TRUE(found.contains(static_cast<int>(i))) << articles_[i].id << " was not found";
  }
  EXPECT_EQ(found.size(), articles_.size()) << "others were removed, too";
}

TEST_P(SiteTemplates, WithTheirTagsHardlyAnyIsFound) {
  const std::set<int> found = removed("none", "none");
  size_t copies = 0;
  for (const int article : found) copies += article >= 0 ? 1 : 0;
  EXPECT_LT(copies, articles_.size() / 2);
}

INSTANTIATE_TEST_SUITE_P(Families, SiteTemplates, ::testing::Values(FamilyChoice::kSimHash, FamilyChoice::kMinHash));

}  // namespace
}  // namespace neardup::engine
