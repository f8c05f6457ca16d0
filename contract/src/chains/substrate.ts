/** The trigger specs of Substrate chains, and what a Substrate chain says about itself. */
import * as z from 'zod'
import type { ChainDescription, SpecInput } from './chain.ts'
import { dataSource, every, everyInput, outcomeInput, success, testInput } from './spec-fields.ts'

export const SubstrateEventSpec = z.object({
  type: z.literal('substrate_event'),
  dataSource,
  pallet: z.string().optional(),
  event: z.string().optional(),
  testInput,
})

export const SubstrateCallSpec = z.object({
  type: z.literal('substrate_call'),
  dataSource,
  pallet: z.string().optional(),
  call: z.string().optional(),
  /** Also the calls inside batch, proxy, multisig and sudo calls; true if absent. */
  nested: z.boolean().optional(),
  success,
  testInput,
})

export const SubstrateBlockSpec = z.object({ type: z.literal('substrate_block'), dataSource, every, testInput })

export const substrateSpecs = [SubstrateEventSpec, SubstrateCallSpec, SubstrateBlockSpec] as const

/** A name that selects items. */
function nameInput(name: string, label: string, placeholder: string): SpecInput {
  return {
    ...{ as: 'text', name, label, placeholder },
    description: `Leave empty to watch every ${label.toLowerCase()}.`,
  }
}

const pallet = nameInput('pallet', 'Pallet', 'balances')

export const substrateDescription: ChainDescription = {
  kind: 'substrate',
  title: 'Substrate',
  endpointExample: 'wss://node.example.org',
  sourceSettings: ['extensions'],
  coinDecimals: 10,
  address: {
    type: 'ss58',
    title: 'Substrate (SS58)',
    example: '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY',
    // A prefix of one or two bytes, 32 bytes of the account, and two of the checksum.
    form: { base58Bytes: [35, 36] },
    differsFromHashes: false,
    hint: 'It has about 48 letters and digits.',
  },
  specs: [
    {
      type: 'substrate_event',
      title: 'Substrate event',
      about: 'Events of a pallet, such as balances.Transfer.',
      inputs: [pallet, nameInput('event', 'Event', 'Transfer')],
      itemFields: ['pallet', 'event', 'phase', 'extrinsic', 'index', 'block.number', 'block.hash'],
      sentence: { noun: 'event', names: ['pallet', 'event'] },
    },
    {
      type: 'substrate_call',
      title: 'Substrate call',
      about: 'Extrinsics, and the calls inside batch, proxy, multisig and sudo calls.',
      inputs: [
        pallet,
        nameInput('call', 'Call', 'transfer_keep_alive'),
        outcomeInput,
        {
          ...{ as: 'switch', name: 'nested', default: true, label: 'Include calls inside other calls' },
          description: 'Also the calls inside batch, proxy, multisig and sudo calls.',
        },
      ],
      itemFields: [
        ...['pallet', 'call', 'sender', 'nonce', 'success', 'path'],
        ...['index', 'hash', 'block.number', 'block.hash'],
      ],
      sentence: { noun: 'call', names: ['pallet', 'call'] },
    },
    {
      type: 'substrate_block',
      title: 'Substrate block',
      about: 'Every block of the chain, or every N-th.',
      inputs: [everyInput],
      itemFields: ['number', 'hash', 'parentHash', 'timestamp', 'stateRoot', 'extrinsicsRoot', 'author'],
      sentence: { noun: 'block', names: [] },
    },
  ],
}
