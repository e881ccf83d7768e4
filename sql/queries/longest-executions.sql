-- The longest single executions of a run; what they wait for another component is none of their own time.
-- param run=first_run() the run
-- param component= the component; all when empty
-- param function= the function; all when empty
-- param limit=10 how many
SELECT component, function, start_ns, duration_ns, own_ns(role, self_ns) AS self_ns, fragment, fragment_occurrence, role, peer, start_seq, finish_seq
FROM executions
WHERE run = $run AND ($component = '' OR component = $component) AND ($function = '' OR function = $function)
ORDER BY duration_ns DESC, start_seq
LIMIT $limit::BIGINT
