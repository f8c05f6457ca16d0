/** The trigger specs of Solana, and what Solana says about itself. */
import * as z from 'zod'
import type { ChainDescription, SpecInput } from './chain.ts'
import { dataSource, testInput } from './spec-fields.ts'

/** An Anchor IDL, old or new format, as an object or as JSON text. */
export const Idl = z.union([z.string(), z.record(z.string(), z.unknown())], {
  error: 'must be an IDL as an object or JSON text',
})

/** The format of bytes in program data: `hex` (default; 0x and digits, as on other chains) or `base64`. */
export const BytesEncoding = z.enum(['hex', 'base64'])
export type BytesEncoding = z.output<typeof BytesEncoding>

export const SolanaEventSpec = z.object({
  type: z.literal('solana_event'),
  dataSource,
  programId: z.string().optional(),
  event: z.string().optional(),
  idl: Idl.optional(),
  bytesEncoding: BytesEncoding.optional(),
  testInput,
})

export const SolanaInstructionSpec = z.object({
  type: z.literal('solana_instruction'),
  dataSource,
  programId: z.string().optional(),
  instruction: z.string().optional(),
  idl: Idl.optional(),
  /** Also the instructions that programs invoke; true if absent. */
  inner: z.boolean().optional(),
  testInput,
})

export const solanaSpecs = [SolanaEventSpec, SolanaInstructionSpec] as const

/** The program, its IDL, and the name of the item. */
function itemInputs(item: 'event' | 'instruction', label: string): SpecInput[] {
  return [
    {
      ...{ as: 'text', name: 'programId', label: 'Program' },
      description: 'The address of the program. Leave empty to watch every program.',
    },
    {
      ...{ as: 'idl', item, name: item, label: 'IDL' },
      description: 'Paste the Anchor IDL of the program as JSON.',
    },
    {
      ...{ as: 'text', name: item, label },
      description: `The name in the IDL. Leave empty to watch every ${item}.`,
    },
  ]
}

const place = { field: 'programId', words: 'of the program' }

export const solanaDescription: ChainDescription = {
  kind: 'solana',
  title: 'Solana',
  endpointExample: 'https://api.example.org',
  sourceSettings: [],
  coinDecimals: 9,
  address: {
    type: 'solana',
    title: 'Solana',
    example: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin',
    form: { base58Bytes: [32] },
    differsFromHashes: false,
    hint: 'It has 32 to 44 letters and digits.',
  },
  specs: [
    {
      type: 'solana_event',
      title: 'Solana event',
      about: 'Events of a program, decoded by its Anchor IDL.',
      inputs: [
        ...itemInputs('event', 'Event'),
        {
          ...{ as: 'choice', name: 'bytesEncoding', label: 'Bytes', default: 'hex' },
          description: 'How bytes in the values of an event are written.',
          options: [
            { value: 'hex', label: 'Hex: 0x and digits' },
            { value: 'base64', label: 'Base64' },
          ],
        },
      ],
      itemFields: ['programId', 'event', 'index', 'block.slot', 'transaction.signature', 'transaction.success'],
      sentence: { noun: 'event', names: ['event'], place },
    },
    {
      type: 'solana_instruction',
      title: 'Solana instruction',
      about: 'Instructions of a program, also those that programs invoke, decoded by an Anchor IDL.',
      inputs: [
        ...itemInputs('instruction', 'Instruction'),
        {
          ...{ as: 'switch', name: 'inner', default: true, label: 'Include inner instructions' },
          description: 'Also the instructions that programs invoke.',
        },
      ],
      itemFields: ['programId', 'instruction', 'inner', 'path', 'index', 'block.slot', 'transaction.signature'],
      sentence: { noun: 'instruction', names: ['instruction'], place, verb: 'runs' },
    },
  ],
}
