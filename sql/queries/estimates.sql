-- Everything that runs compared with runs say about one change: its quantities with interval, p and q.
-- param comparison=latest_comparison() the comparison
-- param rank=1 rank of the change
SELECT c.rank, c.component, c.subject, c.verdict, e.quantity, e.quantile, round(e.base, 1) AS base, round(e.cand, 1) AS cand,
    round(e.ratio, 4) AS ratio, round(e.ratio_lo, 4) AS ratio_lo, round(e.ratio_hi, 4) AS ratio_hi, round(e.margin, 4) AS margin,
    round(e.df, 1) AS df, e.p, e.q, e.equivalence_p, e.runs_needed
FROM estimates e
JOIN changes c ON c.comparison = e.comparison AND c.rank = e.rank
WHERE e.comparison = $comparison AND e.rank = $rank::BIGINT
ORDER BY e.quantity
