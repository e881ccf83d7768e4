-- Who calls a function, on the same lifeline or by message; self is its own time, without nested calls and waiting.
-- param function= the function; all when empty
-- param component= its component; all when empty
-- param run=first_run() the run
-- param limit=100 how many
SELECT component, function, caller_component, caller_function, caller_kind,
    count(*) AS calls, sum(duration_ns)::BIGINT AS total_ns, sum(own_ns(role, self_ns))::BIGINT AS self_ns
FROM calls
WHERE run = $run AND ($function = '' OR function = $function) AND ($component = '' OR component = $component)
GROUP BY ALL
ORDER BY calls DESC, component, function, caller_component, caller_function, caller_kind
LIMIT $limit::BIGINT
