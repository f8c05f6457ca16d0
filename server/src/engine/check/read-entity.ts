import { hash } from 'node:crypto'
import {
  type DefinitionKind,
  type DefinitionPayload,
  definitionPayloads,
  type Issue,
  issuesOf,
  overTagging,
  overTrigger,
  type PayloadLimits,
} from '@tocsin/contract'
import { canonicalJson } from '../base/json.ts'

/** An entity of a stack, as it was sent. */
export type SentEntity<Kind extends DefinitionKind = DefinitionKind> = { kind: Kind; payload: Record<string, unknown> }

export type ReadPayload<Kind extends DefinitionKind> =
  | { ok: true; payload: DefinitionPayload<Kind> }
  | { ok: false; issues: Issue[] }
export type ReadEntity<Kind extends DefinitionKind> = ReadPayload<Kind> & {
  /** What the hash of a plan covers: the entity, or its issues if it is refused. */
  hash: string
}

type OverLimits<Kind extends DefinitionKind> = (payload: DefinitionPayload<Kind>, limits: PayloadLimits) => Issue[]

/** The limits of the service, which the schemas do not contain. */
const overLimits: { [Kind in DefinitionKind]?: OverLimits<Kind> } = {
  project: overTagging,
  trigger: overTrigger,
  resource: overTagging,
}

/** Checks types of fields and limits only. */
export function readPayload<Kind extends DefinitionKind>(
  kind: Kind,
  payload: unknown,
  limits: PayloadLimits,
): ReadPayload<Kind> {
  const parsed = definitionPayloads[kind].safeParse(payload)
  if (!parsed.success) return { ok: false, issues: issuesOf(parsed.error) }
  const read = parsed.data as DefinitionPayload<Kind>
  const issues = (overLimits[kind] as OverLimits<Kind> | undefined)?.(read, limits) ?? []
  return issues.length === 0 ? { ok: true, payload: read } : { ok: false, issues }
}

/** An entity that is refused can have megabytes and is never applied, so it is not hashed. */
export function readEntity<Kind extends DefinitionKind>(
  { kind, payload }: SentEntity<Kind>,
  limits: PayloadLimits,
): ReadEntity<Kind> {
  const read = readPayload(kind, payload, limits)
  const hashed = read.ok ? { kind, payload } : { kind, issues: read.issues }
  return { ...read, hash: hash('sha256', canonicalJson(hashed)) }
}
