-- How long components were blocked or waited for replies; of spans that overlap, the share of the run counts each moment once.
-- param run= the run; all when empty
-- param limit=50 how many
WITH spans AS (
    -- Spans overlap where a component waits in several threads, or is called back while it waits: then the total may exceed the run.
    -- The share counts of every span what no earlier one has covered.
    SELECT *, time_ns + value_ns - greatest(time_ns, coalesce(max(time_ns + value_ns) OVER (
        PARTITION BY run, component, metric ORDER BY time_ns, value_ns, fragment, occurrence ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), time_ns)) AS added_ns
    FROM metrics
    WHERE metric IN ('blocked', 'waited', 'fcn_wait') AND ($run = '' OR run = $run)
)
SELECT s.run, s.component, s.metric, count(*) AS spans, sum(s.value_ns)::BIGINT AS total_ns,
    quantile_cont(s.value_ns, 0.5)::BIGINT AS median_ns, max(s.value_ns) AS max_ns,
    round(100 * sum(greatest(s.added_ns, 0)) / nullif(r.duration_ns, 0), 2) AS percent_of_run
FROM spans s JOIN runs r USING (run)
GROUP BY s.run, s.component, s.metric, r.duration_ns
ORDER BY total_ns DESC, s.run, s.component, s.metric
LIMIT $limit::BIGINT
