import { type BlockIncarnation, incarnationKey } from '../../../store/alerts/alert-writes.ts'
import type { Store } from '../../../store/index.ts'
import type { Candidate } from '../fan-out/candidate.ts'
import { type Digests, loadDigests } from './digest.ts'
import { loadMonitors, type Monitors } from './monitor.ts'
import { deliveryName, nameOf, policyLock, policyName } from './names.ts'
import { loadThrottles, type Throttles } from './throttle.ts'

/** The policy states of some candidates' keys. They are valid only while the caller holds the locks of these keys. */
export type LoadedPolicies = {
  throttles: Throttles
  /** The id of the alert that was sent for each key of a delivery mode. */
  delivered: Map<string, string>
  monitors: Monitors
  digests: Digests
}

/** Locks the keys of the candidates and loads their states, so that two evaluations never both find a key free. */
export async function loadPolicies(store: Store, candidates: readonly Candidate[]): Promise<LoadedPolicies> {
  const keyed = candidates.filter(
    ({ listener, deliveryKey }) => hasState(listener.policy?.type) || deliveryKey !== null,
  )
  await store.alertWrites.lockKeys(keyed.flatMap(locksOf))
  const of = (type: string) => keyed.filter(({ listener }) => listener.policy?.type === type)
  const monitors = await loadMonitors(store, of('monitor'), (blocks) => findUndone(store, blocks))
  return {
    throttles: await loadThrottles(store, of('throttle'), (blocks) => findUndone(store, blocks)),
    delivered: await loadDelivered(store, keyed, monitors),
    monitors,
    digests: await loadDigests(store, of('digest')),
  }
}

function hasState(type: string | undefined): boolean {
  return type === 'throttle' || type === 'monitor' || type === 'digest'
}

/** A monitor may fire for an earlier item with another delivery key, so it locks all delivery keys of its listener. */
function locksOf(candidate: Candidate): string[] {
  const { listener, deliveryKey } = candidate
  const isMonitor = listener.policy?.type === 'monitor'
  const policy = hasState(listener.policy?.type) ? [policyLock(policyName(candidate))] : []
  const delivery =
    deliveryKey === null ? [] : [`delivery ${isMonitor ? listener.key : nameOf(deliveryName(listener, deliveryKey))}`]
  return [...policy, ...delivery]
}

async function loadDelivered(
  store: Store,
  candidates: readonly Candidate[],
  monitors: LoadedPolicies['monitors'],
): Promise<LoadedPolicies['delivered']> {
  const names = new Map<string, ReturnType<typeof deliveryName>>()
  for (const candidate of candidates) {
    const { listener, deliveryKey } = candidate
    const waiting = monitors.get(nameOf(policyName(candidate)))?.state.now
    for (const key of [deliveryKey, waiting?.phase === 'warmup' ? waiting.seed.deliveryKey : null]) {
      if (key === null) continue
      const name = deliveryName(listener, key)
      names.set(nameOf(name), name)
    }
  }
  const delivered = await store.alertWrites.listDelivered([...names.values()])
  return new Map(delivered.map(({ id, ...name }) => [nameOf(name), id]))
}

/** Each use of a monitor checks its blocks, so that the undo of a reorg need not know monitors. */
export async function findUndone(
  store: Store,
  blocks: BlockIncarnation[],
): Promise<(mark: BlockIncarnation) => boolean> {
  if (blocks.length === 0) return () => false
  const { undone } = await store.alertWrites.lockRows({ subscriptions: [], triggers: [], resources: [], blocks })
  return (mark) => undone.has(incarnationKey(mark))
}
