import * as z from 'zod'
import { FreeForm, Fullname, Time } from '../base/common.ts'
import { AbiFragment } from '../chains/evm.ts'
import { TriggerDraftView } from './triggers.ts'

/** From an address on a source to triggers: what the contract is, what it emits and which calls it takes. */

const source = Fullname
/** The server checks that it is an address of the source's chain, because its message can say more than a pattern. */
const address = z.string().trim().min(1).max(255)
const ofContract = { project: Fullname, source, contract: address.optional(), abi: AbiFragment.optional() }

function requireContractOrAbi(
  { contract, abi }: { contract?: unknown; abi?: unknown },
  context: z.RefinementCtx<unknown>,
): void {
  if (contract === undefined && abi === undefined)
    context.addIssue({ code: 'custom', path: ['contract'], message: 'one of contract and abi is required' })
}

/** Where an ABI comes from: a service with verified contracts, or the selectors in the code and the recent logs. */
export const AbiSource = z.enum(['sourcify', 'etherscan', 'blockscout', 'selectors'])
export type AbiSource = z.output<typeof AbiSource>

export const ProxyKind = z.enum(['eip1967', 'eip1967-beacon', 'eip1822', 'eip1167', 'safe', 'diamond'])
export type ProxyKind = z.output<typeof ProxyKind>

/** A diamond has `implementations`, every other proxy has one `implementation`. */
export const ProxyView = z
  .object({ kind: ProxyKind, implementation: z.string().optional(), implementations: z.array(z.string()).optional() })
  .meta({ id: 'Proxy' })
export type ProxyView = z.output<typeof ProxyView>

export const EvmAbiLookUp = z.object({ source, contract: address })
export const EvmAbiResult = z
  .object({
    abi: z.array(FreeForm),
    contract: z.string(),
    source: AbiSource,
    proxy: ProxyView.optional(),
    name: z.string().optional(),
    error: z.string().optional(),
  })
  .meta({ id: 'EvmAbiResult' })

/** An event or a call of a contract. `inputs` are those of the ABI. */
export const AbiEntry = z
  .object({
    signature: z.string(),
    name: z.string(),
    inputs: z.array(FreeForm),
    documentation: z.string().optional(),
  })
  .meta({ id: 'AbiEntry' })
export type AbiEntry = z.output<typeof AbiEntry>

/** With both, `abi` is used and the contract is not looked up. */
export const EvmImport = z.object(ofContract).superRefine(requireContractOrAbi)
export const EvmImportResult = z
  .object({ events: z.array(AbiEntry), calls: z.array(AbiEntry), error: z.string().optional() })
  .meta({ id: 'EvmImportResult' })

export const EvmImportDrafts = z
  .object({
    ...ofContract,
    /** Becomes a tag of each draft. */
    category: z.string().trim().min(1).max(64).optional(),
    includeEvents: z.boolean().default(true),
    includeCalls: z.boolean().default(true),
    /** Puts the contract into the triggerSpec of each draft. */
    useAsFilter: z.boolean().default(true),
  })
  .superRefine(requireContractOrAbi)

/** `provided`: the request had the ABI. `auto`: the service found it. */
export const ImportDraftsResult = z
  .object({
    abiSource: z.enum(['provided', 'auto']),
    drafts: z.array(TriggerDraftView),
    error: z.string().optional(),
  })
  .meta({ id: 'ImportDraftsResult' })

/** `address` may be an ENS name where the network has its registry. */
export const Inspect = z.object({ source, address })

export const AddressKind = z.enum([
  ...(['token', 'nft', 'multi-token', 'vault', 'multisig', 'proxy', 'contract', 'account'] as const),
  ...(['oracle', 'timelock', 'governor', 'access-manager', 'pool', 'smart-account'] as const),
])
export type AddressKind = z.output<typeof AddressKind>

const Latest = z.object({
  block: z.number().int(),
  transaction: z.string(),
  time: Time.optional(),
  params: FreeForm,
})

/** An event or a call with its ABI item, and how often it happened in the blocks that were read. */
export const InspectedEntry = AbiEntry.extend({
  fragment: FreeForm,
  count: z.number().int(),
  latest: Latest.optional(),
}).meta({ id: 'InspectedEntry' })
export type InspectedEntry = z.output<typeof InspectedEntry>

export const InspectResult = z
  .object({
    source: z.string(),
    address: z.string(),
    /** The name of the contract. */
    name: z.string().optional(),
    ensName: z.string().optional(),
    kind: AddressKind,
    token: z
      .object({
        symbol: z.string().optional(),
        name: z.string().optional(),
        decimals: z.number().int(),
        standard: z.string(),
      })
      .optional(),
    proxy: ProxyView.optional(),
    abiSource: AbiSource.optional(),
    /** What could not be read, and what to do next. */
    error: z.string().optional(),
    /** The native balance of an account, in the smallest unit. */
    balance: z.string().optional(),
    /** The blocks whose logs were counted; calls are counted from `callsFromBlock` on. */
    looked: z
      .object({
        fromBlock: z.number().int(),
        toBlock: z.number().int(),
        callsFromBlock: z.number().int().optional(),
        /** Why fewer blocks were read than wanted. */
        reason: z.string().optional(),
      })
      .optional(),
    events: z.array(InspectedEntry),
    calls: z.array(InspectedEntry),
  })
  .meta({ id: 'InspectResult' })
export type InspectResult = z.output<typeof InspectResult>
