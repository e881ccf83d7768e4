-- Which behaviours of items appeared, vanished, or became rarer or more frequent between two values of a label (of runs that analyze behaviours was asked about).
-- param base:text=1 the value of the label before
-- param cand:text=2 the value of the label after
-- param label=release the label
-- param limit=50 how many
WITH sides AS (
    SELECT run, label_of(labels, $label) = $cand AS after FROM runs WHERE label_of(labels, $label) IN ($base, $cand)
), found AS (
    SELECT b.run, s.after, concat_ws(', ', b.item, 'by ' || b.by_attributes, b.compared_order || ' order', b.filtered_by) AS question, b.behaviour, b.claims, b.items, b.share
    FROM behaviours b JOIN sides s ON s.run = b.run
), asked AS (
    SELECT DISTINCT run, after, question FROM found
), kinds AS (
    SELECT question, behaviour, min(claims) AS claims FROM found GROUP BY ALL
), shares AS (
    SELECT k.question, k.behaviour, k.claims, a.after, coalesce(f.items, 0) AS items, coalesce(f.share, 0) AS share
    FROM kinds k JOIN asked a ON a.question = k.question
    LEFT JOIN found f ON f.run = a.run AND f.question = k.question AND f.behaviour = k.behaviour
), both_sides AS (
    SELECT question, behaviour, claims,
        count(*) FILTER (NOT after) AS base_runs, count(*) FILTER (after) AS cand_runs,
        sum(items) FILTER (NOT after) AS base_items, sum(items) FILTER (after) AS cand_items,
        min(share) FILTER (NOT after) AS base_min, max(share) FILTER (NOT after) AS base_max,
        min(share) FILTER (after) AS cand_min, max(share) FILTER (after) AS cand_max
    FROM shares GROUP BY question, behaviour, claims
)
SELECT question, CASE
        WHEN base_items = 0 THEN 'appeared'
        WHEN cand_items = 0 THEN 'vanished'
        WHEN least(base_runs, cand_runs) >= 3 AND base_min > cand_max THEN 'rarer'
        WHEN least(base_runs, cand_runs) >= 3 AND base_max < cand_min THEN 'more frequent'
    END AS became, base_items::BIGINT AS base_items, cand_items::BIGINT AS cand_items, behaviour, claims
FROM both_sides
WHERE base_runs > 0 AND cand_runs > 0
ORDER BY question, became NULLS LAST, base_items + cand_items DESC, behaviour
LIMIT $limit::BIGINT
