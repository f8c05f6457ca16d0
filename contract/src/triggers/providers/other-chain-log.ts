import * as z from 'zod'
import { AbiFragment } from '../../chains/evm.ts'
import { durationBetween } from '../durations.ts'
import { common, type ProviderRecord } from './record.ts'

/**
 * The first log of another chain's contract that fits the item: from `before` before the item's time until `within` after it,
 * by the times of the other chain's blocks. Null if these blocks have none. Until that is known, the run waits.
 */
export const OtherChainLogProvider = z.object({
  ...common,
  type: z.literal('other_chain_log'),
  source: z.string().min(1).describe('The source of the other chain.'),
  contract: z.string().min(1),
  event: z.string().min(1).max(1024),
  abiFragment: AbiFragment.optional(),
  match: z
    .record(z.string().min(1).max(256), z.unknown())
    .optional()
    .describe('Parameters of the event with the values that they must have.'),
  within: durationBetween('1s', '1h').describe('How long after the item the log may come.'),
  before: durationBetween('0s', '1h')
    .optional()
    .describe('How long before the item the log may have come; 1m if absent.'),
})

export const otherChainLog = {
  type: 'other_chain_log',
  schema: OtherChainLogProvider,
  forms: [
    {
      title: 'Log of another chain',
      about: 'Waits for a log of another chain that belongs to the item. Gives null if none came in time.',
      blank: { type: 'other_chain_log', source: '', contract: '', event: '', within: '10m' },
      fields: [
        { name: 'source', label: 'Source of the other chain', as: 'source', kind: 'evm' },
        { name: 'contract', label: 'Contract', as: 'text', placeholder: '0x…' },
        {
          name: 'abiFragment',
          label: 'ABI of the event',
          as: 'abi',
          placeholder: 'event Minted(bytes32 indexed id, uint256 amount)',
        },
        { name: 'event', label: 'Event', as: 'text', placeholder: 'Minted' },
        {
          name: 'match',
          label: 'Values of its parameters',
          as: 'json',
          description: 'A JSON object: {"id": "{{source.params.id}}"}.',
        },
        {
          name: 'within',
          label: 'Time',
          as: 'text',
          placeholder: '10m',
          description: 'How long the run waits for the log: at most 1h.',
        },
        {
          name: 'before',
          label: 'Time before the item',
          as: 'text',
          placeholder: '1m',
          description: 'How much earlier the log may have come. Leave empty for one minute.',
        },
      ],
    },
  ],
  chainFields: ['source', 'contract', 'event', 'match', 'within', 'before'],
} as const satisfies ProviderRecord
