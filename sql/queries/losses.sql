-- What was dropped, repaired or invented, and where it happened first.
-- param run= the run; all when empty
SELECT run, stage, reason, count, first_position, meaning
FROM losses
WHERE $run = '' OR run = $run
ORDER BY run, stage, reason
