-- What changed in a comparison, greatest impact first.
-- param comparison=latest_comparison() the comparison
-- param level= fragment, transition, metric, message or critical_path; all when empty
-- param limit=50 how many
SELECT comparison, rank, level, component, fragment, subject, verdict, impact_ns, median_base_ns, median_cand_ns, round(ratio, 3) AS ratio, n_base, n_cand,
    method, root_cause
FROM changes
WHERE comparison = $comparison AND verdict NOT IN ('unchanged', 'undetermined') AND ($level = '' OR level = $level)
ORDER BY rank, level, component, fragment, subject
LIMIT $limit::BIGINT
