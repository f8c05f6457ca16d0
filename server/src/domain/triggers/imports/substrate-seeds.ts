import type { DescribedEntry, DescribedPallet } from '../../../engine/sources/connection.ts'
import { at, blockLink, ss58Address } from '../core-actions/fields.ts'
import { substrateCall } from '../core-actions/substrate.ts'
import { descriptionOf, filtersOf, objectOf } from './described-fields.ts'
import type { DraftSeed } from './drafts.ts'

export function eventSeed(source: string, pallet: DescribedPallet, event: DescribedEntry): DraftSeed {
  return {
    ...namesOf(pallet, event),
    triggerSpec: { type: 'substrate_event', dataSource: source, pallet: pallet.name, event: event.name },
    filtersSchema: filtersOf(event.fields, 'params', ss58Address),
    outputSchema: {
      raw: {
        pallet: 'string',
        event: 'string',
        params: objectOf(event.fields, ss58Address),
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

export function callSeed(source: string, pallet: DescribedPallet, call: DescribedEntry): DraftSeed {
  const { transform, defaults, outputSchema } = substrateCall
  const raw = typeof outputSchema.raw === 'object' ? outputSchema.raw : {}
  return {
    ...namesOf(pallet, call),
    triggerSpec: { type: 'substrate_call', dataSource: source, pallet: pallet.name, call: call.name },
    filtersSchema: {
      sender: at('sender', ss58Address, 'The account that signed'),
      ...filtersOf(call.fields, 'params', ss58Address),
    },
    outputSchema: { raw: { ...raw, params: objectOf(call.fields, ss58Address) } },
    transform,
    defaults,
  }
}

function namesOf({ name: pallet }: DescribedPallet, { name, docs }: DescribedEntry) {
  const description = descriptionOf(docs)
  return { names: [pallet, name], title: `${pallet}: ${name}`, ...(description !== undefined && { description }) }
}
