/** One thing that happened, as triggers see it: `source.*` in scripts and placeholders. Big integers are decimal strings. */
export type SourceItem = Record<string, unknown>
