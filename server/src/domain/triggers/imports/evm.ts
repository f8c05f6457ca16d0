import type { EvmImport, FieldSchema } from '@tocsin/contract'
import type * as z from 'zod'
import { UpstreamError } from '../../../engine/outbound/upstream-error.ts'
import { at, balance, inTransaction, texts } from '../../../engine/sources/action-fields.ts'
import { functionCalled } from '../../../engine/sources/evm/core-actions/activity.ts'
import { evmAddress } from '../../../engine/sources/evm/core-actions/fields.ts'
import { contractEvent } from '../../../engine/sources/evm/core-actions/general.ts'
import { requireProjectLevel } from '../../access.ts'
import type { Handler } from '../../handler.ts'
import { type Asking, atSource, requireSourceOf, saveRoleNames } from '../../look-ups.ts'
import { invalidPayload } from '../../refusal.ts'
import { requireTryOutScope } from '../../try-out.ts'
import { limited } from '../try-outs/handlers.ts'
import { type DraftSeed, makeDrafts } from './drafts.ts'
import {
  type Entries,
  type Entry,
  findDecimals,
  loadEvmLookUp,
  lookUpContract,
  requireEvmAddress,
} from './evm-contract.ts'

/** The ABI of a contract. Nothing found is an answer with `error`, not a refusal. */
export const findEvmAbi: Handler<'findEvmAbi'> = async (context) => {
  const { source, contract } = context.body
  await requireSourceOf(context, source, 'evm')
  const address = await requireEvmAddress(contract, 'contract')
  return limited(context, {}, async () => {
    const { items, source: abiSource, proxy, name, error } = await lookUpContract(context, source, address)
    return {
      abi: items.map(({ json }) => json),
      contract,
      source: abiSource,
      ...(proxy && { proxy }),
      ...(name !== undefined && { name }),
      ...(error !== undefined && { error }),
    }
  })
}

/** The events and calls that triggers can watch. */
export const importEvm: Handler<'importEvm'> = async (context) => {
  const { body, store, account } = context
  const scope = await requireTryOutScope(store, account, body.project)
  await requireSourceOf(context, body.source, 'evm')
  return limited(context, scope, async () => {
    const { entries, error } = await findEntries(context, body)
    const viewOf = ({ item: _, ...entry }: Entry) => entry
    return {
      events: entries.events.map(viewOf),
      calls: entries.calls.map(viewOf),
      ...(error !== undefined && { error }),
    }
  })
}

/** A draft for each event and call, as a developer of the project would save it. */
export const importEvmDrafts: Handler<'importEvmDrafts'> = async (context) => {
  const { body, store, account } = context
  const project = await requireProjectLevel(store, account, body.project, 'developer')
  await requireSourceOf(context, body.source, 'evm')
  const scope = await requireTryOutScope(store, account, body.project)
  return limited(context, scope, async () => {
    const { entries, error, name } = await findEntries(context, body)
    const { source, contract, useAsFilter, category } = body
    const of = {
      source,
      contract: useAsFilter ? contract : undefined,
      name: name ?? contract?.slice(0, 10),
      decimals: contract === undefined ? undefined : await findDecimals(context, source, contract.toLowerCase()),
    }
    const seeds = [
      ...(body.includeEvents ? entries.events.map((entry) => () => eventSeed(entry, of)) : []),
      ...(body.includeCalls ? entries.calls.map((entry) => () => callSeed(entry, of)) : []),
    ]
    const made = await makeDrafts(context, project, seeds, category === undefined ? [] : [category])
    const sentences = [error, made.error].filter((each) => each !== undefined)
    const abiSource = body.abi === undefined ? ('auto' as const) : ('provided' as const)
    return { abiSource, drafts: made.drafts, ...(sentences.length > 0 && { error: sentences.join(' ') }) }
  })
}

type Found = { entries: Entries; name?: string; error?: string }

/** From the given ABI, or from the ABI that the service finds for the contract. */
async function findEntries(asking: Asking, body: z.output<typeof EvmImport>): Promise<Found> {
  const { entriesOf } = await loadEvmLookUp()
  const address = body.contract === undefined ? undefined : await requireEvmAddress(body.contract, 'contract')
  if (body.abi !== undefined) return readProvided(asking, body.source, body.abi, address)
  if (address === undefined) return { entries: { events: [], calls: [] } }
  const { items, documentation, name, error } = await lookUpContract(asking, body.source, address)
  return {
    entries: entriesOf(items, documentation),
    ...(name !== undefined && { name }),
    ...(error !== undefined && { error }),
  }
}

async function readProvided(asking: Asking, source: string, abi: unknown, address: string | undefined): Promise<Found> {
  const { chainReads, entriesOf, explainWrongAbi, readItems, rolesIn } = await loadEvmLookUp()
  const read = await readItems(abi)
  if ('message' in read) throw invalidPayload([{ path: 'abi', message: read.message }])
  const entries = entriesOf(read.items)
  await saveRoleNames(asking, source, rolesIn(read.items))
  if (address === undefined) return { entries }
  try {
    const error = await atSource(asking, source, ({ request }) =>
      explainWrongAbi(chainReads(request), address, read.items),
    )
    return { entries, ...(error !== undefined && { error }) }
  } catch (error) {
    // Without the network the ABI cannot be compared with the code, and the drafts are made all the same.
    if (error instanceof UpstreamError) return { entries }
    throw error
  }
}

/**
 * The source and the contract of an import. Without `contract` the triggers watch every contract. `decimals` are those of
 * the contract if it is a token.
 */
type ImportedFrom = {
  source: string
  contract: string | undefined
  name: string | undefined
  decimals: number | undefined
}

const signatureLengthMax = 1_024

function eventSeed(entry: Entry, { source, contract, name, decimals }: ImportedFrom): DraftSeed {
  return {
    ...seedOf(entry, name, contractEvent),
    defaults: { ...contractEvent.defaults, ...tokenMessage(entry) },
    title: titleOf(name, entry.name),
    triggerSpec: {
      type: 'evm_log',
      dataSource: source,
      ...(contract !== undefined && { contract }),
      ...(entry.signature.length <= signatureLengthMax && { event: entry.signature }),
      abiFragment: entry.item.json,
    },
    filtersSchema: {
      ...(contract === undefined && { contract: at('address', evmAddress, 'The contract') }),
      ...fieldsOf(entry, decimals),
    },
  }
}

function callSeed(entry: Entry, { source, contract, name, decimals }: ImportedFrom): DraftSeed {
  return {
    ...seedOf(entry, name, functionCalled),
    title: titleOf(name, `${entry.name} called`),
    triggerSpec: {
      type: 'evm_call',
      dataSource: source,
      ...(contract !== undefined && { contract }),
      ...(entry.signature.length <= signatureLengthMax && { method: entry.signature }),
      abiFragment: entry.item.json,
    },
    filtersSchema: {
      ...(contract === undefined && { contract: at('address', evmAddress, 'The contract') }),
      from: at('from', evmAddress, 'The caller'),
      ...fieldsOf(entry, decimals),
    },
  }
}

/** Output and message are those of the general starting point. */
function seedOf({ name, documentation }: Entry, group: string | undefined, action: typeof contractEvent) {
  const { outputSchema, transform, defaults } = action
  return {
    names: group === undefined ? [name] : [group, name],
    ...(documentation !== undefined && { description: documentation }),
    outputSchema,
    transform,
    defaults,
  }
}

function titleOf(contract: string | undefined, what: string): string {
  return contract === undefined ? what : `${contract}: ${what}`
}

/** The amounts of tokens are in whole tokens, and the receiver of a message sees no raw numbers. */
function tokenMessage({ signature, item }: Entry): { title?: string; short?: string; long?: string } {
  const [first, second, third] = item.inputs.map(({ name }) => name)
  const isAmount = item.inputs[2]?.indexed !== true
  const kind = /^(Transfer|Approval)\(address,address,uint256\)$/.exec(signature)?.[1]
  if (kind === undefined || !first || !second || !third) return {}
  const what = isAmount ? `{{token raw.params.${third}}}` : `#{{raw.params.${third}}}`
  const [who, other] = [`{{address raw.params.${first}}}`, `{{address raw.params.${second}}}`]
  return texts(kind === 'Transfer' ? `${what} moved from ${who} to ${other}` : `${who} lets ${other} spend ${what}`, {
    more: inTransaction,
  })
}

const tokenSignatures = new Set([
  ...['Transfer(address,address,uint256)', 'Approval(address,address,uint256)'],
  ...['transfer(address,uint256)', 'transferFrom(address,address,uint256)', 'approve(address,uint256)'],
  ...['mint(address,uint256)', 'burn(uint256)', 'burnFrom(address,uint256)'],
])

/** A filter for each input, by its name or else by its position. A balance is entered in whole tokens. */
function fieldsOf({ item, signature }: Entry, decimals: number | undefined): Record<string, FieldSchema> {
  const amountDecimals = tokenSignatures.has(signature) ? (decimals ?? 0) : 0
  return Object.fromEntries(
    item.inputs.map(({ name, type, indexed }, index) => {
      const schema = schemaOf(type, indexed === true, amountDecimals)
      return name ? [name, at(`params.${name}`, schema, type)] : [`arg${index}`, at(`args.${index}`, schema, type)]
    }),
  )
}

/** A long value that is indexed is in the log as its hash. */
function schemaOf(type: string, isIndexed: boolean, decimals: number): FieldSchema {
  if (type.endsWith(']')) return isIndexed ? 'string' : 'array'
  if (type.startsWith('(')) return isIndexed ? 'string' : 'object'
  if (type === 'address') return evmAddress
  if (type === 'bool') return 'boolean'
  const bits = Number(/^u?int(\d+)$/.exec(type)?.[1] ?? 0)
  if (bits === 0) return 'string'
  return bits <= 48 ? 'integer' : balance(decimals)
}
