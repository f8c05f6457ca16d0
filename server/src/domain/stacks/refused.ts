import type { DefinitionIssue, DefinitionKind, ErrorCode } from '@tocsin/contract'
import { Refusal } from '../refusal.ts'

/** Why a request cannot be applied: every issue, and the first refusal for lack of rights. */
export type Refused = { issues: DefinitionIssue[]; forbidden: Refusal | undefined }
type Named = { kind: DefinitionKind; fullname: string }

/** These say nothing about the definition, so they end the whole request. */
const passedOn: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'rate_limited',
  'unavailable',
  'upstream_failed',
  'upstream_timeout',
  'internal',
])
/** The field that a refusal without issues is about. */
const pathOfCode: Partial<Record<ErrorCode, string>> = {
  fullname_invalid: 'fullname',
  unknown_blueprint: 'blueprint',
  access_level_conflict: 'accessLevel',
}

/** Runs the work. If it is refused, keeps the reason under the name of the entity and returns nothing. */
export async function collectRefusal<T>(
  refused: Refused,
  { kind, fullname }: Named,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal) || passedOn.has(error.code)) throw error
    if (error.code === 'forbidden') {
      refused.forbidden ??= new Refusal('forbidden', `The ${kind} "${fullname}": ${error.message}`, { kind, fullname })
      return undefined
    }
    refused.issues.push(...issuesIn(error).map((issue) => ({ kind, fullname, ...issue })))
    return undefined
  }
}

/** The message names the entity of the first issue, because callers may show only the message. */
export function invalidEntities(issues: DefinitionIssue[]): Refusal {
  const [first] = issues
  const where = first && [`${first.kind} "${first.fullname}"`, first.path].filter(Boolean).join(': ')
  const sentence = first && `The payload is not valid: ${where}: ${first.message.replace(/\.$/, '')}.`
  return new Refusal('invalid_payload', sentence, { issues })
}

function issuesIn({ code, message, details }: Refusal): { path: string; message: string }[] {
  const issues = details?.issues
  if (Array.isArray(issues))
    return issues.map(({ path, message }) => ({ path: String(path), message: String(message) }))
  return [{ path: pathOfCode[code] ?? '', message }]
}
