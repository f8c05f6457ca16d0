import { isObject } from '../../../forms/json.ts'
import type { Fields } from './definition.ts'

export type SourceKind = 'evm' | 'substrate' | 'solana'

/** The types of `triggerSpec`. A stream has `triggerSpec: null`. */
export const specKinds: { value: string; label: string; about: string; kind?: SourceKind }[] = [
  { value: 'evm_log', label: 'EVM event', about: 'Events that contracts emit, decoded by their ABI.', kind: 'evm' },
  { value: 'evm_transaction', label: 'EVM transaction', about: 'Every transaction of the chain.', kind: 'evm' },
  { value: 'evm_call', label: 'EVM call', about: 'Calls of the functions of contracts.', kind: 'evm' },
  { value: 'evm_block', label: 'EVM block', about: 'Every block of the chain, or every N-th.', kind: 'evm' },
  {
    value: 'substrate_event',
    label: 'Substrate event',
    about: 'Events of a pallet, such as balances.Transfer.',
    kind: 'substrate',
  },
  {
    value: 'substrate_call',
    label: 'Substrate call',
    about: 'Extrinsics, and the calls inside batch, proxy, multisig and sudo calls.',
    kind: 'substrate',
  },
  {
    value: 'substrate_block',
    label: 'Substrate block',
    about: 'Every block of the chain, or every N-th.',
    kind: 'substrate',
  },
  {
    value: 'solana_event',
    label: 'Solana event',
    about: 'Events of a program, decoded by its Anchor IDL.',
    kind: 'solana',
  },
  {
    value: 'solana_instruction',
    label: 'Solana instruction',
    about: 'Instructions of a program, also those that programs invoke, decoded by an Anchor IDL.',
    kind: 'solana',
  },
  { value: 'timer', label: 'Timer', about: 'Fires at a fixed interval or at times of the day. It needs no source.' },
  { value: 'stream', label: 'Stream', about: 'The output of another trigger, or the health of a trigger or a source.' },
]

export function specType(spec: Fields | null): string {
  return typeof spec?.type === 'string' ? spec.type : 'stream'
}

export function specLabel(spec: Fields | null): string {
  return specKinds.find(({ value }) => value === specType(spec))?.label ?? specType(spec)
}

export function kindOf(spec: Fields | null): SourceKind | undefined {
  return specKinds.find(({ value }) => value === specType(spec))?.kind
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
  const kind = specKinds.find(({ value }) => value === type)?.kind
  return { type, dataSource: kindOf(before) === kind ? (sourceOf(before) ?? '') : '' }
}
