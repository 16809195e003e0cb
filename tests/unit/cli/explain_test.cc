#include "neardup/explain/explain.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "neardup/base/hash.h"
#include "tests/unit/cli/run.h"
#include "tests/unit/report/page_check.h"

namespace neardup::cli::explain_test {
namespace {

using nlohmann::json;
using Flags = std::vector<std::string>;

const std::string kA = "The quick brown fox jumps over the lazy dog near the river bank";
const std::string kB = "The quick brown fox leaps over the lazy dog near the river bank today";

TEST(Explain, JsonAddsUp) {
  const Ran ran = run({"explain", "--text", kA, kB, "--json"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  const json object = json::parse(ran.out);
  ASSERT_EQ(object["documents"].size(), 2u);
  for (size_t f = 0; f < object["distances"].size(); ++f) {
    uint64_t fingerprints[2] = {0, 0};
    for (size_t d = 0; d < 2; ++d) {
      const json& explained_fingerprint = object["documents"][d]["fingerprints"][f];
      for (size_t bit = 0; bit < 64; ++bit) {
        double votes = 0;
        for (const json& feature : explained_fingerprint["features"]) {
          const uint64_t hash = std::stoull(feature["hash"].get<std::string>(), nullptr, 16);
          votes += (hash >> bit & 1) != 0 ? feature["weight"].get<double>() : -feature["weight"].get<double>();
        }
        EXPECT_DOUBLE_EQ(explained_fingerprint["votes"][bit].get<double>(), votes);
        if (votes > 0) fingerprints[d] |= uint64_t{1} << bit;
      }
      EXPECT_EQ(explained_fingerprint["fingerprint"], to_hex(fingerprints[d]));
    }
    EXPECT_EQ(object["distances"][f]["distance"], std::popcount(fingerprints[0] ^ fingerprints[1]));
    EXPECT_EQ(object["distances"][f]["differing_bits"], explain::differing_bits(fingerprints[0], fingerprints[1]));
  }
  EXPECT_EQ(object["exact"], false);
  EXPECT_NEAR(object["jaccard3"].get<double>(), 8.0 / 15, 1e-6);  // 3-grams: 11 and 12, 8 in common
  EXPECT_NEAR(object["jaccard5"].get<double>(), 4.0 / 15, 1e-6);  // 5-grams: 9 and 10, 4 in common
}

TEST(Explain, FingerprintsAreThoseOfFingerprint) {
  const Folder folder;
  const std::string input = folder.write("c.jsonl", json{{"id", "a"}, {"text", kA}}.dump() + "\n");
  const std::string line = run({"fingerprint", input, "--recipe", "default"}).out;
  const json object = json::parse(run({"explain", "--jsonl", input, "a", "--json"}).out);
  for (const json& explained_fingerprint : object["documents"][0]["fingerprints"]) {
    EXPECT_NE(line.find(explained_fingerprint["fingerprint"].get<std::string>()), std::string::npos);
  }
  EXPECT_NE(line.find(object["documents"][0]["checksum"].get<std::string>()), std::string::npos);
}

TEST(Explain, PageShowsTheDifference) {
  const Ran ran = run({"explain", "--text", kA, kB, "--recipe", "grams"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  EXPECT_NE(ran.out.find("fox [-jumps-] {+leaps+} over"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("--verify origin       0.533  not similar"), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find("15 features"), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find('\x1b'), std::string::npos) << "no colours but on a terminal";
  const std::string details = run({"explain", "--text", kA, kB, "--recipe", "grams", "--details"}).out;
  EXPECT_NE(details.find("15 features, 2 only in A, 3 only in B:"), std::string::npos) << details;
  EXPECT_NE(details.find("votes per bit"), std::string::npos) << details;
  EXPECT_NE(run({"explain", "--text", kA, kB, "--verify", "jaccard:0.2"}).out.find("jaccard:0.2  0.267  similar"),
            std::string::npos);
}

TEST(Explain, ExactCopiesAreCalledSo) {
  const Ran ran = run({"explain", "--text", "One  two three", "one two\nthree"});
  EXPECT_EQ(ran.out.rfind("Equal texts: dedup would keep one of the two.\n", 0), 0U) << ran.out;
  EXPECT_NE(ran.out.find("0 of 64 bits differ"), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find("[-One"), std::string::npos) << "letter case is no difference to the recipe";
  EXPECT_NE(ran.out.find("1 word differently written, the same to the recipe"), std::string::npos) << ran.out;
}

TEST(Explain, TraditionalAndSimplifiedHanAreNoDifference) {
  const std::string simplified = "图书馆将于本月十日重新开放,读者可以进馆阅览。",
                    traditional = "圖書館將於本月十日重新開放,讀者可以進館閱覽。";
  const Folder folder;
  const Ran ran = run({"explain", "--text", simplified, traditional + "谢", "--html", folder / "page.html"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_NE(ran.out.find("{+谢+}"), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find("[-图"), std::string::npos) << ran.out;
  const std::string html = folder.read("page.html");
  EXPECT_NE(html.find("<del>谢</del>"), std::string::npos);
  EXPECT_EQ(html.find("<ins>图"), std::string::npos);
  EXPECT_EQ(html.find("<del>圖"), std::string::npos);
}

TEST(Explain, ControlCharactersDoNotReachTheTerminal) {
  const Folder folder;
  const std::string a =
      folder.write("a.txt", "hello \x1b[31mred\x1b[0m world \x07\xc2\x9b with some more words\r\nin a line");
  const std::string b = folder.write("b\x1b[2J.txt", "hello \x1b[32mgreen world, with some more words");
  for (const Flags& flags : {Flags{a}, Flags{a, b}, Flags{b, a, "--details", "--bits", "--top", "0"}}) {
    Flags arguments = {"explain"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    const Ran ran = run(arguments);
    ASSERT_EQ(ran.exit, 0) << ran.err;
    for (const char* bad : {"\x1b", "\x07", "\xc2\x9b", "\r"})
      EXPECT_EQ(ran.out.find(bad), std::string::npos) << ran.out;
  }
  const std::string page = run({"explain", a, b}).out;
  EXPECT_NE(page.find("[U+001B]"), std::string::npos) << page;
}

TEST(Explain, PagesAreComparedByTheirMainText) {
  const Folder folder;
  const auto page = [](const std::string& title, const std::string& text) {
    return "<!DOCTYPE html><html class=\"no-js\"><head><title>" + title + "</title></head><body><nav><a href='/'>" +
           title + "</a></nav><article><p>" + text +
           ", and then it went on for a while along the water until the evening came.</p></article></body></html>";
  };
  const std::string a = folder.write("a.html", page("First", kA)), b = folder.write("b.html", page("Second", kB));
  const std::string out = run({"explain", a, b, "--recipe", "web"}).out;
  EXPECT_NE(out.find("fox [-jumps-] {+leaps+} over"), std::string::npos) << out;
  EXPECT_EQ(out.find("<nav>"), std::string::npos) << out;
  EXPECT_EQ(out.find("DOCTYPE"), std::string::npos) << out;
}

TEST(Explain, ALongDifferenceIsCutWithoutDetails) {
  std::string a, b;
  for (int i = 0; i < 400; ++i) {
    a += fmt::format("line {} of many\n", i);
    b += fmt::format("line {} of {}\n", i, i * 7);
  }
  const Folder folder;
  const std::string first = folder.write("a.txt", a), second = folder.write("b.txt", b);
  const std::string page = run({"explain", first, second}).out;
  EXPECT_LE(std::ranges::count(page, '\n'), 60) << page;
  EXPECT_NE(page.find("more changes"), std::string::npos) << page;
  EXPECT_GE(std::ranges::count(run({"explain", first, second, "--details"}).out, '\n'), 400);
}

TEST(Explain, ATextWithoutTokensHasNoFingerprint) {
  const Ran ran = run({"explain", "--text", "...", "one two three"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_NE(ran.out.find("too few tokens"), std::string::npos);
  EXPECT_EQ(ran.out.find("bits differ"), std::string::npos);
}

TEST(Explain, FindsDocumentsByIdAndPlace) {
  const Folder folder;
  const std::string input =
      folder.write("c.jsonl", "{\"id\":\"a\",\"text\":\"one two\"}\n\n{\"text\":\"three four\"}\n");
  const Ran ran = run({"explain", "--jsonl", input, "c.jsonl:3", "a"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_NE(ran.out.find("[-three four-]"), std::string::npos) << ran.out;
  const Ran missing = run({"explain", "--jsonl", input, "a", "b"});
  EXPECT_EQ(missing.exit, kExitFailed);
  EXPECT_EQ(missing.err, "neardup: " + input + ": no document with id \"b\"; ids there look like \"a\"\n");
}

TEST(Explain, ReadsFilesAndTheSameFileTwice) {
  const Folder folder;
  const std::string a = folder.write("a.txt", kA);
  EXPECT_EQ(run({"explain", a, a}).exit, 0);
  EXPECT_EQ(run({"explain", a}).exit, 0);
  EXPECT_EQ(run({"explain", a, folder / "none"}).exit, kExitFailed);
  EXPECT_EQ(run({"explain"}).exit, kExitUsage);
}

TEST(Explain, LearnsAnIdfWhereTheRecipeAsksForOne) {
  const Ran ran = run({"explain", "--text", kA, kB, "--recipe", "paper", "--json"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  const json object = json::parse(ran.out);
  std::map<std::string, double> weights;
  for (const json& feature : object["documents"][0]["fingerprints"][0]["features"]) {
    weights[feature["text"]] = feature["weight"].get<double>();
  }
  EXPECT_GT(weights.at("jumps"), weights.at("fox")) << "a word of one of the two texts is rarer";
}

TEST(Explain, BitsAreTheirVotesAndMoversAddUpToTheDistance) {
  const Ran ran = run({"explain", "--text", kA, kB, "--json"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  const json object = json::parse(ran.out);
  for (const json& document : object["documents"]) {
    for (const json& explained_fingerprint : document["fingerprints"]) {
      double all = 0;
      for (const json& feature : explained_fingerprint["features"]) all += feature["weight"].get<double>();
      for (size_t bit = 0; bit < 64; ++bit) {
        const json& votes = explained_fingerprint["bits"][bit];
        EXPECT_NEAR(votes["for_1"].get<double>() - votes["for_0"].get<double>(),
                    explained_fingerprint["votes"][bit].get<double>(), 1e-9);
        EXPECT_NEAR(votes["for_1"].get<double>() + votes["for_0"].get<double>(), all, 1e-9);
        double shares = 0;
        for (const json& share : votes["top_for_1"]) shares += share["share"].get<double>();
        EXPECT_LE(shares, votes["for_1"].get<double>() / all + 1e-9);
        EXPECT_EQ(votes["top_for_1"].empty(), votes["for_1"].get<double>() == 0);
      }
    }
  }
  for (const json& distance : object["distances"]) {
    double bits = 0;
    for (const json& mover : distance["moved_by"]) {
      bits += mover["bits"].get<double>();
      EXPECT_NE(mover["weight_a"], mover["weight_b"]);
    }
    EXPECT_NEAR(bits, distance["distance"].get<double>(), 1e-9);
  }
}

// `similarity`: exact, of what the signatures estimate.
void expect_signatures(const json& object, double similarity) {
  const std::string a = object["documents"][0]["signature"], b = object["documents"][1]["signature"];
  const json& match = object["minhash"];
  std::vector<int> equal;
  for (int i = 0; i < 128; ++i)
    if (a.substr(static_cast<size_t>(4 * i), 4) == b.substr(static_cast<size_t>(4 * i), 4)) equal.push_back(i);
  EXPECT_EQ(match["equal_values"], equal);
  EXPECT_EQ(match["equal"], equal.size());
  EXPECT_NEAR(match["jaccard"].get<double>(), similarity, 4 * 0.045);
  for (const int band : match["equal_bands"]) {
    for (int i = 0; i < 4 && band < 32; ++i) EXPECT_EQ(std::ranges::count(equal, 4 * band + i), 1) << band;
  }
}

TEST(Explain, SignaturesAreThoseOfBothTexts) {
  const json object = json::parse(run({"explain", "--text", kA, kB, "--json", "--recipe", "minhash"}).out);
  EXPECT_EQ(object["minhash"]["of"], "tokens");
  EXPECT_TRUE(object["documents"][0]["fingerprints"].empty());
  expect_signatures(object, object["jaccard3"]);
  EXPECT_FALSE(json::parse(run({"explain", "--text", kA, kB, "--json", "--family", "simhash", "--recipe", "paper"}).out)
                   .contains("minhash"));
}

TEST(Explain, SignaturesOfShortTextsAreOfTheirCharacters) {
  for (const char* family : {"minhash", "simhash"}) {
    const json object = json::parse(run({"explain", "--text", kA, kB, "--json", "--family", family}).out);
    EXPECT_EQ(object["decision"]["route"], "characters");
    EXPECT_EQ(object["minhash"]["of"], "characters");
    EXPECT_EQ(object["minhash"]["equal_bands"].size(), object["decision"]["bands_equal"]);
    EXPECT_EQ(object["verdicts"][0]["similarity"], object["decision"]["similarity"]) << "of the rule asked for";
    EXPECT_TRUE(object["verdicts"][1]["by_characters"]);
    EXPECT_FALSE(object["verdicts"][2].contains("by_characters")) << "jaccard means what it says";
    expect_signatures(object, object["decision"]["similarity"]);
  }
}

TEST(Explain, WhatTookNoPartInTheVerdictOnShortTextsIsNotShown) {
  const std::string out = run({"explain", "--text", kA, kB}).out;
  EXPECT_EQ(out.find("SimHash 1"), std::string::npos);
  EXPECT_NE(out.find("Jaccard of character n-grams"), std::string::npos);
}

TEST(Explain, PageIsWholeAndSafe) {
  const Folder folder;
  const std::string page = folder / "why.html";
  const Ran ran = run({"explain", "--text", "a <script>alert(1)</script> & " + kA, kB, "--html", page});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  const std::string html = folder.read("why.html");
  EXPECT_EQ(report::check_page(html).error, "");
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_EQ(html.find("://"), std::string::npos);
  for (const char* words : {"What made the bits differ", "<del>leaps</del>", "bands are equal", "Fingerprint 2 of 2"})
    EXPECT_NE(html.find(words), std::string::npos) << words;
  EXPECT_EQ(report::check_page([&] {
              EXPECT_EQ(run({"explain", "--text", kA, "--html", page, "--top", "0"}).exit, 0);
              return folder.read("why.html");
            }())
                .error,
            "");
}

TEST(Explain, FamiliesThatTheRecipeLacksAreRefused) {
  const Folder folder;
  const std::string recipe = folder.write("r.json", R"({"family":"minhash","name":"mine"})");
  const Ran ran = run({"explain", "--text", kA, "--recipe", recipe, "--family", "simhash"});
  EXPECT_NE(ran.exit, 0);
  EXPECT_NE(ran.err.find("no SimHash fingerprints; take --family minhash"), std::string::npos) << ran.err;
  EXPECT_EQ(run({"explain", "--text", kA, "--recipe", recipe}).exit, 0);
}

TEST(Explain, TellsWhatWasMaskedAndDropped) {
  const Folder folder;
  const std::string recipe =
      folder.write("r.json", R"({"extraction":"html","mask":["dates","numbers"],"fingerprints":[{"ngram":2}]})");
  const std::string page = folder.write(
      "page.html", "<html><body><p>On 21 November 2026 the river rose by 17 percent, said the mayor of the town, and " +
                       kA + ".</p><nav><a href='/'>Home</a></nav></body></html>");
  const Ran ran = run({"explain", page, "--recipe", recipe});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  for (const char* words :
       {"a page in ", "bytes of main text in", "masked dates: 1 (21 November 2026)", "masked numbers: 1 (17"})
    EXPECT_NE(ran.out.find(words), std::string::npos) << words << "\n" << ran.out;
  const json document = json::parse(run({"explain", page, "--recipe", recipe, "--json"}).out)["documents"][0];
  EXPECT_TRUE(document["is_page"]);
  EXPECT_EQ(document["masked"].size(), 2U);
  EXPECT_LT(document["extracted_bytes"].get<int>(), document["given_bytes"].get<int>());
}

}  // namespace
}  // namespace neardup::cli::explain_test
