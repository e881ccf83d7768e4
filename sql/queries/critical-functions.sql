-- How often functions are critical for what no message starts, and what each would gain if twice as fast, over runs with the table gains.
-- param release= only runs with this value of the label release; all runs when empty
-- param limit=30 how many functions
WITH roots AS (
    SELECT run, sum(roots) AS roots FROM (SELECT DISTINCT run, fragment, roots FROM gains WHERE initial) GROUP BY run
), shares AS (
    SELECT g.run, g.component, g.function, 100 * sum(g.occurrences) / any_value(r.roots) AS percent, sum(g.gain_50_ns) / any_value(r.roots) AS gain_ns
    FROM gains g JOIN roots r USING (run) JOIN runs t USING (run)
    WHERE g.initial AND g.function IS NOT NULL AND ($release = '' OR t.labels['release'] = $release)
    GROUP BY g.run, g.component, g.function
)
SELECT component, function, count(*) AS runs, round(avg(percent), 2) AS critical_percent, round(min(percent), 2) AS least, round(max(percent), 2) AS most,
    round(1.96 * stddev_samp(percent) / sqrt(count(*)), 2) AS plus_minus, median(gain_ns)::BIGINT AS gain_50_ns
FROM shares
GROUP BY component, function
ORDER BY gain_50_ns DESC, component, function
LIMIT $limit::BIGINT
