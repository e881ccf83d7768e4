package schema

var baselinePath = text("baseline", "the baseline").asKey().inPath()

var historyDoc = TableDoc{
	Name: "history", Doc: "What every subject costs in every release of a series.", Grain: "one subject in one release", Partition: "comparison",
	Columns: []ColumnDoc{
		comparisonPath,
		number("series", "number of the subject in this comparison, from 1").asKey(),
		text("level", "transition, fragment, metric, message or critical_path"),
		text("component", "the component"),
		text("fragment", "the fragment; null for metrics of a component").orNull(),
		text("subject", "the subject in words"),
		text("metric", "name of the metric").orNull(),
		text("function", "the function that runs in the step, or of the fragment or message").orNull(),
		text("release", "the release").asKey(),
		number("position", "of the release in the series, from 1"),
		number("runs", "runs of the release"),
		nanos("value_ns", "cost per root execution, median of the runs"),
		number("segment", "number of the segment between change points, from 1"),
	},
}

var changePointsDoc = TableDoc{
	Name: "change_points", Doc: "Where the level of a subject changes in a series of releases.",
	Grain: "one subject at one release; times are per root execution", Partition: "comparison",
	Columns: []ColumnDoc{
		comparisonPath,
		number("rank", "1 is where to look first: steps that take time of their own, by effect, then what has them in it").asKey(),
		number("series", "number of the subject, as in history"),
		text("level", "as in history"),
		text("component", "the component"),
		text("fragment", "the fragment; null for metrics of a component").orNull(),
		text("subject", "the subject in words"),
		text("metric", "name of the metric").orNull(),
		text("function", "as in history").orNull(),
		text("waits_for", "of a transition: whom the component waits for in it, component.function").orNull(),
		text("release", "the release in which the change is first seen"),
		number("position", "of that release in the series, from 1"),
		text("verdict", "of the segment from there on against the one before: regressed, improved, appeared, vanished, unchanged: within the margin, undetermined, or candidate: too few runs for a verdict"),
		nanos("before_ns", "cost of the typical run of the segment before"),
		nanos("after_ns", "cost of the typical run of the segment from there on"),
		nanos("effect_ns", "change of the cost, as the typical run has it").orNull(),
		nanos("effect_lo_ns", "lower end of its 95 % interval").orNull(),
		nanos("effect_hi_ns", "upper end of its 95 % interval").orNull(),
		double("ratio", "after / before, after both are raised by the resolution").orNull(),
		double("ratio_lo", "lower end of its 95 % interval").orNull(),
		double("ratio_hi", "upper end of its 95 % interval").orNull(),
		double("p", "of no change at this place, given that the place was searched for").orNull(),
		double("q", "p after Benjamini-Hochberg over all subjects").orNull(),
		double("rank_p", "p of the rank scan of both segments, by permutation of the releases: of this subject only; null where there was no scan").orNull(),
		boolean("confirmed", "a later release has it too; false: only the newest has it"),
	},
}

var baselinesDoc = TableDoc{
	Name: "baselines", Doc: "Stored baselines: runs that are selected by one name.", Grain: "one run of a baseline", Partition: "baseline",
	Columns: []ColumnDoc{
		baselinePath,
		text("run", "the run").asKey(),
		number("position", "its place in the baseline, from 1"),
	},
}
