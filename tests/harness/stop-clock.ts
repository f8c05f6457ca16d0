import { onTestFinished } from 'vitest'
import type { Harness } from './index.ts'

/** The clock of the service stands until the test ends, so that no wait is over because the machine is slow. */
export function stopClock({ clock }: Pick<Harness, 'clock'>): void {
  clock.stop()
  onTestFinished(() => clock.start())
}
