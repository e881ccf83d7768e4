-- What changed on the critical paths of initial fragments in a comparison, greatest impact first, in time a run.
-- param comparison=latest_comparison() the comparison
-- param fragment= the initial fragment; all when empty
-- param limit=50 how many parts
SELECT comparison, fragment, subject, verdict, impact_ns, total_base_ns // greatest(runs_base, 1) AS base_ns,
    total_cand_ns // greatest(runs_cand, 1) AS cand_ns, n_base AS paths_base, n_cand AS paths_cand, rank
FROM changes
WHERE comparison = $comparison AND level = 'critical_path' AND verdict NOT IN ('unchanged', 'undetermined') AND ($fragment = '' OR fragment = $fragment)
ORDER BY rank, fragment, subject
LIMIT $limit::BIGINT
