import type { SourceState } from '@tocsin/contract'
import type * as z from 'zod'

type State = z.output<typeof SourceState>

/** A change of a source's status, as the triggers that listen to `<source>.events` see it. */
export type SourceEvent = {
  type: 'error' | 'recovered'
  status: State
  previousStatus: State
  severity: 'info' | 'warning' | 'error'
  message: string
  source: string
  at: string
}
