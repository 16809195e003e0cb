#include "neardup/api/field_words.h"

#include "neardup/base/flag_words.h"

namespace neardup {
namespace {

// Longer ones before those that they begin with.
constexpr FlagWords kWords[] = {
    {"--recipe NAME,idf=FILE", "idf_file"},
    {"idf=FILE", "idf_file"},
    {"idf=", "idf_file"},
    {"--recipe NAME", "the recipe NAME"},
    {"--recipe", "the recipe"},
    {"--family simhash", "Family::kSimHash"},
    {"--family minhash", "Family::kMinHash"},
    {"--family auto", "Family::kAuto"},
    {"--family", "family"},
    {"--distance", "distance"},
    {"--bands", "bands"},
    {"--within", "within_key"},
    {"--size-within", "size_within"},
    {"--verify", "verify"},
    {"--templates", "templates"},
    {"--commonness DIR/commonness.bin", "commonness_file"},
    {"--commonness", "commonness_file"},
    {"--contained", "contained"},
    {"--records", "records"},
    {"--keep-texts", "keep_texts"},
    {"--memory", "memory_bytes"},
    {"--threads", "num_threads"},
    {"--reference", "references"},
    {"--into", "into"},
    {"--overwrite", "overwrite"},
    {"--table separator=semicolon", "table=\"separator=semicolon\""},
    {"--table separator=pipe", "table=\"separator=pipe\""},
    {"--table escape=backslash", "table=\"escape=backslash\""},
    {"--table escape=quote", "table=\"escape=quote\""},
    {"--table spaces=skip", "table=\"spaces=skip\""},
    {"--table quotes=none", "table=\"quotes=none\""},
    {"--table", "table"},
    {"--text-key", "text_key"},
    {"--id-key", "id_key"},
    {"--keep", "keep"},
    {"--cluster", "cluster"},
    {"--group-key", "group_key"},
    {"--duplicates", "duplicates"},
    {"--similar", "similar"},
    {"-o", "output"},
};

}  // namespace

std::string in_field_words(const std::string& message) { return replace_flags(message, kWords); }

}  // namespace neardup
