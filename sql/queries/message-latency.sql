-- How long messages are under way, by sender, receiver and pattern.
-- param run=first_run() the run
-- param limit=50 how many
SELECT sender, receiver, pattern, n, min_ns, q[1]::BIGINT AS q25_ns, q[2]::BIGINT AS median_ns, q[3]::BIGINT AS q75_ns,
    max_ns, median_round_trip_ns
FROM (
    SELECT sender, receiver, pattern, count(*) AS n, min(latency_ns) AS min_ns, quartiles(latency_ns) AS q,
        max(latency_ns) AS max_ns, quantile_cont(round_trip_ns, 0.5)::BIGINT AS median_round_trip_ns
    FROM messages
    WHERE run = $run
    GROUP BY sender, receiver, pattern
)
ORDER BY median_ns DESC, sender, receiver, pattern
LIMIT $limit::BIGINT
