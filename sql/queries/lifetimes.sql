-- Lifetimes of asynchronous operations by name: how many, how long all and one of them took.
-- param run=first_run() the run
-- param component= the component; all when empty
-- param limit=20 how many
SELECT component, function, lifetimes, total_ns, min_ns, q[1]::BIGINT AS q25_ns, q[2]::BIGINT AS median_ns, q[3]::BIGINT AS q75_ns, max_ns
FROM (
    SELECT component, function, count(*) AS lifetimes, sum(duration_ns)::BIGINT AS total_ns, min(duration_ns) AS min_ns,
        quartiles(duration_ns) AS q, max(duration_ns) AS max_ns
    FROM executions
    WHERE run = $run AND ($component = '' OR component = $component) AND is_lifetime(execution_type)
    GROUP BY component, function
)
ORDER BY total_ns DESC, component, function
LIMIT $limit::BIGINT
