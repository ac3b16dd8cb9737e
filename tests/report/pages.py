"""Rendered documents, taken apart."""

from __future__ import annotations

from html.parser import HTMLParser

from markdown_it import MarkdownIt


class Page(HTMLParser):
    """What a browser would find in an HTML document.

    Attributes:
        tags: every element's name.
        attributes: every (element, attribute, value).
        links: every address with the text that leads there.
        text: all text, one string.
        cells: texts of table cells, row by row, with plain spaces.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.links: list[tuple[str, str]] = []
        self.text = ""
        self.cells: list[list[str]] = []
        self.open: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in ("meta", "br", "hr", "link", "input"):
            self.open.append(tag)
        if tag == "a":
            self.links.append((dict(attrs).get("href") or "", ""))
        if tag == "tr":
            self.cells.append([])
        if tag in ("td", "th"):
            self.cells[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"</{tag}> closes another element"

    def handle_data(self, data: str) -> None:
        if "style" in self.open:
            return
        self.text += data
        if "a" in self.open:
            address, shown = self.links[-1]
            self.links[-1] = (address, shown + data)
        if {"td", "th"} & set(self.open):
            self.cells[-1][-1] += data.replace("\xa0", " ")

    def values(self, attribute: str) -> list[str]:
        """Every value of an attribute."""
        return [value for _, name, value in self.attributes if name == attribute]

    def row(self, *start: str) -> list[str]:
        """The table row that begins with these cells."""
        (found,) = [row for row in self.cells if tuple(map(str.strip, row[: len(start)])) == start]
        return [cell.strip() for cell in found]


def page_of_markdown(text: str) -> Page:
    """Markdown as GitHub reads it, near enough: CommonMark with tables and raw HTML."""
    return Page(MarkdownIt("commonmark").enable("table").render(text))
