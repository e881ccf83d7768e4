-- Runtime of every service fragment in every run: how often it ran, how long in all, and the quartiles.
CREATE VIEW fragment_runtime AS
SELECT run, component, fragment, calls, total_ns, min_ns,
    q[1]::BIGINT AS q25_ns, q[2]::BIGINT AS median_ns, q[3]::BIGINT AS q75_ns, max_ns
FROM (
    SELECT run, component, fragment, count(*) AS calls, sum(value_ns)::BIGINT AS total_ns,
        min(value_ns) AS min_ns, quartiles(value_ns) AS q, max(value_ns) AS max_ns
    FROM metrics
    WHERE metric = 'runtime'
    GROUP BY run, component, fragment
);

-- Transitions of every service fragment in every run, with a readable label and statistics of their
-- time samples: since the fragment began, since the event before, and since the call of the execution.
CREATE VIEW steps AS
SELECT t.run, t.component, t.fragment, t.transition, t.source, t.target,
    event_label(t.function, t.kind, t.direction, t.peer) AS label,
    t.function, t.kind, t.direction, t.peer, t.count,
    s.samples, s.median_since_start_ns, s.total_since_previous_ns,
    s.previous[1]::BIGINT AS q25_since_previous_ns,
    s.previous[2]::BIGINT AS median_since_previous_ns,
    s.previous[3]::BIGINT AS q75_since_previous_ns,
    s.max_since_previous_ns, s.median_since_call_ns
FROM transitions t LEFT JOIN (
    SELECT run, fragment, transition, count(*) AS samples,
        quantile_cont(since_start_ns, 0.5)::BIGINT AS median_since_start_ns,
        sum(since_previous_ns)::BIGINT AS total_since_previous_ns,
        quartiles(since_previous_ns) AS previous,
        max(since_previous_ns) AS max_since_previous_ns,
        quantile_cont(since_call_ns, 0.5)::BIGINT AS median_since_call_ns
    FROM samples
    GROUP BY run, fragment, transition
) s ON s.run = t.run AND s.fragment = t.fragment AND s.transition = t.transition;

-- Executions with the execution that called them: on the same lifeline, or by a message from another component. The execution
-- that stands for a call while the caller is blocked has the name of what it calls, so the caller is the one around it.
CREATE VIEW calls AS
SELECT e.run, e.execution, e.component, e.function, e.role, e.duration_ns, e.self_ns,
    coalesce(p.component, m.sender) AS caller_component,
    coalesce(p.function, around.function, m.sender_function) AS caller_function,
    CASE WHEN p.execution IS NOT NULL THEN 'call' WHEN m.sender IS NOT NULL THEN 'message' END AS caller_kind
FROM executions e
LEFT JOIN executions p ON p.run = e.run AND p.execution = e.parent
LEFT JOIN messages m ON m.run = e.run AND m.receive_seq = e.execution AND e.parent IS NULL
LEFT JOIN executions stub ON stub.run = m.run AND stub.execution = m.send_seq AND stub.role = 'blocking_call'
LEFT JOIN executions around ON around.run = stub.run AND around.execution = stub.parent;

-- Executions that ended with an error, as traces of services say of their spans.
CREATE VIEW failures AS
SELECT e.run, e.execution, e.component, e.lifeline, e.function, e.start_ns, e.duration_ns, e.self_ns, e.fragment, e.fragment_occurrence
FROM executions e JOIN annotations a ON a.run = e.run AND a.seq = e.execution
WHERE a.about = 'event' AND a.name = 'status' AND a.value = 'error';

-- Changes that a comparison detected, greatest impact first.
CREATE VIEW detected_changes AS
SELECT comparison, rank, level, component, fragment, subject, verdict, impact_ns, root_cause,
    n_base, n_cand, median_base_ns, median_cand_ns, abs_ns, ratio, method
FROM changes
WHERE detected
ORDER BY comparison, rank;
