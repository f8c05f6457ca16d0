import * as z from 'zod'
import { common, type ProviderRecord, Source } from './record.ts'

/** `contract` is the address of an ERC-20 or ERC-721 contract, a Solana mint, or the id of an asset of the assets pallet. */
export const TokenMetadataProvider = z.object({
  ...common,
  type: z.literal('token_metadata'),
  contract: z.string().min(1),
  source: Source,
})

export const tokenMetadata = {
  type: 'token_metadata',
  schema: TokenMetadataProvider,
  forms: [
    {
      title: 'Token metadata',
      about: 'Reads the name, symbol and decimals of a token.',
      blank: { type: 'token_metadata', contract: '' },
      fields: [
        {
          name: 'contract',
          label: 'Token',
          as: 'text',
          placeholder: '{{source.address}}',
          description: 'The address of a contract, a Solana mint, or the number of a Substrate asset.',
        },
        { name: 'source', label: 'Source', as: 'source' },
      ],
    },
  ],
  chainFields: ['source', 'contract'],
} as const satisfies ProviderRecord
