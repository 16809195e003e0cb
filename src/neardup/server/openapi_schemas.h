// The JSON schemas that /openapi.json names: what is taken and what is answered.
#pragma once

#include <string_view>

namespace neardup::server {

/// The members of "components.schemas", with the names that route.h's table uses.
inline constexpr std::string_view kOpenapiSchemas = R"(
"Error":{"type":"object","required":["error"],"properties":{"error":{"type":"object","required":["code","message"],
 "properties":{"code":{"type":"string"},"message":{"type":"string"}}}}},
"Recipe12":{"type":"string","pattern":"^[0-9a-f]+$","description":"Stands for the recipe"},
"Id":{"description":"Names the document","oneOf":[{"type":"string","minLength":1,"maxLength":170},{"type":"integer"}]},
"DocumentIn":{"type":"object","description":"A document; other members are not looked at","properties":{
 "id":{"$ref":"#/components/schemas/Id"},
 "text":{"type":"string"},
 "html":{"type":"string","description":"A page: its main text is compared"},
 "fingerprints":{"type":"array","items":{"type":"string","pattern":"^[0-9a-fA-F]{16}$"},"maxItems":64},
 "signature":{"type":"string","pattern":"^([0-9a-fA-F]{4})+$"},
 "within":{"type":"string","description":"Category: only documents of the same one are compared"},
 "tag":{"type":"string","description":"Of the crawl that brings it"},
 "time":{"type":"integer","minimum":0,"maximum":9007199254740992}},
 "oneOf":[{"required":["text"]},{"required":["html"]},{"required":["fingerprints"]},{"required":["signature"]}],
 "not":{"required":["documents"]}},
"Batch":{"type":"object","required":["documents"],"properties":{"documents":{"type":"array",
 "items":{"$ref":"#/components/schemas/DocumentIn"}}}},
"Documents":{"oneOf":[{"$ref":"#/components/schemas/DocumentIn"},{"$ref":"#/components/schemas/Batch"}]},
"Kind":{"type":"string","enum":["new","exact","near","contained"]},
"VerdictOut":{"type":"object","required":["id","verdict","duplicate_of","similarity","distance"],"properties":{
 "id":{"type":["string","null"]},"verdict":{"$ref":"#/components/schemas/Kind"},
 "duplicate_of":{"type":["string","null"]},"similarity":{"type":["number","null"],"minimum":0,"maximum":1},
 "distance":{"type":["integer","null"],"minimum":0},"estimate":{"type":"boolean"},"repeated":{"type":"boolean"},
 "truncated":{"type":"boolean"},
 "recipe":{"$ref":"#/components/schemas/Recipe12"}}},
"Verdicts":{"oneOf":[{"$ref":"#/components/schemas/VerdictOut"},{"type":"object",
 "required":["recipe","results","truncated"],"properties":{"recipe":{"$ref":"#/components/schemas/Recipe12"},
 "results":{"type":"array","items":{"$ref":"#/components/schemas/VerdictOut"}},"truncated":{"type":"boolean"}}}]},
"NeighboursOut":{"type":"object","required":["id","found","truncated"],"properties":{"id":{"type":["string","null"]},
 "found":{"type":"array","items":{"type":"object","required":["id","similarity","distance","exact"],"properties":{
 "id":{"type":"string"},"similarity":{"type":"number","minimum":0,"maximum":1},
 "distance":{"type":"integer","minimum":0},"exact":{"type":"boolean"},"container":{"type":"boolean"},
 "estimate":{"type":"boolean"}}}},
 "truncated":{"type":"boolean"},"recipe":{"$ref":"#/components/schemas/Recipe12"}}},
"Neighbours":{"anyOf":[{"$ref":"#/components/schemas/NeighboursOut"},{"type":"object",
 "required":["recipe","results","truncated"],"properties":{"results":{"type":"array",
 "items":{"$ref":"#/components/schemas/NeighboursOut"}},"truncated":{"type":"boolean"}}}]},
"Insertion":{"type":"object","required":["id","inserted"],"properties":{"id":{"type":"string"},
 "inserted":{"type":"boolean"}}},
"Insertions":{"anyOf":[{"$ref":"#/components/schemas/Insertion"},{"type":"object",
 "required":["recipe","results","truncated"],"properties":{"results":{"type":"array",
 "items":{"$ref":"#/components/schemas/Insertion"}},"truncated":{"type":"boolean"}}}]},
"Document":{"type":"object","required":["id","verdict","duplicate_of","similarity","distance","time","size_bytes","tag",
 "within","checksum","fingerprints","text","recipe"],"properties":{"id":{"type":"string"},
 "verdict":{"$ref":"#/components/schemas/Kind"},"duplicate_of":{"type":["string","null"]},
 "similarity":{"type":["number","null"]},"distance":{"type":["integer","null"]},"truncated":{"type":"boolean"},
 "time":{"type":"integer"},
 "size_bytes":{"type":"integer"},"tag":{"type":["string","null"]},"within":{"type":["string","null"]},
 "checksum":{"type":"string","pattern":"^[0-9a-f]{32}$"},"fingerprints":{"type":"array","items":{"type":"string"}},
 "text":{"type":["string","null"]},"recipe":{"$ref":"#/components/schemas/Recipe12"}}},
"Ids":{"type":"object","required":["ids"],"properties":{"ids":{"type":"array","items":{"type":["string","integer"]}}}},
"Deleted":{"type":"object","required":["deleted","recipe"],"properties":{"deleted":{"type":"integer","minimum":0},
 "recipe":{"$ref":"#/components/schemas/Recipe12"}}},
"Side":{"type":"object","properties":{"id":{"type":["string","integer"]},"text":{"type":"string"},
 "html":{"type":"string"}},
 "anyOf":[{"required":["id"]},{"required":["text"]},{"required":["html"]}],"not":{"required":["text","html"]}},
"Pair":{"type":"object","required":["a","b"],"properties":{"a":{"$ref":"#/components/schemas/Side"},
 "b":{"$ref":"#/components/schemas/Side"}}},
"Explanation":{"type":"object","required":["verdict","similarity","distance","a","b","why","pieces","truncated",
 "recipe"],"properties":{"verdict":{"type":"string","enum":["exact","near","contained","different"]},
 "similarity":{"type":["number","null"]},"distance":{"type":["integer","null"]},"why":{"type":"array",
 "items":{"type":"string"}},"pieces":{"type":"array","items":{"type":"object","required":["kind"],"properties":{
 "kind":{"type":"string","enum":["equal","only_a","only_b"]},"a":{"type":"string"},"b":{"type":"string"}}}},
 "truncated":{"type":"boolean"}}},
"Clusters":{"type":"object","required":["clusters","next","truncated","recipe"],"properties":{"clusters":{
 "type":"array","items":{"type":"object","required":["kept","size","duplicates","truncated"],"properties":{
 "kept":{"type":"string"},"size":{"type":"integer"},"duplicates":{"type":"array","items":{"type":"object",
 "required":["id","verdict","similarity","distance"]}},"truncated":{"type":"boolean"}}}},
 "next":{"type":["string","null"]},"truncated":{"type":"boolean"}}},
"Tags":{"type":"object","required":["tags","truncated","recipe"],"properties":{"tags":{"type":"array","items":{
 "type":"object","required":["tag","state","documents"],"properties":{"tag":{"type":"string"},
 "state":{"type":"string","enum":["open","committed"]},"documents":{"type":"integer"}}}},
 "truncated":{"type":"boolean"}}},
"Tag":{"type":"object","required":["tag","state","changed","recipe"],"properties":{"tag":{"type":"string"},
 "state":{"type":"string","enum":["open","committed","cancelled"]},"changed":{"type":"boolean"}}},
"Expiry":{"type":"object","required":["before"],"properties":{"before":{"type":"integer","minimum":0,
 "maximum":9007199254740992}}},
"SnapshotName":{"type":"object","required":["name"],"properties":{"name":{"type":"string",
 "pattern":"^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$"}}},
"Snapshot":{"type":"object","required":["name","folder","recipe"],"properties":{"name":{"type":"string"},
 "folder":{"type":"string"}}},
"Recipe":{"type":"object","required":["json","family","fingerprints","signature_values","recipe"],"properties":{
 "json":{"type":"object"},"family":{"type":"string","enum":["minhash","simhash"]},"fingerprints":{"type":"integer"},
 "signature_values":{"type":"integer"}}},
"Stats":{"type":"object","required":["version","ready","uptime_seconds","documents","numbers","log_bytes",
 "store_memory_bytes","process_memory_bytes","verdicts","checked","queried","requests","errors","refused",
 "latency_us","queue","connections","settings","store","recipe"],"properties":{"store":{"type":"object",
 "required":["kind","facts"],"properties":{"kind":{"type":"string","enum":["folder","redis","hbase"]},
 "facts":{"type":"object"}}}}},
"Openapi":{"type":"object","required":["openapi","paths"]})";

}  // namespace neardup::server
