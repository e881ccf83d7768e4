-- Service fragments with the longest median runtime.
-- param run=first_run() the run; all when empty
-- param component= the component; all when empty
-- param limit=10 how many
SELECT run, component, fragment, calls, total_ns, min_ns, q25_ns, median_ns, q75_ns, max_ns
FROM fragment_runtime
WHERE ($run = '' OR run = $run) AND ($component = '' OR component = $component)
ORDER BY median_ns DESC, run, fragment
LIMIT $limit::BIGINT
