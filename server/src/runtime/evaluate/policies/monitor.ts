import type { Policy } from '@tocsin/contract'
import type { BlockIncarnation } from '../../../store/alerts/alert-writes.ts'
import type { StoredPolicy } from '../../../store/alerts/policy-states.ts'
import type { Store } from '../../../store/index.ts'
import type { NewJob } from '../../../store/jobs/jobs.ts'
import { jobId } from '../../jobs/ids.ts'
import type { PolicyJob } from '../../jobs/job.ts'
import type { Candidate } from '../fan-out/candidate.ts'
import type { Seed } from './alert-to-record.ts'
import { durationMs, nameOf, policyName } from './names.ts'

/**
 * The state of a monitor for one key:
 *
 *   standby  → warmup    an item meets the conditions
 *   warmup   → standby   an item does not meet the conditions
 *   warmup   → cooldown  the warm-up lasted long enough: the monitor fires once, with the item that started the warm-up
 *   cooldown → standby   the cool-down is over
 *
 * Time is the time of the items. A timer fires the monitor if no further item comes. One step costs O(1).
 */
export type Phase<Seed> =
  | { phase: 'warmup'; sinceMs: number; seed: Seed }
  | { phase: 'cooldown'; untilMs: number }
  | { phase: 'standby' }

export type Change<Seed> = { mark: BlockIncarnation | null; before: Phase<Seed> }
/** `past` holds the phase before each of the latest changes and the block that caused it, so that a block can be undone. */
export type MonitorState<Seed> = { now: Phase<Seed>; past: Change<Seed>[] }
export type Lengths = { forMs: number; cooldownMs: number }
export type Step<Seed> = { state: MonitorState<Seed>; fired: Seed[] }

/** A reorg undoes fewer blocks than this that changed one key. */
const pastMax = 64

export function standby<Seed>(): MonitorState<Seed> {
  return { now: { phase: 'standby' }, past: [] }
}

/** Handles one output of the key; `seed` is null if the conditions are not met. */
export function stepMonitor<Seed>(
  state: MonitorState<Seed>,
  item: { atMs: number; seed: Seed | null; mark: BlockIncarnation | null },
  lengths: Lengths,
): Step<Seed> {
  const timed = passTime(state, item.atMs, lengths, item.mark)
  const { now } = timed.state
  if (item.seed === null) {
    const isOver = now.phase === 'warmup' && item.atMs >= now.sinceMs
    return isOver ? { ...timed, state: change(timed.state, { phase: 'standby' }, item.mark) } : timed
  }
  if (now.phase !== 'standby') return timed
  const started = change(timed.state, { phase: 'warmup', sinceMs: item.atMs, seed: item.seed }, item.mark)
  const fired = passTime(started, item.atMs, lengths, item.mark)
  return { state: fired.state, fired: [...timed.fired, ...fired.fired] }
}

/** Ends a warm-up or cool-down whose time is over. A warm-up fires as of its end, even if that is noticed later. */
export function passTime<Seed>(
  state: MonitorState<Seed>,
  nowMs: number,
  { forMs, cooldownMs }: Lengths,
  mark: BlockIncarnation | null,
): Step<Seed> {
  const { now } = state
  if (now.phase === 'warmup' && nowMs >= now.sinceMs + forMs) {
    const untilMs = now.sinceMs + forMs + cooldownMs
    const next: Phase<Seed> = nowMs < untilMs ? { phase: 'cooldown', untilMs } : { phase: 'standby' }
    return { state: change(state, next, mark), fired: [now.seed] }
  }
  if (now.phase === 'cooldown' && nowMs >= now.untilMs)
    return { state: change(state, { phase: 'standby' }, mark), fired: [] }
  return { state, fired: [] }
}

/** Returns the state before the first undone block. Blocks after it are undone too. */
export function undoMonitor<Seed>(
  state: MonitorState<Seed>,
  isUndone: (mark: BlockIncarnation) => boolean,
): MonitorState<Seed> {
  const at = state.past.findIndex(({ mark }) => mark !== null && isUndone(mark))
  const undone = state.past[at]
  return undone ? { now: undone.before, past: state.past.slice(0, at) } : state
}

export function marksOf<Seed>({ past }: MonitorState<Seed>): BlockIncarnation[] {
  return past.flatMap(({ mark }) => (mark ? [mark] : []))
}

/** For consecutive changes of one block only the first is kept, because they are undone together. */
function change<Seed>(state: MonitorState<Seed>, now: Phase<Seed>, mark: BlockIncarnation | null): MonitorState<Seed> {
  const last = state.past.at(-1)
  if (last && isSame(last.mark, mark)) return { now, past: state.past }
  return { now, past: [...state.past, { mark, before: state.now }].slice(-pastMax) }
}

function isSame(a: BlockIncarnation | null, b: BlockIncarnation | null): boolean {
  if (a === null || b === null) return a === b
  return a.source === b.source && a.hash === b.hash && a.incarnation === b.incarnation
}

/** The row of a key. */
export type StoredMonitor = { kind: 'monitor'; triggerId: string; monitor: MonitorState<Seed> }

/** `due`: the timer of the current warm-up. The monitor schedules one timer when its warm-up starts, and no other. */
type LoadedMonitor = { state: MonitorState<Seed>; due: { seedId: string; at: Date } | null }
/** The monitors by the names of their keys. */
export type Monitors = Map<string, LoadedMonitor>

/** The monitors of the candidates' keys, without the changes of undone blocks. The caller holds the locks of the keys. */
export async function loadMonitors(
  store: Store,
  candidates: readonly Candidate[],
  findUndone: (blocks: BlockIncarnation[]) => Promise<(mark: BlockIncarnation) => boolean>,
): Promise<Monitors> {
  const names = new Map(candidates.map((candidate) => [nameOf(policyName(candidate)), policyName(candidate)]))
  const stored = await store.policyStates.findAll([...names.values()])
  const monitors: Monitors = new Map([...names.keys()].map((name) => [name, { state: standby(), due: null }]))
  for (const row of stored) {
    const monitor = readMonitor(row)
    if (monitor) monitors.set(nameOf(row), monitor)
  }
  const blocks = [...monitors.values()].flatMap(({ state }) => marksOf(state))
  const isUndone = await findUndone(blocks)
  for (const monitor of monitors.values()) monitor.state = undoMonitor(monitor.state, isUndone)
  return monitors
}

/** Undefined if the row belongs to another policy that the listener had before. */
export function readMonitor({ state, dueAt }: StoredPolicy): LoadedMonitor | undefined {
  if (!isMonitor(state)) return undefined
  const { now } = state.monitor
  const due = now.phase === 'warmup' && dueAt ? { seedId: now.seed.alert.id, at: dueAt } : null
  return { state: state.monitor, due }
}

function isMonitor(state: Record<string, unknown>): state is StoredMonitor {
  return state.kind === 'monitor'
}

/** Steps the monitor of the candidate's key, and returns what fires. */
export function passCandidate(candidate: Candidate, monitors: Monitors): Seed[] {
  const { listener, alert, itemAtMs, deliveryKey, block } = candidate
  const { policy } = listener
  const monitor = monitors.get(nameOf(policyName(candidate)))
  if (policy?.type !== 'monitor' || !monitor) return []
  const seed: Seed | null = alert && { alert, deliveryKey }
  const step = stepMonitor(monitor.state, { atMs: itemAtMs, seed, mark: block }, lengthsOf(policy))
  monitor.state = step.state
  return step.fired
}

type MonitorPolicy = Extract<Policy, { type: 'monitor' }>

export function lengthsOf({ for: lasting, cooldown }: MonitorPolicy): Lengths {
  return { forMs: durationMs(lasting), cooldownMs: durationMs(cooldown) }
}

/** The row to save. Schedules one timer when a warm-up starts, for the case that no further item comes to end it. */
export function monitorWrites(
  candidate: Candidate,
  monitors: Monitors,
  now: Date,
): { states: StoredPolicy[]; jobs: NewJob[] } {
  const { listener } = candidate
  const name = policyName(candidate)
  const monitor = monitors.get(nameOf(name))
  if (!monitor || listener.policy?.type !== 'monitor') return { states: [], jobs: [] }
  const { now: phase } = monitor.state
  const seedId = phase.phase === 'warmup' ? phase.seed.alert.id : undefined
  const isNew = seedId !== undefined && seedId !== monitor.due?.seedId
  const dueAt = isNew ? new Date(now.getTime() + durationMs(listener.policy.for)) : (monitor.due?.at ?? null)
  const state: StoredMonitor = { kind: 'monitor', triggerId: listener.triggerId, monitor: monitor.state }
  const data: PolicyJob = name
  const timer = isNew && dueAt ? [{ id: jobId('monitor', nameOf(name), seedId), data, startAfter: dueAt }] : []
  return { states: [{ ...name, state, dueAt: seedId === undefined ? null : dueAt }], jobs: timer }
}
