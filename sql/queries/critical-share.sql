-- Where the critical paths of the initial fragments of a run spend their time.
-- param run=first_run() the run
-- param fragment= the initial fragment; all when empty
-- param limit=30 how many parts
SELECT run, fragment, category, component, function, sender, message, busy_component, occurrences, steps, total_ns, max_ns,
    round(100 * total_ns / nullif(sum(total_ns) OVER (PARTITION BY fragment), 0), 2) AS percent_of_fragment
FROM compositions
WHERE run = $run AND initial AND ($fragment = '' OR fragment = $fragment)
ORDER BY total_ns DESC, fragment, category, component, function, sender, message, busy_component
LIMIT $limit::BIGINT
