-- What a comparison could not decide, the highest cost first, with the number of runs per side that would decide it.
-- param comparison=latest_comparison() the comparison
-- param limit=50 how many
SELECT rank, level, component, fragment, subject, cost_base_ns, cost_cand_ns, effect_lo_ns, effect_hi_ns, runs_needed
FROM changes
WHERE comparison = $comparison AND verdict = 'undetermined'
ORDER BY greatest(cost_base_ns, cost_cand_ns) DESC NULLS LAST, rank
LIMIT $limit::BIGINT
