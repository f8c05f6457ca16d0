import type { Executed } from './contents.ts'
import type { Decoder } from './idl/build-decoder.ts'

/** An instruction as an IDL describes it. */
export type DecodedInstruction = {
  name: string
  args: Record<string, unknown>
  /** By name. An omitted optional account is null. */
  accounts: Record<string, string | null>
}

/** The longest comes first, because a short discriminator may be a prefix of a longer one. */
export function longestFirst(a: Decoder, b: Decoder): number {
  return b.discriminator.length - a.discriminator.length
}

/** Undefined when no decoder knows the instruction. */
export function decodeExecuted(decoders: readonly Decoder[], executed: Executed): DecodedInstruction | undefined {
  const data = executed.data()
  if (!data) return undefined
  for (const decoder of decoders) {
    const args = decoder.decode(data)
    if (args) return { name: decoder.name, args, accounts: accountsOf(decoder, executed) }
  }
  return undefined
}

/** Anchor passes the id of the program instead of an omitted optional account. */
function accountsOf({ accounts }: Decoder, { transaction, instruction }: Executed): Record<string, string | null> {
  const entries = accounts.map(({ name, isOptional }, at): [string, string | null] => {
    const address = transaction.accountKeys[instruction.accounts[at] ?? -1] ?? null
    return [name, isOptional && address === instruction.programId ? null : address]
  })
  return Object.fromEntries(entries)
}
