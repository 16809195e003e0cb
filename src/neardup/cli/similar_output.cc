#include "neardup/cli/similar_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "neardup/base/json.h"
#include "neardup/base/sizes.h"
#include "neardup/base/threads.h"
#include "neardup/base/utf8.h"
#include "neardup/report/numbers.h"

namespace neardup::cli {
namespace {

// A name that is UTF-8 is the string itself.
std::string json_path(const sif::File& file) {
  std::string out;
  append_json_string(out, sif::is_utf8(file.path) ? file.path : sif::printable_path(file.path));
  return out;
}

std::string json_range(const char* name, const sif::Range& range) {
  return fmt::format(R"("{}":{{"bytes":[{},{}],"lines":[{},{}]}})", name, range.begin, range.end, range.first_line,
                     range.last_line);
}

// Of a long file the fourth digit of a percentage is noise.
std::string percent(float share) { return fmt::format("{:.1f}", 100 * static_cast<double>(share)); }

// The same of all tenths.
const std::vector<std::string>& tenths_of_percents() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> made;
    for (int tenths = 0; tenths <= 1000; ++tenths) made.push_back(fmt::format("{}.{}", tenths / 10, tenths % 10));
    return made;
  }();
  return all;
}

// The same. Millions of pairs have as many: what no rounding can change is looked up.
void append_percent(float share, std::string& out) {
  const double tenths = 1000 * static_cast<double>(share), whole = std::floor(tenths);
  if (std::abs(tenths - whole - 0.5) < 1e-6) {
    out += percent(share);
    return;
  }
  out += tenths_of_percents()[static_cast<size_t>(whole) + (tenths - whole > 0.5 ? 1 : 0)];
}

const char* basis(const sif::SimilarPair& pair) {
  return pair.is_equal ? "equal" : pair.is_exact ? "exact" : "estimate";
}

// Of all files, as lines of this form have them.
std::vector<std::string> names_of(const sif::SimilarFiles& found, SimilarForm form) {
  std::vector<std::string> names;
  names.reserve(found.files.size());
  for (const sif::File& file : found.files)
    names.push_back(form == SimilarForm::kJsonl ? json_path(file) : sif::printable_path(file.path));
  return names;
}

void append_json_pair(std::string& out, const sif::SimilarFiles& found, const std::vector<std::string>& names,
                      const sif::SimilarPair& pair, const sif::PassagesOrReason* shown) {
  const sif::File &a = found.files[pair.a], &b = found.files[pair.b];
  out +=
      fmt::format(R"({{"a":{},"b":{},"a_in_b":{},"b_in_a":{},"basis":"{}","a_bytes":{},"b_bytes":{})", names[pair.a],
                  names[pair.b], percent(pair.a_in_b), percent(pair.b_in_a), basis(pair), a.size_bytes, b.size_bytes);
  if (shown != nullptr && !shown->reason.empty()) {
    out += R"(,"passages":null,"reason":)";
    append_json_string(out, sif::printable_path(shown->reason));
  } else if (shown != nullptr) {
    out += R"(,"passages":[)";
    const auto& passages = shown->passages;
    for (size_t i = 0; i < passages.size(); ++i)
      out +=
          fmt::format("{}{{{},{}}}", i == 0 ? "" : ",", json_range("a", passages[i].a), json_range("b", passages[i].b));
    out += "]";
  }
  out += "}\n";
}

void append_tsv_pair(std::string& out, const std::vector<std::string>& names, const sif::SimilarPair& pair) {
  append_percent(pair.a_in_b, out);
  out += '\t';
  append_percent(pair.b_in_a, out);
  for (const std::string_view text :
       std::initializer_list<std::string_view>{basis(pair), names[pair.a], names[pair.b]}) {
    out += '\t';
    out += text;
  }
  out += '\n';
}

// The lines of a passage, safe for a terminal.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    for (size_t tab = 0; (tab = line.find('\t', tab)) != std::string::npos;) line.replace(tab, 1, "    ");
    lines.push_back(sif::printable_path(line));
    begin = end + 1;
  }
  if (lines.size() > 1 && lines.back().empty()) lines.pop_back();
  return lines;
}

std::string cell(const std::string& line, size_t width) {
  const std::string cut(cut_at_character(line, width));
  size_t shown = 0;
  for (const char byte : cut) shown += continues_character(byte) ? 0 : 1;
  return cut + std::string(width - std::min(shown, width), ' ');
}

void append_side_by_side(std::string& out, const sif::SharedPassage& passage, int columns) {
  const auto heading = [](const sif::Range& range) {
    return fmt::format("bytes {}-{}, lines {}-{}", range.begin, range.end, range.first_line, range.last_line);
  };
  const size_t width = (static_cast<size_t>(std::max(columns, 40)) - 7) / 2;
  out += fmt::format("  {} | {}\n", cell(heading(passage.a), width), heading(passage.b));
  const std::vector<std::string> left = lines_of(passage.text_a), right = lines_of(passage.text_b);
  for (size_t i = 0; i < std::max(left.size(), right.size()); ++i)
    out += fmt::format("  {} | {}\n", cell(i < left.size() ? left[i] : "", width),
                       cut_at_character(i < right.size() ? right[i] : "", width));
  out += "\n";
}

Status append_pair(const sif::SimilarFiles& found, const std::vector<std::string>& names, const sif::SimilarPair& pair,
                   const sif::SimilarOptions& options, const SimilarView& view, std::string& out) {
  sif::PassagesOrReason shown;
  if (view.num_shown > 0 && !pair.is_equal) {
    const bool texts = view.form == SimilarForm::kTsv;
    NEARDUP_ASSIGN(shown, sif::passages_or_reason(found, pair, options, {view.num_shown, texts}));
  }
  if (view.form == SimilarForm::kJsonl) {
    append_json_pair(out, found, names, pair, view.num_shown > 0 ? &shown : nullptr);
  } else {
    append_tsv_pair(out, names, pair);
    if (!shown.reason.empty()) out += fmt::format("  passages not shown: {}\n\n", sif::printable_path(shown.reason));
    for (const sif::SharedPassage& passage : shown.passages) append_side_by_side(out, passage, view.columns);
  }
  return {};
}

// Lines of some pairs at once by any thread, and written in their order. Passages are looked for one after the other:
// the files may be large.
Status write_pairs(const sif::SimilarFiles& found, const sif::SimilarOptions& options, const SimilarView& view,
                   LineOutput& output) {
  const std::vector<std::string> names = names_of(found, view.form);
  const bool is_alone = view.num_shown > 0;
  const size_t at_once = is_alone ? 1 : 512;
  constexpr size_t kLineBytes = 160;  // most lines have fewer
  const auto& pairs = found.pairs;
  Pipeline pipeline;
  pipeline.num_threads = is_alone ? 1 : resolve_num_threads(options.num_threads);
  pipeline.window = 2 * static_cast<size_t>(pipeline.num_threads);
  std::vector<std::string> lines(pipeline.window);
  pipeline.begin = [&](size_t part) -> Result<bool> {
    NEARDUP_TRY(options.context.check_cancel());
    return part * at_once < pairs.size();
  };
  pipeline.work = [&](size_t part, int) -> Status {
    std::string& out = lines[part % lines.size()];
    out.clear();
    out.reserve(at_once * kLineBytes);
    for (size_t i = part * at_once; i < std::min(pairs.size(), (part + 1) * at_once); ++i)
      NEARDUP_TRY(append_pair(found, names, pairs[i], options, view, out));
    return {};
  };
  pipeline.commit = [&](size_t part) -> Status {
    output.lines() += lines[part % lines.size()];
    return output.flush_if_full();
  };
  return run_pipeline(pipeline);
}

Status write_groups(const sif::SimilarFiles& found, SimilarForm form, LineOutput& output) {
  uint64_t number = 0;
  for (const auto& group : sif::groups_of(found.pairs, found.files.size())) {
    ++number;
    std::string members;
    for (const uint32_t file : group) {
      if (form == SimilarForm::kTsv)
        output.lines() += fmt::format("{}\t{}\n", number, sif::printable_path(found.files[file].path));
      else
        members += (members.empty() ? "" : ",") + json_path(found.files[file]);
    }
    if (form == SimilarForm::kJsonl)
      output.lines() += fmt::format(R"({{"group":{},"files":[{}]}})", number, members) + "\n";
    NEARDUP_TRY(output.flush_if_full());
  }
  return {};
}

std::string skipped_line(const SkippedReason& skipped) {
  return fmt::format("{} left out, {}: {}{}\n", human_count(skipped.count), skipped.reason, skipped.example,
                     skipped.count > 1 ? " ..." : "");
}

}  // namespace

Status write_similar(const sif::SimilarFiles& found, const sif::SimilarOptions& options, const SimilarView& view,
                     LineOutput& output) {
  if (view.groups) return write_groups(found, view.form, output);
  return write_pairs(found, options, view, output);
}

std::vector<SkippedReason> skipped_by_reason(const sif::SimilarFiles& found) {
  std::map<std::string, SkippedReason> reasons;
  for (const sif::SkippedFile& file : found.skipped) {
    // A message that names its file is a reason of its own.
    const bool names_file = file.reason.find("'" + file.path + "'") != std::string::npos;
    SkippedReason& skipped = reasons[names_file ? "unreadable" : file.reason];
    if (skipped.count++ == 0) skipped.example = sif::printable_path(names_file ? file.reason : file.path);
    skipped.is_failure |= file.is_failure;
  }
  std::vector<SkippedReason> result;
  for (auto& [reason, skipped] : reasons) {
    skipped.reason = reason;
    result.push_back(std::move(skipped));
  }
  return result;
}

std::string similar_warnings(const sif::SimilarFiles& found) {
  std::string out;
  for (const SkippedReason& skipped : skipped_by_reason(found))
    if (skipped.is_failure) out += skipped_line(skipped);
  return out;
}

std::string similar_summary(const sif::SimilarFiles& found) {
  uint64_t num_equal = 0;
  for (const sif::SimilarPair& pair : found.pairs) num_equal += pair.is_equal ? 1 : 0;
  std::string out = fmt::format("{}, {} read; {}, {}\n", report::counted(found.num_read, "file"),
                                human_bytes(static_cast<double>(found.read_bytes)),
                                report::counted(found.pairs.size() - num_equal, "similar pair"),
                                report::counted(num_equal, "equal file"));
  if (found.num_reused > 0) out += fmt::format("{} of them known from the index\n", human_count(found.num_reused));
  for (const SkippedReason& skipped : skipped_by_reason(found)) out += skipped_line(skipped);
  if (found.num_estimates > 0)
    out += fmt::format("{} estimated, not counted: a file is too large, or has changed meanwhile\n",
                       found.num_estimates == 1 ? "1 pair is" : human_count(found.num_estimates) + " pairs are");
  if (found.num_by_common > found.num_read && 2 * found.num_by_common > found.pairs.size() - num_equal)
    out += fmt::format(
        "{} of the pairs share little but passages that more than {} files have, such as one style: --common ignore "
        "leaves "
        "those out of account\n",
        human_count(found.num_by_common), human_count(found.common_limit));
  if (found.num_crowds > 0)
    out += fmt::format("{} in more than {} files each: pairs that share nothing else are not listed\n",
                       found.num_crowds == 1 ? "1 passage is" : human_count(found.num_crowds) + " passages are",
                       human_count(found.crowd_limit));
  return out;
}

}  // namespace neardup::cli
