import type { TriggerSave, TriggerStatus } from '@tocsin/contract'
import type { LostPart } from '../core/tables.ts'

/**
 * The status of a trigger: every state and every move is in this file. `trigger-statuses.ts` builds its SQL from `moveOf`,
 * `domain/triggers` uses `statusAfterSave` and `statusAfterReset`, and docs/states.md draws the table.
 *
 * `status` is what people see. `source` and `reasonCode` say what set it, and so which event may end it:
 *
 *   not_tested                   edit: saved or reset;  dependency: its data source came back
 *   ready                        test: a client's test passed;  runtime: a run succeeded
 *   warning                      edit: the definition does less than it seems to (column `definition_warning`)
 *   learning                     dependency, trigger.learning: the contracts that its factory created are being read
 *   warning, limited, blocked    runtime, trigger.pressure: the trigger matches too often
 *   warning                      dependency, trigger.binding_failed: some of its bindings fail (column `binding_warning`)
 *   warning                      dependency, source.…: a part of its source's blocks is unreadable, and it goes on without
 *   broken                       test: a client's test failed
 *   broken                       runtime, trigger.runtime_error: its runs fail
 *   broken                       dependency: its data source is missing, unavailable, or a part of its blocks is unreadable
 *
 * Rank: a dependency outranks runs, runs outrank the warnings of bindings and of the definition, in this order, and those
 * warnings replace `ready` and `not_tested`. A trigger that loses its dependency remembers its status (column `status_before`) and gets it back with
 * the dependency; a save forgets it. Every move changes one row in one statement, and the statement checks the state it
 * moves from, so two processes cannot overwrite each other's move.
 */

export const runtimeError = 'trigger.runtime_error'
export const underPressure = 'trigger.pressure'
/** The author could not read the data source when saving. A source that existed and failed has another code. */
export const sourceMissing = 'trigger.source_missing'
export const sourceUnavailable = 'trigger.source_unavailable'
/** A source of a trigger on several sources fails. The other sources go on. */
export const learning = 'trigger.learning'
export const bindingFailed = 'trigger.binding_failed'
/** What the codes for unreadable parts of blocks begin with. The follower breaks and restores these triggers block by block. */
export const partLost = 'source.'

export function reasonOfPart(part: string): string {
  return part === 'traces' || part === 'any_traces' ? `${partLost}no_traces` : `${partLost}unreadable_${part}`
}

/** A status without its time. */
export type NewStatus = Omit<TriggerStatus, 'updatedAt'>
/** The columns of a trigger that hold its status. */
export type StatusColumns = Record<'status_before' | 'definition_warning' | 'binding_warning', TriggerStatus | null> & {
  status: TriggerStatus
}

export type TriggerEvent =
  /** Runs failed five times within ten minutes. */
  | { kind: 'runs_failed'; issue: string }
  | { kind: 'run_succeeded' }
  /** A run of this version succeeded, which counts as a test. */
  | { kind: 'version_proven'; version: number }
  | { kind: 'pressure_rose'; level: 'warning' | 'limited' | 'blocked'; issue: string }
  | { kind: 'pressure_ended' }
  /** The data source, or the trigger whose stream this one reads, failed or was deleted. */
  | { kind: 'dependency_lost'; issue: string }
  | { kind: 'dependency_restored' }
  | { kind: 'part_lost'; part: string; issue: string }
  /** The trigger goes on without the part. */
  | { kind: 'part_missed'; part: string; issue: string }
  | { kind: 'part_restored'; part: string }
  /** The contracts that the factories of the trigger created are known. */
  | { kind: 'factories_learned' }
  /** A binding of a trigger on several sources fails. The column `binding_warning` has the new status. */
  | { kind: 'binding_lost' }
  /** Other bindings fail than before. */
  | { kind: 'bindings_changed' }
  /** No binding fails any more. */
  | { kind: 'bindings_restored' }

type Fields = Partial<Pick<TriggerStatus, 'status' | 'source' | 'reasonCode'>> & { reasonPrefix?: string }
/** A state to move from: all of these hold. */
export type Guard = readonly (Fields | { not: Fields })[]
export type Move = {
  from: Guard
  /** The first of these that is not null is the next status. */
  to: readonly ('status_before' | 'definition_warning' | 'binding_warning' | NewStatus)[]
  /** What the move does with `status_before`. */
  before: 'keep' | 'remember' | 'clear'
  /** A trigger in this state moves only if its workspace can read the dependency now. */
  needsReadAccess?: Fields
  /**
   * Only this version of the trigger moves, and the version stays: this happens soon after every save, and a client that
   * saves again with the ETag of its last save must not be refused for it.
   */
  version?: number
}

const broken: Fields = { status: 'broken' }
const brokenByDependency: Fields = { status: 'broken', source: 'dependency' }
const warnedOfBindings: Fields = { status: 'warning', reasonCode: bindingFailed }
/** Only these may be replaced by the warning that a part is missing. */
const isUntroubled: Guard = [{ not: broken }, { not: { reasonCode: underPressure } }, { not: { status: 'warning' } }]
const ready: NewStatus = { status: 'ready', source: 'runtime' }
const afterLearning: NewStatus = { status: 'not_tested', source: 'dependency' }
export const untested: NewStatus = { status: 'not_tested', source: 'edit' }

export function moveOf(event: TriggerEvent): Move {
  switch (event.kind) {
    case 'runs_failed':
      return runtimeMove({ status: 'broken', issue: event.issue, reasonCode: runtimeError, source: 'runtime' })
    case 'pressure_rose':
      return runtimeMove({ status: event.level, issue: event.issue, reasonCode: underPressure, source: 'runtime' })
    case 'run_succeeded':
      return recovery(runtimeError)
    case 'pressure_ended':
      return recovery(underPressure)
    case 'version_proven':
      return { from: [{ status: 'not_tested' }], to: [ready], before: 'keep', version: event.version }
    case 'dependency_lost':
      return loss(sourceUnavailable, event.issue)
    case 'part_lost':
      return loss(reasonOfPart(event.part), event.issue)
    case 'dependency_restored':
      return giveBack([brokenByDependency, { not: { reasonPrefix: partLost } }])
    case 'part_missed':
      return { from: isUntroubled, to: [missed(event)], before: 'remember' }
    case 'part_restored':
      return giveBack([{ source: 'dependency', reasonCode: reasonOfPart(event.part) }])
    case 'factories_learned':
      return { from: [{ reasonCode: learning }], to: [afterLearning], before: 'keep' }
    case 'binding_lost': {
      const from = [{ not: broken }, { not: { reasonCode: underPressure } }, { not: warnedOfBindings }]
      return { from, to: ['binding_warning'], before: 'remember' }
    }
    case 'bindings_changed':
      return { from: [warnedOfBindings], to: ['binding_warning'], before: 'keep' }
    case 'bindings_restored':
      return giveBack([warnedOfBindings])
  }
}

function runtimeMove(to: NewStatus): Move {
  return { from: [{ not: broken }], to: [to], before: 'keep' }
}

function recovery(reasonCode: string): Move {
  return {
    from: [{ source: 'runtime', reasonCode }],
    to: ['binding_warning', 'definition_warning', ready],
    before: 'keep',
  }
}

/** A trigger that a dependency broke keeps its reason, because the reason says which event restores it. */
function loss(reasonCode: string, issue: string): Move {
  const to: NewStatus = { status: 'broken', issue, reasonCode, source: 'dependency' }
  return { from: [{ not: brokenByDependency }], to: [to], before: 'remember' }
}

function missed({ part, issue }: { part: string; issue: string }): NewStatus {
  return { status: 'warning', issue, reasonCode: reasonOfPart(part), source: 'dependency' }
}

function giveBack(from: Guard): Move {
  const to = ['status_before', 'definition_warning', { status: 'not_tested', source: 'dependency' }] as const
  return { from, to, before: 'clear', needsReadAccess: { reasonCode: sourceMissing } }
}

/** What the SQL of `trigger-statuses.ts` does to one row; undefined if the trigger stays as it is. */
export function moveTrigger(
  row: StatusColumns,
  event: TriggerEvent,
  { at, canRead, version }: { at: Date; canRead: boolean; version: number },
): StatusColumns | undefined {
  const move = moveOf(event)
  if (!move.from.every((part) => holds(row.status, part))) return undefined
  if (move.needsReadAccess && !canRead && holds(row.status, move.needsReadAccess)) return undefined
  if (move.version !== undefined && move.version !== version) return undefined
  const [status] = move.to.flatMap((to) => (typeof to === 'string' ? (row[to] ?? []) : stamped(to, at)))
  const before = { keep: row.status_before, remember: row.status, clear: null }[move.before]
  return status && { ...row, status, status_before: before }
}

function holds(status: TriggerStatus, part: Fields | { not: Fields }): boolean {
  if ('not' in part) return !holds(status, part.not)
  const { reasonPrefix = '', ...fields } = part
  if (!(status.reasonCode ?? '').startsWith(reasonPrefix)) return false
  const { status: name, source, reasonCode } = { ...status, ...fields }
  return name === status.status && source === status.source && reasonCode === status.reasonCode
}

export function stamped(status: NewStatus, at: Date): TriggerStatus {
  return { ...status, updatedAt: at.toISOString() }
}

/** What a save knows beside the stored status. */
export type SavedTrigger = {
  /** Why the author cannot read what the trigger listens to. */
  missing?: string | undefined
  /** The contracts of a factory are not all known yet. */
  isLearning: boolean
  /** The part of the source's blocks that the trigger needs and that cannot be read. */
  lost?: LostPart | undefined
  isSameStream: boolean
  isSameBehaviour: boolean
  bindingWarning: TriggerStatus | null
  definitionWarning: TriggerStatus | null
  sent: TriggerSave['status']
}

/**
 * The status after a save, in this order: a missing source breaks; a source that is down stays the reason; a part of its
 * blocks that cannot be read breaks; a client's failed test counts; a warning of bindings, else of the definition,
 * replaces `ready` and `not_tested`; a client's passed test counts; an edit of the behaviour makes it untested; any other
 * edit changes nothing. The time of an equal status stays.
 */
export function statusAfterSave(before: TriggerStatus | undefined, save: SavedTrigger, now: Date): TriggerStatus {
  const next = nextStatus(before, save)
  return before && isSameStatus(before, next) ? before : stamped(next, now)
}

function nextStatus(before: TriggerStatus | undefined, save: SavedTrigger): NewStatus {
  if (save.missing !== undefined)
    return { status: 'broken', issue: save.missing, reasonCode: sourceMissing, source: 'dependency' }
  if (before && staysDown(before, save)) return before
  if (save.lost && !save.lost.isLimit)
    return { status: 'broken', issue: save.lost.issue, reasonCode: reasonOfPart(save.lost.part), source: 'dependency' }
  const tested = testResult(save.sent, before)
  if (tested?.status === 'broken') return tested
  if (save.isLearning && !save.definitionWarning)
    return { status: 'learning', issue: learningIssue, reasonCode: learning, source: 'dependency' }
  const warning = save.bindingWarning ?? save.definitionWarning ?? (save.lost && missed(save.lost))
  if (warning) return before && save.isSameBehaviour && isSetByRuns(before) ? before : warning
  if (tested) return tested
  return !before || !save.isSameBehaviour || isOutdated(before) ? untested : before
}

const learningIssue =
  'The contracts that the factory created so far are being read. Until they are known, only events of those that it creates from now on are told.'

/** After an edit a trigger may read another part of a block; if it does not, the next block breaks it again. */
function staysDown(before: TriggerStatus, { isSameStream, isSameBehaviour }: SavedTrigger): boolean {
  if (!isSameStream || !holds(before, brokenByDependency) || before.reasonCode === sourceMissing) return false
  return isSameBehaviour || !holds(before, { reasonPrefix: partLost })
}

/** A status that equals the stored one, time included, comes from a view that was read and is no test result. */
function testResult(sent: TriggerSave['status'], before: TriggerStatus | undefined): NewStatus | undefined {
  if (!sent || (sent.status === before?.status && sent.updatedAt === before.updatedAt)) return undefined
  if (sent.status === 'not_tested') return untested
  if (sent.status !== 'ready' && sent.status !== 'broken') return undefined
  return { status: sent.status, source: 'test', ...(sent.issue && { issue: sent.issue }) }
}

/** Broken by its runs or under pressure: only runs end that. */
function isSetByRuns({ status, source }: TriggerStatus): boolean {
  return source === 'runtime' && status !== 'ready'
}

/** The save found the source, or the definition or the bindings no longer have their warning. */
function isOutdated(before: TriggerStatus): boolean {
  if (before.reasonCode === learning) return true
  const isWarned = before.status === 'warning' && (before.source === 'edit' || before.source === 'dependency')
  return isWarned || before.reasonCode === sourceMissing
}

/** The status that a developer's reset leads to; undefined if the trigger has it. */
export function statusAfterReset(row: Omit<StatusColumns, 'status_before'>, now: Date): TriggerStatus | undefined {
  if (row.status.reasonCode === learning) return undefined
  const next = row.binding_warning ?? row.definition_warning ?? stamped(untested, now)
  const isReset = row.status.status === next.status && row.status.reasonCode === next.reasonCode
  return isReset ? undefined : next
}

export function isSameStatus(a: NewStatus, b: NewStatus): boolean {
  return a.status === b.status && a.issue === b.issue && a.reasonCode === b.reasonCode
}
