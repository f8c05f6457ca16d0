/** A problem that makes a definition impossible, as a sentence for the report. */
export class Impossible extends Error {}
