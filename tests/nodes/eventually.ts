import { lookUntil } from '../harness/look-until.ts'

/** Repeats the check until it passes, for results that come from other processes and sockets. */
export async function eventually(holds: () => boolean | Promise<boolean>, timeoutMs = 5000): Promise<void> {
  const { isSo } = await lookUntil(holds, Boolean, timeoutMs)
  if (!isSo) throw new Error('it did not come about in time')
}
