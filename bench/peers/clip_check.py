#!/usr/bin/env python3
# The script of the article "Tool Output Looks Complete. Record the Injected
# Slice.", unchanged: clipspan check is measured against it.
"""clip_check.py — flag tool spans with silent truncation."""
import json
import sys

PRIORITY = {
    "silent_clip": 0,
    "incomplete": 1,
    "hash_mismatch": 2,
    "clipped": 3,
    "ok": 4,
}


def load_spans(stream):
    for line_no, raw in enumerate(stream, 1):
        line = raw.strip()
        if not line:
            continue
        rec = json.loads(line)
        rec["_line"] = line_no
        yield rec


def clip_ratio(obs, inj):
    if obs <= 0:
        return 0.0
    return 1.0 - (inj / obs)


def classify(rec):
    missing = [
        key
        for key in ("observed_bytes", "injected_bytes", "injected_tokens")
        if rec.get(key) is None
    ]
    if missing:
        return "incomplete", missing

    obs = int(rec.get("observed_bytes") or 0)
    inj = int(rec.get("injected_bytes") or 0)
    reason = rec.get("clip_reason") or "none"

    if inj < obs and reason == "none":
        return "silent_clip", [f"ratio={clip_ratio(obs, inj):.2f}"]
    if inj < obs:
        return "clipped", [reason, f"ratio={clip_ratio(obs, inj):.2f}"]

    obs_hash = rec.get("sha256_observed")
    inj_hash = rec.get("sha256_injected")
    if obs_hash and inj_hash and obs_hash != inj_hash and reason == "none":
        return "hash_mismatch", ["bytes_match_but_hash_differs"]
    return "ok", []


def main():
    rows = []
    for rec in load_spans(sys.stdin):
        if not rec.get("name"):
            continue
        status, detail = classify(rec)
        rows.append((status, rec, detail))

    rows.sort(key=lambda item: PRIORITY.get(item[0], 9))
    print(f"{'status':<16} {'span':<12} {'tool':<16} {'obs':>8} {'inj':>8} detail")
    for status, rec, detail in rows:
        print(
            f"{status:<16} {str(rec.get('span_id', '-')):<12} "
            f"{str(rec.get('name', '-')):<16} "
            f"{int(rec.get('observed_bytes') or 0):>8} "
            f"{int(rec.get('injected_bytes') or 0):>8} "
            f"{','.join(detail)}"
        )

    silent = sum(1 for status, _, _ in rows if status == "silent_clip")
    incomplete = sum(1 for status, _, _ in rows if status == "incomplete")
    print(f"\n# silent_clip={silent} incomplete={incomplete} total={len(rows)}")
    if silent or incomplete:
        sys.exit(1)


if __name__ == "__main__":
    main()
