-- Raw and real execution times of components: from a call of the component to its end, and that less the time in components that it called.
-- param run=first_run() the run
-- param component= the component; all when empty
-- param from:offset= start of an interval to which executions are cut, after the start of the run: 10ms, or ns; none when empty
-- param to:offset= end of that interval; none when empty
-- param limit=50 how many components
WITH RECURSIVE span AS (
    SELECT start_ns + coalesce(nullif($from, '')::BIGINT, 0) AS low,
        coalesce(start_ns + nullif($to, '')::BIGINT, 9223372036854775807) AS high
    FROM runs WHERE run = $run
), cut AS MATERIALIZED (
    SELECT e.execution, e.parent, e.component, coalesce(e.role, '') IN ('blocking_call', 'wait') AS away,
        greatest(0, least(e.finish_ns, s.high) - greatest(e.start_ns, s.low)) AS ns,
        e.start_ns < s.high AND (e.finish_ns > s.low OR e.start_ns >= s.low) AS inside
    FROM executions e, span s
    WHERE e.run = $run
), part AS (
    SELECT c.execution, c.execution AS visit, c.component
    FROM cut c LEFT JOIN cut p ON p.execution = c.parent
    WHERE c.inside AND NOT c.away AND (p.execution IS NULL OR p.away OR p.component <> c.component)
    UNION ALL
    SELECT c.execution, p.visit, p.component
    FROM part p JOIN cut c ON c.parent = p.execution
    WHERE c.component = p.component AND NOT c.away
), nested AS (
    SELECT p.visit, sum(c.ns) AS ns
    FROM part p JOIN cut c ON c.parent = p.execution
    WHERE c.component <> p.component OR c.away
    GROUP BY p.visit
), visits AS (
    SELECT v.component, v.ns AS raw, v.ns - coalesce(n.ns, 0) AS real
    FROM part p JOIN cut v ON v.execution = p.visit LEFT JOIN nested n ON n.visit = p.visit
    WHERE p.execution = p.visit
)
SELECT component, count(*) AS executions,
    sum(raw)::BIGINT AS raw_ns, avg(raw)::BIGINT AS raw_mean_ns, min(raw) AS raw_min_ns, max(raw) AS raw_max_ns,
    sum(real)::BIGINT AS real_ns, avg(real)::BIGINT AS real_mean_ns, min(real)::BIGINT AS real_min_ns, max(real)::BIGINT AS real_max_ns
FROM visits
WHERE $component = '' OR component = $component
GROUP BY component
ORDER BY real_ns DESC, component
LIMIT $limit::BIGINT
