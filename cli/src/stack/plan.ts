import type { DefinitionDiff, DefinitionIssue, Reply, Routes } from '@tocsin/contract'
import { Failure, type Problem } from '../failure.ts'
import { mapScalars, type Path, parsePath } from '../folder/paths.ts'
import type { Folder, LocalEntity } from '../folder/read-folder.ts'
import { type Env, variable } from '../folder/resolve.ts'
import type { Session } from '../server/session.ts'

export type Plan = Reply<Routes['planStack']>

export function stackRequest({ stack, entities }: Folder, prune: boolean) {
  return { stack: stack.stack, prune, entities: entities.map(({ kind, payload }) => ({ kind, payload })) }
}

/** The plan of the server, without secrets. */
export async function planFolder(session: Session, folder: Folder, prune: boolean, env: Env): Promise<Plan> {
  const request = { fullname: folder.stack.workspace, body: stackRequest(folder, prune) }
  const plan = await session.call((client) => client.planStack(request))
  return withoutSecrets(plan, folder, env)
}

function withoutSecrets(plan: Plan, { entities }: Folder, env: Env): Plan {
  const hide = secretHider(entities, env)
  const hideDiff = <Entry extends Plan['drift'][number]>(entry: Entry): Entry => ({
    ...entry,
    diff: hideInDiff(entry.diff, findEntity(entities, entry), hide),
  })
  return {
    planHash: plan.planHash,
    changes: plan.changes.map(hideDiff),
    drift: plan.drift.map(hideDiff),
    issues: plan.issues.map((issue) => ({ ...issue, message: hide(issue.message) })),
    warnings: plan.warnings.map((warning) => ({ ...warning, message: hide(warning.message) })),
  }
}

function findEntity(entities: readonly LocalEntity[], { kind, fullname }: { kind: string; fullname: string }) {
  return entities.find((entity) => entity.kind === kind && entity.name === fullname)
}

/** Refuses a plan with issues, each with the file and the line that it is about. */
export function requireNoIssues(plan: Plan, folder: Folder): void {
  if (plan.issues.length === 0) return
  const count = plan.issues.length === 1 ? 'a problem' : `${plan.issues.length} problems`
  throw new Failure(
    'invalid_definitions',
    `The server found ${count}. Nothing has changed.`,
    plan.issues.map((issue) => problemOf(issue, folder)),
  )
}

function problemOf({ kind, fullname, path, message }: DefinitionIssue, { entities }: Folder): Problem {
  const parsed = findEntity(entities, { kind, fullname })?.parsed
  if (!parsed) return { path: `${kind} ${fullname}${path ? ` ${path}` : ''}`, message }
  return { file: parsed.file, ...parsed.placeOf(parsePath(path)), path, message }
}

export function hasChanges(plan: Pick<Plan, 'changes'>): boolean {
  return plan.changes.some(({ action }) => action !== 'none')
}

/** Replaces the values of the folder's variables by their names. A plan never prints a secret. */
function secretHider(entities: readonly LocalEntity[], env: Env): (text: string) => string {
  const names = [...new Set(entities.flatMap(({ variables }) => variables.map(({ name }) => name)))]
  const values = names.flatMap((name) => (env[name] ? [{ name, value: env[name] }] : []))
  // The longest first: a value may be a part of another.
  const inOrder = values.toSorted((a, b) => b.value.length - a.value.length)
  return (text) => inOrder.reduce((hidden, { name, value }) => hidden.replaceAll(value, variable(name)), text)
}

/** The differences of an entity without secrets: also the value before, where the file now has a variable. */
function hideInDiff(
  diff: readonly DefinitionDiff[],
  entity: LocalEntity | undefined,
  hide: (text: string) => string,
): DefinitionDiff[] {
  const secretPaths = entity?.variables.map(({ path }) => path) ?? []
  return diff.map(({ path, from, to }) => {
    const isSecret = secretPaths.some((secret) => overlap(secret, parsePath(path)))
    const withNames = (value: unknown) => mapScalars(value, (scalar) => hideScalar(scalar, hide))
    return { path, from: isSecret && from !== null ? hidden : withNames(from), to: withNames(to) }
  })
}

const hidden = '(hidden)'

function hideScalar(scalar: unknown, hide: (text: string) => string): unknown {
  return typeof scalar === 'string' ? hide(scalar) : scalar
}

function overlap(one: Path, other: Path): boolean {
  const length = Math.min(one.length, other.length)
  return one.slice(0, length).every((key, index) => String(key) === String(other[index]))
}
