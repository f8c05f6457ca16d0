import { Refusal } from '../domain/refusal.ts'
import type { OpenStore } from '../store/index.ts'
import type { SystemHandlers } from './handlers.ts'

export type System = { handlers: SystemHandlers; draining: AbortSignal; drain(): void }

/** Alive is cheap to say; ready asks the store, and turns to no as soon as the service is told to stop. */
export function systemHandlers(store: OpenStore): System {
  const draining = new AbortController()
  return {
    handlers: {
      getHealth: async ({ settings }) => ({ status: 'ok', version: settings.version }),
      getReady: async ({ settings }) => {
        if (draining.signal.aborted) throw new Refusal('unavailable', 'The service is stopping.')
        try {
          await store.ping()
        } catch {
          throw new Refusal('unavailable', 'The store cannot be reached right now.')
        }
        return { status: 'ok', version: settings.version }
      },
    },
    draining: draining.signal,
    drain: () => draining.abort(),
  }
}
