-- What every run of a label spends in the steps of a function: the figures that verdicts compare.
-- param function= the function; any when empty
-- param component= component of the function; any when empty
-- param label= name of the label to show beside the run; none when empty
SELECT s.run, r.labels[$label] AS label, s.component, s.fragment, t.kind || ' ' || t.function || coalesce(' ' || t.direction || ' ' || t.peer, '') AS step,
    s.count, s.total_ns, s.q50_ns::BIGINT AS median_ns, s.min_ns, s.max_ns
FROM summaries s
JOIN transitions t ON t.run = s.run AND t.fragment = s.fragment AND t.transition = s.transition
JOIN runs r ON r.run = s.run
WHERE s.level = 'transition' AND ($function = '' OR t.function = $function) AND ($component = '' OR s.component = $component)
ORDER BY s.component, s.fragment, s.transition, s.run
