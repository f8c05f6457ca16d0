import * as z from 'zod'

/** An ABI as JSON text, as one item or a list of items, or in human-readable form. */
export const AbiFragment = z.union(
  [z.string(), z.record(z.string(), z.unknown()), z.array(z.union([z.string(), z.record(z.string(), z.unknown())]))],
  { error: 'must be an ABI as text, an object or a list' },
)

/** An Anchor IDL, old or new format, as an object or as JSON text. */
export const Idl = z.union([z.string(), z.record(z.string(), z.unknown())], {
  error: 'must be an IDL as an object or JSON text',
})

/** The format of bytes in program data: `hex` (default; 0x and digits, as on other chains) or `base64`. */
export const BytesEncoding = z.enum(['hex', 'base64'])
export type BytesEncoding = z.output<typeof BytesEncoding>

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

const dataSource = z.string().min(1)
const testInput = z.unknown().optional()
/** Which calls match by their result; true if absent. */
const success = z.union([z.boolean(), z.literal('any')], { error: 'must be true, false or "any"' }).optional()

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

/** The distance of the blocks that a trigger matches: those whose number is divisible by it. The default is 1. */
const every = z.number().int().min(1).max(100_000).optional()

export const EvmBlockSpec = z.object({ type: z.literal('evm_block'), dataSource, every, testInput })

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

export const TimerSpec = z.object({
  type: z.literal('timer'),
  /** A duration, or five cron fields. */
  interval: z.string().max(1024),
  /** The time zone of cron fields, by its IANA name; UTC if absent. */
  timezone: z.string().min(1).max(100).optional(),
  testInput,
})
export type TimerSpec = z.output<typeof TimerSpec>

/** The source items that a trigger matches. An absent optional field is a wildcard. */
export const TriggerSpec = z.discriminatedUnion('type', [
  EvmLogSpec,
  EvmTransactionSpec,
  EvmCallSpec,
  EvmBlockSpec,
  SubstrateEventSpec,
  SubstrateCallSpec,
  SubstrateBlockSpec,
  SolanaEventSpec,
  SolanaInstructionSpec,
  TimerSpec,
])
export type TriggerSpec = z.output<typeof TriggerSpec>
