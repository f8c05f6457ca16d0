import type { SubstrateImportDrafts } from '@tocsin/contract'
import type * as z from 'zod'
import { UpstreamError } from '../../../engine/outbound/upstream-error.ts'
import { at, blockLink } from '../../../engine/sources/action-fields.ts'
import type { DescribedEntry, DescribedPallet, FoundPallets } from '../../../engine/sources/connection.ts'
import { substrateCall } from '../../../engine/sources/substrate/core-actions/accounts.ts'
import { ss58Address } from '../../../engine/sources/substrate/core-actions/fields.ts'
import { requireProjectLevel } from '../../access.ts'
import { Page } from '../../answers.ts'
import type { Handler } from '../../handler.ts'
import { type Asking, atSource, requireSourceOf } from '../../look-ups.ts'
import { invalidQuery, notFound, Refusal } from '../../refusal.ts'
import { requireTryOutScope } from '../../try-out.ts'
import { limited } from '../try-outs/handlers.ts'
import { descriptionOf, filtersOf, objectOf } from './described-fields.ts'
import { type DraftSeed, makeDrafts } from './drafts.ts'

export const getSubstrateSource: Handler<'getSubstrateSource'> = async (context) => {
  const { ss58Prefix } = await requirePallets(context, context.query.source)
  return { ss58Prefix }
}

export const listSubstratePallets: Handler<'listSubstratePallets'> = async (context) => {
  const { source, limit, cursor = '' } = context.query
  const { pallets } = await requirePallets(context, source)
  const views = pallets
    .map(({ name, docs, events, calls }) => ({
      name,
      docs,
      hasEvents: events.length > 0,
      hasCalls: calls.length > 0,
      eventCount: events.length,
      callCount: calls.length,
    }))
    .filter(({ name }) => name > cursor)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  const shown = views.slice(0, limit)
  return new Page(shown, views.length > limit ? shown.at(-1)?.name : undefined)
}

export const getSubstratePallet: Handler<'getSubstratePallet'> = async (context) => {
  const { source, pallet: name } = context.query
  const pallet = findPallet(await requirePallets(context, source), name)
  if (!pallet) throw notFound(`The chain of "${source}" has no pallet "${name}".`)
  return { ...pallet, events: pallet.events.map(entryView), calls: pallet.calls.map(entryView) }
}

function entryView({ name, docs, fields }: DescribedEntry) {
  return { name, docs, fields: fields.map(({ shape: _, ...field }) => field) }
}

/** The metadata of the source's chain. A caller who may not read the source gets 404, and a node that fails is an error. */
async function requirePallets(context: Asking & Parameters<typeof limited>[0], source: string): Promise<FoundPallets> {
  await requireSourceOf(context, source, 'substrate', invalidQuery)
  return limited(context, {}, async () => {
    try {
      return await readPallets(context, source)
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      throw new Refusal('upstream_failed', `The network could not be read: ${error.message}`)
    }
  })
}

function readPallets(asking: Asking, source: string): Promise<FoundPallets> {
  return atSource(asking, source, (connection) => {
    if (!connection.readPallets) throw new Error('A connection to Substrate must read pallets.')
    return connection.readPallets()
  })
}

/** A draft for each event and call of some pallets, or for the named ones. */
export const importSubstrateDrafts: Handler<'importSubstrateDrafts'> = async (context) => {
  const { body, store, account } = context
  const project = await requireProjectLevel(store, account, body.project, 'developer')
  await requireSourceOf(context, body.source, 'substrate')
  const scope = await requireTryOutScope(store, account, body.project)
  return limited(context, scope, async () => {
    const { seeds, error } = await findSeeds(context, body)
    const made = await makeDrafts(context, project, seeds, body.category === undefined ? [] : [body.category])
    const sentences = [error, made.error].filter((each) => each !== undefined)
    return {
      abiSource: 'auto' as const,
      drafts: made.drafts,
      ...(sentences.length > 0 && { error: sentences.join(' ') }),
    }
  })
}

type Import = z.output<typeof SubstrateImportDrafts>
type Seeds = { seeds: (() => DraftSeed)[]; error?: string }

async function findSeeds(asking: Asking, body: Import): Promise<Seeds> {
  try {
    const found = await readPallets(asking, body.source)
    const { seeds, missing } = body.entries ? ofEntries(found, body, body.entries) : ofPallets(found, body)
    return { seeds, ...(missing.length > 0 && { error: `The chain has no ${missing.slice(0, 20).join(', ')}.` }) }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    return { seeds: [], error: `The network could not be read: ${error.message}` }
  }
}

function ofPallets(found: FoundPallets, { source, pallets = [], includeEvents, includeCalls }: Import) {
  const missing: string[] = []
  const seeds = [...new Set(pallets)].flatMap((name) => {
    const pallet = findPallet(found, name)
    if (!pallet) missing.push(`pallet ${name}`)
    return [
      ...(pallet && includeEvents ? pallet.events.map((event) => () => eventSeed(source, pallet, event)) : []),
      ...(pallet && includeCalls ? pallet.calls.map((call) => () => callSeed(source, pallet, call)) : []),
    ]
  })
  return { seeds, missing }
}

function ofEntries(
  found: FoundPallets,
  { source, includeEvents, includeCalls }: Import,
  entries: NonNullable<Import['entries']>,
) {
  const missing: string[] = []
  const seeds = entries.flatMap(({ pallet: palletName, kind, name }) => {
    if (!(kind === 'event' ? includeEvents : includeCalls)) return []
    const pallet = findPallet(found, palletName)
    const entry = pallet?.[kind === 'event' ? 'events' : 'calls'].find((each) => each.name === name)
    const seedOf = kind === 'event' ? eventSeed : callSeed
    if (pallet && entry) return [() => seedOf(source, pallet, entry)]
    missing.push(`${kind} ${palletName}.${name}`)
    return []
  })
  return { seeds, missing }
}

function findPallet({ pallets }: FoundPallets, name: string): DescribedPallet | undefined {
  return pallets.find((pallet) => pallet.name === name)
}

function eventSeed(source: string, pallet: DescribedPallet, event: DescribedEntry): DraftSeed {
  return {
    ...namesOf(pallet, event),
    triggerSpec: { type: 'substrate_event', dataSource: source, pallet: pallet.name, event: event.name },
    filtersSchema: filtersOf(event.fields, 'params'),
    outputSchema: {
      raw: {
        pallet: 'string',
        event: 'string',
        params: objectOf(event.fields),
        args: 'array',
        blockNumber: 'integer',
        index: 'integer',
      },
    },
    transform: {
      language: 'javascript',
      rawSource:
        '({ pallet: source.pallet, event: source.event, params: source.params, args: source.args, blockNumber: source.block.number, index: source.index })',
    },
    defaults: {
      title: '{{raw.pallet}}.{{raw.event}}',
      short: '{{raw.pallet}}.{{raw.event}} in block {{raw.blockNumber}}',
      long: '{{raw.pallet}}.{{raw.event}} in block {{raw.blockNumber}}\n{{yaml raw.args}}',
      links: blockLink,
    },
  }
}

function callSeed(source: string, pallet: DescribedPallet, call: DescribedEntry): DraftSeed {
  const { transform, defaults, outputSchema } = substrateCall
  const raw = typeof outputSchema.raw === 'object' ? outputSchema.raw : {}
  return {
    ...namesOf(pallet, call),
    triggerSpec: { type: 'substrate_call', dataSource: source, pallet: pallet.name, call: call.name },
    filtersSchema: {
      sender: at('sender', ss58Address, 'The account that signed'),
      ...filtersOf(call.fields, 'params'),
    },
    outputSchema: { raw: { ...raw, params: objectOf(call.fields) } },
    transform,
    defaults,
  }
}

function namesOf({ name: pallet }: DescribedPallet, { name, docs }: DescribedEntry) {
  const description = descriptionOf(docs)
  return { names: [pallet, name], title: `${pallet}: ${name}`, ...(description !== undefined && { description }) }
}
