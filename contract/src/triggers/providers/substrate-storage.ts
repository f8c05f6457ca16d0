import * as z from 'zod'
import { argsField, common, type ProviderRecord, Source } from './record.ts'

export const SubstrateStorageProvider = z.object({
  ...common,
  type: z.literal('substrate_storage'),
  module: z.string().min(1),
  entry: z.string().min(1),
  source: Source,
  args: z.array(z.unknown()).optional(),
  block: z
    .union([z.string().min(1), z.number().int().min(0)], { error: 'must be a block number, a hash or a placeholder' })
    .optional(),
})

export const substrateStorage = {
  type: 'substrate_storage',
  schema: SubstrateStorageProvider,
  forms: [
    {
      title: 'Substrate storage',
      about: "Reads a storage entry at the item's block.",
      blank: { type: 'substrate_storage', module: '', entry: '' },
      fields: [
        { name: 'module', label: 'Pallet', as: 'text', placeholder: 'system' },
        { name: 'entry', label: 'Entry', as: 'text', placeholder: 'account' },
        argsField,
        {
          name: 'block',
          label: 'Block',
          as: 'text',
          description: "A number, a hash or a placeholder. Leave empty to use the item's block.",
        },
        { name: 'source', label: 'Source', as: 'source', kind: 'substrate' },
      ],
    },
  ],
  chainFields: ['source', 'module', 'entry'],
} as const satisfies ProviderRecord
