// Package claims writes what is known of claims of runs (Hendriks et al. 2024, section 6): critical paths, constraints that are not
// kept, distances, behaviours and durations, as text and JSON, and claims over time as a picture.
package claims
