-- Functions by the time spent in themselves, without nested calls, waiting for another component and lifetimes of asynchronous calls.
-- param run=first_run() the run
-- param component= the component; all when empty
-- param asynchronous=no yes to have lifetimes, too, which tell how long something took and not who worked
-- param limit=20 how many
SELECT component, function, count(*) AS calls, sum(self_ns)::BIGINT AS self_ns, sum(duration_ns)::BIGINT AS total_ns,
    round(100 * sum(self_ns) / sum(sum(self_ns)) OVER (), 2) AS self_percent
FROM executions
WHERE run = $run AND ($component = '' OR component = $component)
    AND coalesce(role, '') NOT IN ('blocking_call', 'wait')
    AND ($asynchronous = 'yes' OR NOT is_lifetime(execution_type))
GROUP BY component, function
ORDER BY self_ns DESC, component, function
LIMIT $limit::BIGINT
