#include <fmt/format.h>

#include "neardup/base/version.h"
#include "neardup/cli/reference.h"

namespace neardup::cli {
namespace {

/// Text as troff takes it: backslashes and hyphens escaped, no line that begins with a control character.
std::string troff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  if (!out.empty() && (out[0] == '.' || out[0] == '\'')) out.insert(0, "\\&");
  return out;
}

std::string tagged(const std::string& tag, const std::string& text) {
  return fmt::format(".TP\n\\fB{}\\fR\n{}\n", troff(tag), troff(text));
}

std::string command_section(const CommandDoc& doc) {
  std::string out = fmt::format(".SS \"neardup {}\"\n{}\n.PP\n.B neardup {}\n{}\n", troff(doc.text.name),
                                troff(doc.text.sentence), troff(doc.text.name), troff(doc.text.usage));
  for (const FlagGroupDoc& group : doc.groups) {
    out += fmt::format(".PP\n.I {}\n", troff(group.name));
    for (const FlagDoc& flag : group.flags) out += tagged(flag.heading(), flag.full_help());
  }
  for (const std::string& note : doc.text.notes) out += ".PP\n" + troff(note) + "\n";
  for (const Example& example : doc.text.examples) {
    out += fmt::format(".PP\n{}\n.PP\n.RS\n.nf\n{}\n.fi\n.RE\n", troff(example.comment), troff(example.line));
  }
  return out;
}

}  // namespace

std::string man_page(const CommandLine& line) {
  std::string out = fmt::format(".TH NEARDUP 1 \"\" \"neardup {}\" \"User Commands\"\n", kVersion);
  out += ".SH NAME\nneardup \\- finds near\\-duplicate texts, exactly and fast\n";
  out += ".SH SYNOPSIS\n.B neardup\n\\fICOMMAND\\fR [\\fIFLAGS\\fR]\n.SH COMMANDS\n";
  for (const auto& command : line.commands()) out += tagged(command->text.name, command->text.summary);
  out += ".SH DETAILS\n";
  for (const CommandDoc& doc : describe_all(line)) out += command_section(doc);
  out += ".SH FLAGS\n";
  for (const FlagDoc& flag : describe_root(line)) out += tagged(flag.heading(), flag.help);
  out += ".SH EXIT STATUS\n" + tagged("0", "done") + tagged("1", "the arguments are wrong; nothing was done");
  out += tagged("2", "the work could not be done") + tagged("130", "stopped by Ctrl-C or SIGTERM");
  out += ".SH ENVIRONMENT\n" + tagged("NO_COLOR", "no colours, if set and not empty");
  out += tagged("COLUMNS", "the width of help pages");
  return out;
}

}  // namespace neardup::cli
