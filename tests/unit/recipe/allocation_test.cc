// Once its buffers have grown, fingerprinting does not allocate.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <string>

#include "neardup/recipe/fingerprinter.h"
#include "tests/unit/recipe/usable_recipe.h"

namespace {

std::atomic<size_t> num_allocations = 0;

}  // namespace

// Not inlined: the compiler would see free() end what it knows as operator new, and warn.
[[gnu::noinline]] void* operator new(size_t size) {
  ++num_allocations;
  if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
  std::abort();
}
[[gnu::noinline]] void* operator new(size_t size, const std::nothrow_t&) noexcept { return operator new(size); }
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace neardup::recipe {
namespace {

TEST(Allocation, NoneInTheSteadyState) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "Word " + std::to_string(i % 700) + " naïve 中文字符 ﬁne\n";
  for (const std::string& name : recipe_names()) {
    Recipe recipe = usable_recipe(name);
    recipe.fingerprints.push_back({.ngram = 5, .weight = Weight::kTf, .top_n = 100});
    Recipe counting = recipe;
    counting.fingerprints = {{.ngram = 1}};
    feature::IdfBuilder builder;
    Fingerprinter::create(counting, nullptr).value().count_tokens(text, builder);
    Fingerprinter fingerprinter = Fingerprinter::create(recipe, builder.build()).value();
    TextFingerprint text_fingerprint;
    fingerprinter.fingerprint(text, text_fingerprint);
    const size_t before = num_allocations;
    ASSERT_GT(before, 0U);
    for (const size_t size : {text.size(), text.find('\n', text.size() / 2), size_t{0}, text.size()}) {
      fingerprinter.fingerprint(std::string_view(text).substr(0, size), text_fingerprint);
    }
    EXPECT_EQ(num_allocations - before, 0U) << name;
  }
}

}  // namespace
}  // namespace neardup::recipe
