-- Time that components were blocked on calls or waited for replies, as a share of the run.
-- param run= the run; all when empty
-- param limit=50 how many
SELECT m.run, m.component, m.metric, count(*) AS spans, sum(m.value_ns)::BIGINT AS total_ns,
    quantile_cont(m.value_ns, 0.5)::BIGINT AS median_ns, max(m.value_ns) AS max_ns,
    round(100 * sum(m.value_ns) / nullif(r.duration_ns, 0), 2) AS percent_of_run
FROM metrics m JOIN runs r USING (run)
WHERE m.metric IN ('blocked', 'waited', 'fcn_wait') AND ($run = '' OR m.run = $run)
GROUP BY m.run, m.component, m.metric, r.duration_ns
ORDER BY total_ns DESC, m.run, m.component, m.metric
LIMIT $limit::BIGINT
