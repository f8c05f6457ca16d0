import type { SourceKind } from '@tocsin/contract'
import { listChains, specOf } from '../../../data/chains.ts'
import { isObject } from '../../../forms/json.ts'
import type { Fields } from './definition.ts'

type SpecKind = { value: string; label: string; about: string }

/** The types that belong to no chain. */
const others: SpecKind[] = [
  { value: 'timer', label: 'Timer', about: 'Fires at a fixed interval or at times of the day. It needs no source.' },
  { value: 'stream', label: 'Stream', about: 'The output of another trigger, or the health of a trigger or a source.' },
]

/** The types of `triggerSpec`. A stream has `triggerSpec: null`. */
export function specKinds(): SpecKind[] {
  const ofChains = listChains().flatMap(({ specs }) => specs)
  return [...ofChains.map(({ type, title, about }) => ({ value: type, label: title, about })), ...others]
}

export function specType(spec: Fields | null): string {
  return typeof spec?.type === 'string' ? spec.type : 'stream'
}

export function specLabel(spec: Fields | null): string {
  return specKinds().find(({ value }) => value === specType(spec))?.label ?? specType(spec)
}

export function kindOf(spec: Fields | null): SourceKind | undefined {
  return specOf(specType(spec))?.chain.kind
}

export function sourceOf(spec: Fields | null): string | undefined {
  return typeof spec?.dataSource === 'string' ? spec.dataSource : undefined
}

/** The contracts or the program that a spec names. For the contracts of a factory, the factory. */
export function contractsOf(spec: Fields | null): string[] {
  const { contract, programId } = spec ?? {}
  const named = isObject(contract) && isObject(contract.factory) ? contract.factory.contract : (contract ?? programId)
  return [named].flat().filter((one) => typeof one === 'string')
}

/** An empty spec of another type. It keeps the source if the kind of chain is the same. */
export function blankSpec(type: string, before: Fields | null): Fields | null {
  if (type === 'stream') return null
  if (type === 'timer') return { type, interval: '5m' }
  const kind = specOf(type)?.chain.kind
  return { type, dataSource: kindOf(before) === kind ? (sourceOf(before) ?? '') : '' }
}
