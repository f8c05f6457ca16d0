import type { Condition } from '@tocsin/contract'
import { definitionOf } from '../evm/definition.ts'
import { ExpressionError } from '../evm/expression.ts'
import { filterOf } from '../evm/filter.ts'
import { type Names, nameFrom } from '../names.ts'
import type { Notes } from '../notes.ts'
import type { Item } from './items.ts'
import type { Message, Outlet } from './outlets.ts'
import type { Target } from './targets.ts'

/** The events of a contract, or the native transfers: what one of them is on a target, or why it is not followed. */
export type Events = {
  owner: string
  targets: readonly Target[]
  finality?: unknown
  itemOf(event: string, target: Target): Item | string
}
export type Place = { workspace: string; project: string; notes: Notes; triggers: Names; keys: Names }

/** Messages that want the same event under the same condition share a trigger. */
export function importOutlets(events: Events, outlets: readonly Outlet[], place: Place): void {
  const made = new Map<string, string>()
  for (const outlet of outlets) {
    const problems: string[] = outlet.messages.length === 0 ? ['it names no event'] : []
    const keys = outlet.messages.flatMap((message) => importMessage(events, outlet, message, place, made, problems))
    if (keys.length > 0) place.notes.done(outlet.definition, [...outlet.differences, ...problems])
    else place.notes.impossible(outlet.definition, [...new Set(problems)].join('; '))
  }
}

/** The subscriptions of a message: one for each target on its networks. */
function importMessage(
  events: Events,
  outlet: Outlet,
  message: Message,
  place: Place,
  made: Map<string, string>,
  problems: string[],
): string[] {
  const targets = events.targets.filter(({ network }) => outlet.networks.includes(network))
  if (targets.length === 0) problems.push(`${events.owner} is not on ${outlet.networks.join(', ')}`)
  return targets.flatMap((target) => {
    const trigger = triggerFor(events, target, message, place, made)
    if ('problem' in trigger) {
      problems.push(`the event ${message.event} is left out: ${trigger.problem}`)
      return []
    }
    return [addSubscription(events, outlet, message, trigger.fullname, place)]
  })
}

function triggerFor(
  events: Events,
  target: Target,
  message: Message,
  place: Place,
  made: Map<string, string>,
): { fullname: string } | { problem: string } {
  const { event, alias, expression } = message
  const key = JSON.stringify([events.targets.indexOf(target), event, alias, expression])
  const known = made.get(key)
  if (known !== undefined) return { fullname: known }
  const item = events.itemOf(event, target)
  if (typeof item === 'string') return { problem: item }
  const filter = readFilter(item, expression)
  if (typeof filter === 'string') return { problem: filter }
  const { workspace, project, notes } = place
  const title = `${events.owner} ${event}`
  const name = place.triggers.take(title)
  const fullname = `${project}.${name}`
  const about = { name, fullname, project, workspace, backend: { type: 'sdk' }, meta: { title } }
  const rawSource = `({ event_name: ${JSON.stringify(alias ?? event)}, ${item.message} })`
  const fields = definitionOf({ spec: item.spec, rawSource, ...filter }, [target.source])
  notes.add('trigger', { ...about, ...fields, defaults: { title } })
  made.set(key, fullname)
  return { fullname }
}

/** The conditions of the item and those of the message. */
function readFilter({ conditions, variables }: Item, expression: string | undefined) {
  try {
    const own = filterOf([{ expression, variables }], [], { variables: new Map() })
    const all: Condition[] = own.conditions ? [...conditions, own.conditions] : conditions
    return { ...own, ...(all.length > 0 && { conditions: { all } }) }
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return `its expression cannot be read: ${error.message}`
  }
}

function addSubscription(
  events: Events,
  outlet: Outlet,
  { template }: Message,
  trigger: string,
  { workspace, project, notes, keys }: Place,
): string {
  const resource = outlet.resource()
  const [name, channel] = [trigger, resource].map((fullname) => fullname.split('.').at(-1) ?? '')
  const key = keys.take(nameFrom(`${name}-${channel}`))
  const finality = outlet.isFinalized ? 'finalized' : events.finality
  notes.add('subscription', {
    ...{ key, workspace, project, trigger, resources: [resource] },
    ...(template !== undefined && { overrides: { long: template } }),
    ...(finality !== undefined && { delivery: { finality } }),
  })
  return key
}
