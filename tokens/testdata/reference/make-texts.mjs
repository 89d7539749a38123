// Writes the generated texts, fit/data-*.txt and heldout/data-*.txt: the same bytes on every run.
// usage: node make-texts.mjs
import { mkdirSync, writeFileSync } from "node:fs";

let state = 1;
const random = () => { // mulberry32
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};
const int = (from, to) => from + Math.floor(random() * (to - from + 1));
const pick = (list) => list[int(0, list.length - 1)];
const times = (n, make) => Array.from({ length: n }, (_, i) => make(i));
const lines = (n, make) => times(n, make).join("\n") + "\n";
const bytes = (n) => Buffer.from(times(n, () => int(0, 255)));
const hex = (digits) => bytes(digits / 2).toString("hex");
const uuid = () => hex(32).replace(/^(.{8})(.{4}).(.{3})(.{4})(.{12})$/, "$1-$2-4$3-$4-$5");
const time = () => new Date(1.73e12 + int(0, 9e8)).toISOString();
const ip = () => times(4, () => int(1, 254)).join(".");
const price = () => (int(100, 99999) / 100).toFixed(2);
const pad = (text, width) => String(text).padEnd(width);
const wrap = (text, width) => text.replace(new RegExp(`(.{${width}})`, "g"), "$1\n") + "\n";
const chars = (n, alphabet) => times(n, () => pick([...alphabet])).join("");

const first = ["Ada", "Bruno", "Chidi", "Dolores", "Emre", "Fatima", "Greta", "Hiro", "Ines", "Jonas", "Kavita", "Liam"];
const last = ["Andersen", "Bianchi", "Castillo", "Dubois", "Eriksson", "Fischer", "Gupta", "Hoffman", "Ivanova", "Kowalski"];
const words = `account order payment shipment invoice customer worker queue cache session request gateway storage report index
  user token buffer stream parser handler config schema metric bucket volume cluster node replica shard ledger tenant quota
  webhook scheduler dispatcher subscription notification inventory warehouse checkout coupon refund catalog thumbnail upload
  profile permission audit snapshot migration fixture adapter listener resolver serializer throttle heartbeat watermark`.split(/\s+/);
const tools = ["read_file", "run_command", "search_code", "list_directory", "fetch_page", "apply_patch"];
const person = () => `${pick(first)} ${pick(last)}`;
const mail = () => `${pick(first)}.${pick(last)}@${pick(["example.com", "mail.example.org"])}`.toLowerCase();
const path = () => `/${pick(["usr/lib", "srv/app", "home/ci/build", "var/lib"])}/${pick(words)}/${pick(words)}_${pick(words)}.${pick(["go", "py", "yaml", "so.1", "json"])}`;
const record = (i) => ({ id: 1000 + i, uid: uuid(), name: person(), email: mail(), active: random() < 0.7, balance: Number(price()), tags: times(int(0, 3), () => pick(words)), created_at: time(), address: null });
const span = (i) => ({ span_id: hex(16), name: pick(tools), status: "ok", observed_bytes: int(100, 99999), injected_bytes: int(100, 12000), sha256_observed: hex(64), started_at: time(), seq: i + 1 });

const texts = {
  fit: {
    "hex-digests": () => lines(24, () => `${hex(64)}  ${pick(words)}-${int(1, 9)}.${int(0, 20)}.tar.gz`),
    "hex-one-line": () => hex(1600),
    "hexdump": () => lines(24, (i) => { const b = bytes(16); return `${(i * 16).toString(16).padStart(8, "0")}  ${b.toString("hex").replace(/(..)/g, "$1 ")} |${b.toString("latin1").replace(/[^ -~]/g, ".")}|`; }),
    "uuids": () => lines(40, uuid),
    "base64-one-line": () => bytes(900).toString("base64"),
    "base64-data-url": () => `<img alt="chart" src="data:image/png;base64,${bytes(1000).toString("base64")}">\n`,
    "log-application": () => lines(18, () => `${time()} ${pick(["INFO", "DEBUG", "WARN", "ERROR"])} [${pick(words)}-${int(1, 16)}] request_id=${uuid()} user=${int(1000, 99999)} method=${pick(["GET", "POST"])} path=/api/v${int(1, 2)}/${pick(words)}s/${int(1, 9999)} status=${pick([200, 201, 404, 500])} duration=${int(1, 900)}.${int(100, 999)}ms`),
    "log-syslog": () => lines(22, () => `Nov  5 ${int(10, 23)}:${int(10, 59)}:${int(10, 59)} node-${int(1, 9)} ${pick(["kernel", "sshd", "systemd", "cron"])}[${int(300, 32000)}]: ${pick(["Accepted publickey for deploy from " + ip() + " port " + int(1024, 65000) + " ssh2", "Started Session " + int(1, 900) + " of user root.", "Out of memory: Killed process " + int(300, 32000) + " (java) total-vm:" + int(100000, 9999999) + "kB", "(root) CMD (/usr/local/bin/rotate --keep " + int(3, 30) + ")"])}`),
    "json-pretty": () => JSON.stringify(times(8, record), null, 2) + "\n",
    "json-minified": () => JSON.stringify({ page: 1, total: 412, items: times(12, record) }),
    "jsonl-spans": () => lines(10, (i) => JSON.stringify(span(i))),
    "csv-people": () => "id,name,email,balance,created_at\n" + lines(35, (i) => `${i + 1},${person()},${mail()},${price()},${time()}`),
    "table-psql": () => `  id  |        name        |  balance  | active\n------+--------------------+-----------+--------\n` + lines(28, (i) => ` ${String(1000 + i).padStart(4)} | ${pad(person(), 18)} | ${price().padStart(9)} | ${pick(["t", "f"])}`),
    "numbers-integers": () => lines(60, () => times(8, () => int(0, 10 ** int(1, 9))).join(" ")),
    "numbers-floats": () => lines(60, () => times(4, () => (random() * 200 - 100).toFixed(6)).join(", ")),
    "whitespace-indented": () => lines(110, () => " ".repeat(4 * int(2, 14)) + pick(words) + (random() < 0.2 ? "\n\n" : "")),
    "whitespace-columns": () => lines(40, () => times(5, () => pad(pick(words), int(14, 30))).join("")),
    "xml-feed": () => `<?xml version="1.0" encoding="UTF-8"?>\n<catalog xmlns="http://example.com/ns/catalog">\n` + lines(10, (i) => `  <item id="${i}" sku="A-${int(100, 999)}">\n    <title>${person()} &amp; Sons</title>\n    <price currency="EUR">${price()}</price>\n    <updated>${time()}</updated>\n  </item>`) + "</catalog>\n",
    "svg-path": () => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 480"><path fill="none" stroke="#${hex(6)}" d="M${times(160, () => `${pick(["L", "C", ""])}${(random() * 640).toFixed(2)} ${(random() * 480).toFixed(1)}`).join(" ")}Z"/></svg>\n`,
    "paths": () => lines(50, path),
    "urls": () => lines(20, () => `https://${pick(words)}.example.com/${pick(words)}/${int(1, 9999)}?utm_source=${pick(words)}&session=${hex(12)}&page=${int(1, 40)}#${pick(words)}`),
    "ansi-colours": () => lines(30, () => `\x1b[${int(30, 37)}m${pick(["PASS", "FAIL", "SKIP"])}\x1b[0m \x1b[1m${pick(words)}/${pick(words)}_test.go\x1b[22m \x1b[2m(${int(1, 900)} ms)\x1b[0m`),
    "control-characters": () => times(500, () => String.fromCharCode(pick([0, 1, 2, 3, 4, 7, 8, 11, 14, 16, 27, 31, 127]))).join(""),
    "emoji": () => lines(12, () => times(20, () => pick([..."😀😂🤣😊😍🙏👍🔥🎉🚀✅❌💡📌🐛🍕🌍🎯🧪🛠"])).join(" ")),
    "sql-inserts": () => lines(16, (i) => `INSERT INTO customers (id, name, email, balance, created_at) VALUES (${i + 1}, '${person()}', '${mail()}', ${price()}, '${time()}');`),
    "minified-css": () => times(30, () => `.${pick(words)}-${pick(words)}{display:flex;margin:0 ${int(1, 40)}px;color:#${hex(6)};width:calc(100% - ${int(1, 90)}px)}`).join(""),
    "repeated-x": () => "x".repeat(4000),
    "repeated-hyphen-lines": () => lines(60, () => "-".repeat(int(60, 120)) + "\n" + pick(words)),
    "repeated-zero": () => "0".repeat(2000),
    "repeated-sentence": () => "The quick brown fox jumps over the lazy dog. ".repeat(60),
    "repeated-newlines": () => "\n".repeat(6000),
    "repeated-han": () => "漢".repeat(700),
    "whitespace-blank": () => lines(120, () => " ".repeat(int(0, 60)) + (random() < 0.4 ? "\n" : "") + (random() < 0.5 ? "\t\t" : "")) + "end\n",
    "repeated-spaces": () => (" ".repeat(120) + "|\n").repeat(200),
    "control-in-text": () => lines(40, () => `${pick(words)}\x00${int(1, 99)}\x1f${pick(first)}\x1f${pick(last)}\x1e`),
  },
  heldout: {
    "hex-upper": () => lines(30, () => hex(48).toUpperCase()),
    "hex-bytes-c": () => "static const unsigned char blob[] = {\n" + lines(26, () => "  " + times(12, () => "0x" + hex(2) + ",").join(" ")) + "};\n",
    "uuids-in-json": () => JSON.stringify(times(30, () => ({ id: uuid(), parent: uuid() }))),
    "base64-wrapped": () => wrap(bytes(900).toString("base64"), 76),
    "base64url-tokens": () => lines(6, () => times(3, () => bytes(pick([27, 54, 72])).toString("base64url")).join(".")),
    "pem": () => `-----BEGIN CERTIFICATE-----\n${wrap(bytes(768).toString("base64"), 64)}-----END CERTIFICATE-----\n`,
    "log-access": () => lines(22, () => `${ip()} - ${pick(["-", "deploy", "ines"])} [05/Nov/2024:${int(10, 23)}:${int(10, 59)}:${int(10, 59)} +0000] "${pick(["GET", "POST", "HEAD"])} /${pick(words)}s/${int(1, 9999)}?page=${int(1, 40)} HTTP/1.1" ${pick([200, 301, 404, 502])} ${int(120, 90000)} "https://www.example.com/${pick(words)}" "Mozilla/5.0 (X11; Linux x86_64; rv:${int(90, 130)}.0) Gecko/20100101 Firefox/${int(90, 130)}.0"`),
    "log-structured": () => lines(16, () => JSON.stringify({ level: pick(["info", "warn", "error"]), ts: time(), caller: `${pick(words)}/${pick(words)}.go:${int(10, 400)}`, msg: `${pick(words)} ${pick(["accepted", "rejected", "retried", "expired"])}`, trace_id: hex(32), took_ms: int(1, 5000) })),
    "log-klog": () => lines(24, () => `${pick(["I", "W", "E"])}1105 ${int(10, 23)}:${int(10, 59)}:${int(10, 59)}.${int(100000, 999999)}       1 ${pick(words)}_controller.go:${int(20, 900)}] "${pick(["Reconciling", "Updated", "Failed to sync", "Requeued"])} ${pick(words)}" namespace="prod-${int(1, 9)}" name="${pick(words)}-${hex(10)}-${hex(4)}" err="context deadline exceeded"`),
    "json-nested": () => JSON.stringify({ config: Object.fromEntries(words.map((w) => [w, { enabled: random() < 0.5, limits: { soft: int(1, 100), hard: int(100, 1000) }, hosts: times(2, ip), owner: { name: person(), email: mail() } }])) }, null, 4) + "\n",
    "json-numbers": () => JSON.stringify({ type: "FeatureCollection", features: times(8, (i) => ({ type: "Feature", id: i, geometry: { type: "LineString", coordinates: times(12, () => [Number((random() * 360 - 180).toFixed(5)), Number((random() * 180 - 90).toFixed(5))]) } })) }),
    "tsv": () => "station\thour\tcelsius\tnote\n" + lines(60, () => `${pick(last)}\t${int(0, 23)}\t${(random() * 50 - 15).toFixed(1)}\t${pick(["", "", "estimated", "sensor off"])}`),
    "table-markdown": () => "| id | tool | observed | injected | reason |\n|---:|:-----|---------:|---------:|:-------|\n" + lines(28, (i) => `| ${i} | \`${pick(tools)}\` | ${int(100, 99999)} | ${int(100, 9999)} | ${pick(["none", "prompt_token_cap", "redaction"])} |`),
    "numbers-thousands": () => lines(70, () => times(5, () => int(0, 10 ** int(3, 9)).toLocaleString("en-US")).join("  ")),
    "dates": () => lines(50, () => `${time().slice(0, 10)}  ${time().slice(11, 19)}  ${int(1, 28)}/${int(1, 12)}/20${int(10, 24)}`),
    "whitespace-tabs": () => lines(60, () => "\t".repeat(int(1, 8)) + pick(words) + "\t\t" + int(1, 999)),
    "html-minified": () => "<table><tbody>" + times(24, (i) => `<tr class="${pick(["odd", "even"])}" data-key="${hex(8)}"><td>${i}</td><td><a href="/${pick(words)}/${int(1, 999)}">${person()}</a></td><td>&euro;${price()}</td></tr>`).join("") + "</tbody></table>",
    "file-listing": () => lines(26, () => `-rw-r--r--   ${int(1, 4)} ${pick(["root", "www-data", "deploy"])}  ${pick(["root", "adm"])} ${String(int(40, 9999999)).padStart(9)} Nov ${String(int(1, 28)).padStart(2)} ${int(10, 23)}:${int(10, 59)} ${pick(words)}_${pick(words)}.${pick(["log", "gz", "conf"])}`),
    "binary-escaped": () => "b'" + [...bytes(400)].map((b) => (b >= 32 && b < 127 ? String.fromCharCode(b) : "\\x" + b.toString(16).padStart(2, "0"))).join("") + "'\n",
    "emoji-in-text": () => lines(24, () => `${pick([..."✅❌🚧🔥🐛"])} ${pick(words)} ${pick(["is done", "was retried", "needs a look"])} ${times(int(0, 3), () => pick([..."🎉👀🙈💥🤔🥳"])).join("")}`),
    "random-letters": () => lines(40, () => times(6, () => chars(int(3, 12), "abcdefghijklmnopqrstuvwxyz")).join(" ")),
    "random-identifiers": () => lines(40, () => chars(24, "abcdefghijklmnopqrstuvwxyz0123456789") + " " + chars(12, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")),
    "git-log": () => lines(12, () => `commit ${hex(40)}\nAuthor: ${person()} <${mail()}>\nDate:   Tue Nov ${int(1, 28)} ${int(10, 23)}:${int(10, 59)}:${int(10, 59)} 2024 +0100\n\n    Keep the ${pick(words)} ${pick(words)} when the ${pick(words)} is empty\n`),
    "go-mod-sum": () => lines(14, () => `example.com/${pick(words)}/${pick(words)} v${int(0, 3)}.${int(0, 40)}.${int(0, 9)} h1:${bytes(32).toString("base64")}`),
    "whitespace-aligned": () => lines(50, () => pad(pick(words), int(40, 70)) + pad(int(1, 9999), int(8, 20)) + pick(["yes", "no"])),
    "whitespace-outline": () => lines(70, () => " ".repeat(2 * int(0, 9)) + "- " + pick(words) + "  \n" + (random() < 0.3 ? "\n" + " ".repeat(int(0, 12)) + "\n" : "")),
    "control-separated": () => lines(60, () => times(4, () => pick([pick(words), int(1, 9999), person()])).join("\x1e")),
    "repeated-tabs": () => "\t".repeat(5000),
    "repeated-equals": () => "=".repeat(16000),
    "repeated-letter-e": () => "e".repeat(3000),
    "repeated-accented": () => "é".repeat(600),
    "repeated-line": () => "WARNING: retrying connection to database (attempt 3 of 5)\n".repeat(60),
    "repeated-nul": () => "\0".repeat(1000),
  },
};

for (const [set, makers] of Object.entries(texts)) {
  mkdirSync(new URL(`./${set}/`, import.meta.url), { recursive: true });
  for (const [name, make] of Object.entries(makers)) {
    writeFileSync(new URL(`./${set}/data-${name}.txt`, import.meta.url), make());
  }
}
