// Makes the embedded vocabularies and the reference texts of this package from OpenAI's
// own tokenizer:
//
//	npm install --no-save tiktoken@1.0.22 && node testdata/make.mjs
//
// A vocabulary is the size of each token in a byte and then its bytes, by rank. The
// reference is a line of JSON a text: its name, the text, and its ids in both encodings.
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";

const require = createRequire(import.meta.url);
const { get_encoding } = require("tiktoken");
const here = new URL(".", import.meta.url);
const names = ["o200k_base", "cl100k_base"];

function write(path, data) {
  writeFileSync(new URL(path, here), gzipSync(data, { level: 9 }));
}

for (const name of names) {
  const tokens = [];
  for (const line of require(`tiktoken/encoders/${name}.json`).bpe_ranks.split("\n")) {
    const [, first, ...words] = line.split(" ");
    words.forEach((word, i) => (tokens[Number(first) + i] = Buffer.from(word, "base64")));
  }
  write(`../${name}.gz`, Buffer.concat(tokens.flatMap((t) => [Buffer.of(t.length), t])));
}

// random is a generator with a seed (mulberry32), so that the texts are always the same.
let state = 20261205;
function random(n) {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) % n;
}
const pick = (list) => list[random(list.length)];
const some = (n, make) => Array.from({ length: n }, (_, i) => make(i));
const mix = (list, n) => some(n, () => pick(list)).join("");

const texts = [];
const add = (name, text) => texts.push([name, text]);

// Every script that the expressions of this machine know, in words of its letters.
const scripts = `Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali
Bhaiksuki Bopomofo Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham Cherokee
Chorasmian Common Coptic Cuneiform Cypriot Cypro_Minoan Cyrillic Deseret Devanagari Dives_Akuru Dogra Duployan
Egyptian_Hieroglyphs Elbasan Elymaic Ethiopic Georgian Glagolitic Gothic Grantha Greek Gujarati Gunjala_Gondi Gurmukhi
Han Hangul Hanifi_Rohingya Hanunoo Hatran Hebrew Hiragana Imperial_Aramaic Inherited Inscriptional_Pahlavi
Inscriptional_Parthian Javanese Kaithi Kannada Katakana Kawi Kayah_Li Kharoshthi Khitan_Small_Script Khmer Khojki
Khudawadi Lao Latin Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian Mahajani Makasar Malayalam Mandaic Manichaean
Marchen Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi Mongolian
Mro Multani Myanmar Nabataean Nag_Mundari Nandinagari New_Tai_Lue Newa Nko Nushu Nyiakeng_Puachue_Hmong Ogham Ol_Chiki
Old_Hungarian Old_Italic Old_North_Arabian Old_Permic Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic Old_Uyghur
Oriya Osage Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi Rejang Runic Samaritan
Saurashtra Sharada Shavian Siddham SignWriting Sinhala Sogdian Sora_Sompeng Soyombo Sundanese Syloti_Nagri Syriac
Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Takri Tamil Tangsa Tangut Telugu Thaana Thai Tibetan Tifinagh Tirhuta Toto
Ugaritic Vai Vithkuqi Wancho Warang_Citi Yezidi Yi Zanabazar_Square`.split(/\s+/);
for (const script of scripts) {
  const is = new RegExp(`\\p{Script=${script}}`, "u");
  const runes = [];
  for (let r = 0x20; r < 0x32000 && runes.length < 400; r++) {
    if (r < 0xd800 || r > 0xdfff) {
      const c = String.fromCodePoint(r);
      if (is.test(c)) runes.push(c);
    }
  }
  add(`script ${script}`, some(12, () => mix(runes, 1 + random(7))).join(" "));
}
for (const category of ["Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Sm", "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Co"]) {
  const is = new RegExp(`\\p{${category}}`, "u");
  const runes = [];
  for (let r = 0; r < 0x110000 && runes.length < 3000; r++) {
    if (r < 0xd800 || r > 0xdfff) {
      const c = String.fromCodePoint(r);
      if (is.test(c)) runes.push(c);
    }
  }
  add(`category ${category}`, some(40, () => pick(runes)).join(""));
  add(`category ${category} among words`, some(40, () => pick(["", "a", "A", "aB", " ", "1", "'s", "\n"]) + pick(runes)).join(""));
}

// White space and what stands around it, where splitters go wrong.
const blanks = [" ", "  ", "    ", "\t", "\n", "\r\n", "\r", "\n\n", " \n", "\n ", "\v", "\f", "\u0085", "\u00a0", "\u2028", "\u2029", "\u3000", "\u200b", "\ufeff"];
add("line ends and blanks before a word", "\n \n  foo");
for (let i = 0; i < 60; i++) add(`white space ${i}`, mix([...blanks, "foo", "X", "9", ".", "//", "é"], 30));
for (let i = 0; i < 20; i++) add(`CRLF and tabs ${i}`, some(12, () => mix(["\t", " "], random(5)) + pick(["if x:", "return", "}", "", "# end", "a\tb"]) + pick(["\r\n", "\n", " \r\n", "\t\r\n"])).join(""));

// Contractions in every case, in and behind words of every case.
const suffixes = ["'s", "'S", "'t", "'T", "'re", "'RE", "'Re", "'rE", "'ve", "'VE", "'m", "'M", "'ll", "'LL", "'lL", "'d", "'D", "'ſ", "'x", "''s", "’s", "'"];
for (let i = 0; i < 40; i++) add(`contractions ${i}`, some(10, () => pick(["we", "WE", "We", "wE", "ǅ", "ʰ", "的", "é", "e\u0301", "", " ", "1", "."]) + pick(suffixes) + pick(["", " ", "a", "A", "\n"])).join(""));

// Words that change between capitals and small letters, marks and modifiers.
for (let i = 0; i < 60; i++) add(`cases ${i}`, mix(["A", "BC", "d", "ef", "Ǆ", "ǅ", "ʰ", "ª", "א", "的", "\u0301", "\u20dd", "ß", "İ", "1", "²", "Ⅷ", "_", "-", " ", "'", "/"], 40));
for (let i = 0; i < 40; i++) add(`signs ${i}`, mix(["/", "//", "\n", "\r", " ", "!", "...", "{", "}", "()", "=>", "://", "a", "1", "€", "→", "\\", '"'], 40));

const emoji = ["👨‍👩‍👧‍👦", "👩🏽‍💻", "🏳️‍🌈", "🇩🇪", "🇯🇵", "❤️", "👍🏿", "1️⃣", "🧑‍🚀", "🫠", "☃", "😀", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"];
for (let i = 0; i < 20; i++) add(`emoji ${i}`, mix([...emoji, " ", "a", "!"], 15));

for (let i = 0; i < 20; i++) add(`base64 ${i}`, Buffer.from(some(60 + 10 * i, () => random(256))).toString("base64"));
for (let i = 0; i < 10; i++) add(`hexadecimal ${i}`, Buffer.from(some(40, () => random(256))).toString("hex"));
for (let i = 0; i < 40; i++) add(`random bytes ${i}`, Buffer.from(some(60, () => random(256))).toString("utf8"));
for (let i = 0; i < 20; i++) add(`control characters ${i}`, some(60, () => (random(3) ? String.fromCharCode(random(32)) : pick(["\x7f", "\x1b[31m", "a", "\u0080", "\u009f"]))).join(""));
for (let i = 0; i < 20; i++) add(`digits ${i}`, mix(["1", "22", "333", "4444", "٣", "²", "½", "Ⅳ", "一", ".", ",", " ", "x"], 30));
for (const c of ["a", " ", "\n", "_", "0", "的", "\t", "=", "-", "ab", "\r\n", "é", "Z", "!?", "\u0301"]) {
  for (const n of [2, 3, 17, 127, 128, 129, 700]) add(`${JSON.stringify(c)} ${n} times`, c.repeat(n));
}
for (const text of ["", " ", "a", "<|endoftext|>", "<|fim_prefix|>x<|endofprompt|>", "\u0000", "\ufffd", "'", " '", "/", "\n/"]) add(`alone ${JSON.stringify(text)}`, text);

for (let i = 0; i < 10; i++) {
  add(`YAML ${i}`, some(15, (j) => "  ".repeat(j % 4) + (j % 3 ? "" : "- ") + pick(["port", "image", "env", "replicas", "livenessProbe"]) + ": " + pick(["8080", '"nginx:1.25"', "~", "true", "|", "*anchor", "2026-03-01T12:00:00Z"]) + pick(["", "  # comment"]) + "\n").join(""));
  add(`JSON ${i}`, JSON.stringify(some(8, (j) => ({ id: j * 7919, name: pick(["Größe", "x\ty", "名前"]), tags: some(random(4), () => mix(["a", "b"], 3)), ok: null })), null, i % 3));
}

const programs = {
  c: '#include <stdio.h>\n\nint main(void) {\n\tfor (size_t i = 0; i < 10; ++i)\n\t\tprintf("%zu\\n", i); /* each */\n\treturn 0;\n}\n',
  cpp: "template <typename T>\nauto sum(const std::vector<T>& xs) -> T {\n  return std::accumulate(xs.begin(), xs.end(), T{});\n}\n",
  csharp: 'public record Person(string Name, int Age)\n{\n    public override string ToString() => $"{Name} ({Age:D2})";\n}\n',
  clojure: '(defn fib [n]\n  (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))\n(println (map fib (range 10))) ; => list\n',
  css: "@media (max-width: 600px) {\n  .nav > li:not(:last-child)::after { content: '·'; color: #ff00aa; }\n}\n",
  elixir: 'defmodule Greeter do\n  def hello(name \\\\ "world"), do: "Hello, #{name}!" |> String.upcase()\nend\n',
  go: 'func (s *Server) Serve(ctx context.Context, l net.Listener) error {\n\tif err := s.start(); err != nil {\n\t\treturn fmt.Errorf("starting: %w", err)\n\t}\n\treturn nil\n}\n',
  haskell: "quicksort :: Ord a => [a] -> [a]\nquicksort [] = []\nquicksort (p:xs) = quicksort [x | x <- xs, x < p] ++ [p] ++ quicksort [x | x <- xs, x >= p]\n",
  html: '<!DOCTYPE html>\n<html lang="de"><head><meta charset="utf-8"><title>Prüfung &amp; Test</title></head><body onload="f()"></body></html>\n',
  java: "public static void main(String[] args) throws IOException {\n    List<Map<String, Integer>> counts = new ArrayList<>();\n    counts.forEach(System.out::println);\n}\n",
  javascript: "export const debounce = (fn, ms = 200) => {\n  let t;\n  return (...args) => { clearTimeout(t); t = setTimeout(() => fn?.(...args), ms); };\n};\n",
  kotlin: 'data class User(val id: Long, val mail: String?)\nfun User.label() = mail?.substringBefore("@") ?: "user-$id"\n',
  lua: 'local t = setmetatable({}, { __index = function(_, k) return k .. "!" end })\nfor i = 1, #t do print(t[i] ~= nil) end\n',
  ocaml: "let rec fold f acc = function\n  | [] -> acc\n  | x :: xs -> fold f (f acc x) xs\n",
  perl: 'while (my $line = <STDIN>) { next unless $line =~ /^(\\w+)\\s*=\\s*"([^"]*)"$/; $h{$1} //= $2; }\n',
  php: "<?php\nforeach ($rows as $key => $value) {\n    echo htmlspecialchars(\"{$key}: {$value['name']}\"), PHP_EOL;\n}\n",
  python: 'class Cache(dict):\n    """A cache."""\n    def __missing__(self, key: str) -> bytes:\n        self[key] = value = f"{key!r:>{10}}".encode()\n        return value\n',
  r: 'df <- subset(mtcars, mpg > 20 & cyl == 4)[, c("mpg", "wt")]\nfit <- lm(mpg ~ wt, data = df); summary(fit)$r.squared\n',
  ruby: 'module Shapes\n  Circle = Struct.new(:r) { def area = Math::PI * r**2 }\nend\nputs Shapes::Circle.new(2).area.round(3) unless $DEBUG\n',
  rust: "impl<'a, T: Clone> Iterator for Windows<'a, T> {\n    type Item = &'a [T];\n    fn next(&mut self) -> Option<Self::Item> { self.v.get(..self.n).map(|w| { w }) }\n}\n",
  scala: 'sealed trait Expr\ncase class Add(l: Expr, r: Expr) extends Expr\ndef eval(e: Expr): Int = e match { case Add(l, r) => eval(l) + eval(r) }\n',
  shell: 'set -euo pipefail\nfor f in "${@:-.}"/*.log; do\n  awk -F\'\\t\' \'$3 >= 500 {n++} END {print n+0}\' "$f" | tee -a out.txt >&2\ndone\n',
  sql: "SELECT u.id, COUNT(*) FILTER (WHERE o.total >= 100.00) AS big\nFROM users u LEFT JOIN orders o ON o.user_id = u.id\nGROUP BY 1 HAVING COUNT(*) > 3 ORDER BY big DESC;\n",
  swift: 'guard let url = URL(string: "https://example.com/?q=\\(term)") else { return nil }\nlet xs = items.compactMap { $0 as? Int }.sorted(by: >)\n',
  typescript: "type DeepPartial<T> = { [K in keyof T]?: T[K] extends object ? DeepPartial<T[K]> : T[K] };\nconst x = <const>['a', 'b'];\n",
  zig: 'const std = @import("std");\npub fn main() !void {\n    try std.io.getStdOut().writer().print("{d}\\n", .{@as(u8, 42)});\n}\n',
};
for (const [language, source] of Object.entries(programs)) {
  add(`source code in ${language}`, source);
  add(`source code in ${language}, with CRLF`, source.replaceAll("\n", "\r\n"));
}

const prose = "I'm sure you'll see that it's NOT what they've said: the model's answer wasn't wrong, it didn't see the port. ";
add("English", prose.repeat(8));
add("English in capitals", prose.toUpperCase().repeat(4));

const encodings = names.map((name) => get_encoding(name));
const lines = texts.map(([name, text]) =>
  JSON.stringify({ name, text, ...Object.fromEntries(names.map((n, i) => [n, Array.from(encodings[i].encode_ordinary(text))])) }),
);
write("reference.jsonl.gz", lines.join("\n") + "\n");
console.log(`${texts.length} texts`);
