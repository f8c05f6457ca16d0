/** The trigger specs of EVM chains, and what an EVM chain says about itself. */
import * as z from 'zod'
import type { ChainDescription } from './chain.ts'
import { dataSource, every, everyInput, outcomeInput, success, testInput } from './spec-fields.ts'

/** An ABI as JSON text, as one item or a list of items, or in human-readable form. */
export const AbiFragment = z.union(
  [z.string(), z.record(z.string(), z.unknown()), z.array(z.union([z.string(), z.record(z.string(), z.unknown())]))],
  { error: 'must be an ABI as text, an object or a list' },
)

/** The contracts that a factory creates: its events name them in `parameter`. */
export const EvmFactory = z.object({
  contract: z.string(),
  event: z.string().min(1).max(1024),
  abiFragment: AbiFragment,
  parameter: z.string().min(1).max(256),
  /** Contracts that were created before this block do not count; by default the first block of the factory. */
  fromBlock: z.number().int().min(0).optional(),
})
export type EvmFactory = z.output<typeof EvmFactory>

/** One address, a list of addresses, or a factory: the trigger watches each of the contracts. */
export const EvmContracts = z.union(
  [z.string(), z.array(z.string()).min(1).max(1000), z.object({ factory: EvmFactory })],
  { error: 'must be an address, a list of addresses, or {factory: …}' },
)

export const EvmLogSpec = z.object({
  type: z.literal('evm_log'),
  dataSource,
  contract: EvmContracts.optional(),
  event: z.string().max(1024).optional(),
  abiFragment: AbiFragment.optional(),
  topicsCount: z.number().optional(),
  dataBytes: z.number().optional(),
  testInput,
})

export const EvmTransactionSpec = z.object({ type: z.literal('evm_transaction'), dataSource, testInput })

export const EvmCallSpec = z.object({
  type: z.literal('evm_call'),
  dataSource,
  contract: EvmContracts.optional(),
  /** A signature, a selector, or a name that `abiFragment` holds. */
  method: z.string().max(1024).optional(),
  abiFragment: AbiFragment.optional(),
  /**
   * True: calls at every depth, read by traces. The default is false: only the transactions' own calls. `auto`: calls at
   * every depth where the source has traces, else the transactions' own calls.
   */
  internal: z.union([z.boolean(), z.literal('auto')], { error: 'must be true, false or "auto"' }).optional(),
  /** Which calls match, by their outcome. The default is true. */
  success,
  testInput,
})

export const EvmBlockSpec = z.object({ type: z.literal('evm_block'), dataSource, every, testInput })

export const evmSpecs = [EvmLogSpec, EvmTransactionSpec, EvmCallSpec, EvmBlockSpec] as const

const logFields = 'Signature, topics and data'

export const evmDescription: ChainDescription = {
  kind: 'evm',
  title: 'EVM',
  endpointExample: 'https://rpc.example.org',
  sourceSettings: ['verify'],
  coinDecimals: 18,
  address: {
    type: 'evm',
    title: 'EVM',
    example: '0x742d35Cc6634C0532925a3b844Bc454e4438f44e',
    form: { pattern: '^0x[0-9a-fA-F]{40}$' },
    differsFromHashes: true,
    namePattern: '^[^\\s.]+(\\.[^\\s.]+)*\\.eth$',
    hint: 'It begins with 0x and has 42 characters.',
  },
  specs: [
    {
      type: 'evm_log',
      title: 'EVM event',
      about: 'Events that contracts emit, decoded by their ABI.',
      inputs: [
        {
          ...{ as: 'contracts', name: 'contract', label: 'Contract' },
          description: 'Leave empty to watch every contract that emits the event.',
        },
        {
          ...{ as: 'abi', item: 'event', name: 'event', label: 'ABI' },
          description:
            'Paste JSON, a compiler output, or lines such as: event Transfer(address indexed from, address indexed to, uint256 value)',
        },
        {
          ...{ as: 'text', name: 'event', label: 'Event', group: logFields },
          description:
            'A name of the ABI, or a signature such as Transfer(address indexed from, address indexed to, uint256 value), which needs no ABI.',
        },
        {
          ...{ as: 'number', name: 'topicsCount', label: 'Number of topics', min: 0, group: logFields },
          description: 'Only logs with so many topics match. An ERC-20 Transfer has 3, an ERC-721 Transfer 4.',
        },
        {
          ...{ as: 'number', name: 'dataBytes', label: 'Bytes of data', min: 0, group: logFields },
          description: 'Only logs with so many bytes of data match.',
        },
      ],
      itemFields: [
        ...['address', 'event', 'blockNumber', 'blockTimestamp'],
        ...['transactionHash', 'transactionIndex', 'index', 'data'],
      ],
      sentence: { noun: 'event', names: ['event'], place: { field: 'contract', words: 'of' } },
    },
    {
      type: 'evm_transaction',
      title: 'EVM transaction',
      about: 'Every transaction of the chain.',
      inputs: [],
      itemFields: [
        ...['from', 'to', 'value', 'input', 'methodId', 'status', 'hash', 'type', 'nonce'],
        ...['gasLimit', 'gasPrice', 'block.number', 'receipt.gasUsed'],
      ],
      sentence: { noun: 'transaction', names: [] },
    },
    {
      type: 'evm_call',
      title: 'EVM call',
      about: 'Calls of the functions of contracts.',
      inputs: [
        {
          ...{ as: 'contracts', name: 'contract', label: 'Contract' },
          description: 'Leave empty to watch calls of every contract.',
        },
        {
          ...{ as: 'abi', item: 'function', name: 'method', label: 'ABI' },
          description: 'JSON, or lines such as: function transfer(address to, uint256 amount)',
        },
        {
          ...{ as: 'text', name: 'method', label: 'Method' },
          description:
            'A name of the ABI, a signature such as transfer(address,uint256), or a selector such as 0xa9059cbb. Leave empty for every method.',
        },
        outcomeInput,
        {
          ...{ as: 'choice', name: 'internal', label: 'Depth', default: false },
          options: [
            { value: false, label: 'Only the calls that transactions make themselves' },
            { value: 'auto', label: 'Also calls between contracts, if the source has traces' },
            { value: true, label: 'Also calls between contracts; the source must have traces' },
          ],
        },
      ],
      itemFields: [
        ...['address', 'from', 'to', 'value', 'method', 'methodId', 'success', 'type', 'depth'],
        ...['input', 'output', 'gasUsed', 'transactionHash', 'block.number', 'block.timestamp'],
      ],
      sentence: { noun: 'call', names: ['method'], place: { field: 'contract', words: 'to' } },
    },
    {
      type: 'evm_block',
      title: 'EVM block',
      about: 'Every block of the chain, or every N-th.',
      inputs: [everyInput],
      itemFields: [
        ...['number', 'hash', 'timestamp', 'transactionsCount', 'gasLimit', 'gasUsed'],
        ...['baseFeePerGas', 'blobGasUsed', 'excessBlobGas', 'miner'],
      ],
      sentence: { noun: 'block', names: [] },
    },
  ],
}
