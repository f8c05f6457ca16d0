import * as z from 'zod'
import { AbiFragment } from '../../chains/evm.ts'
import { argsField, common, type ProviderRecord, Source } from './record.ts'

export const EvmReadProvider = z.object({
  ...common,
  type: z.literal('evm_read'),
  contract: z.string().min(1),
  method: z.string().min(1).max(1024),
  abiFragment: AbiFragment,
  source: Source,
  abiContract: z.string().optional(),
  args: z.array(z.unknown()).optional(),
})

export const evmRead = {
  type: 'evm_read',
  schema: EvmReadProvider,
  forms: [
    {
      title: 'EVM contract read',
      about: "Calls a view function at the item's block.",
      blank: { type: 'evm_read', contract: '', method: '', abiFragment: '' },
      fields: [
        { name: 'contract', label: 'Contract', as: 'text', placeholder: '{{source.address}}' },
        {
          name: 'abiFragment',
          label: 'ABI of the function',
          as: 'abi',
          placeholder: 'function decimals() view returns (uint8)',
        },
        { name: 'method', label: 'Function', as: 'text', placeholder: 'decimals' },
        argsField,
        { name: 'source', label: 'Source', as: 'source', kind: 'evm' },
      ],
    },
  ],
  chainFields: ['source', 'contract', 'method'],
} as const satisfies ProviderRecord
