#include "neardup/sif/languages.h"

#include <array>

namespace neardup::sif {
namespace {

constexpr std::string_view kSlashes = "//", kStars = "/* */";

constexpr std::array kLanguages = {
    Language{.endings = "c h cc hh cpp hpp cxx hxx c++ h++ ino cu cuh m mm inl ipp tpp",
             .line_marks = kSlashes,
             .block_marks = kStars,
             .keywords =
                 "alignas alignof asm auto bool break case catch char char16_t char32_t char8_t class co_await "
                 "co_return co_yield concept const const_cast consteval constexpr constinit continue decltype default "
                 "define defined delete do double dynamic_cast elif else endif enum error explicit export extern false "
                 "final float for friend goto if ifdef ifndef include inline int line long mutable namespace new "
                 "noexcept nullptr operator override pragma private protected public register reinterpret_cast "
                 "requires restrict return short signed sizeof static static_assert static_cast struct switch "
                 "template this thread_local throw true try typedef typeid typename undef union unsigned using "
                 "virtual void volatile warning wchar_t while",
             .raw_string = RawString::kDelimited},
    Language{.endings = "java groovy gradle",
             .line_marks = kSlashes,
             .block_marks = kStars,
             .keywords =
                 "abstract assert boolean break byte case catch char class const continue def default do double "
                 "else enum extends false final finally float for goto if implements import in instanceof int "
                 "interface long native new null package permits private protected public record return "
                 "sealed short static strictfp super switch synchronized this throw throws transient true try "
                 "var void volatile while yield",
             .word_signs = "$",
             .has_triple_quotes = true},
    Language{.endings = "js mjs cjs jsx ts mts cts tsx",
             .line_marks = kSlashes,
             .block_marks = kStars,
             .keywords = "abstract any as async await boolean break case catch class const continue debugger declare "
                         "default delete do else enum export extends false finally for from function get if "
                         "implements import in infer instanceof interface is keyof let module namespace never new "
                         "null number object of package private protected public readonly return satisfies set static "
                         "string super switch symbol this throw true try type typeof undefined unknown var void while "
                         "with yield",
             .word_signs = "$",
             .backtick = Backtick::kTemplate,
             .has_regex = true},
    Language{.endings = "cs",
             .line_marks = kSlashes,
             .block_marks = kStars,
             .keywords =
                 "abstract as async await base bool break byte case catch char checked class const continue decimal "
                 "default delegate do double else enum event explicit extern false finally fixed float for foreach "
                 "goto if implicit in int interface internal is lock long namespace new null object operator out "
                 "override params private protected public readonly record ref return sbyte sealed short sizeof "
                 "stackalloc static string struct switch this throw true try typeof uint ulong unchecked unsafe "
                 "ushort using var virtual void volatile when where while yield",
             .has_triple_quotes = true},
    Language{.endings = "go",
             .line_marks = kSlashes,
             .block_marks = kStars,
             .keywords = "break case chan const continue default defer else fallthrough false for func go goto if "
                         "import interface map nil package range return select struct switch true type var",
             .backtick = Backtick::kString},
    Language{.endings = "rs",
             .line_marks = kSlashes,
             .block_marks = kStars,
             .keywords = "as async await break const continue crate dyn else enum extern false fn for if impl in let "
                         "loop match mod move mut pub ref return self Self static struct super trait true type union "
                         "unsafe use where while bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 "
                         "usize",
             .apostrophe = Apostrophe::kCharacter,
             .raw_string = RawString::kHashed},
    Language{.endings = "kt kts scala sc swift dart",
             .line_marks = kSlashes,
             .block_marks = kStars,
             .keywords =
                 "abstract actor any as associatedtype async await break by case catch class companion const "
                 "constructor continue crossinline data def default defer deinit do dynamic else enum export extends "
                 "extension external factory false fileprivate final finally for forSome fun func get given guard if "
                 "implements implicit import in indirect infix init inline inner inout interface internal is late "
                 "lateinit lazy let library match mixin mutating new nil noinline null object open operator out "
                 "override package part private protected protocol public rethrow rethrows return sealed self Self "
                 "set some static struct subscript super suspend switch this throw throws trait true try type "
                 "typealias val var void when where while with yield",
             .has_triple_quotes = true},
    Language{.endings = "php php3 php4 php5 phtml",
             .line_marks = "// #",
             .block_marks = kStars,
             .keywords =
                 "abstract and array as break callable case catch class clone const continue declare default do "
                 "echo else elseif empty enddeclare endfor endforeach endif endswitch endwhile enum extends "
                 "false final finally fn for foreach function global goto if implements include include_once "
                 "instanceof insteadof interface isset list match namespace new null or php print private "
                 "protected public readonly require require_once return self static switch this throw trait "
                 "true try unset use var while xor yield"},
    Language{.endings = "py pyi pyw",
             .line_marks = "#",
             .block_marks = "",
             .keywords = "False None True and as assert async await break class continue def del elif else except "
                         "finally for from global if import in is lambda nonlocal not or pass raise return self try "
                         "while with yield",
             .has_triple_quotes = true,
             .has_docstrings = true},
    Language{.endings = "rb rake gemspec",
             .line_marks = "#",
             .block_marks = "",
             .keywords = "BEGIN END alias and begin break case class def defined do else elsif end ensure false for if "
                         "in module next nil not or redo require rescue retry return self super then true undef unless "
                         "until when while yield"},
    Language{.endings = "pl pm",
             .line_marks = "#",
             .block_marks = "",
             .keywords = "and cmp continue do else elsif eq eval for foreach ge gt if last le local lt my ne next no "
                         "not or our package print redo require return sub unless until use while x xor",
             .marks_follow_blanks = true},
    Language{.endings = "sh bash zsh ksh",
             .line_marks = "#",
             .block_marks = "",
             .keywords =
                 "break case continue declare do done echo elif else esac eval exec exit export fi for function "
                 "if in local read return select set shift test then trap unset until while",
             .marks_follow_blanks = true},
    Language{.endings = "r jl",
             .line_marks = "#",
             .block_marks = "",
             .keywords = "FALSE NULL TRUE abstract baremodule begin break catch const do else elseif end export false "
                         "finally for function global if import in let library local macro module mutable next "
                         "nothing quote repeat return struct true try type using where while",
             .has_triple_quotes = true,
             .has_docstrings = true},
    Language{.endings = "lua",
             .line_marks = "--",
             .block_marks = "--[[ ]]",
             .keywords = "and break do else elseif end false for function goto if in local nil not or repeat return "
                         "then true until while"},
    Language{.endings = "sql",
             .line_marks = "--",
             .block_marks = kStars,
             .keywords =
                 "add all alter and as asc begin between by case cast check column commit constraint create cross "
                 "default delete desc distinct drop else end except exists foreign from full group having if in index "
                 "inner insert intersect into is join key left like limit not null on or order outer over partition "
                 "primary references right rollback select set table then union unique update values view when where "
                 "with",
             .any_case = true},
    Language{.endings = "hs",
             .line_marks = "--",
             .block_marks = "{- -}",
             .keywords = "case class data default deriving do else family forall foreign if import in infix infixl "
                         "infixr instance let module newtype of qualified then type where",
             .word_signs = "'",
             .apostrophe = Apostrophe::kCharacter},
    Language{.endings = "lisp lsp cl el scm ss rkt clj cljs cljc",
             .line_marks = ";",
             .block_marks = "#| |#",
             .keywords =
                 "and begin case cond def define defmacro defn defun defvar do else fn if lambda let letrec loop "
                 "nil not or progn quote recur set setq t unless when while",
             .word_signs = "-?!*+<>=",
             .apostrophe = Apostrophe::kSign},
};

}  // namespace

std::span<const Language> languages() { return kLanguages; }

}  // namespace neardup::sif
