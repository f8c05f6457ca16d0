import type { Definition, Fields } from './definition.ts'
import { sourceOf } from './spec-kinds.ts'

type Bound = Pick<Definition, 'triggerSpec' | 'sourceBindings'>

/**
 * Adds a source. The first time, the source of the spec becomes a binding too, because the service wants the spec's source
 * to be one of the bindings.
 */
export function addBinding({ triggerSpec, sourceBindings = [] }: Bound): Bound {
  const source = sourceOf(triggerSpec) ?? ''
  const bindings = sourceBindings.length > 0 ? sourceBindings : [{ id: freeId(source, []), dataSource: source }]
  return { triggerSpec, sourceBindings: [...bindings, { id: freeId('', bindings), dataSource: '' }] }
}

/** Changes a binding. An id that was made from the source follows the source. */
export function putBinding(bound: Bound, at: number, part: Fields): Bound {
  const bindings = bound.sourceBindings ?? []
  const before = bindings[at] ?? {}
  const others = bindings.toSpliced(at, 1)
  const isMadeId = before.id === freeId(textOf(before.dataSource), others)
  const newId = 'dataSource' in part && isMadeId && { id: freeId(textOf(part.dataSource), others) }
  const next = withoutUndefined({ ...before, ...newId, ...part })
  return withOwnSource({ ...bound, sourceBindings: bindings.with(at, next) }, textOf(before.dataSource), next)
}

/** Without a second source, the trigger has no bindings. */
export function removeBinding({ triggerSpec, sourceBindings = [] }: Bound, at: number): Bound {
  const rest = sourceBindings.toSpliced(at, 1)
  const [first] = rest
  if (first === undefined) return { triggerSpec, sourceBindings: undefined }
  return withOwnSource({ triggerSpec, sourceBindings: rest }, textOf(sourceBindings[at]?.dataSource), first)
}

/** Moves the source of the spec along if no binding has it any longer. */
function withOwnSource(bound: Bound, before: string, next: Fields): Bound {
  const { triggerSpec, sourceBindings = [] } = bound
  const own = sourceOf(triggerSpec)
  const isLost = own === before && !sourceBindings.some(({ dataSource }) => dataSource === own)
  return isLost ? { ...bound, triggerSpec: { ...triggerSpec, dataSource: next.dataSource } } : bound
}

/** The last segment of the source's name, with a number if it is taken. */
function freeId(source: string, others: Fields[]): string {
  const name = source.split('.').at(-1) || 'source'
  const taken = others.map(({ id }) => id)
  let count = 2
  if (!taken.includes(name)) return name
  while (taken.includes(`${name}-${count}`)) count++
  return `${name}-${count}`
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function withoutUndefined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
