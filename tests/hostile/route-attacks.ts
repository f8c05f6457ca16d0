import { readFileSync } from 'node:fs'
import { operationExamples, type Route, type RouteName, routes } from '@tocsin/contract'
import { richBodies } from './rich-bodies.ts'
import type { Attack } from './send.ts'
import { shapes } from './shapes.ts'
import type { Victims } from './victims.ts'

type Example = { params?: Readonly<Record<string, string>>; body?: unknown }

const recorded: Record<string, Example> = JSON.parse(
  readFileSync(new URL('../../server/src/api/reference/examples.json', import.meta.url), 'utf8'),
)
/** Ids of a workspace differ at each start, so the examples have none that exist. */
const idOf = (victims: Victims): { [Name in RouteName]?: string } => ({
  saveTemplate: victims.template,
  saveSubscription: victims.subscription,
  testSubscription: victims.subscription,
  saveAddress: victims.address,
})
type Step = string | number

/** Each field of the body of each route, in each shape. */
export function routeAttacks(victims: Victims): Attack[] {
  const ids = idOf(victims)
  return (Object.entries(routes) as [RouteName, Route][]).flatMap(([name, { method, path }]) => {
    const { params = {}, body } = { ...recorded[name], ...operationExamples[name] } as Example
    const bodies = [body, ...(richBodies[name] ?? [])].filter((sent) => sent !== undefined)
    const address = addressOf(path, { ...params, ...(ids[name] !== undefined && { id: ids[name] }) })
    return bodies.flatMap((sent) =>
      pathsOf(sent).flatMap((at) =>
        shapes.map((shape) => ({
          name: `${name} ${at.join('.') || '(the body)'}: ${shape.name}`,
          ...{ method, path: address, body: () => jsonWith(sent, at, shape.json) },
        })),
      ),
    )
  })
}

/** Every `step`-th of a list that takes turns through all shapes, because `step` and their number have no common part. */
export function shareOf<Item>(items: Item[], step: number): Item[] {
  return items.filter((_, at) => at % step === 0)
}

function addressOf(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? 'x'))
}

function pathsOf(value: unknown): Step[][] {
  if (typeof value !== 'object' || value === null) return [[]]
  const steps: [Step, unknown][] = Array.isArray(value)
    ? value.slice(0, 1).map((item) => [0, item])
    : Object.entries(value)
  return [[], ...steps.flatMap(([step, inner]) => pathsOf(inner).map((rest) => [step, ...rest]))]
}

function jsonWith(value: unknown, [step, ...rest]: Step[], json: string): string {
  if (step === undefined) return json
  if (Array.isArray(value))
    return `[${value.map((item, at) => (at === step ? jsonWith(item, rest, json) : JSON.stringify(item)))}]`
  const fields = Object.entries(value as object).map(
    ([name, inner]) => `${JSON.stringify(name)}:${name === step ? jsonWith(inner, rest, json) : JSON.stringify(inner)}`,
  )
  return `{${fields}}`
}
