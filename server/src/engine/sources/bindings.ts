/** One trigger on several sources: what a binding changes in the spec, the items and the inputs. */
import type { SourceBinding, SourceKind, TriggerSpec } from '@tocsin/contract'
import { isObject } from '../base/json.ts'
import type { SourceItem } from '../base/source-item.ts'
import type { NetworkIdentity } from './chain-rules.ts'
import { rulesOf } from './chains.ts'
import type { ItemReader, SpecItems } from './raw-items.ts'

/** A spec that reads the blocks of a source. */
export type SourceSpec = Extract<TriggerSpec, { dataSource: string }>

/** The fields that a binding adds to its items. Raw items lack them, so the trigger index cannot answer them. */
export const bindingFields: ReadonlySet<string> = new Set(['binding', 'network'])

/** The spec as the binding's source matches it. */
export function bindSpec(spec: SourceSpec, { dataSource, contract }: SourceBinding): SourceSpec {
  return { ...spec, dataSource, ...(contract !== undefined && { contract }) }
}

export function bindItem(item: SourceItem, binding: string, network: string): SourceItem {
  return { ...item, binding, network }
}

export function bindInputs(
  inputs: Record<string, unknown>,
  values: Record<string, unknown> | undefined,
): Record<string, unknown> {
  return values ? { ...inputs, ...values } : inputs
}

/** The inputs that every binding gives a value, so that a subscription need not. */
export function boundInputs(bindings: readonly { values?: unknown }[] = []): string[] {
  const [first, ...others] = bindings.map(({ values }) => (isObject(values) ? values : {}))
  return Object.keys(first ?? {}).filter((name) => others.every((values) => Object.hasOwn(values, name)))
}

/** Adds the fields of the binding to the items of a spec. It shares no decoder: no other spec makes the same items. */
export function bindItems(items: SpecItems, binding: string, network: () => string): ItemReader {
  return {
    itemOf(block, raw) {
      const item = items.itemOf(block, raw)
      return item && bindItem(item, binding, network())
    },
  }
}

/** A source as far as the name of its network needs it. */
export type NamedSource = { fullname: string; kind: SourceKind; isBuiltIn: boolean }

/** The network of a source: its name for a built-in one, else the CAIP-2 name; `unknown` until a node has answered. */
export function networkOf({ fullname, kind, isBuiltIn }: NamedSource, identity: NetworkIdentity): string {
  if (isBuiltIn) return fullname.slice('common.'.length)
  return rulesOf(kind).networkName(identity) ?? 'unknown'
}
