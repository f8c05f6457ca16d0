import * as z from 'zod'
import { BytesEncoding, Idl } from '../../chains/solana.ts'
import { common, type ProviderRecord, Source } from './record.ts'

export const Pda = z.object({
  programId: z.string().min(1).optional(),
  seeds: z.array(z.object({ type: z.string(), value: z.unknown() })).max(16),
})

export const SolanaAccountProvider = z.object({
  ...common,
  type: z.literal('solana_account'),
  account: z.string(),
  source: Source,
  idl: Idl.optional(),
  programId: z.string().min(1).optional(),
  accountName: z.string().min(1).optional(),
  bytesEncoding: BytesEncoding.optional(),
  pda: Pda.optional(),
})

export const solanaAccount = {
  type: 'solana_account',
  schema: SolanaAccountProvider,
  forms: [
    {
      title: 'Solana account',
      about: 'Reads an account and decodes it if you give an IDL.',
      blank: { type: 'solana_account', account: '' },
      fields: [
        { name: 'account', label: 'Account', as: 'text', description: 'Leave empty if the PDA below derives it.' },
        { name: 'programId', label: 'Program', as: 'text' },
        { name: 'accountName', label: 'Name in the IDL', as: 'text' },
        { name: 'bytesEncoding', label: 'Bytes', as: 'choice', options: ['hex', 'base64'] },
        { name: 'idl', label: 'IDL', as: 'json' },
        { name: 'pda', label: 'PDA', as: 'json', description: '{"seeds": [{"type": "string", "value": "vault"}]}' },
        { name: 'source', label: 'Source', as: 'source', kind: 'solana' },
      ],
    },
  ],
  chainFields: ['source', 'account', 'programId'],
} as const satisfies ProviderRecord
