// A view is a pointer to a state and the version of the last table: everything else in it never changes, so it needs no
// lock and stays as it is for as long as it is held.
// An erasure hides the document in all that is older. Matches are few, so each is looked up in the lists of everything
// newer, instead of keeping any list of what lives. The same entry may stand in two segments until they are merged:
// sorting brings such matches together, and one stays.
#include <algorithm>
#include <tuple>

#include "neardup/store/update_state.h"

namespace neardup::store {

namespace {

constexpr size_t kQueriesAtOnce = 1024;

template <fingerprint::AnyFingerprint F>
struct Found {
  size_t query;
  hamming::Match<F> match;
  [[nodiscard]] auto rank() const { return std::tie(query, match.distance, match.document, match.fingerprint); }
};

// The newest of two tables and segments may both hold an entry that was inserted twice.
template <fingerprint::AnyFingerprint F>
void sort_and_collapse(std::vector<hamming::Match<F>>& matches, size_t begin) {
  const auto first = matches.begin() + static_cast<std::ptrdiff_t>(begin);
  std::sort(first, matches.end(), [](const hamming::Match<F>& a, const hamming::Match<F>& b) {
    return std::tie(a.distance, a.document, a.fingerprint) < std::tie(b.distance, b.document, b.fingerprint);
  });
  matches.erase(std::unique(first, matches.end()), matches.end());
}

}  // namespace

template <fingerprint::AnyFingerprint F>
MemVersion View<F>::version_of(size_t table) const {
  return table + 1 == state_->tables.size() ? version_ : state_->tables[table]->version();
}

template <fingerprint::AnyFingerprint F>
bool View<F>::erased_in_tables_since(size_t table, uint64_t document) const {
  const auto& tables = state_->tables;
  for (size_t i = table; i < tables.size(); ++i)
    if (tables[i]->erases(document, version_of(i))) return true;
  return false;
}

template <fingerprint::AnyFingerprint F>
bool View<F>::erased_since(size_t segment, uint64_t document) const {
  const auto& segments = state_->segments;
  for (size_t i = segment; i < segments.size(); ++i)
    if (segments[i].erased.contains(document)) return true;
  return erased_in_tables_since(0, document);
}

template <fingerprint::AnyFingerprint F>
void View<F>::drop_erased(size_t segment, std::vector<hamming::Match<F>>& matches, size_t begin) const {
  const auto first = matches.begin() + static_cast<std::ptrdiff_t>(begin);
  const auto gone = [&](const hamming::Match<F>& match) { return erased_since(segment + 1, match.document); };
  matches.erase(std::remove_if(first, matches.end(), gone), matches.end());
}

template <fingerprint::AnyFingerprint F>
void View<F>::query_tables(F query, int max_distance, std::vector<hamming::Match<F>>& matches) const {
  const auto& tables = state_->tables;
  for (size_t i = 0; i < tables.size(); ++i) {
    const size_t begin = matches.size();
    tables[i]->query(query, max_distance, version_of(i), matches);
    // What a table erases of itself it leaves out by itself.
    if (i + 1 == tables.size()) continue;
    const auto first = matches.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto gone = [&](const hamming::Match<F>& match) { return erased_in_tables_since(i + 1, match.document); };
    matches.erase(std::remove_if(first, matches.end(), gone), matches.end());
  }
}

template <fingerprint::AnyFingerprint F>
void View<F>::query(F query, int max_distance, std::vector<hamming::Match<F>>& matches) const {
  const size_t begin = matches.size();
  for (size_t i = 0; i < state_->segments.size(); ++i) {
    const size_t of_segment = matches.size();
    state_->segments[i].index.query(query, max_distance, matches);
    drop_erased(i, matches, of_segment);
  }
  query_tables(query, max_distance, matches);
  sort_and_collapse(matches, begin);
}

template <fingerprint::AnyFingerprint F>
void View<F>::query_batch(std::span<const F> queries, int max_distance,
                          const typename hamming::StaticIndex<F>::Sink& sink) const {
  std::vector<Found<F>> found;
  std::vector<hamming::Match<F>> matches;
  for (size_t begin = 0; begin < queries.size(); begin += kQueriesAtOnce) {
    const auto some = queries.subspan(begin, std::min(kQueriesAtOnce, queries.size() - begin));
    found.clear();
    for (size_t segment = 0; segment < state_->segments.size(); ++segment) {
      const auto keep = [&](size_t i, std::span<const hamming::Match<F>> of_query) {
        for (const hamming::Match<F>& match : of_query)
          if (!erased_since(segment + 1, match.document)) found.push_back({i, match});
      };
      state_->segments[segment].index.query_batch(some, max_distance, keep);
    }
    for (size_t i = 0; i < some.size(); ++i) {
      matches.clear();
      query_tables(some[i], max_distance, matches);
      for (const hamming::Match<F>& match : matches) found.push_back({i, match});
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.rank() < b.rank(); });
    const auto same = [](const auto& a, const auto& b) { return a.rank() == b.rank(); };
    found.erase(std::unique(found.begin(), found.end(), same), found.end());
    for (auto it = found.begin(); it != found.end();) {
      const size_t i = it->query;
      matches.clear();
      for (; it != found.end() && it->query == i; ++it) matches.push_back(it->match);
      sink(begin + i, matches);
    }
  }
}

// The newest first: what was erased and inserted again is there once.
template <fingerprint::AnyFingerprint F>
bool View<F>::contains(F fingerprint, uint64_t document) const {
  for (size_t i = state_->tables.size(); i-- > 0;) {
    if (state_->tables[i]->contains(fingerprint, document, version_of(i))) return true;
    if (state_->tables[i]->erases(document, version_of(i))) return false;
  }
  for (size_t i = state_->segments.size(); i-- > 0;) {
    if (state_->segments[i].index.contains(fingerprint, document)) return true;
    if (state_->segments[i].erased.contains(document)) return false;
  }
  return false;
}

template <fingerprint::AnyFingerprint F>
void View<F>::for_each(const std::function<void(F, uint64_t)>& visit) const {
  for (size_t i = 0; i < state_->segments.size(); ++i) {
    state_->segments[i].index.for_each([&](F fingerprint, uint64_t document) {
      if (!erased_since(i + 1, document)) visit(fingerprint, document);
    });
  }
  const auto& tables = state_->tables;
  for (size_t i = 0; i < tables.size(); ++i) {
    const MemVersion version = version_of(i);
    tables[i]->for_each(version, [&](F fingerprint, uint64_t document) {
      if (!erased_in_tables_since(i + 1, document)) visit(fingerprint, document);
    });
  }
}

template <fingerprint::AnyFingerprint F>
UpdateFigures View<F>::figures() const {
  UpdateFigures figures;
  figures.segments = state_->segments.size();
  for (const Segment<F>& segment : state_->segments) {
    figures.sealed_entries += segment.index.size();
    figures.sealed_bytes += segment.index.bytes();
    figures.erased += segment.erased.size();
  }
  const auto& tables = state_->tables;
  for (size_t i = 0; i < tables.size(); ++i) {
    const MemVersion version = version_of(i);
    figures.mem_entries += version.inserted;
    figures.mem_erasures += version.erased;
    figures.mem_bytes += tables[i]->bytes();
  }
  return figures;
}

template <fingerprint::AnyFingerprint F>
std::span<const Segment<F>> View<F>::segments() const {
  return state_->segments;
}

template class View<fingerprint::Fingerprint>;
template class View<fingerprint::Fingerprint128>;

}  // namespace neardup::store
