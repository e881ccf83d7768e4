-- How much of each resource was in use, and for how long not at all (of runs with derived signals: analyze run --stage signals).
-- param run=first_run() the run
-- param limit=50 how many
SELECT s.name AS resource, s.origin, round(sum(f.c * (f.to_ns - f.from_ns)) / sum(f.to_ns - f.from_ns), 6) AS mean, max(f.c) AS greatest,
    sum(CASE WHEN f.c = 0 THEN f.to_ns - f.from_ns ELSE 0 END)::BIGINT AS idle_ns
FROM derived_signals s JOIN fragments_of_derived_signals f ON f.run = s.run AND f.signal = s.signal
WHERE s.run = $run
GROUP BY s.signal, s.name, s.origin
ORDER BY mean DESC, resource, s.origin
LIMIT $limit::BIGINT
