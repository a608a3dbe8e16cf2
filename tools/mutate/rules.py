"""Where small mistakes can be planted in a source: each rule gives spans of the text and what stands there instead."""

import re
from dataclasses import dataclass

from mutate.tokens import tokens_of


@dataclass
class Candidate:
    rule: str
    file: str
    line: int
    function: str
    begin: int  # of what is replaced in the text
    end: int
    mutated: str
    kind: str = "expression"  # expression: ON ? mutated : original; statement; guard; flip
    occurrence: int = 0
    key: str = ""

    def change(self, text):
        """The mistake in one line, for people."""
        original = " ".join(text[self.begin : self.end].split())
        if self.kind == "statement":
            return f"{original}  ->  (dropped)"
        if self.kind == "guard":
            return f"if ({original})  ->  if (false)"
        if self.kind == "named":
            return f"{original}  ->  {self.mutated}"
        if self.kind == "flip":
            return f"{original} ? ...  ->  !({original}) ? ..."
        return f"{original}  ->  {' '.join(self.mutated.split())}"

    def planted(self, text, number):
        on = f"::asg_mutant::on({number})"
        original = text[self.begin : self.end]
        if self.kind == "statement":
            return f"{{ if (!{on}) {{ {original} }} }}"
        if self.kind == "guard":
            return f"!{on} && ({original})"
        if self.kind == "flip":
            return f"({on} != static_cast<bool>({original}))"
        if self.kind == "named":
            head, value = original.rsplit("=", 1)
            return f"{head.replace('constexpr', 'const', 1)}= {on} ? {self.mutated} : {value.strip()}"
        # The mutated text stands on one line, so that lines keep their numbers.
        return f"({on} ? ({' '.join(self.mutated.split())}) : ({original}))"


PRECEDENCE = {
    "*": 10, "/": 10, "%": 10, "+": 9, "-": 9, "<<": 8, ">>": 8, "<=>": 7.5, "<": 7, ">": 7, "<=": 7, ">=": 7,
    "==": 6, "!=": 6, "&": 5, "^": 4, "|": 3, "&&": 2, "||": 1, "?": 0.5, ":": 0.5, ",": -1, ";": -2,
}  # fmt: skip
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
LEADING_WORDS = {"return", "co_return", "throw", "case", "else", "do", "goto", "co_yield", "new", "delete"}
SWAPPED_SIGNS = {
    "compare": {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="},
    "arithmetic": {"+": "-", "-": "+", "*": "/", "/": "*", "%": "/"},
    "logic": {"&&": "||", "||": "&&"},
}
SWAPPED_ASSIGNMENTS = {"+=": "-=", "-=": "+=", "*=": "/=", "/=": "*="}
SWAPPED_NAMES = {"min": "max", "max": "min", "Min": "Max", "Max": "Min", "Add": "Sub", "Sub": "Add", "Lt": "Le",
                 "Le": "Lt", "Gt": "Ge", "Ge": "Gt", "floor": "ceil", "ceil": "floor", "any_of": "all_of",
                 "all_of": "any_of", "begin": "end"}  # fmt: skip
VECTOR_NAMES = {"Min", "Max", "Add", "Sub", "Lt", "Le", "Gt", "Ge"}  # only after hn::
NO_MISTAKE = {"internal_check", "fail_internal", "reserve", "shrink_to_fit", "static_assert", "log", "prefetch", "fail",
              "fail_io", "fail_onnx", "sizeof", "alignof", "assert", "swap", "add_dependencies"}  # fmt: skip
ORDERLESS = {"min", "max", "near", "swap", "Add", "Mul", "Max", "Min", "equal"}
KEYWORDS = {"if", "for", "while", "switch", "return", "break", "continue", "do", "try", "case", "default", "using",
            "static", "const", "constexpr", "auto", "struct", "class", "enum", "throw", "goto", "else", "delete",
            "static_assert", "template", "typedef", "namespace", "public", "private", "protected", "friend", "new",
            "explicit", "virtual", "inline", "co_return", "thread_local", "extern", "unsigned", "operator"}  # fmt: skip
SAMPLES = re.compile(r"samples|_cases|_case$|_exact$|^exact|rows_of_docs|words$|describe|card_batch")


class Source:
    def __init__(self, name, text):
        self.name = name
        self.text = text
        self.tokens = tokens_of(text)
        self.skipped = self.find_skipped()
        self.found = []

    # ---- What is around a token

    def find_skipped(self):
        """Tokens in which no mistake is planted: constants of the compiler, samples of cards, labels, checks of ours."""
        skipped = [token.constant or not token.function or bool(SAMPLES.search(token.function)) for token in self.tokens]
        number = 0
        while number < len(self.tokens):
            token = self.tokens[number]
            end = None
            if token.text in ("constexpr", "consteval", "static_assert", "using", "enum", "alignas", "typedef"):
                end = self.end_of_statement(number)
            elif token.text in ("case", "template"):
                end = next((k for k in range(number, len(self.tokens)) if self.tokens[k].text in (":", ";", "{")), number)
            elif token.text in NO_MISTAKE and self.text_at(number + 1) == "(":
                end = self.tokens[number + 1].mate
            elif token.angle and token.text == "<" and token.mate > 0:
                end = token.mate
            elif token.text == "." and self.text_at(number + 1) in ("samples", "bad_samples", "words", "tolerance", "torch"):
                end = self.end_of_argument(number)
            if end is not None:
                for k in range(number, end + 1):
                    skipped[k] = True
                if token.text != "template":
                    number = end
            number += 1
        return skipped

    def text_at(self, number):
        return self.tokens[number].text if 0 <= number < len(self.tokens) else ""

    def end_of_statement(self, number):
        """The ; after `number`, or the } of what encloses it."""
        while number < len(self.tokens):
            token = self.tokens[number]
            if token.text in ("(", "[", "{") and token.mate > number:
                number = token.mate
            elif token.text in (";", "}", ")"):
                return number
            number += 1
        return len(self.tokens) - 1

    def end_of_argument(self, number):
        while number < len(self.tokens):
            token = self.tokens[number]
            if token.text in ("(", "[", "{") and token.mate > number:
                number = token.mate
            elif token.text in (",", ";", "}", ")", "]"):
                return number - 1
            number += 1
        return len(self.tokens) - 1

    def is_binary(self, number):
        token = self.tokens[number]
        return token.kind == "sign" and not token.angle and token.space_before and token.space_after

    def segment(self, number, precedence):
        """The tokens from .. to around an operator, up to operators that bind less."""
        first = number
        while first > 0:
            before = self.tokens[first - 1]
            if before.mate >= 0 and before.mate < first - 1 and before.text in (")", "]", "}", ">"):
                if before.text == "}" and self.tokens[before.mate].block:
                    break
                first = before.mate
                continue
            if before.text in ("(", "[", "{", "}", ";") or before.text in LEADING_WORDS or self.is_less(first - 1, precedence):
                break
            first -= 1
        last = number
        while last + 1 < len(self.tokens):
            after = self.tokens[last + 1]
            if after.mate > last + 1 and (after.text in ("(", "[", "{") or after.angle):
                last = after.mate
                continue
            if after.text in (")", "]", "}", ";") or self.is_less(last + 1, precedence):
                break
            last += 1
        return first, last

    def is_less(self, number, precedence):
        token = self.tokens[number]
        if token.kind != "sign" or token.angle:
            return False
        if token.text == "," or token.text in ASSIGNMENTS:
            return True
        if token.text == ":" and (token.space_after or token.space_before):
            return True
        return self.is_binary(number) and PRECEDENCE.get(token.text, 20) < precedence

    def chain(self, number):
        """Where the call whose parenthesis opens at `number` begins: `a.b<T>::c(`."""
        first = number
        while first > 0:
            before = self.tokens[first - 1]
            if before.mate >= 0 and before.mate < first - 1 and (before.text in (")", "]") or before.angle):
                first = before.mate
            elif before.text in (".", "->", "::") or (before.kind == "word" and before.text not in LEADING_WORDS):
                if before.kind == "word" and self.tokens[first].kind == "word":
                    break  # two words: a type and a name
                first -= 1
            else:
                break
        return first

    # ---- Candidates

    def add(self, rule, first, last, mutated, kind="expression"):
        if any(self.skipped[first : last + 1]):
            return
        begin, end = self.tokens[first].begin, self.tokens[last].end
        if end - begin > 500 or (kind == "expression" and mutated == self.text[begin:end]):
            return
        token = self.tokens[first]
        self.found.append(Candidate(rule, self.name, token.line, token.function, begin, end, mutated, kind))

    def replaced(self, first, last, number, by):
        """The text of a segment with one token of it replaced."""
        token = self.tokens[number]
        return self.text[self.tokens[first].begin : token.begin] + by + self.text[token.end : self.tokens[last].end]

    def candidates(self):
        for number, token in enumerate(self.tokens):
            if self.skipped[number]:
                continue
            if token.kind == "sign":
                self.signs(number, token)
            elif token.kind == "number":
                self.numbers(number, token)
            elif token.kind == "word":
                self.words(number, token)
        self.statements()
        self.named_constants()
        return self.found

    def signs(self, number, token):
        if self.is_binary(number):
            for rule, swapped in SWAPPED_SIGNS.items():
                if token.text in swapped:
                    first, last = self.segment(number, PRECEDENCE[token.text])
                    if rule == "arithmetic" and any(each.kind == "text" for each in self.tokens[first : last + 1]):
                        continue  # texts are put together
                    self.add(rule, first, last, self.replaced(first, last, number, swapped[token.text]))
            if token.text in SWAPPED_ASSIGNMENTS:
                first, last = self.segment(number, 0)
                at = number
                while at > 0 and self.text_at(at - 1) not in (";", "{", "}", "(", ")", ","):
                    at = self.tokens[at - 1].mate if self.tokens[at - 1].text == "]" else at - 1
                if self.text_at(at - 1) != ")":
                    self.add("assign", at, last, self.replaced(at, last, number, SWAPPED_ASSIGNMENTS[token.text]))
            if token.text == "?":
                first, _ = self.segment(number, 0.6)
                self.add("ternary", first, number - 1, "", "flip")
        elif token.text in ("!", "-") and not token.space_after and self.is_prefix(number):
            last = self.end_of_operand(number + 1)
            if last is not None:
                rest = self.text[self.tokens[number + 1].begin : self.tokens[last].end]
                self.add("negation", number, last, f"static_cast<bool>({rest})" if token.text == "!" else rest)
        elif token.text == "(":
            self.swapped_arguments(number, token)

    def is_prefix(self, number):
        before = self.tokens[number - 1]
        return before.text in LEADING_WORDS or (before.kind == "sign" and before.text not in (")", "]", "}") and not before.angle)

    def end_of_operand(self, number):
        token = self.tokens[number]
        if token.text == "(":
            last = token.mate
        elif token.kind in ("word", "number"):
            last = number
        else:
            return None
        while last + 1 < len(self.tokens):
            after = self.tokens[last + 1]
            if after.text in ("(", "[") or after.angle and after.text == "<":
                last = after.mate
            elif after.text in (".", "->", "::") and self.tokens[last + 2].kind == "word":
                last += 2
            else:
                return last
        return last

    def swapped_arguments(self, number, token):
        before = self.tokens[number - 1]
        if token.mate < 0 or not (before.kind == "word" or before.angle) or before.text in KEYWORDS:
            return
        if before.text in ORDERLESS:
            return
        cuts = [number]
        at = number + 1
        while at < token.mate:
            if self.text_at(at) == ",":
                cuts.append(at)
            at = self.tokens[at].mate + 1 if self.tokens[at].mate > at else at + 1
        cuts.append(token.mate)
        first = self.chain(number)
        for left, middle, right in zip(cuts, cuts[1:], cuts[2:]):
            if middle - left < 2 or right - middle < 2:
                continue
            a = self.text[self.tokens[left + 1].begin : self.tokens[middle - 1].end]
            b = self.text[self.tokens[middle + 1].begin : self.tokens[right - 1].end]
            if a == b or re.search(r"[\"{]|[.>](begin|end)\(", a + b) or len(a + b) > 120:
                continue
            mutated = (
                self.text[self.tokens[first].begin : self.tokens[left + 1].begin]
                + b + ", " + a
                + self.text[self.tokens[right - 1].end : self.tokens[token.mate].end]
            )  # fmt: skip
            self.add("swap", first, token.mate, mutated)

    def numbers(self, number, token):
        other = other_number(token)
        if other is not None:
            self.add("constant", number, number, other)

    def named_constants(self):
        """`constexpr int kFew = 40;`, also outside of functions. Where the compiler needs the number it is dropped."""
        for number, token in enumerate(self.tokens):
            if token.text != "constexpr" or self.text_at(number - 1) == "inline":
                continue
            end = self.end_of_statement(number)
            if self.text_at(end) != ";" or self.text_at(end - 2) != "=" or self.tokens[end - 1].kind != "number":
                continue
            if SAMPLES.search(token.function):
                continue
            other = other_number(self.tokens[end - 1])
            name = token.function or self.text_at(end - 3)
            begin, stop = token.begin, self.tokens[end - 1].end
            if other is not None:
                self.found.append(Candidate("named", self.name, token.line, name, begin, stop, other, "named"))

    def words(self, number, token):
        if token.text in ("true", "false") and self.text_at(number - 1) == "return" and self.text_at(number + 1) == ";":
            self.add("return", number, number, "false" if token.text == "true" else "true")
        elif token.text == "if" and self.text_at(number + 1) == "(":
            opener = number + 1
            inside = self.tokens[opener + 1 : self.tokens[opener].mate]
            flat = [each.text for each in inside if each.parent == opener]
            if ";" not in flat and "=" not in flat:
                self.add("guard", opener + 1, self.tokens[opener].mate - 1, "", "guard")
        elif token.text in SWAPPED_NAMES and self.text_at(number + 1) in ("(", "<") and self.text_at(number - 1) in ("::", "."):
            if token.text in VECTOR_NAMES and self.text_at(number - 2) != "hn":
                return
            if token.text in ("begin", "end") and self.text_at(number - 1) != ".":
                return
            opener = number + 1 if self.text_at(number + 1) == "(" else self.tokens[number + 1].mate + 1
            if self.text_at(opener) == "(":
                first = self.chain(opener)
                last = self.tokens[opener].mate
                self.add("name", first, last, self.replaced(first, last, number, SWAPPED_NAMES[token.text]))

    # ---- Dropped statements

    def statements(self):
        for number, token in enumerate(self.tokens):
            if self.skipped[number] or not self.begins_statement(number):
                continue
            if token.kind == "word" and token.text in KEYWORDS or token.text in NO_MISTAKE or token.text in ("{", "}", ";"):
                continue
            end = self.end_of_statement(number)
            if self.text_at(end) != ";" or end - number < 2:
                continue
            text = self.text[token.begin : self.tokens[end].end]
            inside = {each.text for each in self.tokens[number:end]}
            if is_declaration(text) or inside & NO_MISTAKE:
                continue
            self.add("drop", number, end, "", "statement")

    def begins_statement(self, number):
        token = self.tokens[number]
        before = self.tokens[number - 1]
        if token.parent >= 0 and not self.tokens[token.parent].block:
            return False
        if before.text in (";", "else", "do"):
            return True
        if before.text == "{":
            return before.block
        if before.text == "}":
            return before.mate >= 0 and self.tokens[before.mate].block
        if before.text == ")":
            return self.text_at(before.mate - 1) in ("if", "for", "while", "constexpr")
        return False


def other_number(token):
    """One more, one less, or twice as much; None for what is no number."""
    text = token.text.replace("'", "")
    match = re.fullmatch(r"(0|[1-9]\d*|0[xX][0-9a-fA-F]+)([uUlLzZ]*)", text)
    if match:
        value = int(match[1], 0)
        less = value >= 1 and (value > 1 or token.begin % 2 == 0) and token.begin % 3 != 0
        return f"{value - 1 if less else value + 1}{match[2]}"
    match = re.fullmatch(r"(\d*\.\d*(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+)([fFlL]?)", text)
    if match:
        value = float(match[1])
        return f"{value * 2 if value else 1.0!r}{match[2]}"
    return None


DECLARATION = re.compile(r"^(?:[A-Za-z_][\w:]*(?:<[^;=()]*>)?(?:::\w+)*)(?:\s*[&*]+\s*|\s+)(?:\[|[A-Za-z_]\w*\s*(?:[=({;,\[]|$))")


def is_declaration(text):
    return bool(DECLARATION.match(" ".join(text.split())))


def candidates_of(name, text):
    found = Source(name, text).candidates()
    counts = {}
    for each in found:
        identity = (each.function, each.rule, each.change(text))
        each.occurrence = counts.get(identity, 0)
        counts[identity] = each.occurrence + 1
    return found
