-- Which variant of every entity the compared model sets have, where these differ: those with most behaviours first.
-- param comparison= the comparison; the last one in order of names when empty
-- param limit=50 how many
SELECT component, entity, behaviours, variants, transitions_changed
FROM (
    SELECT comparison, component, entity, count(DISTINCT variant) AS numbers, count(DISTINCT variant) FILTER (variant > 0) AS behaviours,
        string_agg(model_set || ': ' || CASE variant WHEN 0 THEN '-' ELSE variant::VARCHAR END, ', ' ORDER BY model_set) AS variants
    FROM variants
    WHERE level = 'entity' AND model_set IS NOT NULL
    GROUP BY comparison, component, entity
) v
LEFT JOIN (
    SELECT comparison, component, entity, sum(added + removed)::BIGINT AS transitions_changed
    FROM lattice
    WHERE level = 'entity'
    GROUP BY comparison, component, entity
) l USING (comparison, component, entity)
WHERE comparison = CASE WHEN $comparison = '' THEN (SELECT max(comparison) FROM variants) ELSE $comparison END AND numbers > 1
ORDER BY behaviours DESC, transitions_changed DESC, component, entity
LIMIT $limit::BIGINT
