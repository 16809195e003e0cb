#include "neardup/engine/run/doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "neardup/base/hash.h"
#include "neardup/base/parse_json.h"
#include "neardup/corpus/find/detect.h"
#include "neardup/engine/record_limits.h"
#include "neardup/text/charset.h"
#include "neardup/text/html/html.h"

namespace neardup::engine {
namespace {

/// Calls `visit` for each document of the inputs until it returns true; returns whether it did.
template <class Visit>
bool any_document(const Documents& documents, Visit&& visit) {
  for (uint32_t document = documents.num_references(); document < documents.size(); ++document)
    if (visit(document)) return true;
  return false;
}

/// "The first record has the fields 'id', 'text'." for the first input that has fields.
std::string fields_there(const Sources& sources, const DedupOptions& options) {
  const auto has_fields = [](const corpus::Input& input) { return corpus::row_of(input.format).has_fields; };
  const auto input = std::find_if(sources.inputs.begin(), sources.inputs.end(), has_fields);
  if (input == sources.inputs.end()) return "Only JSONL, CSV, TSV, WARC and Parquet have fields.";
  return fmt::format("The first record of {} has {}.", input->name,
                     corpus::first_field_names(*input, options.read.table));
}

struct Flagged {
  uint64_t count = 0;
  uint32_t first = 0;
};

template <class Test>
Flagged count_flagged(const Documents& documents, const Test& test) {
  Flagged found;
  for (uint32_t document = 0; document < documents.size(); ++document) {
    if (!test(documents.row(document).flags)) continue;
    if (found.count++ == 0) found.first = document;
  }
  return found;
}

void check_text(const Documents& documents, std::vector<std::string>& out) {
  const auto [count, first] =
      count_flagged(documents, [](uint32_t flags) { return (flags & (kNotWhole | kCut)) == kNotWhole; });
  if (count == 0) return;
  out.push_back(fmt::format(
      "{} of {} documents are pages with hardly any text (the first: {}); each is a duplicate only of those with the "
      "same bytes. Take those that are no pages with --recipe NAME,extraction=none",
      count, documents.size(), documents.id(first)));
}

void check_cut(const Documents& documents, const DedupOptions& options, std::vector<std::string>& out) {
  const auto [count, first] = count_flagged(documents, [](uint32_t flags) { return (flags & kCut) != 0; });
  if (count == 0) return;
  const uint64_t most = longest_page_bytes(options.read);
  const bool by_memory = most < std::min<uint64_t>(options.read.max_record_bytes, text::kMaxHtmlBytes);
  out.push_back(fmt::format(
      "Of {} of {} documents only a part was read (the first: {}): of a page {} bytes at most{}; "
      "each is a duplicate only of those with the same bytes",
      count, documents.size(), documents.id(first), most, by_memory ? ", as --memory leaves no more; give more" : ""));
}

/// What an encoding is known by: words of other letters than ours alone, where most stand in such words, as often as a
/// short text needs; of others, such as German, all of it.
std::string telling_part(const std::string& head) {
  constexpr size_t kLeastBytes = 256;
  const auto is_high = [&](size_t i) { return i < head.size() && static_cast<unsigned char>(head[i]) >= 0x80; };
  std::string words;
  size_t num_high = 0, num_alone = 0;
  for (size_t i = 0; i < head.size(); ++i) {
    if (is_high(i)) words += head[i];
    if (!is_high(i) && i > 0 && is_high(i - 1)) words += ' ';
    num_high += is_high(i) ? 1 : 0;
    num_alone += is_high(i) && !is_high(i + 1) && (i == 0 || !is_high(i - 1)) ? 1 : 0;
  }
  if (num_high == 0 || 3 * num_alone > num_high) return head;
  std::string part = words;
  while (part.size() < kLeastBytes) part += words;
  return part;
}

/// What the beginning of the input is in, as iconv calls it; "ENCODING" where that is UTF-8 or cannot be looked at.
std::string encoding_of(const corpus::Input& input) {
  constexpr size_t kLookedAtBytes = size_t{1} << 16;
  const std::string head = telling_part(corpus::peek(input, kLookedAtBytes).value_or(""));
  text::Decoder decoder;
  std::string decoded;
  static_cast<void>(decoder.decode(head, "", decoded));
  return decoder.encoding() == "UTF-8" ? "ENCODING" : std::string(decoder.encoding());
}

void check_encoding(const Documents& documents, std::vector<std::string>& out) {
  const auto [count, first] = count_flagged(documents, [](uint32_t flags) { return (flags & kNotUtf8) != 0; });
  if (count == 0) return;
  out.push_back(fmt::format(
      "{} of {} documents are not UTF-8 (more than 1 % of their bytes; the first: {}): probably "
      "another encoding, so duplicates are missed. Convert the files first, such as: iconv -f "
      "{} -t UTF-8 FILE > FILE.utf8",
      count, documents.size(), documents.id(first), encoding_of(documents.input(documents.row(first).input))));
}

/// Of inputs such as WARC, which hold more than documents.
void check_no_documents(const Documents& documents, std::vector<std::string>& out) {
  Flagged files;
  std::string first;
  const Status read = documents.for_each_rejected([&](const Documents::Rejected& note) -> Status {
    if (!note.is_note || note.is_reference || files.count++ > 0) return {};
    const auto json = parse_json<nlohmann::json>("{" + std::string(note.json) + "}").value_or(nlohmann::json());
    first = documents.input(note.input).name + ": " + json_string(json_member(json, "message"));
    return {};
  });
  if (!read || files.count == 0) return;  // a damaged list was told before
  if (files.count > 1) first += fmt::format("; rejected.jsonl tells the same of {} more files", files.count - 1);
  out.push_back(std::move(first));
}

void check_keep(const Documents& documents, const Sources& sources, const DedupOptions& options,
                std::vector<std::string>& out) {
  const cluster::KeepRule& keep = options.keep;
  using Kind = cluster::KeepRule::Kind;
  if (keep.kind != Kind::kMax && keep.kind != Kind::kPriority) return;
  const auto num_values = static_cast<double>(keep.values.size());
  const auto decides = [&](uint32_t document) {
    const double key = documents.row(document).keep_key;
    return keep.kind == Kind::kMax ? std::isfinite(key) : key < num_values;
  };
  if (any_document(documents, decides)) return;
  out.push_back(
      fmt::format("--keep {} decided nothing, the first document of each cluster was kept: no document has "
                  "{} in the field '{}'. {}",
                  cluster::to_string(keep), keep.kind == Kind::kMax ? "a number or a date" : "one of these values",
                  keep.field, fields_there(sources, options)));
}

// Ids are for people and joins: without them all are "FILE:LINE". That no document has an "id" is usual.
void check_ids(const Documents& documents, const Sources& sources, const DedupOptions& options,
               std::vector<std::string>& out) {
  const std::string& key = options.read.id_key;
  const auto has_id = [&](uint32_t d) {
    const Row& row = documents.row(d);
    return (row.flags & kHasId) != 0 || !corpus::row_of(documents.input(row.input).format).has_fields;
  };
  if (key == corpus::ReadOptions().id_key || any_document(documents, has_id)) return;
  out.push_back(fmt::format(
      "--id-key: no document has a string or a whole number in the field '{}', so that ids are FILE:LINE. {}", key,
      fields_there(sources, options)));
}

void check_groups(const Documents& documents, const Sources& sources, const DedupOptions& options,
                  std::vector<std::string>& out) {
  const std::string& key = options.read.group_key;
  if (key.empty() || any_document(documents, [&](uint32_t d) { return !documents.group(d).empty(); })) return;
  out.push_back(fmt::format("--group-key: no document has the field '{}'. {}", key, fields_there(sources, options)));
}

void check_within(const Documents& documents, const Sources& sources, const DedupOptions& options,
                  std::vector<std::string>& out) {
  const std::string& key = options.read.within_key;
  const uint64_t missing = hash64(std::string_view());
  if (key.empty() || any_document(documents, [&](uint32_t d) { return documents.row(d).within != missing; })) return;
  out.push_back(
      fmt::format("--within parted nothing: no document has the field '{}'. {}", key, fields_there(sources, options)));
}

void check_lines(const Documents& documents, const Sources& sources, const DedupOptions& options,
                 std::vector<std::string>& out) {
  const bool is_one_text = sources.inputs.size() == 1 && sources.inputs[0].format == corpus::Format::kText;
  if (!is_one_text || !sources.references.empty() || options.discover.format) return;
  if (corpus::has_records(sources.inputs[0])) return;  // check_tables() has a better cure
  if (documents.size() == 1) out.push_back("The whole file was read as one document; --lines makes one of each line.");
}

/// Input files that a test chooses.
struct Chosen {
  size_t count = 0;
  const corpus::Input* first = nullptr;
};

template <class Test>
Chosen text_files(const Sources& sources, Test&& test) {
  Chosen chosen;
  for (const corpus::Input& input : sources.inputs) {
    if (input.format != corpus::Format::kText || !input.fault.empty() || !test(input)) continue;
    if (chosen.count++ == 0) chosen.first = &input;
  }
  return chosen;
}

bool is_page(const corpus::Input& input) {
  const std::string ending = corpus::ending_of(input.path);
  return ending == ".html" || ending == ".htm" || ending == ".xhtml";
}

/// WET holds no pages, but their texts.
void check_crawls(const Sources& sources, std::vector<std::string>& out) {
  const auto is_crawl = [](const corpus::Input& input) {
    return input.format == corpus::Format::kWarc && corpus::ending_of(input.path) != ".wet";
  };
  const auto first = std::ranges::find_if(sources.inputs, is_crawl);
  if (first == sources.inputs.end()) return;
  out.push_back(
      fmt::format("The web pages in {} were compared with their tags and menus; --recipe NAME,extraction=auto compares "
                  "their main text",
                  first->name));
}

void check_pages(const Sources& sources, const DedupOptions& options, std::vector<std::string>& out) {
  if (options.recipe.extraction != "none") return;
  check_crawls(sources, out);
  if (options.discover.format) return;
  const auto [count, first] = text_files(sources, is_page);
  if (count * 2 <= sources.inputs.size()) return;
  out.push_back(
      fmt::format("{} of {} files are web pages by their names (the first: {}), and were compared with their tags and "
                  "menus; --recipe NAME,extraction=auto compares their main text",
                  count, sources.inputs.size(), first->name));
}

void check_tables(const Sources& sources, const DedupOptions& options, std::vector<std::string>& out) {
  if (options.discover.format) return;
  const auto [count, first] = text_files(sources, corpus::has_records);
  if (count == 0) return;
  out.push_back(
      fmt::format("{} of {} files are by their names tables, or JSON that is not one object a line (the first: {}): "
                  "such a file is one document. To compare its records make lines of them: {}",
                  count, sources.inputs.size(), first->name, corpus::to_records(*first)));
}

}  // namespace

std::vector<std::string> doubts(const Documents& documents, const Sources& sources, const DedupOptions& options) {
  std::vector<std::string> found;
  check_encoding(documents, found);
  check_cut(documents, options, found);
  check_text(documents, found);
  check_lines(documents, sources, options, found);
  check_pages(sources, options, found);
  check_tables(sources, options, found);
  check_no_documents(documents, found);
  if (documents.size() == documents.num_references()) return found;
  check_keep(documents, sources, options, found);
  check_ids(documents, sources, options, found);
  check_groups(documents, sources, options, found);
  check_within(documents, sources, options, found);
  return found;
}

}  // namespace neardup::engine
