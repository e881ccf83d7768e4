-- The root causes of what changed in a comparison, the greatest sure effect first.
-- param comparison=latest_comparison() the comparison
-- param limit=50 how many
SELECT finding, verdict, kind, effect_ns, effect_lo_ns, effect_hi_ns, base_ns, cand_ns, round(share, 3) AS share, component, caller, callee, subject, fragment,
    inherited, inherited_at, moved_from, q
FROM findings
WHERE comparison = $comparison
ORDER BY finding
LIMIT $limit::BIGINT
