#include "neardup/report/similar_data.h"

#include <fmt/format.h>

#include "neardup/report/escape.h"
#include "neardup/report/script_data.h"

namespace neardup::report {
namespace {

constexpr size_t kMostNameColumns = 160;

// In ten-thousandths, of which the page rounds the last: one that ends in 5 is where the command's lines round up.
uint32_t packed_for_page(float share) {
  const uint32_t packed = packed_share(share);
  if (packed % 10 != 5) return packed;
  const std::string rounded_up = fmt::format("{}.{}", (packed + 5) / 100, (packed + 5) / 10 % 10);
  return fmt::format("{:.1f}", 100 * static_cast<double>(share)) == rounded_up ? packed : packed - 1;
}

void append_files(std::string& out, const SimilarReport& report) {
  std::vector<uint32_t> numbers;
  out += "\"names\":[";
  for (size_t i = 0; i < report.files.size(); ++i) {
    const SimilarFile& file = report.files[i];
    if (i > 0) out += ',';
    append_script_string(out, shown_name(file.name));
    numbers.insert(numbers.end(), {static_cast<uint32_t>(file.size_bytes), static_cast<uint32_t>(file.size_bytes >> 32),
                                   file.is_reference ? 1U : 0U});
  }
  out += "],\"files\":\"";
  append_base64(out, numbers);
}

// Of each pair: a, b, its shares, its basis and from the third bit on the number of its text, from 1; 0: it has none.
void append_file_pairs(std::string& out, const SimilarReport& report) {
  std::vector<uint32_t> text(report.pairs.size(), 0);
  for (size_t i = 0; i < report.compared.size(); ++i) text[report.compared[i].pair] = static_cast<uint32_t>(i + 1);
  std::vector<uint32_t> numbers;
  for (size_t i = 0; i < report.pairs.size(); ++i) {
    const SimilarFilePair& pair = report.pairs[i];
    numbers.insert(numbers.end(), {pair.a, pair.b, packed_for_page(pair.a_in_b) << 16 | packed_for_page(pair.b_in_a),
                                   static_cast<uint32_t>(pair.basis) | text[i] << 2});
  }
  out += "\",\"pairs\":\"";
  append_base64(out, numbers);
}

void append_places(std::string& out, const std::vector<PartRange>& places) {
  for (size_t i = 0; i < places.size(); ++i)
    out += fmt::format("{}{},{},{}", i > 0 ? "," : "", places[i].part, places[i].begin, places[i].end);
}

void append_file_texts(std::string& out, const SimilarReport& report) {
  out += "{\"texts\":[";
  for (size_t i = 0; i < report.texts.size(); ++i) {
    out += fmt::format("{}{{\"lines\":{},\"parts\":[", i > 0 ? "," : "", report.texts[i].num_lines);
    for (size_t part = 0; part < report.texts[i].parts.size(); ++part) {
      out += fmt::format("{}[{},", part > 0 ? "," : "", report.texts[i].parts[part].first_line);
      append_script_string(out, report.texts[i].parts[part].text);
      out += ']';
    }
    out += "]}";
  }
  out += ']';
}

void append_compared(std::string& out, const SimilarReport& report) {
  out += ",\"compared\":[";
  for (size_t i = 0; i < report.compared.size(); ++i) {
    const PairText& pair = report.compared[i];
    out += fmt::format("{}{{\"a\":{},\"b\":{},\"more\":{},\"passages\":[", i > 0 ? "," : "", pair.a, pair.b,
                       pair.num_left_out);
    for (size_t p = 0; p < pair.passages.size(); ++p) {
      out += fmt::format("{}{{\"bytes\":{},\"a\":[", p > 0 ? "," : "", pair.passages[p].size_bytes);
      append_places(out, pair.passages[p].a);
      out += "],\"b\":[";
      append_places(out, pair.passages[p].b);
      out += "]}";
    }
    out += "]}";
  }
  out += "]}";
}

}  // namespace

std::string shown_name(std::string_view name) { return terminal_line(name, kMostNameColumns); }

void append_similar_data(std::string& out, const SimilarReport& report) {
  out += "<script type=\"application/json\" id=\"similar-data\">{";
  append_files(out, report);
  append_file_pairs(out, report);
  out += "\",\"flags\":[";
  for (size_t i = 0; i < report.pair_flags.size(); ++i) {
    if (i > 0) out += ',';
    append_script_string(out, shown_name(report.pair_flags[i]));
  }
  out += fmt::format("],\"leftOut\":[{}],\"leftOutEqual\":{},\"threshold\":{},\"hasReferences\":{}}}</script>\n",
                     fmt::join(report.left_out, ","), report.left_out_equal, report.threshold, report.has_references);
  out += "<script type=\"application/json\" id=\"similar-texts\">";
  append_file_texts(out, report);
  append_compared(out, report);
  out += "</script>\n";
}

}  // namespace neardup::report
