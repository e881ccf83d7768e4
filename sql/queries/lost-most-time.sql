-- Service fragments that lost the most time from a baseline to a candidate: two runs, or a comparison.
-- param base=first_run() the baseline run
-- param cand=second_run() the candidate run
-- param comparison= a comparison to take instead of the two runs; its figures are averages a run
-- param limit=10 how many
WITH base AS (
    SELECT component, fragment, calls, total_ns, median_ns FROM fragment_runtime
    WHERE $comparison = '' AND run = $base
), cand AS (
    SELECT component, fragment, calls, total_ns, median_ns FROM fragment_runtime
    WHERE $comparison = '' AND run = $cand
), sides AS (
    SELECT component, fragment, coalesce(b.calls, 0) AS calls_base, coalesce(c.calls, 0) AS calls_cand,
        coalesce(b.total_ns, 0) AS total_base_ns, coalesce(c.total_ns, 0) AS total_cand_ns,
        b.median_ns AS median_base_ns, c.median_ns AS median_cand_ns
    FROM base b FULL JOIN cand c USING (component, fragment)
    UNION ALL
    SELECT component, fragment, n_base // greatest(runs_base, 1), n_cand // greatest(runs_cand, 1),
        total_base_ns // greatest(runs_base, 1), total_cand_ns // greatest(runs_cand, 1),
        median_base_ns, median_cand_ns
    FROM changes
    WHERE comparison = $comparison AND (level = 'fragment' OR metric = 'runtime')
    QUALIFY row_number() OVER (PARTITION BY component, fragment ORDER BY level) = 1
)
SELECT component, fragment, total_cand_ns - total_base_ns AS lost_ns, calls_base, calls_cand,
    total_base_ns, total_cand_ns, median_base_ns, median_cand_ns
FROM sides
WHERE total_cand_ns > total_base_ns
ORDER BY lost_ns DESC, component, fragment
LIMIT $limit::BIGINT
