import type { Entity } from '../folder/kinds.ts'

/** What became of one definition of another tool. */
export type ImportLine = { definition: string; outcome: ImportOutcome }
export type ImportOutcome =
  | { kind: 'exact' }
  | { kind: 'changed'; what: string }
  | { kind: 'not possible'; why: string }

/** The entities, further files that they name with `{file: …}`, and one line for each definition that was read. */
export type Imported = {
  entities: Entity[]
  files: { path: string; text: string }[]
  lines: ImportLine[]
}

/** Reads the files of another tool at a path. It writes nothing: the command writes what it returns. */
export type Importer = (path: string, into: { workspace: string; stack: string }) => Promise<Imported>

/** `exact`, `changed: <what differs>` or `not possible: <why>`. */
export function outcomeText(outcome: ImportOutcome): string {
  if (outcome.kind === 'exact') return 'exact'
  return outcome.kind === 'changed' ? `changed: ${outcome.what}` : `not possible: ${outcome.why}`
}

/** A problem that makes a definition impossible, as a sentence for the report. */
export class Impossible extends Error {}
