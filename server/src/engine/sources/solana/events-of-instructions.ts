import { decodeBase58 } from './base58.ts'
import { startsWith } from './bytes.ts'
import type { Transaction } from './contents.ts'
import type { Found } from './emissions.ts'

/** What Anchor puts before an event that a program sends to itself: `EVENT_IX_TAG`, lowest byte first. */
export const eventTag = Uint8Array.of(0xe4, 0x45, 0xa5, 0x2e, 0x51, 0xcb, 0x9a, 0x1d)

/** Only what a program told itself is its event: the same bytes sent by another program would be forged. */
export function eventsOfInstructions({ instructions }: Transaction): Found[] {
  return instructions.flatMap(({ position, programId, caller, data }) => {
    if (caller !== programId && caller !== null) return []
    const bytes = decodeBase58(data)
    if (!bytes || !startsWith(bytes, eventTag)) return []
    return [{ position, programId, data: bytes.subarray(eventTag.length) }]
  })
}
