-- Where the critical paths of root executions spend their time by call path, the outermost function first, over runs with the table critical_steps.
-- param run= the run; all when empty
-- param fragment= only roots of this service fragment; all roots that no message starts when empty
-- param slowest=100 percent of the roots of a run, those that took longest
-- param limit=30 how many call paths
WITH RECURSIVE roots AS (
    SELECT run, execution AS root, percent_rank() OVER (PARTITION BY run ORDER BY duration_ns DESC) AS place
    FROM executions
    WHERE parent IS NULL AND ($run = '' OR run = $run)
        AND (fragment = $fragment OR $fragment = '' AND (role IS NULL OR role NOT IN ('sync_handler', 'trigger_handler')))
), steps AS (
    SELECT s.run, s.root, s.category, s.call_path, s.sender, s.duration_ns
    FROM critical_steps s JOIN roots r ON r.run = s.run AND r.root = s.root
    WHERE r.place <= $slowest::DOUBLE / 100
), named AS (
    SELECT run, call_path, component || '.' || "function" AS calls FROM call_paths WHERE caller IS NULL
    UNION ALL
    SELECT p.run, p.call_path, n.calls || ';' || p.component || '.' || p."function" FROM call_paths p JOIN named n ON n.run = p.run AND n.call_path = p.caller
), total AS (
    SELECT count(DISTINCT (run, root)) AS roots, sum(duration_ns) AS ns FROM steps
)
SELECT coalesce(n.calls, '[idle]') || coalesce(';[message from ' || s.sender || ']', '') AS calls, s.category, count(DISTINCT (s.run, s.root)) AS roots,
    count(*) AS steps, sum(s.duration_ns)::BIGINT AS total_ns, round(100 * sum(s.duration_ns) / greatest(any_value(t.ns), 1), 2) AS percent
FROM steps s LEFT JOIN named n ON n.run = s.run AND n.call_path = s.call_path, total t
GROUP BY ALL
ORDER BY total_ns DESC, calls, s.category
LIMIT $limit::BIGINT
