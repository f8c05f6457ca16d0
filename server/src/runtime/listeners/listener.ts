import type { Listener } from '../../engine/fan-out/listener.ts'
import type { RunnableTrigger } from '../../engine/run-trigger/index.ts'
import type { TriggerDefinition } from '../../store/core/tables.ts'

export type { Listener }

/** A saved trigger that somebody listens to, made ready to run. */
export type LiveTrigger = {
  id: string
  version: number
  fullname: string
  project: string
  projectId: string
  /** Of the project: whose work it is, for fairness. */
  workspaceId: string
  title: string
  definition: TriggerDefinition
  runnable: RunnableTrigger
  /** The source it reads from; null for timers and for triggers on a stream. */
  dataSource: string | null
  /** It remembers (state_window), so its items run one after the other, in the order of the chain. */
  isOrdered: boolean
  listeners: ReadonlyMap<string, Listener>
}
