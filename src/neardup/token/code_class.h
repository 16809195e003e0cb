// What a token of source code is, and how 32-bit hashes of tokens tell it.
#pragma once

#include <cstdint>
#include <string_view>

namespace neardup::token {

/// The values are what the lowest three bits of marked_code_hash() are; that of a number is marked_hash()'s, too.
enum class CodeClass : uint32_t {
  kSign = 0,    // a sign of punctuation, or a word that languages reserve: "if", "class", "def"
  kNumber = 1,  // begins with a digit
  kName = 2,    // any other word
  kString = 4,  // a literal with its quotes
};

/// Returns what `token` is, one that the tokenizer "code" made. Cost: a look into a table.
[[nodiscard]] CodeClass code_class(std::string_view token);

/// Returns whether languages reserve `word`: the union over the families of C, Java, JavaScript, Go, Rust, Python,
/// Ruby, shells, SQL and Lua, in lower case, and built-in types of C and Java.
[[nodiscard]] bool is_reserved(std::string_view word);

/// Returns the low 32 bits of a token's hash, the lowest three saying what it is.
[[nodiscard]] inline uint32_t marked_code_hash(uint64_t hash, CodeClass code_class) {
  return (static_cast<uint32_t>(hash) & ~7U) | static_cast<uint32_t>(code_class);
}

/// Returns `marked` with all names made one, all numbers one and all strings one: what renaming leaves.
[[nodiscard]] inline uint32_t blinded(uint32_t marked) { return (marked & 7U) == 0 ? marked : marked & 7U; }

}  // namespace neardup::token
