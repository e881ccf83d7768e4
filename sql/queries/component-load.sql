-- The share of each run in which a component ran some service fragment.
-- param run= the run; all when empty
-- param limit=50 how many
SELECT m.run, m.component, count(*) AS spans, sum(m.value_ns)::BIGINT AS up_ns, r.duration_ns,
    round(100 * sum(m.value_ns) / nullif(r.duration_ns, 0), 2) AS up_percent
FROM metrics m JOIN runs r USING (run)
WHERE m.metric = 'component_up' AND ($run = '' OR m.run = $run)
GROUP BY m.run, m.component, r.duration_ns
ORDER BY up_percent DESC, m.run, m.component
LIMIT $limit::BIGINT
