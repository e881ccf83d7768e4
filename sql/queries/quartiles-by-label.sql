-- Quartiles of the runtime of service fragments, grouped by a label of the runs.
-- param label=release the label
-- param fragment= the fragment; all when empty
-- param component= the component; all when empty
SELECT value AS label, component, fragment, runs, calls, min_ns, q25_ns, median_ns, q75_ns, max_ns
FROM quartiles_by($label)
WHERE ($fragment = '' OR fragment = $fragment) AND ($component = '' OR component = $component)
ORDER BY component, fragment, label
