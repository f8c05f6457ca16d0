import { fileKinds, fileSchema } from '@tocsin/contract'
import { notFound, Refusal } from '../domain/refusal.ts'
import type { OpenStore } from '../store/index.ts'
import { storeFaultOf, storeUnavailable } from './errors.ts'
import type { SystemHandlers } from './handlers.ts'

export type System = { handlers: SystemHandlers; draining: AbortSignal; drain(): void }

/** `health` does nothing. `ready` writes to the store, and fails as soon as the service begins to stop. */
export function systemHandlers(store: OpenStore): System {
  const draining = new AbortController()
  return {
    handlers: {
      getHealth: async ({ settings }) => ({ status: 'ok', version: settings.version }),
      getReady: async ({ settings }) => {
        if (draining.signal.aborted) throw new Refusal('unavailable', 'The service is stopping.')
        try {
          await store.requireWritable()
        } catch (error) {
          const fault = error instanceof Error && 'code' in error ? storeFaultOf(error.code) : undefined
          throw storeUnavailable(fault)
        }
        return { status: 'ok', version: settings.version }
      },
      getFileSchema: async ({ params }) => {
        const kind = fileKinds.find((each) => each === params.kind)
        if (kind === undefined) throw notFound()
        return fileSchema(kind)
      },
    },
    draining: draining.signal,
    drain: () => draining.abort(),
  }
}
