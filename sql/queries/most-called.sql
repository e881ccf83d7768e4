-- Functions that were called most often in a run, counted where they ran.
-- param run=first_run() the run
-- param component= the component; all when empty
-- param limit=10 how many
SELECT component, function, count(*) AS calls, sum(duration_ns)::BIGINT AS total_ns, sum(self_ns)::BIGINT AS self_ns
FROM executions
WHERE run = $run AND ($component = '' OR component = $component)
    AND coalesce(role, '') NOT IN ('blocking_call', 'request', 'wait')
GROUP BY component, function
ORDER BY calls DESC, component, function
LIMIT $limit::BIGINT
