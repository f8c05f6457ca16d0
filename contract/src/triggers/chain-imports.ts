import * as z from 'zod'
import { FreeForm, Fullname, ListQuery } from '../base/common.ts'

/** From a Solana program or a Substrate pallet to triggers. */

const source = Fullname
const choice = { includeEvents: z.boolean().default(true), includeCalls: z.boolean().default(true) }
/** Becomes a tag of each draft. */
const category = z.string().trim().min(1).max(64).optional()
const programId = z.string().trim().min(1).max(255)
const name = z.string().trim().min(1).max(255)

export const SolanaIdlLookUp = z.object({ source, programId })
/** Without an IDL `idl` is null, and `error` says what was tried and what to do next. */
export const SolanaIdlResult = z
  .object({
    source: z.string(),
    programId: z.string(),
    /** The account that holds the IDL. */
    account: z.string().nullable(),
    idl: FreeForm.nullable(),
    error: z.string().optional(),
  })
  .meta({ id: 'SolanaIdlResult' })

export const SolanaImportDrafts = z.object({
  project: Fullname,
  source,
  programId,
  idl: z.union([FreeForm, z.string()], { error: 'must be an IDL, as an object or its JSON text' }),
  category,
  ...choice,
})

export const SubstrateSourceQuery = z.object({ source })
export const SubstrateSource = z.object({ ss58Prefix: z.number().int() }).meta({ id: 'SubstrateSource' })

export const SubstratePalletsQuery = ListQuery.extend({ source })
export const SubstratePalletSummary = z
  .object({
    name: z.string(),
    docs: z.array(z.string()),
    hasEvents: z.boolean(),
    hasCalls: z.boolean(),
    eventCount: z.number().int(),
    callCount: z.number().int(),
  })
  .meta({ id: 'SubstratePalletSummary' })

/** A field of an event or a call. The fields of some events have no name. */
const SubstrateField = z.object({ name: z.string().optional(), type: z.string() })
export const SubstrateEntry = z
  .object({ name: z.string(), docs: z.array(z.string()), fields: z.array(SubstrateField) })
  .meta({ id: 'SubstrateEntry' })
export type SubstrateEntry = z.output<typeof SubstrateEntry>

export const SubstratePalletQuery = z.object({ source, pallet: name })
export const SubstratePallet = z
  .object({
    name: z.string(),
    docs: z.array(z.string()),
    events: z.array(SubstrateEntry),
    calls: z.array(SubstrateEntry),
    storage: z.array(
      z.object({ name: z.string(), docs: z.array(z.string()), keys: z.array(z.string()), type: z.string() }),
    ),
  })
  .meta({ id: 'SubstratePallet' })
export type SubstratePallet = z.output<typeof SubstratePallet>

export const SubstrateImportDrafts = z
  .object({
    project: Fullname,
    source,
    pallets: z.array(name).min(1).max(100).optional(),
    entries: z
      .array(z.object({ pallet: name, kind: z.enum(['event', 'call']), name }))
      .min(1)
      .max(200)
      .optional(),
    category,
    ...choice,
  })
  .superRefine(({ pallets, entries }, context) => {
    if ((pallets === undefined) === (entries === undefined))
      context.addIssue({ code: 'custom', path: ['pallets'], message: 'give either pallets or entries' })
  })
