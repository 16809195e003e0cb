// text: any bytes -> clean, normalised UTF-8.
//
//   text::Normalizer normalizer{{}};
//   std::string out;
//   normalizer.normalize("Ｆｕｌｌ  Ⅳ\xff", out);   // "full iv\xEF\xBF\xBD"
//
// Besides: extract.h (what of a document is looked at: pages, encodings, masks), html.h, charset.h, mask.h,
// utf8.h (decoding of valid UTF-8), pages.h (tables over all code points, made as they are needed).
#pragma once

#include "neardup/text/extract.h"
#include "neardup/text/normalizer.h"
