#include "sketches.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <sha1.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "band_lists.h"
#include "errors.h"
#include "neardup/base/hash.h"
#include "numbers.h"
#include "utf8.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

/// Value j of row i is data[i * shape(1) + j].
using Rows = nb::ndarray<const uint64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Row = nb::ndarray<const uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// The first eight bytes of SHA-1, the lowest first.
uint64_t sha1_of(std::string_view bytes) {
  SHA1_CTX state;
  uint8_t digest[SHA1_DIGEST_LENGTH];
  SHA1Init(&state);
  SHA1Update(&state, reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  SHA1Final(digest, &state);
  uint64_t value = 0;
  std::memcpy(&value, digest, sizeof(value));
  return value;
}

uint64_t xxh3_of(std::string_view bytes) { return hash64(bytes); }

/// The bytes of an object, as long as it lives.
class ObjectBytes {
 public:
  /// Raises TypeError for what does not lie in memory side by side.
  explicit ObjectBytes(nb::handle value) {
    if (PyObject_GetBuffer(value.ptr(), &view_, PyBUF_SIMPLE) == 0) return;
    PyErr_Clear();
    throw nb::type_error(
        ("a value is " + name_of_type(value) + ", not bytes: encode() it, or give a hashfunc that takes it").c_str());
  }
  ObjectBytes(const ObjectBytes&) = delete;
  ObjectBytes& operator=(const ObjectBytes&) = delete;
  ~ObjectBytes() { PyBuffer_Release(&view_); }
  [[nodiscard]] std::string_view get() const {
    return {static_cast<const char*>(view_.buf), static_cast<size_t>(view_.len)};
  }

 private:
  Py_buffer view_ = {};
};

template <uint64_t (*hash)(std::string_view)>
nb::bytes hashes_of(const nb::list& values) {
  std::vector<uint64_t> hashes;
  hashes.reserve(values.size());
  for (const nb::handle value : values) hashes.push_back(hash(ObjectBytes(value).get()));
  return bytes_of(hashes);
}

/// The finalizers of MurmurHash3 (A. Appleby, public domain).
uint32_t mixed(uint32_t x) {
  x = (x ^ x >> 16) * 0x85ebca6b;
  x = (x ^ x >> 13) * 0xc2b2ae35;
  return x ^ x >> 16;
}
uint64_t mixed(uint64_t x) {
  x = (x ^ x >> 33) * 0xff51afd7ed558ccd;
  x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53;
  return x ^ x >> 33;
}

/// Returns x modulo 2^61 - 1.
uint64_t reduced(uint64_t x) {
  constexpr uint64_t kPrime = (uint64_t{1} << 61) - 1;
  const uint64_t folded = (x & kPrime) + (x >> 61);
  return folded >= kPrime ? folded - kPrime : folded;
}

template <class Number>
using Numbers1 = nb::ndarray<Number, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Lowers each value to the least of permuted(a, b, x) over all hashes x.
template <class Number, class Permuted>
void lower(const Numbers1<Number>& values, const Numbers1<const Number>& a, const Numbers1<const Number>& b,
           const Row& hashes, const Permuted& permuted) {
  const size_t size = values.shape(0);
  if (a.shape(0) != size || b.shape(0) != size)
    raise({Code::kInvalidArgument, "there are not as many permutations as hash values"});
  Number* out = values.data();
  for (size_t i = 0; i < hashes.shape(0); ++i) {
    const uint64_t x = hashes.data()[i];
    for (size_t j = 0; j < size; ++j) out[j] = std::min(out[j], permuted(a.data()[j], b.data()[j], x));
  }
}

/// a * mix(x) + b modulo 2^32 or 2^64: "affine32" and "affine64" of datasketch 2.
template <class Number>
void lower_affine(const Numbers1<Number>& values, const Numbers1<const Number>& a, const Numbers1<const Number>& b,
                  const Row& hashes) {
  std::vector<uint64_t> mixed_hashes(hashes.shape(0));
  std::transform(hashes.data(), hashes.data() + hashes.shape(0), mixed_hashes.begin(),
                 [](uint64_t x) { return uint64_t{mixed(static_cast<Number>(x))}; });
  const size_t size = mixed_hashes.size();
  lower(values, a, b, Row(mixed_hashes.data(), {size}), [](Number factor, Number term, uint64_t x) {
    return static_cast<Number>(factor * static_cast<Number>(x) + term);
  });
}

/// The lower 32 bits of (a * x + b modulo 2^64) modulo 2^61 - 1: "legacy", the only ones of datasketch 1.
/// See: Carter, Wegman 1979, Universal classes of hash functions.
void lower_legacy(const Numbers1<uint64_t>& values, const Numbers1<const uint64_t>& a,
                  const Numbers1<const uint64_t>& b, const Row& hashes) {
  lower(values, a, b, hashes,
        [](uint64_t factor, uint64_t term, uint64_t x) { return reduced(factor * x + term) & uint64_t{0xFFFFFFFF}; });
}

std::span<const uint64_t> row_of(const Rows& rows, size_t i) {
  return {rows.data() + i * rows.shape(1), rows.shape(1)};
}

void check_width(const BandLists& lists, const Rows& rows) {
  if (rows.shape(1) != lists.row_size())
    raise({Code::kInvalidArgument,
           "rows of " + std::to_string(rows.shape(1)) + " values, the bands take " + std::to_string(lists.row_size())});
}

void check_numbers(const std::vector<uint64_t>& numbers, uint64_t end) {
  if (std::ranges::any_of(numbers, [&](uint64_t number) { return number >= end; })) throw nb::index_error();
}

/// Adds all rows or none, and erases those of `gone`, which may be among them.
void add_rows(BandLists& lists, const Rows& rows, const std::vector<uint64_t>& gone) {
  check_width(lists, rows);
  const uint64_t first = lists.num_rows(), end = first + rows.shape(0);
  if (end >= uint64_t{1} << 31)
    raise({Code::kUnsupported, "an index of 2^31 sketches and more is not supported; split it"});
  check_numbers(gone, end);
  try {
    for (size_t i = 0; i < rows.shape(0); ++i) lists.add(row_of(rows, i));
  } catch (...) {
    lists.truncate(first);
    throw;
  }
  for (const uint64_t number : gone) lists.erase(number);
}

/// Returns offsets (int64) and numbers (int64): those of row i are numbers[offsets[i]:offsets[i + 1]].
nb::tuple find_rows(BandLists& lists, const Rows& rows) {
  check_width(lists, rows);
  std::vector<int64_t> offsets{0}, numbers;
  std::vector<uint32_t> found;
  for (size_t i = 0; i < rows.shape(0); ++i) {
    lists.find(row_of(rows, i), found);
    numbers.insert(numbers.end(), found.begin(), found.end());
    offsets.push_back(static_cast<int64_t>(numbers.size()));
  }
  return nb::make_tuple(bytes_of(offsets), bytes_of(numbers));
}

/// Returns the numbers of rows, side by side.
nb::bytes numbers_of_rows(const BandLists& lists, const std::vector<uint64_t>& numbers) {
  check_numbers(numbers, lists.num_rows());
  std::vector<uint64_t> joined;
  joined.reserve(numbers.size() * lists.row_size());
  for (const uint64_t number : numbers) {
    const auto row = lists.row(number);
    joined.insert(joined.end(), row.begin(), row.end());
  }
  return bytes_of(joined);
}

void define_band_lists(nb::module_& module) {
  nb::class_<BandLists>(module, "BandLists")
      .def(
          "__init__",
          [](BandLists* self, size_t num_bands, size_t band_size) {
            if (num_bands == 0 || band_size == 0)
              raise({Code::kInvalidArgument, "there are no bands, or nothing is in them"});
            new (self) BandLists(num_bands, band_size);
          },
          nb::arg("num_bands"), nb::arg("band_size"))
      .def_prop_ro("num_rows", &BandLists::num_rows)
      .def_prop_ro("nbytes", &BandLists::size_bytes)
      .def("add", &add_rows, nb::arg("rows"), nb::arg("gone"))
      .def("find", &find_rows, nb::arg("rows"))
      .def("erase",
           [](BandLists& self, uint64_t number) {
             check_numbers({number}, self.num_rows());
             self.erase(number);
           })
      .def("rows", &numbers_of_rows, nb::arg("numbers"))
      .def("subset", [](const BandLists& self, const std::vector<uint64_t>& numbers) {
        check_numbers(numbers, self.num_rows());
        return self.subset(numbers);
      });
}

}  // namespace

void define_sketches(nb::module_& module) {
  module.def("sha1_hashes", &hashes_of<sha1_of>, nb::arg("values"));
  module.def("xxh3_hashes", &hashes_of<xxh3_of>, nb::arg("values"));
  module.def("lower_affine32", &lower_affine<uint32_t>, nb::arg("values"), nb::arg("a"), nb::arg("b"),
             nb::arg("hashes"));
  module.def("lower_affine64", &lower_affine<uint64_t>, nb::arg("values"), nb::arg("a"), nb::arg("b"),
             nb::arg("hashes"));
  module.def("lower_legacy", &lower_legacy, nb::arg("values"), nb::arg("a"), nb::arg("b"), nb::arg("hashes"));
  define_band_lists(module);
}

}  // namespace neardup::python
