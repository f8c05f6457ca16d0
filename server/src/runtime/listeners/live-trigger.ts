import { type SourceBinding, workspaceOfHealth } from '@tocsin/contract'
import type { Listener } from '../../engine/fan-out/listener.ts'
import type { RunnableTrigger } from '../../engine/run-trigger/index.ts'
import type { SpecItems } from '../../engine/sources/raw-items.ts'
import type { Schedule } from '../../engine/sources/timer/schedule.ts'
import type { TriggerDefinition } from '../../store/core/tables.ts'

export type { Listener }

/** A saved trigger with listeners, ready to run. */
export type LiveTrigger = {
  id: string
  version: number
  fullname: string
  project: string
  projectId: string
  /** The workspace of the project; fairness counts the trigger's jobs for it. */
  workspaceId: string
  title: string
  runbook?: string | null | undefined
  definition: TriggerDefinition
  runnable: RunnableTrigger
  /** The source that the trigger reads from; null for timers, for triggers on a stream and for those on several sources. */
  dataSource: string | null
  /** The chains that its items come from; empty for timers and for triggers on a stream. */
  sources: readonly string[]
  /** The values that the bindings of a trigger on several sources add to the inputs, by binding. */
  bindingValues?: ReadonlyMap<string, Record<string, unknown>>
  /** The trigger has a state window or is told of statuses, so its items run one after the other, in their order. */
  isOrdered: boolean
  /** Other triggers listen to its outputs, so it runs for all of its items. */
  hasDependents: boolean
  listeners: ReadonlyMap<string, Listener>
  /** The address lists that the conditions of the trigger name; `runnable` holds their addresses. */
  lists?: readonly string[]
}

/** A source of a trigger. `binding` is set if the trigger has sourceBindings. */
export type BoundSource = {
  source: string
  items: SpecItems
  binding?: SourceBinding
  /** The known contracts of the items' factory, in lower case. The follower of the source adds them. */
  members?: Set<string>
}

/** Where a trigger's items come from. */
export type Feed =
  | { kind: 'source'; sources: readonly BoundSource[] }
  | { kind: 'timer'; schedule: Schedule }
  /** Outputs of another trigger, or the events of a trigger or source; an item must have the `values`. */
  | { kind: 'stream'; stream: string; values: Record<string, unknown> }
  /** The trigger has no feed, or this version cannot read its definition. */
  | { kind: 'none'; problem?: string }

/** A subscription that runs over past blocks. A subscription to a template has a part for each rule. */
export type History = { subscriptionId: string; parts: { trigger: RegisteredTrigger; listener: Listener }[] }

/** A live trigger in the registry, with its feed. */
export type RegisteredTrigger = LiveTrigger & {
  listeners: Map<string, Listener>
  feed: Feed
  /** The project is public, so triggers of every workspace may listen to the outputs. */
  isPublic: boolean
  /** The time in milliseconds since which the trigger has a listener; a timer's first tick comes after it. */
  since: number
}

/** True if the trigger listens to the health of a workspace. */
export function isOnHealth({ feed }: RegisteredTrigger): boolean {
  return feed.kind === 'stream' && workspaceOfHealth(feed.stream) !== undefined
}
