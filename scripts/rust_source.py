"""Reads Rust source as far as the checks beside this file need it: tokens, attributes and the tree of modules.

It is no parser. It knows comments, literals, `mod`, `use`, paths and `#[cfg]`, and it treats the inside of a macro call
like ordinary source, because this project declares modules in macros, too.
"""

import os
import re
from dataclasses import dataclass, field
from typing import NamedTuple

# Comments and literals first, so that nothing inside them is taken for source.
TOKEN = re.compile(
    r"""
      (?P<comment> //[^\n]* | /\* )
    | (?P<literal> \b[bc]?r(?P<hashes>\#*)".*?"(?P=hashes)
                 | \b[bc]?"(?:\\.|[^"\\])*"
                 | "(?:\\.|[^"\\])*"
                 | \bb?'(?:\\(?:x..|u\{[^}]*\}|.)|[^\\'\n])'
                 | '(?:\\(?:x..|u\{[^}]*\}|.)|[^\\'\n])' )
    | (?P<lifetime> '[A-Za-z_]\w* )
    | (?P<name> (?:r\#)?[A-Za-z_]\w* )
    | (?P<number> \d[\w.]*?(?=\.\.|[^\w.]|$) )
    | (?P<sign> :: | => | -> | [^\s\w] )
    """,
    re.VERBOSE | re.DOTALL,
)

ITEM_WORDS = frozenset(
    "async const enum extern fn impl let macro_rules mod pub static struct trait type union unsafe use".split()
)


class Token(NamedTuple):
    """A name, a sign or a literal, and the line on which it starts."""

    text: str
    line: int


def tokens(source):
    """The tokens of Rust source, without comments. A string literal keeps its quotes."""
    found, at, line, counted = [], 0, 1, 0
    while match := TOKEN.search(source, at):
        start, at = match.span()
        text = match[0]
        if text == "/*":
            at = _end_of_block_comment(source, start)
        elif not text.startswith("//"):
            line += source.count("\n", counted, start)
            counted = start
            found.append(Token(text.removeprefix("r#"), line))
    return found


def _end_of_block_comment(source, start):
    depth, at = 0, start
    for mark in re.compile(r"/\*|\*/").finditer(source, start):
        depth += 1 if mark[0] == "/*" else -1
        at = mark.end()
        if depth == 0:
            return at
    return len(source)


OPENS, CLOSES = "([{", ")]}"


def behind_group(tokens, at):
    """The index behind the bracket that closes the one at `at`."""
    depth = 0
    while at < len(tokens):
        text = tokens[at].text
        if text in OPENS:
            depth += 1
        elif text in CLOSES:
            depth -= 1
        at += 1
        if depth == 0:
            break
    return at


def cfg_holds(tokens, known):
    """Whether the predicate of a `cfg` holds: True, False, or None if `known` does not decide it.

    `known` is a function from an option, written `test` or `target_os = "linux"`, to True, False or None.
    """
    if len(tokens) > 1 and tokens[1].text == "(":
        parts, start, at = [], 2, 2
        while at < len(tokens) - 1:
            if tokens[at].text in OPENS:
                at = behind_group(tokens, at)
                continue
            if tokens[at].text == ",":
                parts.append(tokens[start:at])
                start = at + 1
            at += 1
        parts.append(tokens[start : len(tokens) - 1])
        values = [cfg_holds(part, known) for part in parts if part]
        match tokens[0].text:
            case "not":
                return None if values[0] is None else not values[0]
            case "all":
                return False if False in values else None if None in values else True
            case "any":
                return True if True in values else None if None in values else False
    return known(" ".join(token.text for token in tokens))


def without_excluded(tokens, known):
    """The tokens without the items that `#[cfg]` leaves out; `#![cfg]` at the head can leave out the whole file."""
    kept, at = [], 0
    while at < len(tokens):
        if tokens[at].text != "#":
            kept.append(tokens[at])
            at += 1
            continue
        inner = at + 1 < len(tokens) and tokens[at + 1].text == "!"
        bracket = at + (2 if inner else 1)
        if bracket >= len(tokens) or tokens[bracket].text != "[":
            kept.append(tokens[at])
            at += 1
            continue
        end = behind_group(tokens, bracket)
        attribute = tokens[bracket + 1 : end - 1]
        out = False
        if attribute and attribute[0].text == "cfg":
            out = cfg_holds(attribute[2:-1], known) is False
        elif len(attribute) == 1 and attribute[0].text == "test":
            out = known("test") is False
        if out and inner:
            return []
        if out:
            at = _behind_item(tokens, end)
        else:
            kept.extend(tokens[at:end])
            at = end
    return kept


def _behind_item(tokens, at):
    """The index behind the item, statement or field at `at`, whose attributes may go on."""
    while at + 1 < len(tokens) and tokens[at].text == "#" and tokens[at + 1].text == "[":
        at = behind_group(tokens, at + 1)
    item = at < len(tokens) and tokens[at].text in ITEM_WORDS
    while at < len(tokens):
        text = tokens[at].text
        if text in CLOSES:
            return at
        if text in OPENS:
            at = behind_group(tokens, at)
            if text == "{":
                return at + 1 if at < len(tokens) and tokens[at].text == ";" else at
            continue
        at += 1
        if text == ";" or (text == "," and not item):
            return at
    return at


@dataclass
class Use:
    """One name that a `use` declaration brings into a module: the path it stands for, and the line."""

    path: tuple
    line: int


@dataclass
class Module:
    """A module of a crate, with what it names. Inline modules are modules, too."""

    path: tuple
    file: str
    children: dict = field(default_factory=dict)
    uses: dict = field(default_factory=dict)
    globs: list = field(default_factory=list)
    # Every path that occurs in the module, beginning as it is written.
    mentions: list = field(default_factory=list)


def read_modules(root_file, known, missing=None):
    """The tree of modules under a crate's root file, and the set of the files that belong to it.

    `known` decides `#[cfg]` as in `cfg_holds`; an item stays unless its predicate is surely false. A file that a `mod` asks for
    and that is not there is left out; `missing` is called with the module's path, if it is given.
    """
    files = set()

    def read(module, file, directory):
        files.add(os.path.normpath(file))
        with open(file, encoding="utf-8") as text:
            content = without_excluded(tokens(text.read()), known)
        fill(module, content, file, directory)

    def fill(module, content, file, directory):
        at, attributes = 0, []
        while at < len(content):
            text = content[at].text
            if text == "#" and at + 1 < len(content) and content[at + 1].text == "[":
                end = behind_group(content, at + 1)
                attributes.append(content[at + 2 : end - 1])
                at = end
                continue
            following = content[at + 2].text if at + 2 < len(content) else ""
            if text == "mod" and following in (";", "{"):
                name = content[at + 1].text
                child = Module(module.path + (name,), file)
                module.children[name] = child
                if following == "{":
                    end = behind_group(content, at + 2)
                    fill(child, content[at + 3 : end - 1], file, os.path.join(directory, name))
                    at = end
                else:
                    declare(child, name, file, directory, attributes)
                    at += 3
            elif text == "use" and (at == 0 or content[at - 1].text != "::"):
                at = _read_use(module, content, at + 1, ())
            elif text == "include" and following == "(":
                included = content[at + 3].text.strip('"')
                path = os.path.join(os.path.dirname(file), included)
                if os.path.isfile(path):
                    read(module, path, directory)
                at = behind_group(content, at + 2)
            elif following and content[at + 1].text == "::" and text.isidentifier():
                line, path = content[at].line, [text]
                at += 1
                while at + 1 < len(content) and content[at].text == "::" and content[at + 1].text.isidentifier():
                    path.append(content[at + 1].text)
                    at += 2
                module.mentions.append(Use(tuple(path), line))
                continue
            else:
                at += 1
            if text not in ("pub", "(", ")", "crate", "in", "super"):
                attributes = []

    def declare(child, name, file, directory, attributes):
        for attribute in attributes:
            if len(attribute) == 3 and attribute[0].text == "path":
                path = os.path.join(os.path.dirname(file), attribute[2].text.strip('"'))
                candidates = [(path, os.path.dirname(path))]
                break
        else:
            inside = os.path.join(directory, name)
            candidates = [(inside + ".rs", inside), (os.path.join(inside, "mod.rs"), inside)]
        for path, below in candidates:
            if os.path.isfile(path):
                child.file = path
                read(child, path, below)
                return
        if missing:
            missing(child.path)

    root = Module((), root_file)
    read(root, root_file, os.path.dirname(root_file))
    return root, files


def _read_use(module, content, at, prefix):
    """Reads the tree of a `use` from behind the word, or from behind an opening brace; returns the index behind it."""
    path, line = list(prefix), 0
    while at < len(content):
        text = content[at].text
        line = line or content[at].line
        if text == "{":
            end = behind_group(content, at)
            at += 1
            while at < end - 1:
                at = max(_read_use(module, content, at, tuple(path)), at + 1)
                if content[at - 1].text != "," and at < end - 1 and content[at].text == ",":
                    at += 1
            return end
        if text == "*":
            module.globs.append(Use(tuple(path), line))
            return at + 1
        if text in ("as", ",", ";", "}"):
            break
        if text not in ("::", "$"):
            path.append(text)
        at += 1
    # `use a::b::{self}` names `b`.
    if path[-1:] == ["self"] and len(path) > 1:
        path.pop()
    if path:
        renamed = at + 1 < len(content) and content[at].text == "as"
        name = content[at + 1].text if renamed else path[-1]
        module.uses[name] = Use(tuple(path), line)
        module.mentions.append(Use(tuple(path), line))
        if renamed:
            at += 2
    return at


def rust_files(root="."):
    """All files of Rust source below a directory, except what was built."""
    found = []
    for directory, below, files in os.walk(root):
        below[:] = sorted(name for name in below if not name.startswith((".", "target")))
        found.extend(os.path.normpath(os.path.join(directory, name)) for name in sorted(files) if name.endswith(".rs"))
    return found
