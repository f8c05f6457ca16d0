import { createHash } from 'node:crypto'
import type { TriggerSpec } from '@tocsin/contract'
import type { SourceItem } from '../../base/source-item.ts'
import type { ChainBlock } from '../block.ts'
import { startsWith, textOf } from './bytes.ts'
import type { Executed } from './contents.ts'
import { type DecodedInstruction, decodeExecuted, longestFirst } from './decode-executed.ts'
import { placeOf } from './event-matcher.ts'
import { instructionDecoders } from './idl/decoders.ts'
import type { Instruction } from './transaction.ts'

export type SolanaInstructionSpec = Extract<TriggerSpec, { type: 'solana_instruction' }>

/** What the index needs to look instructions up, and the decoder of those that it finds. */
export type InstructionMatcher = {
  /** Absent means every program. */
  programId?: string
  /** Absent means every instruction. */
  discriminators?: readonly Uint8Array[]
  /** False for the instructions of messages alone. */
  inner: boolean
  /** Undefined when the instruction does not match. The index has checked program and `inner`. */
  itemOf(block: ChainBlock, executed: Executed): SourceItem | undefined
}

type Decoding = {
  discriminators?: readonly Uint8Array[]
  /** The fields of the item that the data gives. */
  decode(executed: Executed): Record<string, unknown> | undefined
}

export async function instructionMatcher(spec: SolanaInstructionSpec): Promise<InstructionMatcher> {
  const { programId, inner = true } = spec
  const { discriminators, decode } = spec.idl === undefined ? byName(spec.instruction) : await byIdl(spec)
  return {
    ...{ programId, discriminators, inner },
    itemOf(block, executed) {
      const decoded = decode(executed)
      return decoded && makeItem(block, executed, decoded)
    },
  }
}

export function isInner({ path }: Instruction): boolean {
  return path.includes('.')
}

async function byIdl({ idl, instruction }: SolanaInstructionSpec): Promise<Decoding> {
  const decoders = (await instructionDecoders(idl, instruction)).toSorted(longestFirst)
  return {
    discriminators: decoders.map(({ discriminator }) => discriminator),
    decode(executed) {
      const decoded = decodeExecuted(decoders, executed)
      return decoded && fieldsOf(decoded)
    },
  }
}

function fieldsOf({ name, args, accounts }: DecodedInstruction): Record<string, unknown> {
  return { instruction: name, args, accounts }
}

/** Without an IDL an instruction is only bytes. Anchor derives the first eight from the instruction's name. */
function byName(name: string | undefined): Decoding {
  const discriminator = name === undefined ? undefined : discriminatorOf(name)
  return {
    discriminators: discriminator && [discriminator],
    decode(executed) {
      const data = executed.data()
      if (!data || (discriminator && !startsWith(data, discriminator))) return undefined
      return { instruction: name ?? null, args: {}, accounts: {}, data: textOf(data, 'hex') }
    },
  }
}

/** Rust names are in snake case. */
function discriminatorOf(name: string): Uint8Array {
  const snake = name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
  return createHash('sha256').update(`global:${snake}`).digest().subarray(0, 8)
}

function makeItem(block: ChainBlock, { transaction, instruction }: Executed, decoded: object): SourceItem {
  const { position, path, programId, accounts } = instruction
  return {
    ...placeOf(block, transaction),
    ...{ index: position, path, inner: isInner(instruction), programId },
    ...decoded,
    accountsRaw: accounts.map((at) => transaction.accountKeys[at] ?? null),
    signers: transaction.signers,
  }
}
