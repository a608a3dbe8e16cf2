"""C++ sources as tokens, with what a rule has to know of each: where it stands, what encloses it, in which function."""

import re
from dataclasses import dataclass

TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/)
      | (?P<raw>R"(?P<mark>[^()\\\s]*)\(.*?\)(?P=mark)")
      | (?P<text>(?:u8|[uUL])?"(?:\\.|[^"\\\n])*")
      | (?P<char>(?:u8|[uUL])?'(?:\\.|[^'\\\n])+')
      | (?P<number>\.?\d(?:'?[\w.]|(?<=[eEpP])[+-])*)
      | (?P<word>[A-Za-z_]\w*)
      | (?P<sign><=>|->\*|<<=|>>=|\.\.\.|::|->|\+\+|--|<=|>=|==|!=|&&|\|\||<<|[-+*/%&|^]=|\#\#|[^\w\s])""",
    re.X | re.S,
)
CLOSERS = {")": "(", "]": "[", "}": "{"}


@dataclass
class Token:
    kind: str  # word, number, text, char, sign
    text: str
    begin: int
    end: int
    line: int
    space_before: bool = False
    space_after: bool = False
    mate: int = -1  # of a bracket: the other one
    parent: int = -1  # the bracket that it stands in
    function: str = ""  # "" outside of functions
    block: bool = False  # of a brace: holds statements
    constant: bool = False  # in something that is computed by the compiler
    angle: bool = False  # < and > of templates


def without_directives(text):
    """Directives as blanks, so that offsets stay."""
    lines = text.split("\n")
    continued = False
    for number, line in enumerate(lines):
        if continued or line.lstrip().startswith("#"):
            continued = line.endswith("\\")
            lines[number] = " " * len(line)
    return "\n".join(lines)


def tokens_of(text):
    text = without_directives(text)
    tokens = []
    at = 0
    line = 1
    spaced = True
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            raise ValueError(f"line {line}: {text[at : at + 20]!r}")
        kind = match.lastgroup if match.lastgroup != "mark" else "raw"
        piece = match.group()
        if kind == "space":
            if tokens:
                tokens[-1].space_after = True
            spaced = True
        else:
            kind = "text" if kind == "raw" else kind
            tokens.append(Token(kind, piece, at, match.end(), line, space_before=spaced))
            spaced = False
        line += piece.count("\n")
        at = match.end()
    match_brackets(tokens)
    find_functions(tokens)
    return tokens


def match_brackets(tokens):
    stack = []
    angles = []
    for number, token in enumerate(tokens):
        token.parent = stack[-1] if stack else -1
        if token.kind != "sign":
            continue
        if token.text in "([{":
            stack.append(number)
            angles.append([])
        elif token.text in CLOSERS and stack and tokens[stack[-1]].text == CLOSERS[token.text]:
            opener = stack.pop()
            angles.pop()
            token.mate, tokens[opener].mate = opener, number
            token.parent = stack[-1] if stack else -1
        elif token.text == "<" and is_template(tokens, number):
            token.angle = True
            if angles:
                angles[-1].append(number)
        elif token.text == ">" and angles and angles[-1] and (not token.space_before or not token.space_after):
            opener = angles[-1].pop()
            token.angle = True
            token.mate, tokens[opener].mate = opener, number


def is_template(tokens, number):
    """clang-format puts blanks around comparisons, and none before the arguments of a template."""
    before = tokens[number - 1] if number else None
    return before is not None and (before.text == "template" or (before.kind == "word" and not tokens[number].space_before))


TYPES = {"class", "struct", "union", "enum"}


def is_statement_block(tokens, number):
    """Whether the brace `number`, inside a function, begins statements and not a list of values."""
    before = tokens[number - 1]
    if before.text in (")", ";", "}", "else", "do", "try", "mutable", "noexcept", "const", "override"):
        return True
    if before.text == "{":
        return before.block
    if before.text == ":":
        return True
    if before.text == "]":
        opener = tokens[before.mate - 1] if before.mate > 0 else None
        return opener is None or not (opener.kind == "word" and opener.text != "return") and opener.text not in (")", "]")
    at = number - 1  # the result type of a lambda
    while at > 0 and (tokens[at].kind == "word" or tokens[at].text in ("::", "*", "&") or tokens[at].angle):
        at -= 1
    return tokens[at].text == "->" and tokens[at - 1].text == ")"


def find_functions(tokens):
    """Walks namespaces and classes; sets `function` inside bodies, `block` of braces and `constant`."""
    number = 0
    header = 0
    while number < len(tokens):
        token = tokens[number]
        if token.text == ";" or (token.text == "}" and token.mate >= 0):
            header = number + 1
        elif token.text == ":" and number and tokens[number - 1].text in ("public", "private", "protected"):
            header = number + 1
        elif token.text in ("(", "[") and token.mate > 0:
            number = token.mate
        elif token.text == "{" and token.mate > 0:
            words = [each.text for each in tokens[header:number]]
            end = token.mate
            if "namespace" in words or (words[:1] == ["extern"] and len(words) == 2):
                token.block = True
            elif is_type(words):
                if "enum" in words:
                    mark(tokens, number, end, "", True)
                    number = end
                token.block = True
            elif is_member_value(tokens, header, number):
                number = end  # of a constructor: its body is still to come
                number += 1
                continue
            else:
                mark_body(tokens, header, number, end, words)
                number = end
                header = number + 1
                number += 1
                continue
            header = number + 1
        number += 1


def is_type(words):
    head = [word for word in words[: words.index("(")] if word] if "(" in words else words
    if "template" in head:
        at = len(head) - 1 - head[::-1].index(">") if ">" in head else 0
        head = head[at + 1 :]
    return bool(TYPES & set(head)) and "=" not in head


def is_member_value(tokens, header, number):
    if tokens[number - 1].kind != "word" and not tokens[number - 1].angle:
        return False
    for at in range(header, number):
        if tokens[at].text == ":" and tokens[at - 1].text in (")", "noexcept") and tokens[at].parent == tokens[number].parent:
            return True
    return False


def mark_body(tokens, header, begin, end, words):
    name = name_of(tokens, header, begin)
    is_value = tokens[begin - 1].text == "=" or "(" not in words
    constant = bool({"constexpr", "consteval", "static_assert"} & set(words))
    tokens[begin].block = not is_value
    mark(tokens, begin, end, name, constant)
    for at in range(begin + 1, end):
        if tokens[at].text == "{":
            tokens[at].block = tokens[at].mate > 0 and is_statement_block(tokens, at)


def mark(tokens, begin, end, name, constant):
    for token in tokens[begin : end + 1]:
        token.function = name
        token.constant = token.constant or constant


def name_of(tokens, header, begin):
    """The word before the first parenthesis, with its class; of a value the word before = or [."""
    for at in range(header, begin + 1):
        text = tokens[at].text
        if text in ("(", "=", "[", "{") and at > header and (tokens[at - 1].kind == "word" or tokens[at - 1].angle or text == "("):
            name = ""
            back = at - 1
            while back >= header and (tokens[back].kind == "word" or tokens[back].text in ("::", "~") or not name):
                if name and tokens[back].kind == "word" and tokens[back + 1].text != "::":
                    break
                name = tokens[back].text + name
                back -= 1
            return name
    return "?"
