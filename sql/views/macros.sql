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
