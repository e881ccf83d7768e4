-- Two runs of one small exchange: lib_url connects and has lib_dns look a name up. In the second run
-- the look-up takes 500 ns longer. Run 01 must not become the number 1.
INSERT INTO runs VALUES
    ('01', 'a.txt', 'text', 'aa', MAP {'release': '8.13', 'machine': 'm1'}, 6, 6, 3, 2, 2, 1000, 1000),
    ('curl-8.14.1', 'b.txt', 'text', 'bb', MAP {'release': '8.14'}, 7, 6, 3, 2, 2, 1000, 1500);
INSERT INTO losses VALUES
    ('curl-8.14.1', 'ingest', 'bad_line', 1, 'b.txt:7:1', 'a line was not of the format and was left out');
INSERT INTO events VALUES
    ('01', 0, 1000, 'lib_url', 'lib_url', 'connect', 'enter', NULL, NULL, NULL, NULL, NULL, NULL, false, 0),
    ('01', 1, 1200, 'lib_url', 'lib_url', 'resolve', 'enter', 'm', 'm', 1, 'send', 'lib_dns', NULL, false, 0),
    ('01', 2, 1300, 'lib_dns', 'lib_dns', 'lookup', 'enter', 'm', 'm', 1, 'receive', 'lib_url', NULL, false, 1),
    ('01', 3, 1700, 'lib_dns', 'lib_dns', 'lookup', 'exit', 'm', 'm', 2, 'send', 'lib_url', NULL, false, 1),
    ('01', 4, 1800, 'lib_url', 'lib_url', 'resolve', 'exit', 'm', 'm', 2, 'receive', 'lib_dns', NULL, false, 0),
    ('01', 5, 2000, 'lib_url', 'lib_url', 'connect', 'exit', NULL, NULL, NULL, NULL, NULL, NULL, false, 0);
INSERT INTO messages VALUES
    ('01', 'm', 1, 'm', 'blocking', 1, 2, 'lib_url', 'lib_dns', 'resolve', 'lookup', 'lib_url', 'lib_dns', 1200, 1300, 100, NULL, NULL),
    ('01', 'm', 2, 'm', 'blocking_reply', 3, 4, 'lib_dns', 'lib_url', 'lookup', 'resolve', 'lib_dns', 'lib_url', 1700, 1800, 100, 1, 600);
INSERT INTO executions VALUES
    ('01', 2, 'lib_dns', 'lib_dns', 'lookup', 1, 1300, 1700, 400, 400, 0, NULL, 'lib_dns.lookup from lib_url', 0, 3, 'sync_handler', 'lib_url', NULL, false, 1),
    ('01', 1, 'lib_url', 'lib_url', 'resolve', 1, 1200, 1800, 600, 600, 1, 0, 'lib_url.connect', 0, 4, 'blocking_call', 'lib_dns', NULL, false, 0),
    ('01', 0, 'lib_url', 'lib_url', 'connect', 1, 1000, 2000, 1000, 400, 0, NULL, 'lib_url.connect', 0, 5, NULL, NULL, NULL, false, 0);
INSERT INTO fragments VALUES
    ('01', 'lib_url.connect', 'lib_url', 'connect', NULL, 1, 1, 4, 5, 4, 0),
    ('01', 'lib_dns.lookup from lib_url', 'lib_dns', 'lookup', 'lib_url', 1, 1, 2, 3, 2, 1);
INSERT INTO states VALUES
    ('01', 'lib_dns.lookup from lib_url', 0, true, false, 1),
    ('01', 'lib_dns.lookup from lib_url', 1, false, false, 1),
    ('01', 'lib_dns.lookup from lib_url', 2, false, true, 1);
INSERT INTO transitions VALUES
    ('01', 'lib_url.connect', 0, 'lib_url', 0, 1, 'connect', 'enter', NULL, NULL, 1, 0),
    ('01', 'lib_url.connect', 1, 'lib_url', 1, 2, 'resolve', 'enter', 'send', 'lib_dns', 1, 0),
    ('01', 'lib_url.connect', 2, 'lib_url', 2, 3, 'resolve', 'exit', 'receive', 'lib_dns', 1, 0),
    ('01', 'lib_url.connect', 3, 'lib_url', 3, 4, 'connect', 'exit', NULL, NULL, 1, 0),
    ('01', 'lib_dns.lookup from lib_url', 0, 'lib_dns', 0, 1, 'lookup', 'enter', 'receive', 'lib_url', 1, 1),
    ('01', 'lib_dns.lookup from lib_url', 1, 'lib_dns', 1, 2, 'lookup', 'exit', 'send', 'lib_url', 1, 1);
INSERT INTO samples VALUES
    ('01', 'lib_url.connect', 0, 0, 1000, NULL, NULL, 0, 0),
    ('01', 'lib_url.connect', 1, 0, 1200, 200, NULL, 200, 0),
    ('01', 'lib_url.connect', 2, 0, 1800, 600, 600, 800, 0),
    ('01', 'lib_url.connect', 3, 0, 2000, 200, 1000, 1000, 0),
    ('01', 'lib_dns.lookup from lib_url', 0, 0, 1300, NULL, NULL, 0, 1),
    ('01', 'lib_dns.lookup from lib_url', 1, 0, 1700, 400, 400, 400, 1);
INSERT INTO metrics VALUES
    ('01', 'lib_url', 'lib_url.connect', 'runtime', 0, 1000, 1000, 0),
    ('01', 'lib_url', NULL, 'component_up', 0, 1000, 1000, 0),
    ('01', 'lib_url', NULL, 'blocked', 0, 1200, 600, 0),
    ('01', 'lib_dns', 'lib_dns.lookup from lib_url', 'runtime', 0, 1300, 400, 1),
    ('01', 'lib_dns', NULL, 'component_up', 0, 1300, 400, 1);
INSERT INTO gains VALUES
    ('01', 'lib_url.connect', true, 'lib_dns', 'lookup', 4, 3, 400, 40, 200, 380),
    ('01', 'lib_url.connect', true, 'lib_url', 'connect', 4, 4, 400, 40, 100, 150),
    ('curl-8.14.1', 'lib_url.connect', true, 'lib_dns', 'lookup', 4, 4, 900, 90, 450, 880),
    ('01', 'lib_dns.lookup from lib_url', false, 'lib_dns', 'lookup', 4, 4, 400, 40, 200, 400);
INSERT INTO critical_steps VALUES
    ('01', 1, 3, 'execution', 'lib_url', 'connect', NULL, NULL, NULL, '0b', 1000, 200),
    ('01', 1, 2, 'communication', 'lib_dns', 'lookup', 'lib_url', 'm', NULL, '0c', 1200, 100),
    ('01', 1, 1, 'execution', 'lib_dns', 'lookup', NULL, NULL, NULL, '0d', 1300, 400),
    ('01', 3, 1, 'execution', 'lib_dns', 'lookup', NULL, NULL, NULL, '0c', 1300, 400);
INSERT INTO call_paths VALUES
    ('01', '0b', NULL, 0, 'lib_url', 'connect'),
    ('01', '0c', NULL, 0, 'lib_dns', 'lookup'),
    ('01', '0d', '0c', 1, 'lib_dns', 'lookup');
INSERT INTO compositions VALUES
    ('01', 'lib_url.connect', true, 'execution', 'lib_url', 'connect', NULL, NULL, NULL, 1, 2, 400, 400),
    ('01', 'lib_url.connect', true, 'execution', 'lib_dns', 'lookup', NULL, NULL, NULL, 1, 1, 400, 400),
    ('01', 'lib_url.connect', true, 'communication', 'lib_dns', 'lookup', 'lib_url', 'm', NULL, 1, 1, 100, 100),
    ('01', 'lib_url.connect', true, 'communication', 'lib_url', 'resolve', 'lib_dns', 'm', NULL, 1, 1, 100, 100),
    ('01', 'lib_dns.lookup from lib_url', false, 'execution', 'lib_dns', 'lookup', NULL, NULL, NULL, 1, 1, 400, 400);

INSERT INTO events
SELECT * REPLACE ('curl-8.14.1' AS run, CASE WHEN seq > 2 THEN time_ns + 500 ELSE time_ns END AS time_ns) FROM events;
INSERT INTO messages
SELECT * REPLACE ('curl-8.14.1' AS run, CASE WHEN message_id = 2 THEN send_ns + 500 ELSE send_ns END AS send_ns,
    CASE WHEN message_id = 2 THEN receive_ns + 500 ELSE receive_ns END AS receive_ns, round_trip_ns + 500 AS round_trip_ns) FROM messages;
INSERT INTO executions
SELECT * REPLACE ('curl-8.14.1' AS run, finish_ns + 500 AS finish_ns, duration_ns + 500 AS duration_ns,
    CASE WHEN depth = 0 AND function = 'connect' THEN self_ns ELSE self_ns + 500 END AS self_ns) FROM executions;
INSERT INTO fragments SELECT * REPLACE ('curl-8.14.1' AS run) FROM fragments;
INSERT INTO states SELECT * REPLACE ('curl-8.14.1' AS run) FROM states;
INSERT INTO transitions SELECT * REPLACE ('curl-8.14.1' AS run) FROM transitions;
INSERT INTO samples
SELECT * REPLACE ('curl-8.14.1' AS run, CASE WHEN since_call_ns IS NULL THEN time_ns ELSE time_ns + 500 END AS time_ns,
    CASE WHEN since_call_ns IN (400, 600) THEN since_previous_ns + 500 ELSE since_previous_ns END AS since_previous_ns,
    since_call_ns + 500 AS since_call_ns,
    CASE WHEN since_call_ns IS NULL THEN since_start_ns ELSE since_start_ns + 500 END AS since_start_ns) FROM samples;
INSERT INTO metrics SELECT * REPLACE ('curl-8.14.1' AS run, value_ns + 500 AS value_ns) FROM metrics;
INSERT INTO compositions
SELECT * REPLACE ('curl-8.14.1' AS run, CASE WHEN function = 'lookup' AND category = 'execution' THEN total_ns + 500 ELSE total_ns END AS total_ns,
    CASE WHEN function = 'lookup' AND category = 'execution' THEN max_ns + 500 ELSE max_ns END AS max_ns) FROM compositions;

INSERT INTO matches VALUES
    ('01..8.14', 'lib_dns.lookup from lib_url', NULL, 'transition', 0, 0, 0, 0, 1, 1, 'lookup', 'enter', 'receive', 'lib_url', 'both'),
    ('01..8.14', 'lib_dns.lookup from lib_url', NULL, 'transition', 1, 1, 1, 1, 2, 2, 'lookup', 'exit', 'send', 'lib_url', 'both');
INSERT INTO changes BY NAME
SELECT '01..8.14' AS comparison, c.*, 1 AS n_base, 1 AS n_cand, 1 AS runs_base, 1 AS runs_cand,
    median_base_ns AS total_base_ns, median_cand_ns AS total_cand_ns, median_cand_ns - median_base_ns AS abs_ns,
    median_cand_ns / median_base_ns AS ratio, detected AS fired_abs, detected AS fired_rel, false AS fired_ks, false AS fired_mwu,
    false AS fired_shift, false AS fired_dyn, 'abs' AS method, CASE WHEN detected THEN 'slower' ELSE 'unchanged' END AS verdict
FROM (VALUES
    ('fragment', 'lib_dns', 'lib_dns.lookup from lib_url', 'lib_dns.lookup from lib_url', NULL, NULL, NULL, 400, 900, true, 500, 'own time', 1),
    ('fragment', 'lib_url', 'lib_url.connect', 'lib_url.connect', NULL, NULL, NULL, 1000, 1500, true, 0, 'waits for lib_dns.lookup', 2),
    ('transition', 'lib_dns', 'lib_dns.lookup from lib_url', 'exit lookup send to lib_url', 1, 'relative', 400, 400, 900, true, 500, 'own time', 3),
    ('transition', 'lib_url', 'lib_url.connect', 'exit connect', 3, 'fragment_absolute', NULL, 1000, 1500, true, 0, NULL, 5),
    ('transition', 'lib_url', 'lib_url.connect', 'exit resolve receive from lib_dns', 2, 'relative', NULL, 600, 1100, true, 0, 'waits for lib_dns.lookup', 4),
    ('transition', 'lib_url', 'lib_url.connect', 'exit resolve receive from lib_dns', 2, 'fragment_absolute', NULL, 800, 1300, true, 0, 'waits for lib_dns.lookup', 6),
    ('transition', 'lib_url', 'lib_url.connect', 'enter resolve send to lib_dns', 1, 'fragment_absolute', NULL, 200, 200, false, 0, NULL, 7)
) c(level, component, fragment, subject, transition, normalisation, position_ns, median_base_ns, median_cand_ns, detected, impact_ns, root_cause, rank);
INSERT INTO changes BY NAME
SELECT '01..8.14' AS comparison, 'critical_path' AS level, 'lib_url.connect' AS fragment, c.*, 1 AS n_base, 1 AS n_cand, 1 AS runs_base, 1 AS runs_cand,
    median_base_ns AS total_base_ns, median_cand_ns AS total_cand_ns, median_cand_ns - median_base_ns AS abs_ns, median_cand_ns - median_base_ns AS impact_ns,
    median_cand_ns / median_base_ns AS ratio, detected AS fired_abs, detected AS fired_rel, false AS fired_ks, false AS fired_mwu,
    false AS fired_shift, detected AS fired_dyn, 'abs' AS method, CASE WHEN detected THEN 'slower' ELSE 'unchanged' END AS verdict
FROM (VALUES
    ('lib_dns', 'execution lib_dns.lookup', 'execution', 'lookup', NULL, 400, 900, true, 8),
    ('lib_url', 'execution lib_url.connect', 'execution', 'connect', NULL, 400, 400, false, 9),
    ('lib_dns', 'message m from lib_url to lib_dns.lookup', 'communication', 'lookup', 'lib_url', 100, 100, false, 10),
    ('lib_url', 'message m from lib_dns to lib_url.resolve', 'communication', 'resolve', 'lib_dns', 100, 100, false, 11)
) c(component, subject, metric, function, peer, median_base_ns, median_cand_ns, detected, rank);

INSERT INTO findings BY NAME
SELECT '01..8.14' AS comparison, 1 AS finding, 'regressed' AS verdict, false AS minor, 'slower' AS kind, 'transition' AS level, 3 AS rank, 'lib_dns' AS component,
    'lib_dns.lookup from lib_url' AS fragment, 'exit lookup send to lib_url' AS subject, 'lookup' AS function, 500 AS effect_ns, 450 AS effect_lo_ns,
    550 AS effect_hi_ns, 400 AS base_ns, 900 AS cand_ns, 500 AS slower_ns, 0 AS called_ns, 1 AS count_base, 1 AS count_cand, 1 AS share, .001 AS q,
    3 AS inherited, 'lib_dns.lookup < lib_url.connect' AS inherited_at;
INSERT INTO estimates BY NAME
SELECT '01..8.14' AS comparison, 1 AS rank, 'cost' AS quantity, 'cost of transitions of lib_dns' AS family, 400 AS base, 900 AS cand, 1.357 AS ratio,
    1.32 AS ratio_lo, 1.39 AS ratio_hi, 1.05 AS margin, 5.5 AS df, .0001 AS p, .001 AS q, 1 AS equivalence_p, 3 AS runs_needed;
INSERT INTO summaries BY NAME
SELECT run, 'transition' AS level, 'lib_dns' AS component, 'lib_dns.lookup from lib_url' AS fragment, 1 AS transition, ns AS arrival_ns, 1 AS count, 1 AS n, ns AS total_ns,
    ns AS min_ns, ns AS q50_ns, ns AS max_ns
FROM (VALUES ('01', 400), ('curl-8.14.1', 900)) v(run, ns);
UPDATE changes SET verdict = 'undetermined', detected = false, cost_base_ns = 400, cost_cand_ns = 400, effect_lo_ns = -100, effect_hi_ns = 100, runs_needed = 7
WHERE rank = 9;

-- The two runs as model sets, with a third that calls lib_dns lib_asyn, no longer resolves names in lib_url, and has a new fragment.
INSERT INTO variants VALUES
    ('01..8.15', 'model_set', NULL, NULL, '8.13', 1, 'input', 2, NULL, NULL, false),
    ('01..8.15', 'model_set', NULL, NULL, '8.14', 1, 'input', 2, NULL, NULL, false),
    ('01..8.15', 'model_set', NULL, NULL, '8.15', 2, 'input', 3, NULL, NULL, false),
    ('01..8.15', 'entity', 'lib_dns', 'lib_dns.lookup from lib_url', '8.13', 1, 'input', NULL, 2, 2, false),
    ('01..8.15', 'entity', 'lib_dns', 'lib_dns.lookup from lib_url', '8.14', 1, 'input', NULL, 2, 2, false),
    ('01..8.15', 'entity', 'lib_dns', 'lib_dns.lookup from lib_url', '8.15', 0, 'input', NULL, 0, 0, false),
    ('01..8.15', 'entity', 'lib_url', 'lib_url.connect', '8.13', 1, 'input', NULL, 4, 4, false),
    ('01..8.15', 'entity', 'lib_url', 'lib_url.connect', '8.14', 1, 'input', NULL, 4, 4, false),
    ('01..8.15', 'entity', 'lib_url', 'lib_url.connect', '8.15', 2, 'input', NULL, 2, 2, false),
    ('01..8.15', 'entity', 'lib_url', 'lib_url.connect', NULL, 3, 'union', NULL, 5, 6, false),
    ('01..8.15', 'entity', 'lib_asyn', 'lib_asyn.lookup from lib_url', '8.13', 0, 'input', NULL, 0, 0, false),
    ('01..8.15', 'entity', 'lib_asyn', 'lib_asyn.lookup from lib_url', '8.14', 0, 'input', NULL, 0, 0, false),
    ('01..8.15', 'entity', 'lib_asyn', 'lib_asyn.lookup from lib_url', '8.15', 1, 'input', NULL, 2, 2, false),
    ('01..8.15', 'entity', 'lib_asyn', 'lib_asyn.init', '8.13', 0, 'input', NULL, 0, 0, false),
    ('01..8.15', 'entity', 'lib_asyn', 'lib_asyn.init', '8.14', 0, 'input', NULL, 0, 0, false),
    ('01..8.15', 'entity', 'lib_asyn', 'lib_asyn.init', '8.15', 1, 'input', NULL, 3, 3, false);
INSERT INTO lattice VALUES
    ('01..8.15', 'entity', 'lib_dns', 'lib_dns.lookup from lib_url', 'included', 0, 1, 2, NULL, 0, NULL, 'enter lookup'),
    ('01..8.15', 'entity', 'lib_url', 'lib_url.connect', 'unrelated', 1, 2, 0, NULL, 2, 'exit connect', 'enter connect'),
    ('01..8.15', 'entity', 'lib_asyn', 'lib_asyn.lookup from lib_url', 'included', 0, 1, 2, NULL, 0, NULL, 'enter lookup'),
    ('01..8.15', 'entity', 'lib_asyn', 'lib_asyn.init', 'included', 0, 1, 3, NULL, 0, NULL, 'enter init');
INSERT INTO differences VALUES
    ('01..8.15', '8.13', '8.14', 0, 0, 0, 0, 0),
    ('01..8.15', '8.13', '8.15', 4, 1, 0, 1, 1),
    ('01..8.15', '8.14', '8.15', 4, 1, 0, 1, 1);
INSERT INTO entity_changes VALUES
    ('01..8.15', '8.14', '8.15', 'lib_asyn', 'lib_asyn.init', 'appeared', NULL, NULL, NULL, 0, 1),
    ('01..8.15', '8.14', '8.15', 'lib_url', 'lib_url.connect', 'changed', 'replaced', NULL, NULL, 1, 2),
    ('01..8.15', '8.14', '8.15', 'lib_dns', 'lib_dns.lookup from lib_url', 'moved', NULL, 'lib_asyn', 'lib_asyn.lookup from lib_url', 1, 1);
INSERT INTO checks VALUES
    ('01', 'shop', 'in_time', NULL, 'BAD', 'four', false, 6, 3, 1, 0, false, -100, 300, NULL, false, 2, 1300, NULL, 'always if there is a start with name lookup, then within [0, 300] ns from then there is an end with name lookup'),
    ('01', 'shop', 'nesting', 'connect', 'STILL_TRUE', 'four', true, 6, 1, 0, 0, false, NULL, NULL, NULL, false, NULL, NULL, NULL, 'always if there is a start with name connect, then eventually there is an end with name connect'),
    ('01', 'shop', 'refund', NULL, 'STILL_TRUE', 'four', true, 6, 0, 0, 0, true, NULL, NULL, NULL, false, NULL, NULL, NULL, 'always if there is a start with name refund, then eventually there is an end with name refund'),
    ('curl-8.14.1', 'shop', 'in_time', NULL, 'STILL_TRUE', 'four', true, 6, 3, 0, 0, false, 20, 300, NULL, false, NULL, NULL, NULL, 'always if there is a start with name lookup, then within [0, 300] ns from then there is an end with name lookup');
INSERT INTO check_failures VALUES
    ('01', 'shop', 'in_time', NULL, 2, 1300, 'lib_dns', 'lookup', 400, 100);
INSERT INTO check_intervals VALUES
    ('01', 'shop', 'in_time', NULL, NULL, 0, 1000, 1300, true),
    ('01', 'shop', 'in_time', NULL, NULL, 2, 1300, 1700, false),
    ('01', 'shop', 'in_time', NULL, NULL, 3, 1700, 2000, true);
INSERT INTO derived_signals VALUES
    ('01', 0, 'lib_dns', 'clients', NULL, 1000000000),
    ('01', 1, 'lib_url', 'clients', NULL, 1000000000);
INSERT INTO fragments_of_derived_signals VALUES
    ('01', 0, 1000, 1300, 0, 0, 0),
    ('01', 0, 1300, 1700, 1, 0, 0),
    ('01', 0, 1700, 2000, 0, 0, 0),
    ('01', 1, 1000, 1200, 1, 0, 0),
    ('01', 1, 1200, 1800, 2, 0, 0),
    ('01', 1, 1800, 2000, 1, 0, 0);
