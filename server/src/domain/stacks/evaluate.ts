import { hash } from 'node:crypto'
import {
  type DefinitionChange,
  type DefinitionDiff,
  type DefinitionDrift,
  type DefinitionIssue,
  weighs,
} from '@tocsin/contract'
import { waitForTurn } from '../../engine/base/event-loop-turns.ts'
import { canonicalJson } from '../../engine/base/json.ts'
import type { Store } from '../../store/index.ts'
import type { AppliedEntity } from '../../store/projects/stacks.ts'
import { hasLevel } from '../access.ts'
import {
  type DefinitionNoun,
  type Finish,
  type StackContext,
  type StoredDefinition,
  stackOf,
} from '../definition-noun.ts'
import { diffOf } from '../diff.ts'
import { invalidPayload } from '../refusal.ts'
import { type Entity, nameOf, type ReadRequest } from './read-request.ts'
import { collectRefusal, type Refused } from './refused.ts'

/** An entity has at most 100 issues, a request up to a thousand entities. */
const shownIssuesMax = 1_000

export type Evaluation = Refused & {
  planHash: string
  changes: DefinitionChange[]
  drift: DefinitionDrift[]
  /** Triggers and subscriptions that cannot make alerts, although they are valid. */
  warnings: DefinitionIssue[]
  finishes: Finish[]
  /** The entities of the stack, as they are after an apply. The next plan finds drift by them. */
  applied: AppliedEntity[]
}

/** The state of one evaluation. `before` has what each entity was when the evaluation reached it. */
type Run = Refused & {
  context: StackContext
  before: Map<string, StoredDefinition | undefined>
  changes: DefinitionChange[]
  show: ShowDiff
  warnings: DefinitionIssue[]
  finishes: Finish[]
  saved: AppliedEntity[]
  /** Projects that could not be saved. Reporting what lies in them would only repeat the reason. */
  failedProjects: Set<string>
}

/**
 * Saves the entities of the request and, with `prune`, deletes the other entities of the stack. It runs in a transaction, and
 * each entity in a savepoint, so that a refused one does not hide the issues of the others. A save that changes nothing is
 * taken back: it would restart a source or discard a draft.
 */
export async function evaluate(
  nouns: readonly DefinitionNoun[],
  context: StackContext,
  request: ReadRequest,
): Promise<Evaluation> {
  const run = beginRun(context, request)
  for (const noun of nouns)
    for (const entity of request.entities) if (entity.kind === noun.kind) await saveEntity(run, noun, entity)
  for (const noun of nouns.toReversed()) await visitOthers(run, noun, request)
  const applied = await context.store.stacks.listApplied(stackOf(context))
  for (const { kind, name } of applied) {
    const noun = nouns.find((noun) => noun.kind === kind)
    if (noun && !run.before.has(nameOf(kind, name))) await readEntity(run, noun, name)
  }
  const { issues, forbidden, changes, warnings, finishes, before } = run
  return {
    issues: issues.slice(0, shownIssuesMax),
    forbidden,
    changes,
    warnings,
    finishes,
    planHash: await hashPlan(context, request.sent, before),
    drift: await findDrift(nouns, applied, before, run.show),
    applied: [...run.saved, ...applied.filter((entity) => isStillUnnamed(run, request, entity))],
  }
}

function beginRun(context: StackContext, { issues, forbidden }: ReadRequest): Run {
  const failed = issues.flatMap(({ kind, fullname }) => (kind === 'project' ? [fullname] : []))
  const collected = { changes: [], show: makeShownDiff(), warnings: [], finishes: [], saved: [], before: new Map() }
  return { context, issues: [...issues], forbidden, ...collected, failedProjects: new Set(failed) }
}

async function saveEntity(run: Run, noun: DefinitionNoun, entity: Entity): Promise<void> {
  const { kind, name, project } = entity
  if (project !== undefined && run.failedProjects.has(project)) return
  const saved = await collectRefusal(run, { kind, fullname: name }, () => runSave(run, noun, entity))
  if (!saved) {
    if (kind === 'project') run.failedProjects.add(name)
    return
  }
  const { before, after, diff, finish, warning } = saved
  const action = before ? (diff.length > 0 ? 'update' : 'none') : 'create'
  run.changes.push({ kind, fullname: name, action, diff: run.show(diff) })
  run.saved.push({ kind, name, payload: after })
  if (warning !== undefined) run.warnings.push({ kind, fullname: name, path: '', message: warning })
  if (finish && action !== 'none') run.finishes.push(finish)
}

async function runSave(run: Run, noun: DefinitionNoun, { kind, name, write }: Entity) {
  const { result } = await runMaybe(
    run.context.store,
    async (store) => {
      const context = { ...run.context, store }
      const before = await noun.find(context, name)
      run.before.set(nameOf(kind, name), before)
      requireOwnStack(before, context.stack)
      const finish = await write(context)
      const after = (await noun.find(context, name))?.payload ?? {}
      const warning = await noun.warningOf?.(context, name)
      return { before, after, finish, warning, diff: diffOf(before?.payload, after, noun.maskOf) }
    },
    ({ diff }) => diff.length > 0,
  )
  return result
}

function requireOwnStack(before: StoredDefinition | undefined, stack: string): void {
  if (before && before.stack !== null && before.stack !== stack)
    throw invalidPayload([{ path: '', message: `belongs to the stack "${before.stack}"` }])
}

/** Deletes or reads the entities of the stack that the request does not name. */
async function visitOthers(run: Run, noun: DefinitionNoun, { names, sent }: ReadRequest): Promise<void> {
  const members = await run.context.store.stacks.listNames(noun.kind, stackOf(run.context))
  for (const name of members) {
    if (names.has(nameOf(noun.kind, name))) continue
    if (sent.prune) await deleteEntity(run, noun, name)
    else await readEntity(run, noun, name)
  }
}

async function deleteEntity(run: Run, noun: DefinitionNoun, name: string): Promise<void> {
  const named = { kind: noun.kind, fullname: name }
  const isDeleted = await collectRefusal(run, named, () =>
    run.context.store.tx(async (store) => {
      const context = { ...run.context, store }
      run.before.set(nameOf(noun.kind, name), await noun.find(context, name))
      await noun.remove(context, name)
      return true
    }),
  )
  if (isDeleted) run.changes.push({ ...named, action: 'delete', diff: [] })
}

/**
 * Reads an entity that is neither saved nor deleted. One that the caller may not read is left out: a subscription of another
 * account, or, for a caller below developer, the definition of any other kind, which may hold keys.
 */
async function readEntity(run: Run, noun: DefinitionNoun, name: string): Promise<void> {
  if (noun.kind !== 'subscription' && !hasLevel(run.context.level, 'developer')) return
  const refused: Refused = { issues: [], forbidden: undefined }
  const context = { ...run.context, locks: false }
  const found = await collectRefusal(refused, { kind: noun.kind, fullname: name }, async () => ({
    state: await noun.find(context, name),
  }))
  if (found) run.before.set(nameOf(noun.kind, name), found.state)
}

/** True for an entity of the stack that this request did not name and that is still there. */
function isStillUnnamed(run: Run, { names, sent }: ReadRequest, { kind, name }: AppliedEntity): boolean {
  const key = nameOf(kind, name)
  if (names.has(key) || sent.prune) return false
  return !run.before.has(key) || run.before.get(key)?.stack === run.context.stack
}

/** How entities differ from what the last apply wrote. A deleted entity has lost all its fields. */
async function findDrift(
  nouns: readonly DefinitionNoun[],
  applied: readonly AppliedEntity[],
  before: ReadonlyMap<string, StoredDefinition | undefined>,
  show: ShowDiff,
): Promise<DefinitionDrift[]> {
  const drift: DefinitionDrift[] = []
  for (const { kind, name, payload } of applied) {
    const key = nameOf(kind, name)
    const noun = nouns.find((noun) => noun.kind === kind)
    if (!noun || !before.has(key)) continue
    await waitForTurn()
    const diff = diffOf(payload, before.get(key)?.payload, noun.maskOf)
    if (diff.length > 0) drift.push({ kind, fullname: name, diff: show(diff) })
  }
  return drift
}

/**
 * The hash of a plan: the same request on the same state always has the same one. It is keyed, because the state contains
 * secrets that a reader of the hash could otherwise guess.
 */
async function hashPlan(
  { store, workspace, stack }: StackContext,
  { prune, hashes }: ReadRequest['sent'],
  before: ReadonlyMap<string, StoredDefinition | undefined>,
): Promise<string> {
  const state = await hashesOf([...before])
  const sent = hashes.toSorted()
  return store.signatures.deriveSecret('stack plan', canonicalJson({ id: workspace.id, stack, prune, sent, state }))
}

/** In the order of the hashes. A stack can have megabytes, so each entity has its own turn of the event loop. */
async function hashesOf(stored: readonly unknown[]): Promise<string[]> {
  const hashes: string[] = []
  for (const entity of stored) {
    await waitForTurn()
    hashes.push(hash('sha256', canonicalJson(entity)))
  }
  return hashes.sort()
}

const rolledBack = new Error('the transaction is rolled back on purpose')

/** Runs the work in a transaction, or in a savepoint inside one, takes back everything that it wrote, and returns its result. */
export async function runAndRollBack<T>(store: Store, work: (store: Store) => Promise<T>): Promise<T> {
  return (await runMaybe(store, work, () => false)).result
}

/** Keeps what the work wrote only if `isKept` says so about its result. */
async function runMaybe<T>(
  store: Store,
  work: (store: Store) => Promise<T>,
  isKept: (result: T) => boolean,
): Promise<{ result: T }> {
  const results: { result: T }[] = []
  try {
    return await store.tx(async (store) => {
      const result = await work(store)
      results.push({ result })
      if (!isKept(result)) throw rolledBack
      return { result }
    })
  } catch (error) {
    const last = results.at(-1)
    if (error === rolledBack && last) return last
    throw error
  }
}

/** A plan shows values up to this size, and changes up to that size in all. An answer has at most 8 MB. */
const [valueBytesMax, planBytesMax] = [64 * 1024, 4 * 1024 * 1024]
/** The path, the names of the fields and the marks around them. */
const entryBytes = 48

type ShowDiff = (diff: DefinitionDiff[]) => DefinitionDiff[]

/** Shows the changes of one plan. What is too long is named and not shown. */
export function makeShownDiff(): ShowDiff {
  let left = planBytesMax
  return (diff) => {
    const shown: DefinitionDiff[] = []
    for (const [at, { path, from, to }] of diff.entries()) {
      const entry = { path, from: shownValue(from), to: shownValue(to) }
      left -= entryBytes + weighs(entry, planBytesMax)
      if (left < 0) return [...shown, { path: '', from: null, to: `${diff.length - at} more fields are not shown` }]
      shown.push(entry)
    }
    return shown
  }
}

function shownValue(value: unknown): unknown {
  return weighs(value, valueBytesMax) > valueBytesMax ? '(too long to be shown)' : value
}
