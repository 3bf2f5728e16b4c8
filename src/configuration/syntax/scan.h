/* Tokens of the native syntax. The model is HCL's scanner, whose tokens decide which errors its
 * parser reports and where. */
#ifndef LC_CONFIGURATION_SYNTAX_SCAN_H
#define LC_CONFIGURATION_SYNTAX_SCAN_H

#include "lifecheck/base/table.h"

/* A token that is one ASCII character has that character as its type. */
typedef enum lc_token_type {
    LC_TOKEN_EOF = 256,
    LC_TOKEN_IDENTIFIER,
    LC_TOKEN_NUMBER,
    LC_TOKEN_COMMENT,        /* of the kinds # and //: with its line break */
    LC_TOKEN_EQUAL,          /* == */
    LC_TOKEN_NOT_EQUAL,      /* != */
    LC_TOKEN_LESS_EQUAL,     /* <= */
    LC_TOKEN_MORE_EQUAL,     /* >= */
    LC_TOKEN_AND,            /* && */
    LC_TOKEN_OR,             /* || */
    LC_TOKEN_DOUBLE_COLON,   /* :: */
    LC_TOKEN_ELLIPSIS,       /* ... */
    LC_TOKEN_FAT_ARROW,      /* => */
    LC_TOKEN_OPEN_QUOTE,     /* " */
    LC_TOKEN_CLOSE_QUOTE,    /* " */
    LC_TOKEN_QUOTED,         /* text between quotes, with its escapes */
    LC_TOKEN_QUOTED_NEWLINE, /* line breaks between quotes */
    LC_TOKEN_OPEN_HEREDOC,   /* <<NAME or <<-NAME with its line break */
    LC_TOKEN_CLOSE_HEREDOC,  /* the line of the name without its line break */
    LC_TOKEN_TEXT,           /* text of a heredoc or a template without quotes, at most a line */
    LC_TOKEN_INTERPOLATION,  /* ${ or ${~ */
    LC_TOKEN_DIRECTIVE,      /* %{ or %{~ */
    LC_TOKEN_SEQUENCE_END,   /* the } or ~} that ends one of them */
    LC_TOKEN_BAD_UTF8,       /* a byte */
    LC_TOKEN_INVALID,        /* anything else */
} lc_token_type;

#define LC_TOKEN_NEWLINE '\n'

/* The bytes `from` up to, but not including `to` of the text. */
typedef struct lc_token {
    int type;
    uint32_t from, to;
} lc_token;

/* What the scanner is in. */
typedef enum lc_scan_mode {
    LC_SCAN_CODE,    /* arguments, blocks, expressions */
    LC_SCAN_QUOTED,  /* text between quotes */
    LC_SCAN_HEREDOC, /* text of a heredoc */
    LC_SCAN_BARE,    /* a template that is a whole text */
} lc_scan_mode;

typedef struct lc_scan_level {
    uint8_t mode;      /* lc_scan_mode */
    bool line_start;   /* of a heredoc: its name may follow */
    uint32_t from, to; /* of a heredoc: its name */
    int64_t braces;    /* of code in a template: the number of open braces at which it ends */
} lc_scan_level;

/* The state between two tokens. lc_scan only looks: a token takes effect with lc_scan_accept. */
typedef struct lc_scanner {
    lc_str text; /* below 4 GiB */
    lc_arena *arena;
    LC_VEC(lc_scan_level) levels;
    int64_t braces;
    bool no_comment_end; /* there is no further end of a comment */
} lc_scanner;

/* Begins a string in LC_SCAN_CODE or LC_SCAN_BARE. */
void lc_scan_begin(lc_scanner *s, lc_arena *arena, lc_str text, lc_scan_mode mode);
/* The token at byte `at` or after spaces there. LC_TOKEN_EOF repeatedly at the end. */
lc_token lc_scan(lc_scanner *s, size_t at);
/* Continues after the token. False: templates are nested too deeply. */
bool lc_scan_accept(lc_scanner *s, lc_token token);

#endif
