import type { DeliveryMode, Issue } from '@tocsin/contract'
import type * as z from 'zod'

/** The ticks of a timer have no block, so there is nothing to wait for. */
export function checkFinality(
  delivery: z.output<typeof DeliveryMode> | undefined,
  spec: { type?: unknown } | null,
  path: string,
): Issue[] {
  const finality = delivery?.finality
  if (finality === undefined || finality === 'seen' || spec?.type !== 'timer') return []
  return [{ path: `${path}.finality`, message: 'a timer has no blocks, so its alerts cannot wait for one' }]
}
