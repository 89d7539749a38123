// Counts the tokens of every text here with OpenAI's own tokenizer and writes counts.tsv:
// each file of fit/ and heldout/, and each line of short.txt.
// usage: npm install --no-save tiktoken@1.0.22 && node make-reference.mjs
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { get_encoding } from "tiktoken";

const encoding = get_encoding("o200k_base");
const read = (path) => readFileSync(new URL(`./${path}`, import.meta.url), "utf8");
const row = (name, text) => `${name}\t${encoding.encode(text, [], []).length}\n`;

const files = ["fit", "heldout"].flatMap((set) =>
  readdirSync(new URL(`./${set}/`, import.meta.url)).sort().map((file) => row(`${set}/${file}`, read(`${set}/${file}`))),
);
const short = read("short.txt").trimEnd().split("\n").map((line, i) => row(`short.txt:${i + 1}`, line));
writeFileSync(new URL("./counts.tsv", import.meta.url), [...files, ...short].join(""));
