import type { WindowKey, Windows } from '../../engine/providers/index.ts'
import type { WindowWrite } from '../../store/alerts/state-windows.ts'
import type { Store } from '../../store/index.ts'
import type { EvaluateJob } from '../jobs/job.ts'

/** A chunk's view of the state windows: a run sees the changes of earlier runs, and the chunk's commit stores them. */
export function chunkWindows(store: Store, job: EvaluateJob): ChunkWindows {
  return windowsOf(store, () => job, '')
}

/** The windows of the chunks of a history, which run one after the other. Their scopes begin with the prefix. */
export function historyWindows(
  store: Store,
  prefix: string,
): { of(job: EvaluateJob): Windows; writes(): WindowWrite[] } {
  let current: EvaluateJob | undefined
  const { load, save, writes } = windowsOf(store, () => current, prefix)
  return {
    of(job) {
      current = job
      return { load, save }
    },
    writes,
  }
}

export type ChunkWindows = Windows & { writes(): WindowWrite[] }

function windowsOf(store: Store, jobOf: () => EvaluateJob | undefined, prefix: string): ChunkWindows {
  const changed = new Map<string, WindowWrite>()
  const nameOf = ({ trigger, provider, scope }: WindowKey) => JSON.stringify([trigger, provider, scope])
  const own = (key: WindowKey): WindowKey => (prefix === '' ? key : { ...key, scope: `${prefix}${key.scope}` })
  return {
    load: async (key) => changed.get(nameOf(key))?.state ?? (await store.stateWindows.find(own(key))),
    save: async (key, state) => {
      const job = jobOf()
      const blockNumber = job?.block?.number ?? null
      changed.set(nameOf(key), { ...own(key), state, source: job?.source ?? null, blockNumber })
    },
    writes: () => [...changed.values()],
  }
}
