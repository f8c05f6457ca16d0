import { lookUntil } from '../harness/look-until.ts'

/** Tries again until it holds: for what other processes and sockets bring about in their own time. */
export async function eventually(holds: () => boolean | Promise<boolean>, timeoutMs = 5000): Promise<void> {
  const { isSo } = await lookUntil(holds, Boolean, timeoutMs)
  if (!isSo) throw new Error('it did not come about in time')
}
