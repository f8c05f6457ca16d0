import type { WindowKey, WindowState, Windows } from '../../engine/providers/index.ts'
import type { WindowWrite } from '../../store/alerts/state-windows.ts'
import type { Store } from '../../store/index.ts'
import type { EvaluateJob } from '../jobs/job.ts'

/** A chunk's view of the state windows: a run sees the changes of earlier runs, and the chunk's commit stores them. */
export function chunkWindows(store: Store, job: EvaluateJob): Windows & { writes(): WindowWrite[] } {
  const changed = new Map<string, { key: WindowKey; state: WindowState }>()
  const nameOf = ({ trigger, provider, scope }: WindowKey) => JSON.stringify([trigger, provider, scope])
  return {
    load: async (key) => changed.get(nameOf(key))?.state ?? (await store.stateWindows.find(key)),
    save: async (key, state) => void changed.set(nameOf(key), { key, state }),
    writes: () =>
      [...changed.values()].map(({ key, state }) => ({
        ...key,
        state,
        source: job.source,
        blockNumber: job.block?.number ?? null,
      })),
  }
}
