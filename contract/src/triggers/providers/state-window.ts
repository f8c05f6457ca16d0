import * as z from 'zod'
import { common, type ProviderRecord } from './record.ts'

export const StateWindowProvider = z.object({
  ...common,
  type: z.literal('state_window'),
  dedupeBy: z.string().min(1),
  value: z.unknown(),
  keepLast: z.number().int().min(1).max(1000),
  partitionBy: z.string().optional(),
  valueType: z.enum(['number', 'string', 'boolean', 'object', 'array', 'unknown']).optional(),
  aggregate: z
    .array(z.enum(['values', 'avg', 'min', 'max', 'sum']))
    .max(5)
    .optional(),
})

export const stateWindow = {
  type: 'state_window',
  schema: StateWindowProvider,
  forms: [
    {
      title: 'State window',
      about: 'Stores the last values, so that scripts can compare with them.',
      blank: { type: 'state_window', dedupeBy: '{{source.transactionHash}}', value: '', keepLast: 10 },
      fields: [
        { name: 'value', label: 'Value', as: 'text', placeholder: '{{source.params.value}}' },
        {
          name: 'valueType',
          label: 'Value type',
          as: 'choice',
          options: ['number', 'string', 'boolean', 'object', 'array', 'unknown'],
        },
        { name: 'dedupeBy', label: 'Deduplicate by', as: 'text', placeholder: '{{source.transactionHash}}' },
        { name: 'partitionBy', label: 'Partition by', as: 'text', placeholder: '{{source.address}}' },
        { name: 'keepLast', label: 'Number of values', as: 'number', description: '1 to 1,000' },
        { name: 'aggregate', label: 'Aggregates', as: 'choices', options: ['values', 'avg', 'min', 'max', 'sum'] },
      ],
    },
  ],
} as const satisfies ProviderRecord
