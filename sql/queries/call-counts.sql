-- How often each function was called in each run, counted where it ran; those whose counts differ most first.
-- param component= the component; all when empty
-- param function= the function; all when empty
-- param limit=1000 how many rows
WITH counted AS (
    SELECT run, component, function, count(*) AS calls
    FROM executions
    WHERE ($component = '' OR component = $component) AND ($function = '' OR function = $function)
        AND coalesce(role, '') NOT IN ('blocking_call', 'request', 'wait')
    GROUP BY run, component, function
), filled AS (
    SELECT r.run, f.component, f.function, coalesce(c.calls, 0) AS calls
    FROM (SELECT DISTINCT component, function FROM counted) f
    CROSS JOIN (SELECT run FROM runs) r
    LEFT JOIN counted c ON c.run = r.run AND c.component = f.component AND c.function = f.function
)
SELECT component, function, run, calls,
    max(calls) OVER (PARTITION BY component, function) - min(calls) OVER (PARTITION BY component, function) AS spread
FROM filled
ORDER BY spread DESC, component, function, run
LIMIT $limit::BIGINT
