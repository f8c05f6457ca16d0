import * as z from 'zod'
import { common, type ProviderRecord, RenderedText, Source } from './record.ts'

/** The last block at or before a time: ISO text, or milliseconds since 1970. */
export const BlockAtProvider = z.object({
  ...common,
  type: z.literal('block_at'),
  time: z
    .union([RenderedText, z.number().int()], { error: 'must be an ISO time, milliseconds or a placeholder' })
    .describe('The time: ISO-8601 text, milliseconds since 1970, or a placeholder for one of them.'),
  source: Source,
})

export const blockAt = {
  type: 'block_at',
  schema: BlockAtProvider,
  forms: [
    {
      title: 'Block at a time',
      about: 'Finds the last block at or before a time.',
      blank: { type: 'block_at', time: '' },
      fields: [
        {
          name: 'time',
          label: 'Time',
          as: 'text',
          placeholder: '2026-01-31T00:00:00Z',
          description: 'An ISO time, or milliseconds since 1970. Placeholders are allowed.',
        },
        { name: 'source', label: 'Source', as: 'source' },
      ],
    },
  ],
  chainFields: ['source', 'time'],
} as const satisfies ProviderRecord
