/** A decoded item of a source: `source.*` in scripts and placeholders. Big integers are decimal strings. */
export type SourceItem = Record<string, unknown>
