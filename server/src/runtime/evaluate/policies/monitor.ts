import { durationMs } from '../../../engine/policies/duration-ms.ts'
import {
  lengthsOf,
  type MonitorState,
  marksOf,
  standby,
  stepMonitor,
  undoMonitor,
} from '../../../engine/policies/monitor.ts'
import type { BlockIncarnation } from '../../../store/alerts/alert-writes.ts'
import type { StoredPolicy } from '../../../store/alerts/policy-states.ts'
import type { Store } from '../../../store/index.ts'
import type { NewJob } from '../../../store/jobs/jobs.ts'
import { jobId } from '../../jobs/ids.ts'
import type { PolicyJob } from '../../jobs/job.ts'
import type { Candidate } from '../fan-out/candidate.ts'
import type { Seed } from './alert-to-record.ts'
import { nameOf, policyName } from './names.ts'

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
