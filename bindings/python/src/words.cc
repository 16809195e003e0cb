#include "words.h"

#include "neardup/base/flag_words.h"

namespace neardup::python {
namespace {

// Longer ones before those that they begin with.
constexpr FlagWords kWords[] = {
    {"--recipe NAME,idf=FILE", "idf"},
    {"idf=FILE", "idf"},
    {"idf=", "idf"},
    {"idf_file", "idf"},
    {"--recipe NAME,dictionary=FOLDER", "recipe=\"NAME,dictionary=FOLDER\""},
    {"--recipe jieba", "recipe=\"jieba\""},
    {"--recipe NAME", "the recipe NAME"},
    {"--recipe", "recipe"},
    {"the recipe names", "recipe names"},  // what came through api/ has its words
    {"leave the recipe out", "leave recipe out"},
    {"--family simhash", "family=\"simhash\""},
    {"--family minhash", "family=\"minhash\""},
    {"--family auto", "family=\"auto\""},
    {"--family", "family"},
    {"--labels FILE", "labels"},
    {"--labels", "labels"},
    {"--cluster-key", "cluster"},
    {"--duplicate-from", "duplicate_from"},
    {"--stratum-key", "stratum"},
    {"--least-similarity", "least_similarity"},
    {"--least-precision", "least_precision"},
    {"--size-within", "size_within"},
    {"--clusters", "clusters"},
    {"raise it, lower --distance or give --work DIR", "raise it, or lower distance"},
    {"raise --memory or give --work DIR", "raise memory"},
    {"neardup fingerprint --family simhash", "fingerprint with family=\"simhash\""},
    {"neardup fingerprint --family minhash", "fingerprint with family=\"minhash\""},
    {"use a recipe with one", "use a recipe with one, such as \"paper\""},
    {"name pairs by line numbers, or make ids unique", "make ids unique"},
    {"--distance", "distance"},
    {"--bands", "bands"},
    {"--within", "within"},
    {"--verify", "verify"},
    {"--templates", "templates"},
    {"--commonness DIR/commonness.bin", "commonness=\"DIR/commonness.bin\""},
    {"--commonness", "commonness"},
    {"--records", "records"},
    {"--keep-texts", "keep_texts"},
    {"--contained", "contained"},
    {"--memory", "memory"},
    {"--threads", "threads"},
    {"--reference", "against"},
    {"--into", "into"},
    {"--overwrite", "overwrite=True"},
    {"--table", "table"},
    {"--text-key", "text"},
    {"--id-key", "id"},
    {"--keep", "keep"},
    {"--cluster", "cluster"},
    {"--group-key", "group_key"},
    {"memory_bytes", "memory"},
    {"text_key", "text"},
    {"id_key", "id"},
    {"overwrite replaces it", "overwrite=True replaces it"},
    {"--duplicates", "duplicates"},
    {"--similar", "similar"},
    {"neardup dedup on the same input says why", "dedup() of the same data says why"},
    {"take `neardup dedup`", "take dedup()"},
    {"-o", "out"},
};

constexpr FlagWords kRowWords[] = {
    {"were rejected; rejected.jsonl names each", "hold no text and were rejected: `rejected` of the result lists them"},
    {"No documents were read. Check the inputs and the text key", "There is no document: the data have no rows"},
};

}  // namespace

std::string in_words_of_rows(const std::string& message) { return in_python_words(replace_flags(message, kRowWords)); }

std::string in_python_words(const std::string& message) { return replace_flags(message, kWords); }

}  // namespace neardup::python
