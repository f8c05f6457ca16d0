import { type Issue, issuesOf, SourceBindings, TriggerSpec } from '@tocsin/contract'
import { isObject } from '../engine/base/is-object.ts'
import type { SourceItem } from '../engine/base/source-item.ts'
import { checkBindings } from '../engine/check/index.ts'
import { bindInputs, bindItem, bindSpec } from '../engine/sources/bindings.ts'
import type { Matcher } from '../engine/sources/block.ts'
import { type Caller, findNetwork, type SourceScope } from './find-source.ts'

/** A trigger on several sources is tried out on one of them. This file chooses the binding and applies it. */

type Spec = Record<string, unknown> | null | undefined
type Asked = { triggerSpec?: Spec; sourceBindings?: unknown; binding?: string | undefined }

/** The chosen binding of a try-out; without sourceBindings it changes nothing. */
export type TriedBinding = {
  /** What is wrong with the bindings, or with the choice. */
  issues: Issue[]
  /** The spec as the chosen binding's source matches it. */
  triggerSpec: Spec
  inputs(inputs: Record<string, unknown> | undefined): Record<string, unknown>
  /** The network of the source is looked up when an item is made. */
  open(caller: Caller, scope?: SourceScope): Promise<BoundItems>
}
/** The item and the matcher of a try-out with the fields of the binding. */
export type BoundItems = { item(item: SourceItem): SourceItem; matcher(matcher: Matcher): Matcher }

/** `given` is a sample that the caller sent. It may name its binding. */
export async function readTriedBinding(asked: Asked, given?: unknown): Promise<TriedBinding> {
  const { triggerSpec, sourceBindings, binding: wanted } = asked
  if (sourceBindings === undefined)
    return unbound(triggerSpec, wanted === undefined ? [] : [{ path: 'binding', message: 'needs sourceBindings' }])
  const read = SourceBindings.safeParse(sourceBindings)
  if (!read.success) return unbound(triggerSpec, under('sourceBindings', issuesOf(read.error)))
  const spec = TriggerSpec.safeParse(triggerSpec)
  const issues = spec.success ? await checkBindings(spec.data, read.data, 'sourceBindings') : []
  const named = wanted ?? (isObject(given) && typeof given.binding === 'string' ? given.binding : undefined)
  const chosen =
    named === undefined
      ? (read.data.find(({ dataSource }) => dataSource === triggerSpec?.dataSource) ?? read.data[0])
      : read.data.find(({ id }) => id === named)
  if (issues.length > 0 || !chosen)
    return unbound(triggerSpec, issues.length > 0 ? issues : [{ path: 'binding', message: `no binding is "${named}"` }])
  return {
    issues: [],
    triggerSpec: spec.success && 'dataSource' in spec.data ? bindSpec(spec.data, chosen) : triggerSpec,
    inputs: (inputs = {}) => bindInputs(inputs, chosen.values),
    async open(caller, scope) {
      const network = await findNetwork(caller, chosen.dataSource, scope)
      const item = (found: SourceItem) => bindItem(found, chosen.id, network)
      return { item, matcher: (matcher) => ({ ...matcher, match: (block) => matcher.match(block).map(item) }) }
    },
  }
}

function unbound(triggerSpec: Spec, issues: Issue[]): TriedBinding {
  const open = async () => ({ item: (item: SourceItem) => item, matcher: (matcher: Matcher) => matcher })
  return { issues, triggerSpec, inputs: (inputs = {}) => inputs, open }
}

export function under(path: string, issues: Issue[]): Issue[] {
  return issues.map((issue) => ({ path: issue.path === '' ? path : `${path}.${issue.path}`, message: issue.message }))
}
