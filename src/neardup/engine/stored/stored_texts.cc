#include "neardup/engine/stored/stored_texts.h"

#include <string>
#include <utility>

#include "neardup/base/utf8.h"
#include "neardup/engine/write/shown_text.h"

namespace neardup::engine {

Status add_stored_texts(const RunStore& store, const Documents& documents, const std::vector<uint32_t>& wanted,
                        const recipe::Recipe& recipe, ShownTexts& texts) {
  if (store.texts == nullptr || !store.texts->settings().keep_texts) return {};
  for (const uint32_t document : wanted) {
    if (document >= documents.num_stored()) break;  // ascending
    Result<StoredText> text;
    NEARDUP_ASSIGN(const bool is_there,
                   store.texts->store().find(documents.id(document), [&text](const store::Record& record) {
                     text = TextStore::text_of(record);
                   }));
    NEARDUP_TRY(text);
    if (!is_there || text->text.empty()) continue;
    const std::string shown = shown_text(text->is_html ? recipe_of_pages(recipe) : recipe, text->text);
    texts.emplace(document, std::string(cut_at_character(shown, kShownBytes + kMoreThanShown)));
  }
  return {};
}

}  // namespace neardup::engine
