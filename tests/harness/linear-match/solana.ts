import { requireContents } from '../../../server/src/engine/sources/solana/contents.ts'
import { eventMatcher, type SolanaEventSpec } from '../../../server/src/engine/sources/solana/event-matcher.ts'
import {
  instructionMatcher,
  type SolanaInstructionSpec,
} from '../../../server/src/engine/sources/solana/instruction-matcher.ts'
import type { LinearMatch } from './index.ts'

export async function linearEvents(spec: SolanaEventSpec): Promise<LinearMatch> {
  const { isOfInstructions, itemOf } = await eventMatcher(spec)
  return (block) => {
    const contents = requireContents(block)
    const all = isOfInstructions ? contents.executed(spec.programId) : contents.emissions(spec.programId)
    return all.map((each) => itemOf(block, each)).filter((item) => item !== undefined)
  }
}

export async function linearInstructions(spec: SolanaInstructionSpec): Promise<LinearMatch> {
  const { programId, inner = true } = spec
  const { itemOf } = await instructionMatcher(spec)
  return (block) =>
    requireContents(block)
      .executed(programId)
      .filter(({ instruction }) => inner || !instruction.path.includes('.'))
      .map((executed) => itemOf(block, executed))
      .filter((item) => item !== undefined)
}
