import { startsWith } from './bytes.ts'
import { instructionData } from './instruction-data.ts'
import type { EmittedEvent, Transaction } from './transaction.ts'

/** The tag that Anchor writes before an event that a program sends to itself: `EVENT_IX_TAG`, little-endian. */
export const eventTag = Uint8Array.of(0xe4, 0x45, 0xa5, 0x2e, 0x51, 0xcb, 0x9a, 0x1d)

/** Accepts only instructions that a program sent to itself. Another program could forge the same bytes. */
export function eventsOfInstructions({ instructions }: Transaction): EmittedEvent[] {
  return instructions.flatMap((instruction) => {
    const { position, programId, caller } = instruction
    if (caller !== programId && caller !== null) return []
    const bytes = instructionData(instruction)
    if (!bytes || !startsWith(bytes, eventTag)) return []
    return [{ position, programId, data: bytes.subarray(eventTag.length) }]
  })
}
