-- Milliseconds of a time in nanoseconds.
CREATE MACRO ms(ns) AS
    ns / 1e6;

-- Microseconds of a time in nanoseconds.
CREATE MACRO us(ns) AS
    ns / 1e3;

-- Seconds of a time in nanoseconds.
CREATE MACRO sec(ns) AS
    ns / 1e9;

-- The value of one label of a run, or NULL.
CREATE MACRO label_of(labels, name) AS
    list_extract(map_extract(labels, name), 1);

-- The own time of an execution: what its nested executions leave, and none where it only waits for another component.
CREATE MACRO own_ns(role, self_ns) AS
    CASE WHEN role IN ('blocking_call', 'wait') THEN 0 ELSE self_ns END;

-- Whether an execution is a lifetime, by its type: an asynchronous operation, or a window of recording, in which functions work or nobody does.
CREATE MACRO is_lifetime(execution_type) AS
    coalesce(execution_type = 'lifetime', false);

-- An event in words: exit Curl_poll send to lib_multi_c.
CREATE MACRO event_label(function, kind, direction, peer) AS
    kind || ' ' || function || CASE direction
        WHEN 'send' THEN ' send' || coalesce(' to ' || peer, '')
        WHEN 'receive' THEN ' receive' || coalesce(' from ' || peer, '')
        ELSE '' END;

-- Lower quartile, median and upper quartile, interpolated between neighbours.
CREATE MACRO quartiles(x) AS
    quantile_cont(x, [0.25, 0.5, 0.75]);

-- The first run in order of names.
CREATE MACRO first_run() AS
    (SELECT min(run) FROM runs);

-- The second run in order of names.
CREATE MACRO second_run() AS
    (SELECT min(run) FROM runs WHERE run > (SELECT min(run) FROM runs));

-- The comparison that was made last.
CREATE MACRO latest_comparison() AS
    lake_files.newest_comparison();

-- The fragment of a run that ran most often.
CREATE MACRO busiest_fragment(of_run) AS
    (SELECT fragment FROM fragments WHERE run = of_run ORDER BY occurrences DESC, fragment LIMIT 1);

-- Quartiles of the runtime of every service fragment, grouped by a label of the runs such as release.
CREATE MACRO quartiles_by(label) AS TABLE
    SELECT value, component, fragment, runs, calls, min_ns,
        q[1]::BIGINT AS q25_ns, q[2]::BIGINT AS median_ns, q[3]::BIGINT AS q75_ns, max_ns
    FROM (
        SELECT label_of(r.labels, label) AS value, m.component, m.fragment,
            count(DISTINCT m.run) AS runs, count(*) AS calls,
            min(m.value_ns) AS min_ns, quartiles(m.value_ns) AS q, max(m.value_ns) AS max_ns
        FROM metrics m JOIN runs r USING (run)
        WHERE m.metric = 'runtime'
        GROUP BY ALL
    );

-- The value of an attribute of a thing of a run, or NULL: attribute(run, 'claim', execution, 'id'). Things are trace, resource, claim, event, dependency and signal.
CREATE MACRO attribute(of_run, thing, which, called) AS
    (SELECT min(a.value) FROM attributes a WHERE a.run = of_run AND a.about = thing AND a.ref IS NOT DISTINCT FROM which AND a.name = called);

-- How much claims take of every resource of a run over time, and how many there are; of runs without claims every execution takes 1 of its lifeline.
CREATE MACRO usage(of_run) AS TABLE
    SELECT resource, at_ns AS from_ns, lead(at_ns) OVER steps AS to_ns, sum(amount) OVER steps AS amount, (sum(clients) OVER steps)::BIGINT AS clients
    FROM (
        SELECT resource, at_ns, sum(amount) AS amount, sum(clients) AS clients
        FROM (
            SELECT h.resource, unnest([h.start_ns, h.finish_ns]) AS at_ns, unnest([h.amount, -h.amount]) AS amount, unnest([1, -1]) AS clients
            FROM (
                SELECT coalesce(r.name, 'resource ' || c.resource) AS resource, e.start_ns, e.finish_ns, c.amount
                FROM claims c JOIN executions e ON e.run = c.run AND e.execution = c.execution
                LEFT JOIN resources r ON r.run = c.run AND r.resource = c.resource
                WHERE c.run = of_run
                UNION ALL
                SELECT lifeline, start_ns, finish_ns, 1.0::DOUBLE
                FROM executions
                WHERE run = of_run AND NOT EXISTS (SELECT 1 FROM claims WHERE run = of_run)
            ) h
        )
        GROUP BY resource, at_ns
    )
    WINDOW steps AS (PARTITION BY resource ORDER BY at_ns)
    QUALIFY to_ns IS NOT NULL
    ORDER BY resource, from_ns;
