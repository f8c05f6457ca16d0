import * as z from 'zod'
import { common, type ProviderRecord, Source } from './record.ts'

/** `feed` is the address of an aggregator with Chainlink's `latestRoundData` and `decimals`. */
export const PriceProvider = z.object({
  ...common,
  type: z.literal('price'),
  feed: z.string().min(1),
  source: Source,
  maxAgeMs: z.number().int().min(1).max(31_536_000_000).optional(),
})

export const price = {
  type: 'price',
  schema: PriceProvider,
  forms: [
    {
      title: 'Price feed',
      about: 'Reads the last price of a Chainlink feed, with its age.',
      blank: { type: 'price', feed: '' },
      fields: [
        { name: 'feed', label: 'Feed', as: 'text', description: 'The address of the aggregator.' },
        {
          name: 'maxAgeMs',
          label: 'Maximum age in ms',
          as: 'number',
          description: 'An older price is marked as stale. Leave empty if age does not matter.',
        },
        { name: 'source', label: 'Source', as: 'source', kind: 'evm' },
      ],
    },
  ],
  chainFields: ['source', 'feed', 'maxAgeMs'],
} as const satisfies ProviderRecord
