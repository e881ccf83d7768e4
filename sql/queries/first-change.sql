-- The transition in which the change of each service fragment first shows.
-- param comparison=latest_comparison() the comparison
WITH found AS (
    SELECT comparison, component, fragment, subject, normalisation, verdict, impact_ns, root_cause, detected,
        coalesce(transition, cand_transition) AS number,
        coalesce(position_ns, CASE WHEN normalisation = 'fragment_absolute'
            THEN coalesce(median_base_ns, median_cand_ns) END) AS position_ns
    FROM changes
    WHERE comparison = $comparison AND level = 'transition'
), placed AS (
    SELECT * REPLACE (min(position_ns) OVER (PARTITION BY component, fragment, subject, number) AS position_ns)
    FROM found
)
SELECT comparison, component, fragment, position_ns, number AS transition, subject, normalisation, verdict, impact_ns, root_cause
FROM placed
WHERE detected
QUALIFY row_number() OVER (PARTITION BY component, fragment
    ORDER BY position_ns NULLS LAST, number, normalisation, subject, abs(impact_ns) DESC, verdict) = 1
ORDER BY abs(impact_ns) DESC, component, fragment
