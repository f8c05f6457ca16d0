/** What can be watched of a Solana program by its IDL, and of a Substrate pallet by the metadata of its chain. */
import type { Answered } from '@tocsin/sdk'
import type { Filter } from './filter.ts'
import { labelOf } from './filters.ts'
import { isFields, type Offer } from './offers.ts'
import type { Source } from './source.ts'
import { coinDecimals, coinName } from './units.ts'

type Fields = Record<string, unknown>
export type Pallet = Answered<'getSubstratePallet'>['body']

const accountsMax = 3

export function solanaOffers(idl: Fields): Offer[] {
  const types = listOf(idl.types)
  const events = listOf(idl.events).map((event) => {
    const struct = types.find(({ name }) => name === event.name)?.type
    const fields = listOf(event.fields ?? (isFields(struct) ? struct.fields : undefined))
    return offerOf(
      'event',
      event,
      fields.flatMap((field) => solanaFilter('params', field)),
    )
  })
  const calls = listOf(idl.instructions).map((instruction) => {
    const accounts = listOf(instruction.accounts).slice(0, accountsMax)
    return offerOf('call', instruction, [
      ...accounts.map(({ name }): Filter => filterOf('accounts', String(name), 'address')),
      ...listOf(instruction.args).flatMap((field) => solanaFilter('args', field)),
    ])
  })
  return [...events, ...calls]
}

const solanaKinds: [RegExp, Filter['kind']][] = [
  [/^(pubkey|publicKey)$/, 'address'],
  [/^[ui](8|16|32|64|128)$/, 'number'],
  [/^bool$/, 'boolean'],
  [/^string$/, 'text'],
]

function solanaFilter(root: string, { name, type }: Fields): Filter[] {
  const kind = solanaKinds.find(([pattern]) => typeof type === 'string' && pattern.test(type))?.[1]
  return kind === undefined ? [] : [filterOf(root, String(name), kind)]
}

export function substrateOffers({ name: pallet, events, calls }: Pallet, source: Source): Offer[] {
  const coin = { decimals: coinDecimals(source).decimals, unit: coinName(source) }
  const filtersOf = (fields: Pallet['events'][number]['fields']) =>
    fields.flatMap(({ name, type }) => (name === undefined ? [] : substrateFilter(name, type, coin)))
  return [
    ...events.map((event) => offerOf('event', { ...event, pallet }, filtersOf(event.fields))),
    ...calls.map((call) =>
      offerOf('call', { ...call, pallet }, [
        { param: 'source.sender', label: 'Signer', kind: 'address' },
        ...filtersOf(call.fields),
      ]),
    ),
  ]
}

function substrateFilter(name: string, type: string, coin: Pick<Filter, 'decimals' | 'unit'>): Filter[] {
  if (/^AccountId/.test(type)) return [filterOf('params', name, 'address')]
  if (/Balance|u128/.test(type)) return [{ ...filterOf('params', name, 'amount'), ...coin }]
  if (/^[ui](8|16|32|64)$/.test(type)) return [filterOf('params', name, 'number')]
  return type === 'bool' ? [filterOf('params', name, 'boolean')] : []
}

function filterOf(root: string, name: string, kind: Filter['kind']): Filter {
  return { param: `source.${root}.${name}`, label: labelOf(name.replaceAll('_', ' ')), kind }
}

function offerOf(type: Offer['type'], entry: Fields, filters: Filter[]): Offer {
  const name = String(entry.name)
  const docs = Array.isArray(entry.docs) ? entry.docs.join(' ').trim() : ''
  const fragment = { name, ...(entry.pallet !== undefined && { pallet: entry.pallet }) }
  const inputs = filters.map(({ label }) => ({ name: label.toLowerCase(), type: '' }))
  return { key: `${type} ${name}`, type, name, inputs, filters, fragment, ...(docs !== '' && { documentation: docs }) }
}

function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : []
}
