import type { TriggerSave, TriggerStatus } from '@tocsin/contract'
import { unmarkedEvent, type Warning } from '../../engine/check/index.ts'
import { isOfUnreadablePart, sourceMissing, type WholeTrigger } from '../../store/triggers/triggers.ts'
import type { Listening } from './sources.ts'

/**
 * The status after a save: a trigger that listens to nothing is broken, a client's test result counts, a definition that
 * does less than it seems to is a warning instead of `ready` and `not_tested`, an edit of the behaviour makes it
 * untested, and everything else leaves it as it was.
 */
export function statusAfterSave(before: WholeTrigger | undefined, save: Save, now: Date): TriggerStatus {
  const next = nextStatus(before, save)
  return before && saysTheSame(before.status, next) ? before.status : { ...next, updatedAt: now.toISOString() }
}

export const untested: Status = { status: 'not_tested', source: 'edit' }

type Status = Omit<TriggerStatus, 'updatedAt'>
type Sent = TriggerSave['status']
type Save = {
  listening: Listening
  isListeningAlike: boolean
  isBehavingAlike: boolean
  definitionWarning: TriggerStatus | null
  sent: Sent
}

/** What a definition warns of, as a status; the time of an equal warning that is stored already stays. */
export function warningStatus(
  before: WholeTrigger | undefined,
  { reasonCode, message }: Warning,
  now: Date,
): TriggerStatus {
  const status = { status: 'warning' as const, issue: message, reasonCode, source: 'edit' as const }
  const stored = before?.definition_warning
  return stored && saysTheSame(stored, status) ? stored : { ...status, updatedAt: now.toISOString() }
}

function nextStatus(before: WholeTrigger | undefined, save: Save): Status {
  if (save.listening.missing) return broken(save.listening.missing.message)
  const stored = before?.status
  if (stored && isSourceDown(stored) && save.isListeningAlike && mayStillNeed(stored, save)) return stored
  const told = toldByClient(save.sent, stored)
  if (told?.status === 'broken') return told
  if (save.definitionWarning)
    return stored && save.isBehavingAlike && isByRuns(stored) ? stored : save.definitionWarning
  if (told) return told
  const isStale = stored?.reasonCode === sourceMissing || stored?.reasonCode === unmarkedEvent
  return !stored || !save.isBehavingAlike || isStale ? untested : stored
}

/** Broken or under pressure: it has to run well before anything else is said of it. */
function isByRuns({ status, source }: TriggerStatus): boolean {
  return source === 'runtime' && status !== 'ready'
}

function broken(issue: string): Status {
  return { status: 'broken', issue, reasonCode: sourceMissing, source: 'dependency' }
}

/** The source failed after the save: only its recovery mends the trigger. */
function isSourceDown(status: TriggerStatus): boolean {
  return status.status === 'broken' && status.source === 'dependency' && status.reasonCode !== sourceMissing
}

/** After an edit it may look at another part of a block; if it does not, the next block breaks it again. */
function mayStillNeed(stored: TriggerStatus, { isBehavingAlike }: Save): boolean {
  return isBehavingAlike || !isOfUnreadablePart(stored)
}

/** The status that was read and is sent back with the rest of the view is no result of a test. */
function toldByClient(sent: Sent, stored: TriggerStatus | undefined): Status | undefined {
  if (!sent) return undefined
  if (sent.status === stored?.status && sent.updatedAt === stored.updatedAt) return undefined
  if (sent.status === 'not_tested') return untested
  if (sent.status !== 'ready' && sent.status !== 'broken') return undefined
  return { status: sent.status, source: 'test', ...(sent.issue && { issue: sent.issue }) }
}

function saysTheSame(a: Status, b: Status): boolean {
  return a.status === b.status && a.issue === b.issue && a.reasonCode === b.reasonCode
}
