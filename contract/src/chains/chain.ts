/** What a chain says about itself: enough for people, forms and sentences, without a connection. */
import * as z from 'zod'
import { addressTypes, sourceKinds } from './kinds.ts'

export const SourceKind = z.enum(sourceKinds)
export type SourceKind = z.infer<typeof SourceKind>

export const AddressType = z.enum(addressTypes)
export type AddressType = z.infer<typeof AddressType>

const input = {
  /** The field of the spec. */
  name: z.string(),
  label: z.string(),
  description: z.string().optional(),
  placeholder: z.string().optional(),
  /** Inputs of one group are folded together under this heading. */
  group: z.string().optional(),
}

/** An input of the form of a spec. `abi` and `idl` choose an item of an interface that the user pastes. */
export const SpecInput = z
  .discriminatedUnion('as', [
    z.object({ as: z.literal('text'), ...input }),
    z.object({ as: z.literal('number'), ...input, min: z.number().optional(), max: z.number().optional() }),
    z.object({ as: z.literal('switch'), ...input, default: z.boolean() }),
    z.object({
      as: z.literal('choice'),
      ...input,
      /** The value of the service if the field is absent. */
      default: z.union([z.boolean(), z.string()]),
      options: z.array(z.object({ value: z.union([z.boolean(), z.string()]), label: z.string() })),
    }),
    /** One address, several, or the contracts that a factory creates. */
    z.object({ as: z.literal('contracts'), ...input }),
    z.object({ as: z.literal('abi'), item: z.enum(['event', 'function']), ...input }),
    z.object({ as: z.literal('idl'), item: z.enum(['event', 'instruction']), ...input }),
  ])
  .meta({ id: 'SpecInput' })
export type SpecInput = z.output<typeof SpecInput>

/** A type of trigger spec of a chain. */
export const SpecDescription = z
  .object({
    type: z.string(),
    title: z.string(),
    about: z.string(),
    inputs: z.array(SpecInput),
    /** Paths of values that every item has, the useful ones first. An event or a call has its own params besides. */
    itemFields: z.array(z.string()),
    /** “When a <noun> of <place> happens”: the fields with the name of the item, and the field with its place. */
    sentence: z.object({
      noun: z.string(),
      names: z.array(z.string()),
      place: z.object({ field: z.string(), words: z.string() }).optional(),
      verb: z.string().optional(),
    }),
  })
  .meta({ id: 'SpecDescription' })
export type SpecDescription = z.output<typeof SpecDescription>

/** A regular expression, or the numbers of bytes that base58 text has. */
const AddressForm = z.union([z.object({ pattern: z.string() }), z.object({ base58Bytes: z.array(z.number().int()) })])
export type AddressForm = z.output<typeof AddressForm>

export const ChainDescription = z
  .object({
    kind: SourceKind,
    title: z.string(),
    /** The URL of a node, as an example. */
    endpointExample: z.string(),
    /** The settings that only custom sources of this kind have. */
    sourceSettings: z.array(z.enum(['verify', 'extensions'])),
    /** The decimals of the native coin of a network that does not say them. */
    coinDecimals: z.number().int(),
    address: z.object({
      type: AddressType,
      title: z.string(),
      example: z.string(),
      form: AddressForm,
      /** False if hashes have the form of addresses too. */
      differsFromHashes: z.boolean(),
      /** A regular expression for names that stand for addresses. */
      namePattern: z.string().optional(),
      /** What an address looks like, for a person who pasted something else. */
      hint: z.string(),
    }),
    specs: z.array(SpecDescription),
  })
  .meta({ id: 'ChainDescription' })
export type ChainDescription = z.output<typeof ChainDescription>

export const ChainsReply = z.object({ chains: z.array(ChainDescription) })
