#include "online.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <cstdio>
#include <memory>
#include <vector>

#include "column.h"
#include "errors.h"
#include "matching.h"
#include "neardup/api/compare.h"
#include "neardup/api/deduplicator.h"
#include "neardup/api/store.h"
#include "neardup/engine/online/records_kept.h"
#include "utf8.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

/// Calls without the GIL, and raises with it.
template <class Call>
auto unlocked(const Call& call) {
  return value_of([&] {
    const nb::gil_scoped_release release;
    return call();
  }());
}

/// What a document repeats; None where it is new.
nb::object match_of(const Arrival& arrival) { return arrival.is_new() ? nb::none() : nb::cast(arrival); }

const char* kind_name(const Arrival& arrival) {
  switch (arrival.kind) {
    case Arrival::Kind::kExact:
      return "exact";
    case Arrival::Kind::kNear:
      return "near";
    case Arrival::Kind::kContained:
      return "contained";
    case Arrival::Kind::kNew:
      break;
  }
  return "new";
}

nb::object shown(const Arrival& arrival) {
  char figures[64];
  std::snprintf(figures, sizeof(figures), "similarity=%.4f, distance=%d)", arrival.similarity, arrival.distance);
  return str_of("Match(duplicate_of='" + arrival.duplicate_of + "', kind='" + kind_name(arrival) + "', " + figures);
}

void define_match(nb::module_& module) {
  nb::class_<Arrival>(module, "Match", "What a document repeats; Deduplicator and Store answer with it.")
      .def_prop_ro(
          "kind", &kind_name,
          "\"exact\": an equal text, but for case, width and white space; \"near\"; or \"contained\" in a longer one.")
      .def_prop_ro(
          "duplicate_of", [](const Arrival& arrival) { return str_of(arrival.duplicate_of); },
          "The id of the document that it repeats, which is kept.")
      .def_ro("similarity", &Arrival::similarity,
              "What the rule looked at, 0 to 1; where it is contained the share that the other one holds.")
      .def_ro("distance", &Arrival::distance, "Values of the signatures, or bits of the fingerprints, that differ.")
      .def_ro("is_repeated", &Arrival::is_repeated, "Whether the same id came with the same text before.")
      .def_ro("is_estimate", &Arrival::is_estimate, "Whether the texts were gone, and signatures were compared.")
      .def("__repr__", &shown);
}

void define_deduplicator(nb::module_& module) {
  nb::class_<Deduplicator>(module, "NativeDeduplicator")
      .def("__init__",
           [](Deduplicator* self, const MatchingWords& words, double contained) {
             const Matching matching = matching_of(words);
             new (self) Deduplicator(unlocked([&] { return Deduplicator::create(matching, contained); }));
           })
      .def(
          "add",
          [](Deduplicator& self, nb::handle id, nb::handle text) {
            const Utf8 id_utf8(id, "id"), text_utf8(text, "text");
            return match_of(unlocked([&] { return self.add(id_utf8.get(), text_utf8.get()); }));
          },
          nb::arg("id").none(), nb::arg("text").none())
      .def("__len__", [](const Deduplicator& self) { return self.figures().new_texts; })
      .def_prop_ro("nbytes", [](const Deduplicator& self) { return self.figures().size_bytes; });
}

Records records_of(const std::string& word) {
  using engine::RecordsKept;
  const auto records = engine::records_of_name(word);
  if (!records) raise({Code::kInvalidArgument, "records is tokens, signature or none, not \"" + word + "\""});
  switch (*records) {
    case RecordsKept::kSignature:
      return Records::kSignature;
    case RecordsKept::kNone:
      return Records::kNone;
    case RecordsKept::kTokens:
      break;
  }
  return Records::kTokens;
}

/// Documents of two columns that live as long as the call.
class ColumnDocuments {
 public:
  ColumnDocuments(const Column& ids, const Column& texts, std::string_view tag, bool html) {
    if (ids.size() != texts.size()) raise({Code::kInvalidArgument, "there are not as many ids as texts"});
    for (uint64_t row = 0; row < texts.size(); ++row) {
      const auto id = ids.text(row, room_), text = texts.text(row, room_);
      if (!id || !text) raise({Code::kInvalidArgument, "row " + std::to_string(row) + " has no text, or no id"});
      documents_.push_back({.id = *id, .text = *text, .is_html = html, .tag = tag});
    }
  }
  [[nodiscard]] const std::vector<NewDocument>& get() const { return documents_; }

 private:
  corpus::Arena room_;
  std::vector<NewDocument> documents_;
};

nb::list matches_of(const std::vector<Arrival>& arrivals) {
  nb::list matches;
  for (const Arrival& arrival : arrivals) matches.append(match_of(arrival));
  return matches;
}

nb::tuple nears_of(const StoredNears& nears) {
  nb::list found;
  for (const StoredNear& each : nears.found)
    found.append(nb::make_tuple(str_of(each.id), each.similarity, each.distance, each.is_exact, each.is_estimate,
                                each.is_container));
  return nb::make_tuple(found, nears.truncated);
}

/// A store that can be closed before Python forgets it.
class OpenStore {
 public:
  explicit OpenStore(Store store) : store_(std::make_unique<Store>(std::move(store))) {}
  void close() { store_.reset(); }
  [[nodiscard]] Store& get() const {
    if (store_ == nullptr) raise({Code::kInvalidArgument, "the store is closed"});
    return *store_;
  }

 private:
  std::unique_ptr<Store> store_;
};

// What is None is not asked; so is a family "auto" and an empty rule.
OpenStore open_store(const std::string& place, MatchingWords words, bool any_recipe,
                     const std::optional<std::string>& records, std::optional<bool> keep_texts,
                     std::optional<double> contained) {
  AskedOfStore asked{.matching = matching_of(words), .keep_texts = keep_texts, .contained = contained};
  if (any_recipe) asked.matching.recipe = Recipe();
  if (records) asked.records = records_of(*records);
  return OpenStore(unlocked([&] { return Store::open(place, asked); }));
}

OpenStore create_store(const std::string& place, const MatchingWords& words, const std::string& records,
                       bool keep_texts, double contained) {
  const StoreOptions options{matching_of(words), records_of(records), keep_texts, contained};
  return OpenStore(unlocked([&] { return Store::create(place, options); }));
}

using TagCall = Result<bool> (Store::*)(std::string_view);
bool call_tag(OpenStore& self, TagCall call, const std::string& tag) {
  Store& store = self.get();
  return unlocked([&] { return (store.*call)(tag); });
}

void define_store(nb::module_& module) {
  nb::class_<OpenStore>(module, "NativeStore")
      .def_static("create", &create_store)
      .def_static("open", &open_store, nb::arg("place"), nb::arg("matching"), nb::arg("any_recipe"),
                  nb::arg("records").none(), nb::arg("keep_texts").none(), nb::arg("contained").none())
      .def_static("is_there", [](const std::string& place) { return unlocked([&] { return Store::is_there(place); }); })
      .def("close", &OpenStore::close)
      .def("check_and_insert",
           [](OpenStore& self, const Column& ids, const Column& texts, const std::string& tag, bool html) {
             Store& store = self.get();
             const ColumnDocuments documents(ids, texts, tag, html);
             return matches_of(unlocked([&] { return store.check_and_insert(documents.get()); }));
           })
      .def("check",
           [](OpenStore& self, const Column& ids, const Column& texts, bool html) {
             const Store& store = self.get();
             const ColumnDocuments documents(ids, texts, {}, html);
             return matches_of(unlocked([&] { return store.check(documents.get()); }));
           })
      .def("insert",
           [](OpenStore& self, const Column& ids, const Column& texts, const std::string& tag, bool html) {
             Store& store = self.get();
             const ColumnDocuments documents(ids, texts, tag, html);
             unlocked([&] { return store.insert(documents.get()); });
           })
      .def(
          "query",
          [](OpenStore& self, nb::handle text, size_t limit, bool html) {
            const Store& store = self.get();
            const Utf8 utf8(text, "text");
            return nears_of(unlocked([&] { return store.query({.text = utf8.get(), .is_html = html}, limit); }));
          },
          nb::arg("text").none(), nb::arg("limit"), nb::arg("html"))
      .def("erase",
           [](OpenStore& self, const std::vector<std::string>& ids) {
             Store& store = self.get();
             const std::vector<std::string_view> views(ids.begin(), ids.end());
             return unlocked([&] { return store.erase(views); });
           })
      .def("erase_tag",
           [](OpenStore& self, const std::string& tag) {
             Store& store = self.get();
             return unlocked([&] { return store.erase_tag(tag); });
           })
      .def("expire",
           [](OpenStore& self, int64_t before) {
             Store& store = self.get();
             return unlocked([&] { return store.expire(before); });
           })
      .def("begin_tag", [](OpenStore& self, const std::string& tag) { return call_tag(self, &Store::begin_tag, tag); })
      .def("commit_tag",
           [](OpenStore& self, const std::string& tag) { return call_tag(self, &Store::commit_tag, tag); })
      .def("cancel_tag",
           [](OpenStore& self, const std::string& tag) { return call_tag(self, &Store::cancel_tag, tag); })
      .def("__len__", [](const OpenStore& self) {
        const Store& store = self.get();
        return unlocked([&] { return store.size(); });
      });
}

nb::dict comparison(nb::handle a, nb::handle b, const MatchingWords& words, double contained) {
  const Matching matching = matching_of(words);
  const Utf8 left(a, "a"), right(b, "b");
  const Comparison found = unlocked([&] { return compare(left.get(), right.get(), matching, contained); });
  nb::dict out;
  out["are_duplicates"] = found.are_duplicates;
  out["are_equal"] = found.are_equal;
  out["are_candidates"] = found.are_candidates;
  out["similarity"] = found.similarity;
  out["asked"] = found.asked;
  out["distance"] = found.distance;
  out["distance_of"] = found.distance_of;
  out["is_contained"] = found.is_contained;
  out["held"] = found.held;
  out["verdict"] = found.verdict;
  out["reasons"] = found.reasons;
  return out;
}

nb::tuple shares_in_each_other(nb::handle a, nb::handle b, const Recipe& recipe) {
  const Utf8 left(a, "a"), right(b, "b");
  const Contained shares = unlocked([&] { return contained(left.get(), right.get(), recipe); });
  return nb::make_tuple(shares.a_in_b, shares.b_in_a);
}

}  // namespace

void define_online(nb::module_& module) {
  define_match(module);
  define_deduplicator(module);
  define_store(module);
  module.def("compare", &comparison, nb::arg("a").none(), nb::arg("b").none(), nb::arg("matching"),
             nb::arg("contained"));
  module.def("contained", &shares_in_each_other, nb::arg("a").none(), nb::arg("b").none(), nb::arg("recipe"));
}

}  // namespace neardup::python
