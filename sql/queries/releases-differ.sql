-- How many entities differ between every two compared model sets, and what became of them.
-- param comparison= the comparison; the last one in order of names when empty
SELECT comparison, base_set, cand_set, differing, appeared, vanished, changed, moved
FROM differences
WHERE comparison = CASE WHEN $comparison = '' THEN (SELECT max(comparison) FROM differences) ELSE $comparison END
ORDER BY base_set, cand_set
