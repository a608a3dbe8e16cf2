"""The table by folder, and the survivors."""

from collections import Counter

from mutate.batch import equivalents, folder_of, is_equivalent
from mutate.build import ROOT

PAGE = ROOT / "docs" / "testing.md"
SECTION = "mutants"


def table_of(state):
    known = equivalents()
    counts = {}
    for entry in state.entries.values():
        if entry["verdict"] == "uncompiled":
            continue
        row = counts.setdefault(folder_of(entry), Counter())
        row["planted"] += 1
        row["equivalent" if entry["verdict"] == "survived" and is_equivalent(entry, known) else entry["verdict"]] += 1
    lines = ["| folder | planted | killed | equivalent | survived | killed of those that matter |", "|---|--:|--:|--:|--:|--:|"]
    total = Counter()
    for folder in sorted(counts):
        total.update(counts[folder])
        lines.append(line_of(folder, counts[folder]))
    lines.append(line_of("**all**", total))
    return "\n".join(lines)


def line_of(name, row):
    matter = row["planted"] - row["equivalent"]
    share = f"{100 * row['killed'] / matter:.0f} %" if matter else "-"
    return f"| {name} | {row['planted']} | {row['killed']} | {row['equivalent']} | {row['survived']} | {share} |"


def survivors_of(state):
    known = equivalents()
    lines = []
    for key, entry in sorted(state.entries.items(), key=lambda pair: (pair[1]["file"], pair[1]["line"])):
        if entry["verdict"] == "survived" and not is_equivalent(entry, known):
            lines.append(f"{entry['file']}:{entry['line']} [{entry['function']}] {entry['rule']}: {entry['change']}   ({entry['by']})")
    return lines


def write_page(state):
    write_section(SECTION, table_of(state))


def write_section(name, text):
    """Replaces what stands between the two comments of that name."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    page = PAGE.read_text()
    before, rest = page.split(begin)
    after = rest.split(end)[1]
    PAGE.write_text(f"{before}{begin}\n{text}\n{end}{after}")
