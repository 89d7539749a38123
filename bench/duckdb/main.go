// Duckdb counts the verdicts of the spans in a trace with SQL, by the rules of
// the article's script, and prints as JSON the counts and how many nanoseconds
// the query took.
//
//	duckdb TRACE
package main

import (
	"database/sql"
	"encoding/json"
	"log"
	"os"
	"time"

	_ "github.com/duckdb/duckdb-go/v2"
)

const query = `
SELECT verdict, count(*) FROM (
	SELECT CASE
		WHEN observed_bytes IS NULL OR injected_bytes IS NULL OR injected_tokens IS NULL THEN 'incomplete'
		WHEN injected_bytes < observed_bytes AND coalesce(clip_reason, 'none') = 'none' THEN 'silent_clip'
		WHEN injected_bytes < observed_bytes THEN 'clipped'
		WHEN sha256_observed <> sha256_injected AND coalesce(clip_reason, 'none') = 'none' THEN 'hash_mismatch'
		ELSE 'ok' END AS verdict
	FROM read_json(?, format = 'newline_delimited', columns = {
		name: 'VARCHAR', clip_reason: 'VARCHAR', sha256_observed: 'VARCHAR', sha256_injected: 'VARCHAR',
		observed_bytes: 'BIGINT', injected_bytes: 'BIGINT', injected_tokens: 'BIGINT'})
	WHERE name IS NOT NULL
) GROUP BY verdict`

func main() {
	log.SetFlags(0)
	if err := run(os.Args[1]); err != nil {
		log.Fatalln("duckdb: error:", err)
	}
}

func run(trace string) error {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return err
	}
	defer db.Close()
	if err := db.Ping(); err != nil {
		return err
	}
	start := time.Now()
	counts, err := count(db, trace)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{"wall": time.Since(start), "counts": counts})
}

func count(db *sql.DB, trace string) (map[string]int, error) {
	rows, err := db.Query(query, trace)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	counts := map[string]int{}
	for rows.Next() {
		var verdict string
		var n int
		if err := rows.Scan(&verdict, &n); err != nil {
			return nil, err
		}
		counts[verdict] = n
	}
	return counts, rows.Err()
}
