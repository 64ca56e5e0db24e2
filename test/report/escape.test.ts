// Each sink by itself, over the whole hostile corpus and over random text.
import fc from "fast-check";
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { clip, logLines, shellWord, terminalText, visible } from "../../src/report/escape.ts";
import { htmlCode, htmlProse, markdownCode, markdownFence, markdownProse, sourceLink } from "../../src/report/escape-markdown.ts";
import { HOSTILE_TEXTS, hostileText } from "../hostile/text.ts";
import { nodesOf, parseMarkdown, textOf } from "./markdown-tree.ts";

/** Everything that shows nothing, moves what is shown, or starts a terminal sequence. */
// eslint-disable-next-line no-control-regex
const UNSEEN = /[\p{Cc}\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]|[\u{e0000}-\u{e007f}]/u;

describe("text on a terminal", () => {
  it("shows what cannot be seen", () => {
    expect(visible("a\u202egnp.exe\u0000\n\t\u001b[31m")).toBe("a\\u{202E}gnp.exe\\u{0000}\\n\\t\\u{001B}[31m");
    expect(visible("\u{e0041}")).toBe("\\u{E0041}");
  });

  it("keeps what is only foreign", () => {
    for (const text of ["顧客名", "café", "❤️", "цена", "🇩🇪", "→ · …"]) expect(visible(text)).toBe(text);
  });

  it("takes secrets out", () => {
    expect(terminalText("key AKIAIOSFODNN7EXAMPLE at https://me:secret@host/")).toBe("key AKIA**** at https://****:****@host/");
  });

  it("leaves nothing unseen of any text, and one line", () => {
    fc.assert(
      fc.property(hostileText(), (text) => {
        expect(terminalText(text)).not.toMatch(UNSEEN);
      }),
    );
    for (const text of HOSTILE_TEXTS) expect(terminalText(text)).not.toMatch(UNSEEN);
  });

  it("does not let marks pile up", () => {
    expect(visible(`z${"\u0300".repeat(50)}`)).toBe(`z${"\u0300".repeat(4)}${"\\u{0300}".repeat(46)}`);
  });

  it("clips between characters and says how much there was", () => {
    expect(clip("x".repeat(20), 5)).toBe("xxxxx… (20 characters)");
    expect(clip("ab🧊cd", 3)).toBe("ab… (6 characters)");
  });

  it("takes secrets out before it clips: half of one is not known for it", () => {
    expect(clip("s3://key:hunter2@bucket", 14)).not.toContain("hunter");
    expect(clip(`see ghp_${"x".repeat(36)}`, 12)).not.toContain("xxx");
  });
});

/** The two readers of commands in a CI log, by their published behaviour. */
function commandsIn(log: string): string[] {
  return log.split(/\r\n|\n|\r/).filter((line) => line.trimStart().startsWith("::") || line.includes("##["));
}

describe("lines of a CI log", () => {
  it("hold no command that text brought with it", () => {
    const wrapped = (text: string): string =>
      logLines(`  ${terminalText(text)}\n${terminalText(text)} x\n${text.replace(/[^:#[\n a]/g, "")}`);
    for (const text of HOSTILE_TEXTS) expect(commandsIn(wrapped(text))).toEqual([]);
    fc.assert(
      fc.property(hostileText(), (text) => {
        expect(commandsIn(wrapped(text))).toEqual([]);
      }),
    );
  });

  it("are left alone otherwise", () => {
    const text = "prod  a::b  x\n  c: ::d\n# [x]\n";
    expect(logLines(text)).toBe(text);
  });
});

describe("a word for a shell", () => {
  it("is read back by a shell as it was, or not given", () => {
    const words = HOSTILE_TEXTS.map((text) => [text, shellWord(text)] as const).filter(([, word]) => word !== null);
    const script = words.map(([, word]) => `printf '%s\\0' ${word ?? ""}`).join("\n");
    const read = execFileSync("/bin/sh", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
    expect(read).toEqual(words.map(([text]) => text));
    expect(words.length).toBeGreaterThan(30);
  });

  it("is never an option", () => {
    expect([shellWord("--yes"), shellWord("-e"), shellWord("")]).toEqual([null, null, null]);
  });
});

const PLAIN_PARAGRAPH = new Set(["root", "paragraph", "text", "inlineCode"]);

function typesIn(markdown: string): string[] {
  return [...new Set(nodesOf(parseMarkdown(markdown)).map((node) => node.type))].filter((type) => !PLAIN_PARAGRAPH.has(type));
}

describe("a name in Markdown", () => {
  it("is one code span that shows the name", () => {
    const check = (text: string): void => {
      const nodes = nodesOf(parseMarkdown(`x ${markdownCode(text)} y`));
      expect(nodes.map((node) => node.type)).toEqual(["root", "paragraph", "text", "inlineCode", "text"]);
      const shown = visible(text).replaceAll("|", "\\u{7C}");
      if (shown !== "" && shown.trim() !== "") expect(nodes[3]?.value).toBe(shown);
    };
    HOSTILE_TEXTS.forEach(check);
    fc.assert(fc.property(hostileText(), check));
  });

  it("stays in its table cell", () => {
    for (const text of HOSTILE_TEXTS) {
      const table = parseMarkdown(`| a | b |\n| :-- | :-- |\n| ${markdownCode(text)} | ${markdownProse(text)} |`);
      const rows = nodesOf(table).filter((node) => node.type === "tableRow");
      expect(rows.map((row) => row.children?.length)).toEqual([2, 2]);
    }
  });
});

describe("a sentence in Markdown", () => {
  it("keeps plain words plain and sets names as code", () => {
    expect(markdownProse('Cannot drop "legacy_flag" silently: 41 M rows (1.9 GiB) hold a value')).toBe(
      "Cannot drop `legacy_flag` silently: 41 M rows (1.9 GiB) hold a value",
    );
    expect(markdownProse("Widen price (decimal(9,2) to decimal(18,2)).")).toBe(
      "Widen price (`decimal(9,2)` to `decimal(18,2)`).",
    );
    expect(markdownProse("Write `renamed-from: x`, or @team, see https://a.example.")).toBe(
      "Write `renamed-from: x`, or `@team`, see `https://a.example`.",
    );
    expect(markdownProse("Ask for a rewrite: convert: { from: long, on-error: fail }, or keep { a `b` }")).toBe(
      "Ask for a rewrite: `convert: { from: long, on-error: fail }`, or keep `{` a `b` `}`",
    );
  });

  it("is a paragraph of text and code, whatever it is made of", () => {
    const check = (text: string): void => {
      expect(typesIn(markdownProse(text))).toEqual([]);
    };
    HOSTILE_TEXTS.forEach(check);
    fc.assert(fc.property(hostileText(), check));
  });
});

describe("a fence", () => {
  it("is closed by none of its lines", () => {
    const check = (text: string): void => {
      const lines = [visible(text), `  ${visible(text)}`];
      const nodes = nodesOf(parseMarkdown(markdownFence(lines, "yaml")));
      expect(nodes.map((node) => [node.type, node.value])).toEqual([
        ["root", undefined],
        ["code", lines.join("\n")],
      ]);
    };
    HOSTILE_TEXTS.forEach(check);
    fc.assert(fc.property(hostileText(), check));
  });
});

describe("text in HTML", () => {
  it("holds no tag but the code that is meant", () => {
    for (const text of HOSTILE_TEXTS) {
      expect(htmlCode(text)).toMatch(/^<code>[^<>]*<\/code>$/);
      expect(htmlProse(text).replace(/<code>[^<>]*<\/code>/g, "")).not.toMatch(/[<>]/);
    }
  });
});

describe("a link to a file", () => {
  it("stays below its base and is one address", () => {
    for (const text of HOSTILE_TEXTS) {
      const link = sourceLink("https://host/acme/lake/blob/77ab01c/", text, 3);
      expect(link).toMatch(/^https:\/\/host\/acme\/lake\/blob\/77ab01c\/[A-Za-z0-9._%/-]*#L3$/);
      const tree = nodesOf(parseMarkdown(`[\`x\`](${link})`)).filter((node) => node.type === "link");
      expect(tree.map((node) => [node.url, textOf(node)])).toEqual([[link, "x"]]);
    }
  });
});
