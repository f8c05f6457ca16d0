import { isDeepStrictEqual } from 'node:util'
import { type BoundUnit, type StatePolicy, unitOfPolicy } from '@tocsin/contract'
import { blocksOf, emptyState, type KeyState, settleBlocks } from '../../../../engine/policies/key-state.ts'
import { decideAgainMs } from '../../../../engine/policies/read-to.ts'
import { rulesOf } from '../../../../engine/policies/state-policies.ts'
import { type BlockIncarnation, incarnationKey } from '../../../../store/alerts/alert-writes.ts'
import type { ChangedPolicy, PolicyName, VersionedPolicy } from '../../../../store/alerts/policy-states.ts'
import type { Store } from '../../../../store/index.ts'
import type { NewJob } from '../../../../store/jobs/jobs.ts'
import type { DueStatesJob } from '../../../jobs/job.ts'
import type { Listener } from '../../../listeners/live-trigger.ts'
import type { KeySeed } from '../alert-to-record.ts'

/** The JSON of a row. */
export type StoredKeyState = {
  kind: 'key'
  type: StatePolicy['type']
  /** The unit of the values, if the bounds are in human units. */
  unit?: BoundUnit | undefined
  triggerId: string
  state: KeyState<KeySeed>
  /** After this time the row means nothing. Absent if it always does, or while a timer is set. */
  forgetMs?: number
}

/** The state of a key: `stored` as it was read, `state` as it is now. `version` is null if there is no row. */
export type LoadedState = {
  name: PolicyName
  listener: Listener
  policy: StatePolicy
  stored: KeyState<KeySeed>
  state: KeyState<KeySeed>
  version: number | null
  dueMs: number | null
}

/** A row that another type of policy wrote, or one with values in another unit, counts as empty. */
export function loadedOf(
  name: PolicyName,
  listener: Listener,
  policy: StatePolicy,
  row: VersionedPolicy | undefined,
): LoadedState {
  const { subscriptionId, ruleId, key } = name
  const json = row?.state as StoredKeyState | undefined
  const stored = json?.kind === 'key' && isOf(policy, json) ? json.state : emptyState<KeySeed>()
  const dueMs = row?.dueAt?.getTime() ?? null
  const state = stored
  return {
    name: { subscriptionId, ruleId, key },
    listener,
    policy,
    stored,
    state,
    version: row?.version ?? null,
    dueMs,
  }
}

function isOf(policy: StatePolicy, { type, unit }: StoredKeyState): boolean {
  return type === policy.type && isDeepStrictEqual(unit, unitOfPolicy(policy))
}

/** Takes undone blocks back. It locks the blocks, so that none is undone before the caller's commit. */
export async function settleStates(store: Store, loaded: readonly LoadedState[]): Promise<void> {
  const withBlocks = loaded.filter(({ state }) => blocksOf(state).length > 0)
  const marks = new Map(withBlocks.flatMap(({ state }) => blocksOf(state)).map((mark) => [incarnationKey(mark), mark]))
  if (marks.size === 0) return
  const none = { subscriptions: [], triggers: [], resources: [] }
  const { undone, applied } = await store.alertWrites.lockRows({ ...none, blocks: [...marks.values()] })
  const isUndone = (mark: BlockIncarnation) => undone.has(incarnationKey(mark))
  const isFinal = (mark: BlockIncarnation) => !isUndone(mark) && !applied.has(incarnationKey(mark))
  for (const one of withBlocks) one.state = settleBlocks(one.state, isUndone, isFinal)
}

/** A quiet state is kept for this long after its window, in case of a reorg. */
const forgetAfterMs = 86_400_000

/** The rows of the changed states, and the jobs that wake those that time changes. */
export function writesOf(
  loaded: Iterable<LoadedState>,
  now: Date,
  isTimer = false,
): { states: ChangedPolicy[]; jobs: NewJob[] } {
  const states: ChangedPolicy[] = []
  const dueBySecond = new Map<number, number>()
  for (const one of loaded) {
    if (one.state === one.stored && !isTimer) continue
    const dueMs = nextDueMs(one, now.getTime(), isTimer)
    states.push({
      ...one.name,
      state: rowOf(one, now.getTime()),
      dueAt: dueMs === null ? null : new Date(dueMs),
      version: one.version,
    })
    if (dueMs === null || dueMs === one.dueMs) continue
    const second = Math.floor(dueMs / 1000)
    dueBySecond.set(second, Math.max(dueMs, dueBySecond.get(second) ?? 0))
  }
  return { states, jobs: [...dueBySecond.values()].map(dueJob) }
}

/**
 * A timer that fired and could not decide, because the items are not read up to its time, is set again. One that is set for
 * an earlier time stays: it finds the later time when it fires, so an output need not move it.
 */
function nextDueMs({ policy, state, dueMs: storedMs }: LoadedState, nowMs: number, isTimer: boolean): number | null {
  const dueMs = rulesOf(policy).machine?.dueMs(state) ?? null
  if (isTimer && dueMs !== null && dueMs <= nowMs) return decideAgainMs(dueMs, nowMs)
  if (dueMs === null || storedMs === null) return dueMs
  return storedMs > nowMs && storedMs <= dueMs ? storedMs : dueMs
}

function rowOf({ policy, listener, state }: LoadedState, nowMs: number): StoredKeyState {
  const { rememberedMs } = rulesOf(policy)
  const unit = unitOfPolicy(policy)
  const row: StoredKeyState = {
    ...{ kind: 'key', type: policy.type, triggerId: listener.triggerId, state },
    ...(unit && { unit }),
  }
  if (state.now.phase !== 'quiet' || rememberedMs === null) return row
  return { ...row, forgetMs: nowMs + rememberedMs + forgetAfterMs }
}

export function dueJob(dueMs: number): NewJob {
  const data: DueStatesJob = { dueMs }
  return { data, startAfter: new Date(dueMs) }
}
