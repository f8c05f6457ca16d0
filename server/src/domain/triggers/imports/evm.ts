import type { EvmImport } from '@tocsin/contract'
import type * as z from 'zod'
import { UpstreamError } from '../../../engine/outbound/upstream-error.ts'
import { loadEvmLookUp } from '../../../engine/sources/chains.ts'
import { requireProjectLevel } from '../../access.ts'
import type { Handler } from '../../handler.ts'
import { type Asking, atSource, requireSourceOf } from '../../look-ups.ts'
import { invalidPayload } from '../../refusal.ts'
import { requireTryOutScope } from '../../try-out.ts'
import { limited } from '../try-outs/handlers.ts'
import { makeDrafts } from './drafts.ts'
import { type Entries, type Entry, findDecimals, lookUpContract, requireEvmAddress } from './evm-contract.ts'
import { callSeed, eventSeed } from './evm-seeds.ts'

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
  const { chainReads, entriesOf, explainWrongAbi, readItems } = await loadEvmLookUp()
  const read = await readItems(abi)
  if ('message' in read) throw invalidPayload([{ path: 'abi', message: read.message }])
  const entries = entriesOf(read.items)
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
