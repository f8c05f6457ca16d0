import type { Issue } from '@tocsin/contract'
import { isObject } from '../engine/base/json.ts'
import type { SourceItem } from '../engine/base/source-item.ts'
import { bindInputs, bindItem, bindSpec } from '../engine/sources/bindings.ts'
import type { BoundFields } from '../engine/sources/one-trigger.ts'
import { readBindingsInTurn } from '../engine/threads/index.ts'
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
/** Adds the fields of the binding to an item; `fields` are absent without a binding. */
export type BoundItems = { item(item: SourceItem): SourceItem; fields?: BoundFields }

/** `given` is a sample that the caller sent. It may name its binding. */
export async function readTriedBinding(
  { account }: Pick<Caller, 'account'>,
  asked: Asked,
  given?: unknown,
): Promise<TriedBinding> {
  const { triggerSpec, sourceBindings, binding: wanted } = asked
  if (sourceBindings === undefined)
    return unbound(triggerSpec, wanted === undefined ? [] : [{ path: 'binding', message: 'needs sourceBindings' }])
  const read = await readBindingsInTurn(account.id, { triggerSpec, sourceBindings })
  if (!read.ok) return unbound(triggerSpec, read.issues)
  const { bindings, spec } = read.value
  const named = wanted ?? (isObject(given) && typeof given.binding === 'string' ? given.binding : undefined)
  const chosen =
    named === undefined
      ? (bindings.find(({ dataSource }) => dataSource === triggerSpec?.dataSource) ?? bindings[0])
      : bindings.find(({ id }) => id === named)
  if (!chosen) return unbound(triggerSpec, [{ path: 'binding', message: `no binding is "${named}"` }])
  return {
    issues: [],
    triggerSpec: spec && 'dataSource' in spec ? bindSpec(spec, chosen) : triggerSpec,
    inputs: (inputs = {}) => bindInputs(inputs, chosen.values),
    async open(caller, scope) {
      const network = await findNetwork(caller, chosen.dataSource, scope)
      return { item: (found) => bindItem(found, chosen.id, network), fields: { binding: chosen.id, network } }
    },
  }
}

function unbound(triggerSpec: Spec, issues: Issue[]): TriedBinding {
  return { issues, triggerSpec, inputs: (inputs = {}) => inputs, open: async () => ({ item: (item) => item }) }
}
