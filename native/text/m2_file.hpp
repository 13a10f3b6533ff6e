// Reading M2 files, for the many that are plain:
//     S He go home .
//     A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0
// Whatever else a file holds is refused: the parser in Python (formats/m2_files.py) knows the rare ways to write an
// offset, and says what is wrong.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "edits/edit_table.hpp"
#include "text/vocabulary.hpp"

namespace gecval {

/// Fields of A lines as they are written, each once.
struct M2Fields {
    Vocabulary corrections, types, required, annotators;
};

/// A stretch of whole paragraphs, read by one thread; ids are those of its own fields.
class M2Part {
public:
    /// Whether the text (UTF-8, without NUL) could be read.
    bool read(std::string_view text);

    M2Fields fields;
    std::vector<EditRow> edits;               // `required` is an id of fields.required
    std::vector<Token> annotators;            // for each sentence, those who have a line
    std::vector<std::int64_t> edit_counts;    // of each of these
    std::vector<std::int64_t> listed_counts;  // annotators of each sentence
    std::string sources;                      // tokens joined by one blank, sentence after sentence
    std::vector<std::size_t> source_sizes;
    std::size_t noops = 0;

private:
    struct Listed {
        Token annotator;
        std::vector<EditRow> edits;
    };

    bool read_line(std::string_view line);
    void read_sentence(std::string_view text);
    bool read_edit(std::string_view text);
    bool finish_paragraph();

    std::vector<Token> lengths_;  // of the sentences of this paragraph
    Token length_ = 0;            // of all of them together
    std::vector<Listed> listed_;  // in the order in which the annotators appear
};

/// Where the first empty line at or after `from` starts; the end of the text if there is none.
std::size_t empty_line(std::string_view text, std::size_t from);

}  // namespace gecval
